/** The digits of codes that people type. The keyboards of Arabic and Persian phones have digits of their own. */

/** Arabic-Indic and Extended Arabic-Indic digits, as a part of a character class. */
export const ARABIC_DIGITS = String.raw`\u0660-\u0669\u06F0-\u06F9`;

const ARABIC_DIGIT = new RegExp(`[${ARABIC_DIGITS}]`, 'g');

/** @returns the text with the digits 0 to 9 in place of Arabic ones */
export function toAsciiDigits(text: string): string {
  // The last four bits of the code point are the value of the digit.
  return text.replaceAll(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) % 16));
}
