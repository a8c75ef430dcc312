/**
 * The anti-forgery value of forms: an HMAC of the browser id, so it cannot be computed without the key, used by another
 * browser, or planted with a cookie. It is masked differently on every page, because a constant value could be
 * guessed from the size of the compressed page (BREACH).
 */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';

const MASK_BYTES = 32;

@Injectable()
export class Xsrf {
  readonly #keys: Keys;

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  issue(browser: string): string {
    const mac = Buffer.from(this.#keys.mac('xsrf', browser), 'base64url');
    const mask = randomBytes(MASK_BYTES);
    return Buffer.concat([mask, xor(mac, mask)]).toString('base64url');
  }

  verify(browser: string, value: unknown): boolean {
    if (typeof value !== 'string') return false;
    const bytes = Buffer.from(value, 'base64url');
    if (bytes.length !== 2 * MASK_BYTES) return false;
    const mac = xor(bytes.subarray(MASK_BYTES), bytes.subarray(0, MASK_BYTES));
    return this.#keys.verifyMac('xsrf', browser, mac.toString('base64url'));
  }
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
