/**
 * Whether the person of a token may still have one: the state of the account, and whether the access of the app was removed after the
 * token's authorization. It does not need a row of the grant: a trusted app and a device have none, and a row lasts only as long as
 * Hydra remembers a consent, while refresh tokens may last longer.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { accountColumns, isAccountId, toAccount, type Account, type AccountFields } from '../account/account.js';
import { toStoredUpstreamId } from './browser-session-statements.js';

/** What Hydra says about a token. */
export interface HeldToken {
  /** The subject at Hydra, which is not always the id of an account. */
  subject: string;
  clientId: string;
  /** When the app was authorized, by Hydra's clock, in whole seconds. */
  authorizedAt: Date;
  /** The session at Hydra; empty if it has none. */
  upstreamSessionId: string;
}

/**
 * `gone`: there is no such account. `frozen`: a person of a source, who cannot sign in while the credentials are frozen. `removed`: the
 * access of the app, or all access, ended after the authorization.
 */
export type TokenOwner = { state: 'active'; account: Account } | { state: 'gone' | 'disabled' | 'frozen' | 'removed' };

type Values = { account: string | null; subject: string; client: string; authorizedAt: Date; upstream: string | null };
type Row = AccountFields & Record<'frozen' | 'removed', boolean>;

/**
 * Hydra's clock may be behind. A removal therefore does not count if what it removed was granted anew, by the clock of the database, or
 * if the session of the token began after it, which holds for each session that exists after the end of all access.
 */
const FIND = new Statement<Values, Row>(
  'token-owner.find',
  ({ param, now }) => sql`
    select ${accountColumns('a')},
      coalesce(a.credentials_frozen_until > ${now}, false)
        and exists (select from source_account s where s.account_id = a.id) as frozen,
      exists (
        select from consent_removal r
        where r.account_id = a.id and r.client_id in ('', ${param('client')}::text)
          and date_trunc('second', r.removed_at) > ${param('authorizedAt')}::timestamptz
          and not exists (
            select from consent_grant g
            where g.account_id = a.id and g.client_id = ${param('client')}::text and g.granted_at > r.removed_at)
          and not (r.client_id = '' and exists (
            select from browser_session b
            where b.account_id = a.id and b.upstream_session_id = ${param('upstream')}::text))) as removed
    from account a
    where a.id = coalesce((select account_id from account_subject where subject = ${param('subject')}), ${param('account')}::uuid)`,
);

@Injectable()
export class TokenOwners {
  constructor(private readonly database: Database) {}

  /** Writes nothing, and is one statement. */
  async find({ subject, clientId: client, authorizedAt, upstreamSessionId }: HeldToken): Promise<TokenOwner> {
    const account = isAccountId(subject) ? subject : null;
    const upstream = toStoredUpstreamId(upstreamSessionId);
    const [row] = await this.database.run(FIND, { account, subject, client, authorizedAt, upstream });
    if (!row) return { state: 'gone' };
    if (row.status !== 'active') return { state: 'disabled' };
    if (row.frozen) return { state: 'frozen' };
    return row.removed ? { state: 'removed' } : { state: 'active', account: toAccount(row) };
  }
}
