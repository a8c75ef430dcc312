/**
 * Proofs and decisions that wait for their request to start again, because the OAuth server can no longer finish the
 * request in which they were given. Each is a pending authentication of 60 seconds: bound to a secret and the id of one
 * browser and to one request, used once, and ended by everything that ends pending sign-ins of its account.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Keys, fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { AccountDisabled } from '../account/account.errors.js';
import { CARRY } from './pending-statements.js';

export interface CarriedTo {
  step: 'login' | 'consent';
  /** Address of the whole authorization request: another scope, client or `max_age` is another request. */
  requestUrl: string;
  /** At least 128 random bits. */
  secret: string;
  browser: string;
}

export interface CarriedProof {
  accountId: string;
  /** What was proven, as `amr`; empty for a decision. */
  amr: readonly string[];
  /** Of the proven password, if one was proven. */
  passwordVersion?: string | undefined;
  /** Of the account, if another proof was used; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** Read by whoever takes it. */
  content: string;
}

type Row = Record<'account_id' | 'context', string> & { amr: string[] };

const TAKE = new Statement<Record<'challenge' | 'browser', string>, Row>(
  'carried.take',
  ({ param, now }) => sql`
    delete from pending_authentication p using account a
    where p.challenge_hash = ${param('challenge')} and p.browser_hash = ${param('browser')} and p.expires_at > ${now}
      and a.id = p.account_id and a.status = 'active'
    returning p.account_id, p.amr, p.context`,
);

@Injectable()
export class CarriedProofs {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** @throws AccountDisabled, also if the password was replaced */
  async keep(to: CarriedTo, { accountId, amr, passwordVersion, securityStamp, content }: CarriedProof): Promise<void> {
    if (!isAccountId(accountId)) throw new AccountDisabled();
    const kept = await this.database.run(CARRY, {
      ...hashesOf(to),
      account: accountId,
      amr: [...amr],
      context: this.keys.seal('pending-context', content),
      version: passwordVersion ?? null,
      securityStamp: securityStamp ?? null,
    });
    if (kept.length === 0) throw new AccountDisabled();
  }

  /** @returns the proof, once; null if unknown, taken, expired or of another browser or request */
  async take(to: CarriedTo): Promise<CarriedProof | null> {
    const [row] = await this.database.run(TAKE, hashesOf(to));
    const content = row && this.keys.open('pending-context', row.context);
    return row && typeof content === 'string' ? { accountId: row.account_id, amr: row.amr, content } : null;
  }
}

/** The words separate these hashes from those of challenges. */
function hashesOf({ step, requestUrl, secret, browser }: CarriedTo): Record<'challenge' | 'browser', string> {
  return { challenge: fingerprint(`carried ${step} ${secret} ${requestUrl}`), browser: fingerprint(browser) };
}
