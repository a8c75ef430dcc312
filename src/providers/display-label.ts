/** Makes a name from outside safe for pages and mails: one line, no directional characters, limited length. */

const LABEL_LENGTH = 200;
/** Control characters, invisible characters that change the order or look of others, and lone surrogates. */
const TRICKS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

export function displayLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Cut first, to limit the work on very long texts.
  const short = value
    .slice(0, 4 * LABEL_LENGTH)
    .replace(/\s+/gu, ' ')
    .replace(TRICKS, '')
    .trim();
  return short === '' ? null : Array.from(short).slice(0, LABEL_LENGTH).join('').trimEnd();
}
