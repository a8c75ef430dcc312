/**
 * One-time secrets. A secret has one purpose, is stored as a hash with a sealed payload, if it has one, and is consumed by one conditional
 * statement. It expires by the clock of the database.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';

/** A set-up or proof of a factor or passkey that has begun, and its kind. */
export type FactorPurpose = `factor-${FactorAct}:${string}`;

type FactorAct = 'setup' | 'proof';

export type OneTimePurpose =
  | FactorPurpose
  /** Mailed to the owner of the account. */
  | 'password-reset'
  /** Handed out by a contact person or, if it has a payload, mailed by an operator. */
  | 'password-reset-handed'
  | 'factor-reset'
  /** In notices: "that was not me". */
  | 'not-me'
  /** Replaces every `not-me` of an account after one was used, so that a later click shows that the account is already secured. */
  | 'not-me-used'
  /** Like `not-me`, in the mailbox of a former address: also restores that address (`former-emails.ts`). */
  | 'email-restore'
  /** Mailed to the new address of a person who changes the address. */
  | 'email-change'
  /** In the mail about a requested deletion: "keep my account". Works more than once. */
  | 'account-keep'
  /** Identified by the state parameter; see `provider-transactions.ts`. */
  | 'provider-transaction'
  | 'provider-answer'
  /** Why a sign-in at a provider failed, for a reload of the page. */
  | 'provider-problem'
  | 'provider-connect'
  /** An access token that would replace an open manage session. */
  | 'manage-entry'
  | 'account-choice'
  /** An identity that is connected when its account is proven; see `connect-offers.ts`. */
  | 'connect-offer'
  /** A decision about scopes that waits for its request to start again. */
  | 'carried-decision'
  /** Mailed to a person in the account area as a fresh proof. */
  | 'proof-code'
  /** In the mail that announces an operation of the help desk: "stop this". Its payload is the id of the approval. Works more than once. */
  | 'approval-stop'
  /** The page for the help desk (`support-access.ts`): a browser that requested a code, whatever username was entered. */
  | 'support-request'
  | 'support-code'
  /** A browser in which the mailed code was entered. */
  | 'support-page'
  /** A sign-in that requested a code, whatever username was entered. It is found by the id of the sign-in. */
  | 'sign-in-code-request'
  /** Mailed to a person who signs in without the password. */
  | 'sign-in-code'
  /** Mailed to the address of a person who has no account yet (`address-codes.ts`). */
  | 'sign-up-code';

/** All links for a new password, mailed or handed out. */
export const PASSWORD_RESETS = ['password-reset', 'password-reset-handed'] as const satisfies readonly OneTimePurpose[];

export interface NewOneTimeSecret {
  purpose: OneTimePurpose;
  accountId?: string;
  /** A value such as the id of a browser, session or sign-in; the secret can be found or consumed only with the same value. */
  boundTo?: string;
  payload?: string;
  lifetimeSeconds: number;
  /** Contains at least 128 random bits, or is a keyed MAC. Default: a new random secret. */
  secret?: string;
}

type IdentifiedSecret = Required<Omit<NewOneTimeSecret, 'accountId'>>;

/** A slot holds at most one secret. */
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

export interface WaitingContent extends OneTimeContent {
  /** Time of the database. */
  now: Date;
}

interface ContentRow {
  account_id: string | null;
  payload: string | null;
}

type Values = Record<'hash' | 'purpose' | 'bound', string>;

type IssueValues = Values & { account: string | null; payload: string | null; lifetimeSeconds: number };

const ISSUE = new Statement<IssueValues, { expires_at: Date }>(
  'one-time.issue',
  ({ param, now }) => sql`
    insert into one_time_secret (secret_hash, purpose, account_id, bound_hash, payload, expires_at)
    values (${param('hash')}, ${param('purpose')}, ${param('account')}::uuid, ${param('bound')}, ${param('payload')},
      ${now} + ${interval(param('lifetimeSeconds'))})
    returning expires_at`,
);

