/**
 * Stores security keys: public keys and counters. A credential id belongs to at most one account (WebAuthn, section 7.1, step
 * 26).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../../database/database.js';
import type { Schema } from '../../../database/schema.js';
import { Statement } from '../../../database/statement.js';
import { recordProofSql, type ProvenValues } from '../../../accounts/limits/factor-attempts.js';
import { isFreeCredentialId } from '../../../webauthn/credential-rows.js';
import type { FactorTimes } from '../../factor-times.js';

export interface SecurityKey extends FactorTimes {
  id: string;
  /** Base64url. */
  credentialId: string;
  /** COSE key. */
  publicKey: Uint8Array;
  counter: number;
  backupEligible: boolean;
  transports: string[];
  name: string;
}

export interface NewSecurityKey extends Omit<SecurityKey, 'id' | keyof FactorTimes> {
  /** COSE algorithm. */
  algorithm: number;
}

export interface KeyUse {
  id: string;
  counter: number;
}

/** The share lock waits for a transaction that disables the account. A key without a counter always sends 0. */
const TAKE = new Statement<ProvenValues & { id: string; counter: number }, { id: string }>(
  'security-key.take',
  (placeholders) => {
    const { param, now } = placeholders;
    return sql`
    with owner as (
      select id from account where id = ${param('account')} and status = 'active' for share
    ), spent as (
      update security_key k set counter = ${param('counter')}::bigint, last_used_at = ${now}
      from owner
      where k.account_id = owner.id and k.id = ${param('id')}
        and (k.counter < ${param('counter')}::bigint or (k.counter = 0 and ${param('counter')}::bigint = 0))
      returning k.id
    ), ${recordProofSql(placeholders)}
    select id from spent`;
  },
);

@Injectable()
export class SecurityKeys {
  constructor(private readonly database: Database) {}

  /** @returns the keys of the account, oldest first */
  async list(accountId: string): Promise<SecurityKey[]> {
    const rows = await this.database.db
      .selectFrom('security_key')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      credentialId: row.credential_id,
      publicKey: new Uint8Array(row.public_key),
      counter: row.counter,
      backupEligible: row.backup_eligible,
      transports: row.transports,
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  /** @returns false if the counter has not increased, the key was removed, or the account is not active */
  async take({ id, counter }: KeyUse, proof: ProvenValues): Promise<boolean> {
    return (await this.database.run(TAKE, { ...proof, id, counter })).length > 0;
  }

  /** @returns false if a security key or passkey with this credential id exists */
  async insert(accountId: string, key: NewSecurityKey, trx: Transaction<Schema>): Promise<boolean> {
    if (!(await isFreeCredentialId(key.credentialId, trx))) return false;
    const rows = await trx
      .insertInto('security_key')
      .values({
        account_id: accountId,
        credential_id: key.credentialId,
        public_key: Buffer.from(key.publicKey),
        algorithm: key.algorithm,
        counter: key.counter,
        backup_eligible: key.backupEligible,
        transports: key.transports,
        name: key.name,
        created_at: this.database.now(),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .execute();
    return rows.length > 0;
  }
}
