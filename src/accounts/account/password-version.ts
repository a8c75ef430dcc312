/** Which password was proven: nothing may begin by one that has been replaced since, however long its check took. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Of a credential `p`; text, since a date of JavaScript is too coarse. A renewed hash of the same password changes nothing. */
export const PASSWORD_VERSION = sql<string>`extract(epoch from p.changed_at)::text`;

/** The share lock makes whoever asks wait for a transaction that sets another password, and then see it. */
export function provenPassword(of: { account: RawBuilder<string>; version: RawBuilder<string | null> }): RawBuilder<unknown> {
  return sql`
    select p.account_id from password_credential p
    where p.account_id = ${of.account} and ${PASSWORD_VERSION} = ${of.version}::text for share`;
}
