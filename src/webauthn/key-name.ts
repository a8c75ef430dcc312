/** Cleans the name that a person gives a security key or passkey, which is shown on pages and in mails. */
/** In code points. */
const MAX_NAME_LENGTH = 60;
/** Control characters, unpaired surrogates, private characters, and marks that reorder or break a line. */
const FORBIDDEN_CHARACTERS = /[\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** @returns the cleaned name. If it is empty, a default name is shown or stored in its place */
export function toKeyName(name: string): string {
  const cleanName = name
    .slice(0, MAX_NAME_LENGTH * 16)
    .replace(FORBIDDEN_CHARACTERS, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
    .normalize('NFC');
  return Array.from(cleanName).slice(0, MAX_NAME_LENGTH).join('').trim();
}
