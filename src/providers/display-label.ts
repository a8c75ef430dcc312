/** Makes a name from an external system safe for pages and mails: one line, no directional characters, limited length. */

const LABEL_LENGTH = 200;
/** Control characters, invisible characters that change the order or look of others, lone surrogates, and private-use characters. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

export function toDisplayLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // The value is cut first, to limit the work on very long texts.
  const text = value
    .slice(0, 4 * LABEL_LENGTH)
    .replace(/\s+/gu, ' ')
    .replace(UNSAFE_CHARACTERS, '')
    .trim();
  return text === '' ? null : Array.from(text).slice(0, LABEL_LENGTH).join('').trimEnd();
}
