/** The name that a person gives a security key: it stands on pages and in mails. */
const LONGEST_NAME = 60;
/** Control characters, surrogates without a partner, private characters, and the marks that reorder or break a line. */
const HOSTILE = /[\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** @returns what is left of it, perhaps nothing; then the page has words for it */
export function keyName(given: string): string {
  const clean = given
    .slice(0, LONGEST_NAME * 16)
    .replace(HOSTILE, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return Array.from(clean).slice(0, LONGEST_NAME).join('').trim().normalize('NFC');
}
