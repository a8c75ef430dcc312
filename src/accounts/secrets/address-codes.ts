/**
 * Codes that prove the e-mail address of a person who has no account yet. Only the MAC of the code is stored, without the address. A code
 * works once, and for ten seconds again for a second click, within ten minutes and five tries, and only with the id that its browser has.
 * `mailed-codes.ts` has the codes of accounts.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';
import { RequestLimits } from '../limits/request-limits.js';
import { createMailedCode, MAILED_CODE_SECONDS, readMailedCode } from './mailed-code.js';
import { OneTimeSecrets } from './one-time-secrets.js';

const MAX_TRIES = 5;
/** A second click on the form, which the browser sends before it has the answer to the first, must not find the code spent. */
const REPEAT_SECONDS = 10;

/** A code that was mailed, or would have been mailed if no account had the address. */
export interface AddressCodeKey {
  /** A secret of the browser: 256 random bits. */
  id: string;
  email: string;
}

/** `used-up`: no code is accepted for this id any more. */
export type AddressCodeVerdict = 'right' | 'wrong' | 'used-up';

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
  async consume(key: AddressCodeKey, typed: string): Promise<AddressCodeVerdict> {
    const code = readMailedCode(typed);
    // The try is counted before the code is compared, so that parallel guesses cannot exceed the limit.
    const tries = await this.limits.countTry(`sign-up\n${key.id}`, MAILED_CODE_SECONDS);
    if (tries > MAX_TRIES) return 'used-up';
    for (const secret of this.keys.macs('proof-code', toMacInput(key, code))) {
      if ((await this.secrets.consume('sign-up-code', secret, key.id)) !== null) {
        const repeated = { purpose: 'sign-up-code', boundTo: toRepeat(key), secret, lifetimeSeconds: REPEAT_SECONDS } as const;
        await this.secrets.issue(repeated);
        return 'right';
      }
      if ((await this.secrets.findBound('sign-up-code', secret, toRepeat(key))) !== null) return 'right';
    }
    return tries === MAX_TRIES ? 'used-up' : 'wrong';
  }
}

const toMacInput = ({ id, email }: AddressCodeKey, code: string): string => ['sign-up', id, email, code].join('\n');

const toRepeat = ({ id }: AddressCodeKey): string => `${id} again`;
