/**
 * Mailed codes of six digits: their stored form, and the limit on guesses. Because a plain hash of such a short code could be reversed by
 * trying all codes, a MAC is stored. The class that uses a code decides where the MAC is stored, and what a right code does.
 */
import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import { toAsciiDigits } from '../../contract/typed-digits.js';
import { RequestLimits } from '../limits/request-limits.js';

const DIGITS = 6;
const MAX_TRIES = 5;

export const MAILED_CODE_SECONDS = 600;

/** `isAllowed`: the code may be compared. `isLast`: no further code is allowed. */
export interface CodeTry {
  isAllowed: boolean;
  isLast: boolean;
}

/** In the methods, `name` says what a code is for, and for whom: a code is right only under the name with which it was created. */
@Injectable()
export class SixDigitCodes {
  constructor(
    private readonly keys: Keys,
    private readonly limits: RequestLimits,
  ) {}

  /** @returns the code for the mail, and its MAC, which is stored */
  create(name: string): { code: string; secret: string } {
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
    return { code, secret: this.keys.mac('proof-code', toText(name, code)) };
  }

  /** @returns the MACs under which the typed code may be stored: one for each system secret */
  listSecrets(name: string, typedCode: string): string[] {
    return this.keys.macs('proof-code', toText(name, readMailedCode(typedCode)));
  }

  /** @param secret the stored MAC */
  isRight(name: string, typedCode: unknown, secret: string): boolean {
    return this.keys.verifyMac('proof-code', toText(name, readMailedCode(typedCode)), secret);
  }

  /**
   * Counts a try. A try has to be counted before the code is compared, so that parallel guesses cannot exceed the limit.
   * @param id identifies the code while it is valid
   */
  async countTry(id: string): Promise<CodeTry> {
    const tries = await this.limits.countTry(id, MAILED_CODE_SECONDS);
    return { isAllowed: tries <= MAX_TRIES, isLast: tries >= MAX_TRIES };
  }
}

/** Removes whitespace, because people type the digits in groups. @returns ASCII digits; an empty text if the value is not a string */
export function readMailedCode(typedCode: unknown): string {
  return typeof typedCode === 'string' ? toAsciiDigits(typedCode).replaceAll(/\s/g, '') : '';
}

const toText = (name: string, code: string): string => `${name}\n${code}`;
