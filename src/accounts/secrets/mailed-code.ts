/** Creates and reads mailed codes of six digits. The functions that use them must limit the guesses. */
import { randomInt } from 'node:crypto';

const DIGITS = 6;

export const MAILED_CODE_SECONDS = 600;

export function createMailedCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** Removes whitespace, because people type the digits in groups. @returns an empty text if the value is not a string */
export function readMailedCode(typedCode: unknown): string {
  return typeof typedCode === 'string' ? typedCode.replaceAll(/\s/g, '') : '';
}
