/**
 * Codes that prove the e-mail address of a person who has no account yet. Only the MAC of the code is stored, without the address. A code
 * works once, within ten minutes and five tries, and only with the id that its browser has. Wrong codes also count for the network and the
 * installation. `mailed-codes.ts` has the codes of accounts.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';
import { RequestLimits, type SignUpCodeTry } from '../limits/request-limits.js';
import { createMailedCode, MAILED_CODE_SECONDS, readMailedCode } from './mailed-code.js';
import { OneTimeSecrets } from './one-time-secrets.js';

const MAX_TRIES = 5;

/** A code that was mailed, or would have been mailed if no account had the address. */
export interface AddressCodeKey {
  /** A secret of the browser: 256 random bits. */
  id: string;
  email: string;
}

/** `used-up`: no code is accepted for this id any more. */
export type AddressCodeVerdict =
  | { kind: 'right' | 'wrong' | 'used-up' }
  /** Too many wrong codes came from the network, or were entered in the whole installation. `retryAfter`: in seconds. */
  | { kind: 'limited'; retryAfter: number };

@Injectable()
export class AddressCodes {
  constructor(
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
  ) {}

  /** Stores a new code. Runs in the transaction that queues its mail. */
  async issue(key: AddressCodeKey, trx: Transaction<Schema>): Promise<{ code: string; expiresAt: Date }> {
    const code = createMailedCode();
    const secret = this.keys.mac('proof-code', toMacInput(key, code));
    const newSecret = { purpose: 'sign-up-code', boundTo: key.id, secret, lifetimeSeconds: MAILED_CODE_SECONDS } as const;
    const { expiresAt } = await this.secrets.issueWithExpiry(newSecret, trx);
    return { code, expiresAt };
  }

  /** Consumes the code if it is right. Counts the try and looks the code up in the same way if no code was mailed. */
  async consume(key: AddressCodeKey, typedCode: string, by: SignUpCodeTry): Promise<AddressCodeVerdict> {
    const retryAfter = await this.limits.countSignUpCode(by);
    if (retryAfter !== null) return { kind: 'limited', retryAfter };
    // The try is counted before the code is compared, so that parallel guesses cannot exceed the limit.
    const tries = await this.limits.countTry(`sign-up\n${key.id}`, MAILED_CODE_SECONDS);
    const isRight = tries <= MAX_TRIES && (await this.#consume(key, readMailedCode(typedCode)));
    if (isRight || tries > MAX_TRIES) await this.limits.releaseSignUpCode(by);
    if (isRight) return { kind: 'right' };
    return { kind: tries >= MAX_TRIES ? 'used-up' : 'wrong' };
  }

  async #consume(key: AddressCodeKey, code: string): Promise<boolean> {
    for (const secret of this.keys.macs('proof-code', toMacInput(key, code))) {
      if ((await this.secrets.consume('sign-up-code', secret, key.id)) !== null) return true;
    }
    return false;
  }
}

const toMacInput = ({ id, email }: AddressCodeKey, code: string): string => ['sign-up', id, email, code].join('\n');
