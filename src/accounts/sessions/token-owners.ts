/**
 * Decides whether a token is still valid, by the state of its person's account and by whether the access of the app was removed after
 * the authorization. A stored grant is not required: a trusted app and a device have none, and a grant is stored only as long as Hydra
 * remembers a consent, while refresh tokens may last longer.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { hasPasswordHere } from '../../config/stored-sources.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { accountColumns, toAccount, type Account, type AccountFields } from '../account/account.js';
import { isCanonicalUuid } from '../account/account-subjects.js';
import { selectOutdatedSql, toOutdatedPerson, type QueryablePerson, type OutdatedColumns } from './outdated-person.js';
import { toStoredUpstreamId } from './browser-session-statements.js';

/** What Hydra reports about a token. */
export interface IssuedToken {
  /** The subject at Hydra, which is not always the id of an account. */
  subject: string;
  clientId: string;
  /** When the app was authorized, by Hydra's clock, in whole seconds. */
  authorizedAt: Date;
  /** When the person signed in, by Hydra's clock; the source was queried then. */
  authenticatedAt: Date;
  /** The session at Hydra; empty if it has none. */
  upstreamSessionId: string;
}

/**
 * `gone`: there is no such account. `left`: the source has just reported that the person has left (`SourceChecks`). `frozen`: the
 * credentials are frozen, and the account belongs to a source whose people have no password here. `removed`: the access of the app, or all
 * access, ended after the authorization. `outdatedPerson`: the person, if their source has to be queried again.
 */
export type TokenOwner =
  | { state: 'active'; account: Account; outdatedPerson: QueryablePerson | null }
  | { state: 'gone' | 'disabled' | 'frozen' | 'removed' | 'left' };

type Values = {
  account: string | null;
  subject: string;
  client: string;
  authorizedAt: Date;
  authenticatedAt: Date;
  upstream: string | null;
  freshnessSeconds: number;
};
type Row = AccountFields & OutdatedColumns & Record<'frozen' | 'removed', boolean>;

/**
 * Hydra's clock may be behind. A removal is therefore ignored if the app was granted something later, by the clock of the database. A
 * removal of all access is also ignored if the session of the token exists, because the removal ended every earlier session.
 */
const FIND = new Statement<Values, Row>(
  'token-owner.find',
  ({ param, now }) => sql`
    select ${accountColumns('a')},
      coalesce(a.credentials_frozen_until > ${now}, false) as frozen,
      ${selectOutdatedSql({ signedInAt: sql`${param('authenticatedAt')}::timestamptz`, freshnessSeconds: param('freshnessSeconds'), now })},
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
    from account a left join source_account link on link.account_id = a.id
    where a.id = coalesce((select account_id from account_subject where subject = ${param('subject')}), ${param('account')}::uuid)`,
);

@Injectable()
export class TokenOwners {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sourceChecks' | 'scim'>,
  ) {}

  /** Runs one statement, which writes nothing. */
  async find({ subject, clientId: client, authorizedAt, authenticatedAt, upstreamSessionId }: IssuedToken): Promise<TokenOwner> {
    const account = isCanonicalUuid(subject) ? subject : null;
    const upstream = toStoredUpstreamId(upstreamSessionId);
    const { freshnessSeconds } = this.config.sourceChecks;
    const times = { authorizedAt, authenticatedAt, freshnessSeconds };
    const [row] = await this.database.run(FIND, { account, subject, client, upstream, ...times });
    if (!row) return { state: 'gone' };
    if (row.status !== 'active') return { state: 'disabled' };
    if (row.frozen && !hasPasswordHere(row.source, this.config)) return { state: 'frozen' };
    return row.removed
      ? { state: 'removed' }
      : { state: 'active', account: toAccount(row), outdatedPerson: toOutdatedPerson(row.id, row) };
  }
}
