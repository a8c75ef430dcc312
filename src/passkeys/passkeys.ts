/** Stores passkeys (public keys and counters), and the user handle by which authenticators identify an account. */
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { recordProofSql, type ProvenValues } from '../accounts/limits/factor-attempts.js';
import { Database } from '../database/database.js';
import type { PasskeyTable, Schema } from '../database/schema.js';
import { Statement } from '../database/statement.js';
import { isFreeCredentialId } from '../webauthn/credential-rows.js';

export interface Passkey {
  id: string;
  createdAt: Date;
  /** Null if the passkey has not been used since its set-up. */
  lastUsedAt: Date | null;
  /** Base64url. */
  credentialId: string;
  /** COSE key. */
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  /** The passkey may be synced to other devices. */
  backupEligible: boolean;
  /** The passkey is synced. */
  backedUp: boolean;
  transports: string[];
  /** Model of the authenticator; zeros if the authenticator does not reveal it. */
  aaguid: string;
  name: string;
}

export interface NewPasskey extends Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt'> {
  /** COSE algorithm. */
  algorithm: number;
  userVerified: boolean;
}

export interface PasskeyUse {
  id: string;
  counter: number;
  backedUp: boolean;
}

/**
 * At most 64 bytes (WebAuthn Level 3, section 5.4.3). The handle is random, so it reveals nothing about the person (section
 * 14.6.1).
 */
const HANDLE_BYTES = 64;

/**
 * Stores a new counter if it is higher than the stored one. Authenticators without a counter always send 0. The share lock waits
 * for a transaction that disables the account.
 */
const TAKE = new Statement<ProvenValues & { id: string; counter: number; backedUp: boolean }, { id: string }>(
  'passkey.take',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    with owner as (
      select id from account where id = ${param('account')} and status = 'active' for share
    ), spent as (
      update passkey k set counter = c.counter, backed_up = ${param('backedUp')}::boolean, last_used_at = ${now}
      from owner, (select ${param('counter')}::bigint as counter) c
      where k.account_id = owner.id and k.id = ${param('id')}
        and (k.counter < c.counter or (k.counter = 0 and c.counter = 0))
      returning k.id
    ), ${recordProofSql(placeholders)}
    select id from spent`;
  },
);

const HANDLE = new Statement<{ account: string; handle: string }, { handle: string }>(
  'passkey.handle',
  ({ param }) => sql`
    insert into passkey_user (account_id, handle) values (${param('account')}::uuid, ${param('handle')}::text)
    on conflict (account_id) do update set handle = passkey_user.handle
    returning handle`,
);

const INSERT_HANDLE = new Statement<{ account: string; handle: string }, { handle: string }>(
  'passkey.insert-handle',
  ({ param }) => sql`
    insert into passkey_user (account_id, handle) values (${param('account')}::uuid, ${param('handle')}::text)
    on conflict do nothing
    returning handle`,
);

@Injectable()
export class Passkeys {
  constructor(private readonly database: Database) {}

  /** @returns the passkeys of the account, oldest first */
  async list(accountId: string): Promise<Passkey[]> {
    const rows = await this.database.db
      .selectFrom('passkey')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map(toPasskey);
  }

  /** Creates the user handle when the set-up of a passkey first begins; all passkeys of an account share it. @returns base64url */
  async ensureHandle(accountId: string): Promise<string> {
    const [row] = await this.database.run(HANDLE, {
      account: accountId,
      handle: randomBytes(HANDLE_BYTES).toString('base64url'),
    });
    if (!row) throw new Error('The statement returned no user handle.');
    return row.handle;
  }

  /** Stores the user handle of an account that is being created. @returns false if another account has it */
  async insertHandle(accountId: string, handle: string, trx: Transaction<Schema>): Promise<boolean> {
    return (await this.database.run(INSERT_HANDLE, { account: accountId, handle }, trx)).length > 0;
  }

  /** @returns null if the account never had a passkey, and nobody has begun to set one up */
  async findHandle(accountId: string): Promise<string | null> {
    const row = await this.database.db
      .selectFrom('passkey_user')
      .select('handle')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row?.handle ?? null;
  }

  /** @returns false if the counter may come from a copy (`isCopied`), the passkey was removed, or the account is not active */
  async take(use: PasskeyUse, proof: ProvenValues): Promise<boolean> {
    return (await this.database.run(TAKE, { ...proof, ...use })).length > 0;
  }

  /** @returns false if a credential with this id exists */
  async insert(accountId: string, passkey: NewPasskey, trx: Transaction<Schema>): Promise<boolean> {
    if (!(await isFreeCredentialId(passkey.credentialId, trx))) return false;
    await trx
      .insertInto('passkey')
      .values({
        account_id: accountId,
        credential_id: passkey.credentialId,
        public_key: Buffer.from(passkey.publicKey),
        algorithm: passkey.algorithm,
        counter: passkey.counter,
        backup_eligible: passkey.backupEligible,
        backed_up: passkey.backedUp,
        user_verified: passkey.userVerified,
        transports: passkey.transports,
        aaguid: passkey.aaguid,
        name: passkey.name,
        created_at: this.database.now(),
      })
      .execute();
    return true;
  }
}

type PasskeyRow = Pick<
  PasskeyTable,
  | 'credential_id'
  | 'public_key'
  | 'counter'
  | 'backup_eligible'
  | 'backed_up'
  | 'transports'
  | 'aaguid'
  | 'name'
  | 'created_at'
  | 'last_used_at'
> & { id: string };

function toPasskey(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    credentialId: row.credential_id,
    publicKey: new Uint8Array(row.public_key),
    counter: row.counter,
    backupEligible: row.backup_eligible,
    backedUp: row.backed_up,
    transports: row.transports,
    aaguid: row.aaguid,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
