/**
 * Identifies the password that was proven. A sign-in must not start with a password that was replaced while it was
 * being checked.
 */
import { sql, type RawBuilder } from 'kysely';

/**
 * SQL of the version of a credential `p`. The version is a text, because a JavaScript date is less precise. Rehashing the same
 * password does not change the version.
 */
export const PASSWORD_VERSION = sql<string>`extract(epoch from p.changed_at)::text`;

/** The share lock waits for a transaction that sets another password and then sees its result. */
export function lockPasswordSql(proof: { account: RawBuilder<string>; version: RawBuilder<string | null> }): RawBuilder<unknown> {
  return sql`
    select p.account_id from password_credential p
    where p.account_id = ${proof.account} and ${PASSWORD_VERSION} = ${proof.version}::text for share`;
}