/** If the secret is already stored, replaces its payload and its expiry. */
const PUT = new Statement<Omit<IssueValues, 'account'>, never>(
  'one-time.put',
  ({ param, now }) => sql`
    insert into one_time_secret (secret_hash, purpose, bound_hash, payload, expires_at)
    values (${param('hash')}, ${param('purpose')}, ${param('bound')}, ${param('payload')}, ${now} + ${interval(param('lifetimeSeconds'))})
    on conflict (secret_hash, purpose) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
);

const CONSUME = new Statement<Values, ContentRow>(
  'one-time.consume',
  ({ param, now }) => sql`
    delete from one_time_secret
    where secret_hash = ${param('hash')} and purpose = ${param('purpose')} and bound_hash = ${param('bound')} and expires_at > ${now}
    returning account_id, payload`,
);

const FIND = new Statement<Values, ContentRow>(
  'one-time.find',
  ({ param, now }) => sql`
    select account_id, payload from one_time_secret
    where secret_hash = ${param('hash')} and purpose = ${param('purpose')} and bound_hash = ${param('bound')} and expires_at > ${now}`,
);

const FIND_WAITING = new Statement<Record<'account' | 'purpose' | 'bound', string>, ContentRow & { now: Date }>(
  'one-time.waiting',
  ({ param, now }) => sql`
    select account_id, payload, ${now} as now from one_time_secret
    where account_id = ${param('account')} and purpose = ${param('purpose')} and bound_hash = ${param('bound')} and expires_at > ${now}`,
);

@Injectable()
export class OneTimeSecrets {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
  ) {}

  /** @returns the secret, by default 256 random bits in base64url */
  async issue(newSecret: NewOneTimeSecret, trx?: Transaction<Schema>): Promise<string> {
    return (await this.issueWithExpiry(newSecret, trx)).secret;
  }

  /** Does the same as `issue`, and also returns the expiry. */
  async issueWithExpiry(newSecret: NewOneTimeSecret, trx?: Transaction<Schema>): Promise<IssuedSecret> {
    const { purpose, accountId = null, boundTo, payload, lifetimeSeconds, secret = randomToken() } = newSecret;
    const sealedPayload = payload === undefined ? null : this.keys.seal('one-time-payload', payload);
    const values = {
      hash: fingerprint(secret),
      purpose,
      account: accountId,
      bound: hashBinding(boundTo),
      payload: sealedPayload,
      lifetimeSeconds,
    };
    const [row] = await this.database.run(ISSUE, values, trx);
    if (!row) throw new Error('The database returned no row for a new secret.');
    return { secret, expiresAt: row.expires_at };
  }

  /** Stores a payload under `secret`, in place of an earlier payload; `boundTo` must be the same each time. */
  async put({ purpose, secret, boundTo, payload, lifetimeSeconds }: IdentifiedSecret): Promise<void> {
    const sealedPayload = this.keys.seal('one-time-payload', payload);
    const values = { hash: fingerprint(secret), purpose, bound: hashBinding(boundTo), payload: sealedPayload, lifetimeSeconds };
    await this.database.run(PUT, values);
  }

  /** Replaces the secret of this slot. The newest secret wins, even if calls are concurrent. @returns the new secret */
  async replace(newSecret: NewOneTimeSecret & OneTimeSlot): Promise<string> {
    return this.database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', newSecret.accountId).forNoKeyUpdate().execute();
      await this.discard(newSecret, trx);
      return this.issue(newSecret, trx);
    });
  }

  /** @returns the account and the payload, once; null if the secret is unknown, consumed, expired or bound to another value */
  async consume(purpose: OneTimePurpose, secret: string, boundTo?: string): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(CONSUME, { hash: fingerprint(secret), purpose, bound: hashBinding(boundTo) });
    return row ? this.#openContent(row) : null;
  }

  /** Consumes an unbound secret in the transaction of its effect. @returns whether it was valid */
  async spend(purpose: OneTimePurpose, secret: string, trx: Transaction<Schema>): Promise<boolean> {
    const values = { hash: fingerprint(secret), purpose, bound: hashBinding(undefined) };
    return (await this.database.run(CONSUME, values, trx)).length > 0;
  }

  /** Does the same as `spend` for a bound secret. */
  async spendBound({ purpose, boundTo }: OneTimeSlot, secret: string, trx: Transaction<Schema>): Promise<boolean> {
    const values = { hash: fingerprint(secret), purpose, bound: hashBinding(boundTo) };
    return (await this.database.run(CONSUME, values, trx)).length > 0;
  }

  /** Finds the account and the payload of an unbound secret, and does not consume the secret. */
  async find(purpose: OneTimePurpose, secret: string, trx?: Transaction<Schema>): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(FIND, { hash: fingerprint(secret), purpose, bound: hashBinding(undefined) }, trx);
    return row ? this.#openContent(row) : null;
  }

  /** Does the same as `find` for a bound secret. */
  async findBound(purpose: OneTimePurpose, secret: string, boundTo: string): Promise<OneTimeContent | null> {
    const [row] = await this.database.run(FIND, { hash: fingerprint(secret), purpose, bound: hashBinding(boundTo) });
    return row ? this.#openContent(row) : null;
  }

  /** Finds the waiting secret of this slot, and does not consume it. */
  async findWaiting({ purpose, accountId, boundTo }: OneTimeSlot): Promise<WaitingContent | null> {
    const [row] = await this.database.run(FIND_WAITING, { account: accountId, purpose, bound: hashBinding(boundTo) });
    return row ? { ...this.#openContent(row), now: row.now } : null;
  }

  /** Discards the secret of this slot, in the transaction of a change. @returns whether there was a secret */
  async discard({ purpose, accountId, boundTo }: OneTimeSlot, trx: Transaction<Schema>): Promise<boolean> {
    const { numDeletedRows } = await trx
      .deleteFrom('one_time_secret')
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('bound_hash', '=', hashBinding(boundTo))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }

  #openContent({ account_id, payload }: ContentRow): OneTimeContent {
    return { accountId: account_id, payload: payload === null ? null : this.keys.open('one-time-payload', payload) };
  }
}

function hashBinding(boundTo: string | undefined): string {
  return boundTo === undefined ? '' : fingerprint(boundTo);
}

/**
 * Discards the set-ups and proofs of factors and passkeys that the account has begun.
 * @param acts which of the two are discarded. Default: both
 */
export async function discardFactorSecrets(
  accountId: string,
  trx: Transaction<Schema>,
  acts: readonly FactorAct[] = ['setup', 'proof'],
): Promise<void> {
  const isBegun = sql<boolean>`split_part(purpose, ':', 1) = any(${acts.map((act) => `factor-${act}`)}::text[])`;
  await trx.deleteFrom('one_time_secret').where('account_id', '=', accountId).where(isBegun).execute();
}

/** Discards secrets of an account, in the transaction of the change that makes them void. */
export async function discardSecrets(
  { accountId, purposes }: { accountId: string; purposes: readonly OneTimePurpose[] },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx.deleteFrom('one_time_secret').where('account_id', '=', accountId).where('purpose', 'in', purposes).execute();
}

/** Discards all secrets of an account, in the transaction that gives the account to another person. */
export async function discardAllSecrets(accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx.deleteFrom('one_time_secret').where('account_id', '=', accountId).execute();
}

/** Discards the links that an operator has handed out, and therefore knows; a link that was mailed to the owner stays. */
export async function discardHandedLinks(accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx
    .deleteFrom('one_time_secret')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`(purpose = 'factor-reset' or purpose = 'password-reset-handed' and payload is null)`)
    .execute();
}

/** Discards the link for a new password that an operator had mailed to the owner of an account; a link that was handed out stays. */
export async function discardMailedLink(accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx
    .deleteFrom('one_time_secret')
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'password-reset-handed')
    .where('payload', 'is not', null)
    .execute();
}
