import { expect, it } from '@jest/globals';
import { toAsciiDigits } from './typed-digits.js';

it.each([
  ['٠١٢٣٤٥٦٧٨٩', '0123456789'],
  ['۰۱۲۳۴۵۶۷۸۹', '0123456789'],
  ['٤٩٢ 817 ab', '492 817 ab'],
  // Digits of other scripts, and the characters beside the two ranges.
  ['２８７०१\u065F\u066A\u06EF\u06FA', '２８７०१\u065F\u066A\u06EF\u06FA'],
])('[VAL-4] Arabic digits of %j become %j', (text, digits) => {
  expect(toAsciiDigits(text)).toBe(digits);
});
