/**
 * Codes that prove the e-mail address of a person who has no account yet. Only the MAC of the code is stored, without the address. A code
 * works once, within ten minutes and five tries, and only with the id of the request, which only the requesting browser has. Within the five
 * tries, it is accepted again for ten seconds after its use, for a second click.
 * Wrong codes also count for the network and the installation. `mailed-codes.ts` has the codes of accounts.
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { RequestLimits, type AddressCodeTry } from '../limits/request-limits.js';
import { MAILED_CODE_SECONDS, SixDigitCodes } from './mailed-code.js';
import { OneTimeSecrets } from './one-time-secrets.js';

/** A second click on the form, which the browser sends before it has the answer to the first, must not find the code spent. */
const REPEAT_SECONDS = 10;

/** A code that was mailed, or would have been mailed if no account had the address. */
export interface AddressCodeKey {
  /** Id of the request, a secret of the browser: 256 random bits. */
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
    private readonly codes: SixDigitCodes,
    private readonly secrets: OneTimeSecrets,
    private readonly limits: RequestLimits,
  ) {}

  /** Stores a new code. Runs in the transaction that queues its mail. */
  async issue(key: AddressCodeKey, trx: Transaction<Schema>): Promise<{ code: string; expiresAt: Date }> {
    const { code, secret } = this.codes.create(toName(key));
    const newSecret = { purpose: 'sign-up-code', boundTo: key.id, secret, lifetimeSeconds: MAILED_CODE_SECONDS } as const;
    const { expiresAt } = await this.secrets.issueWithExpiry(newSecret, trx);
    return { code, expiresAt };
  }

  /** Consumes the code if it is right. Counts the try and looks the code up in the same way if no code was mailed. */
  async consume(key: AddressCodeKey, typedCode: string, requestFacts: Omit<AddressCodeTry, 'use'>): Promise<AddressCodeVerdict> {
    const codeTry = { ...requestFacts, use: 'sign-up-code' } as const;
    const retryAfter = await this.limits.countAddressCode(codeTry);
    if (retryAfter !== null) return { kind: 'limited', retryAfter };
    const { isAllowed, isLast } = await this.codes.countTry(`sign-up\n${key.id}`);
    const isRight = isAllowed && (await this.#consume(key, typedCode));
    if (isRight || !isAllowed) await this.limits.releaseAddressCode(codeTry);
    if (isRight) return { kind: 'right' };
    return { kind: isLast ? 'used-up' : 'wrong' };
  }

  async #consume(key: AddressCodeKey, typedCode: string): Promise<boolean> {
    for (const secret of this.codes.listSecrets(toName(key), typedCode)) {
      if ((await this.secrets.consume('sign-up-code', secret, key.id)) !== null) {
        const repeatSecret = {
          purpose: 'sign-up-code',
          boundTo: toRepeatBinding(key),
          secret,
          lifetimeSeconds: REPEAT_SECONDS,
        } as const;
        await this.secrets.issue(repeatSecret);
        return true;
      }
      if ((await this.secrets.findBound('sign-up-code', secret, toRepeatBinding(key))) !== null) return true;
    }
    return false;
  }
}

const toName = ({ id, email }: AddressCodeKey): string => ['sign-up', id, email].join('\n');

const toRepeatBinding = ({ id }: AddressCodeKey): string => `${id} again`;
