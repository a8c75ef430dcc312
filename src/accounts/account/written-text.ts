/**
 * Character checks for text that people enter and others read. Characters that are invisible, reorder text or break
 * lines can spoof names, forge log lines and inject mail headers.
 */

/** Control characters (including CR, LF and NUL), lone surrogates and private use characters. */
const UNPRINTABLE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Co}]/u;
/** Line and paragraph separators, and directional formatting characters (UAX 9, section 2). */
const REORDERING_CHARACTERS = /[\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
/** Characters without a visible shape. */
const INVISIBLE_CHARACTERS =
  /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\u{E0000}-\u{E0FFF}]/u;

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE_CHARACTERS.test(text) && !REORDERING_CHARACTERS.test(text);
}

export function isVisible(text: string): boolean {
  return isPrintable(text) && !INVISIBLE_CHARACTERS.test(text);
}

/** @returns the length in code points, not in UTF-16 units */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
