/** A name that somebody else gave, made fit to stand in a page or a mail: one line, no tricks with direction, not long. */

const LABEL_LENGTH = 200;
/** Controls, invisible characters that change the order or the look of others, and lone surrogates. */
const TRICKS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu;

export function displayLabel(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  // Cut first: what follows shall not work on a megabyte.
  const short = value
    .slice(0, 4 * LABEL_LENGTH)
    .replace(/\s+/gu, ' ')
    .replace(TRICKS, '')
    .trim();
  return short === '' ? null : Array.from(short).slice(0, LABEL_LENGTH).join('').trimEnd();
}
