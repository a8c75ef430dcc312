/** Six digits in a mail: what all of them have in common. Whoever uses them limits the guesses. */
import { randomInt } from 'node:crypto';

const DIGITS = 6;

export const MAILED_CODE_SECONDS = 600;

export function newMailedCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** People type it in groups. @param typed of any shape @returns digits without blanks; empty if it is not a text */
export function readMailedCode(typed: unknown): string {
  return typeof typed === 'string' ? typed.replaceAll(/\s/g, '') : '';
}
