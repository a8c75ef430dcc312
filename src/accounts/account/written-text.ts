/**
 * What may stand in a text that people write and others read. Characters that hide, reorder or break a line are attacks on
 * the reader (spoofed names, forged log lines, mail headers), never spelling.
 */

/** Control characters, among them CR, LF and NUL; lone surrogates; private characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Co}]/u;
/** Line and paragraph separators, and the marks that reorder text (Unicode bidirectional algorithm, section 2). */
const REORDERING = /[\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** Characters without a shape of their own. */
const INVISIBLE =
  /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/u;

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text) && !REORDERING.test(text);
}

export function isVisible(text: string): boolean {
  return isPrintable(text) && !INVISIBLE.test(text);
}

/** Length as people count it: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
