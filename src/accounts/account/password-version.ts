/**
 * Identifies the password that was proven. A sign-in must not start with a password that was replaced while it was
 * being checked.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Placeholders } from '../../database/statement.js';
import { lockOwnerSql } from './security-stamp.js';

/**
 * SQL of the version of a credential `p`. The version is a text, because a JavaScript date is less precise. Rehashing the same
 * password does not change the version.
 */
export const PASSWORD_VERSION = sql<string>`extract(epoch from p.changed_at)::text`;

/** The proven credential: a password, identified by its version, or any other credential, identified by the stamp of the account. */
export type ProvenValues = { account: string; version: string | null; securityStamp: string | null };

/**
 * The common table expressions `owner`, `password` and `proven`. `proven` has the columns of the account, which is locked, if the
 * account is active and the proven credential is still valid. The share locks wait for a transaction that disables the account or
 * sets another password, and then see its result.
 */
export function lockProvenSql({ param }: Pick<Placeholders<ProvenValues>, 'param'>): RawBuilder<unknown> {
  return sql`
    owner as (${lockOwnerSql({ account: param('account'), securityStamp: param('securityStamp') })}),
    password as (
      select p.account_id from password_credential p
      where p.account_id = ${param('account')} and ${PASSWORD_VERSION} = ${param('version')}::text for share
    ),
    proven as (select * from owner where ${param('version')}::text is null or exists (select from password))`;
}
