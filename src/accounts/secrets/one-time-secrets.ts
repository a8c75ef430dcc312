/**
 * Things that happen once: a secret for one purpose, kept as its hash, with what belongs to it sealed, spent by one
 * conditional statement. The database's time decides when it is over.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';

/** What was begun with a kind of second factor, by its name. */
export type FactorPurpose = `factor-${'setup' | 'proof'}:${string}`;

export type OneTimePurpose =
  | FactorPurpose
  /** Mailed to its owner. */
  | 'password-reset'
  /** Handed out by a contact person. */
  | 'password-reset-handed'
  | 'factor-reset'
  /** In the notices of changes: "that was not me". */
  | 'not-me'
  /** The same after one of them was used: whoever follows it learns that it has happened. */
  | 'not-me-used'
  /** Named by its state; see `provider-transactions.ts`. */
  | 'provider-transaction'
  | 'provider-answer'
  | 'provider-connect'
  | 'account-choice'
  /** Mailed to somebody in the account area, to prove that it is them. */
  | 'proof-code';

/** Every link that leads to a new password, however it reached its owner. */
export const PASSWORD_RESETS = ['password-reset', 'password-reset-handed'] as const satisfies readonly OneTimePurpose[];

export interface NewOneTimeSecret {
  purpose: OneTimePurpose;
  accountId?: string;
  /** A browser, a session, a pending sign-in: whoever consumes it has to name the same. */
  boundTo?: string;
  payload?: string;
  lifetimeSeconds: number;
  /** Made by whoever had to name it before it was written; at least 128 bits, or keyed. */
  secret?: string;
}

/** What there is one of at a time. */
export interface OneTimeSlot {
  purpose: OneTimePurpose;
  accountId: string;
  boundTo: string;
}

export interface IssuedSecret {
  secret: string;
  expiresAt: Date;
}

export interface OneTimeContent {
  accountId: string | null;
  payload: string | null;
}

interface ContentRow {
  account_id: string | null;
  payload: string | null;
}

type Values = Record<'hash' | 'purpose' | 'bound', string>;

const ISSUE = new Statement<Values & { account: string | null; payload: string | null; lifetime: number }, { expires_at: Date }>(
  'one-time.issue',
  ({ slot, now }) => sql`
    insert into one_time_secret (secret_hash, purpose, account_id, bound_hash, payload, expires_at)
    values (${slot('hash')}, ${slot('purpose')}, ${slot('account')}, ${slot('bound')}, ${slot('payload')},
      ${now} + ${interval(slot('lifetime'))})
    returning expires_at`,
);

const CONSUME = new Statement<Values, ContentRow>(
  'one-time.consume',
  ({ slot, now }) => sql`
    delete from one_time_secret
    where secret_hash = ${slot('hash')} and purpose = ${slot('purpose')} and bound_hash = ${slot('bound')} and expires_at > ${now}
    returning account_id, payload`,
);

const FIND = new Statement<Values, ContentRow>(
  'one-time.find',
  ({ slot, now }) => sql`
    select account_id, payload from one_time_secret
    where secret_hash = ${slot('hash')} and purpose = ${slot('purpose')} and bound_hash = ${slot('bound')} and expires_at > ${now}`,
);

const WAITING = new Statement<Record<'account' | 'purpose' | 'bound', string>, ContentRow>(
  'one-time.waiting',
  ({ slot, now }) => sql`
    select account_id, payload from one_time_secret
    where account_id = ${slot('account')} and purpose = ${slot('purpose')} and bound_hash = ${slot('bound')} and expires_at > ${now}`,
);

@Injectable()
export class OneTimeSecrets {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** @returns the secret: 256 bits, base64url */
  async issue(wanted: NewOneTimeSecret, trx?: Transaction<Schema>): Promise<string> {
    return (await this.hand(wanted, trx)).secret;
  }

  /** For whoever has to tell until when it works. */
  async hand(wanted: NewOneTimeSecret, trx?: Transaction<Schema>): Promise<IssuedSecret> {
    const { purpose, accountId, boundTo, payload, lifetimeSeconds, secret = randomToken() } = wanted;
    const values = {
      hash: fingerprint(secret),
      purpose,
      account: accountId ?? null,
      bound: boundHash(boundTo),
      payload: payload === undefined ? null : this.keys.seal('one-time-payload', payload),
      lifetime: lifetimeSeconds,
    };
    const [row] = await this.database.run(ISSUE, values, trx);
    if (!row) throw new Error('A secret that was written always answers.');
    return { secret, expiresAt: row.expires_at };
  }

  /** Issues the only one of its place: the newest wins, also of several that come at once. */
  async replace(wanted: NewOneTimeSecret & OneTimeSlot): Promise<string> {
    return this.database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', wanted.accountId).forNoKeyUpdate().execute();
      await this.discard(wanted, trx);
      return this.issue(wanted, trx);
    });
  }

  /** @returns what belongs to it, once; null for anything unknown, spent, past its time or bound to another */
  async consume(purpose: OneTimePurpose, secret: string, boundTo?: string): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(CONSUME, { hash: fingerprint(secret), purpose, bound: boundHash(boundTo) });
    return row ? this.#content(row) : null;
  }

  /** Spends one that is bound to nobody, as part of the transaction of what it was for. @returns whether it was there */
  async spend(purpose: OneTimePurpose, secret: string, trx: Transaction<Schema>): Promise<boolean> {
    const values = { hash: fingerprint(secret), purpose, bound: boundHash(undefined) };
    return (await this.database.run(CONSUME, values, trx)).length > 0;
  }

  /** What belongs to one that is bound to nobody; spends nothing. */
  async find(purpose: OneTimePurpose, secret: string, trx?: Transaction<Schema>): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(FIND, { hash: fingerprint(secret), purpose, bound: boundHash(undefined) }, trx);
    return row ? this.#content(row) : null;
  }

  /** What waits at this place; spends nothing. */
  async findWaiting({ purpose, accountId, boundTo }: OneTimeSlot): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(WAITING, { account: accountId, purpose, bound: boundHash(boundTo) });
    return row ? this.#content(row) : null;
  }

  /** Part of the transaction of what it was for. @returns whether anything went */
  async discard({ purpose, accountId, boundTo }: OneTimeSlot, trx: Transaction<Schema>): Promise<boolean> {
    const { numDeletedRows } = await trx
      .deleteFrom('one_time_secret')
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('bound_hash', '=', boundHash(boundTo))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  #content({ account_id, payload }: ContentRow): OneTimeContent {
    return { accountId: account_id, payload: payload === null ? null : this.keys.open('one-time-payload', payload) };
  }
}

function boundHash(boundTo: string | undefined): string {
  return boundTo === undefined ? '' : fingerprint(boundTo);
}

/** What was begun with second factors of the account, whichever kinds there are: set-ups, and proofs unless told. */
export async function discardFactorSecretsOf(
  accountId: string,
  trx: Transaction<Schema>,
  of: 'setup' | 'setup|proof' = 'setup|proof',
): Promise<void> {
  const begun = sql<boolean>`purpose ~ ${`^factor-(${of}):`}`;
  await trx.deleteFrom('one_time_secret').where('account_id', '=', accountId).where(begun).execute();
}

/** Part of changes that take away what secrets of an account were for. */
export async function discardSecretsOf(
  { accountId, purposes }: { accountId: string; purposes: readonly OneTimePurpose[] },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx.deleteFrom('one_time_secret').where('account_id', '=', accountId).where('purpose', 'in', purposes).execute();
}
