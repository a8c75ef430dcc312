/**
 * Lists the active sessions of one account and ends them one by one: browser sessions and manage sessions. A manage session that has
 * not been used for `MANAGE_IDLE_SECONDS` is not listed. A browser session is identified by a hash, because its id at Hydra appears in ID tokens.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { toStoredUpstreamId } from './browser-session-statements.js';
import { forgetSignInsInBrowsers } from './sign-in-records.js';
import { queueRevocation } from '../queue/revocation-jobs.js';

export interface ActiveSession {
  id: string;
  kind: 'sign-in' | 'account-area';
  beganAt: Date;
  /** When the session was last used, up to a minute too early. Only for the account area. */
  seenAt?: Date;
  expiresAt: Date;
  /** Only for a sign-in. */
  acr?: string;
  amr: string[];
  /** The app that the person signed in to, or whose access token opened the account area. */
  clientId?: string;
  /** Address from which the person signed in. */
  address?: string;
  /** Names of the browser and the operating system. */
  browser?: string;
}

export interface EndedSession {
  /** Number of ended sessions, including this one. */
  endedCount: number;
  /** Null for a session of the account area. */
  upstreamSessionId: string | null;
}

interface SessionRow {
  id: string;
  upstream_id: string | null;
  began_at: Date;
  seen_at: Date | null;
  expires_at: Date;
  acr: string | null;
  amr: string[] | null;
  client_id: string | null;
  address: string | null;
  browser: string | null;
}

const LIST = new Statement<{ account: string; idle: number }, SessionRow>(
  'account-sessions.list',
  ({ param, now }) => sql`
    select '' as id, upstream_session_id as upstream_id, auth_time as began_at, null::timestamptz as seen_at, expires_at, acr,
      amr, client_id, address, browser
    from browser_session where account_id = ${param('account')}::uuid and expires_at > ${now}
    union all
    select m.id::text, null, m.created_at, m.seen_at, m.expires_at, null, null, m.client_id, s.address, s.browser
    from manage_session m left join lateral (
      -- Address and browser come from the sign-in in the same browser, while it lasts.
      select address, browser from browser_session b
      where b.account_id = m.account_id and b.browser_hash = m.entry_browser_hash order by b.auth_time desc limit 1
    ) s on true
    where m.account_id = ${param('account')}::uuid and m.scope = 'manage' and m.ended_at is null and m.expires_at > ${now}
      and m.seen_at > ${now} - ${interval(param('idle'))}
    order by began_at desc, id`,
);

const FIND_OWNER = new Statement<{ upstream: string }, { account_id: string }>(
  'account-sessions.find-owner',
  ({ param }) => sql`select account_id from browser_session where upstream_session_id = ${param('upstream')} limit 1`,
);

const END_SIGN_IN = new Statement<{ account: string; upstream: string }, { browser_hash: string }>(
  'account-sessions.end-sign-in',
  ({ param }) => sql`
    delete from browser_session
    where account_id = ${param('account')}::uuid and upstream_session_id = ${param('upstream')}
    returning browser_hash`,
);

/** Follows `END_SIGN_IN` as a separate statement, because a sign-in that has just finished may have given the browser a new id. */
const END_IN_BROWSER = new Statement<{ account: string; browser: string }, unknown>(
  'account-sessions.end-in-browser',
  ({ param, now }) => sql`
    update manage_session set ended_at = ${now}
    where account_id = ${param('account')}::uuid and ended_at is null and entry_browser_hash = ${param('browser')}
    returning id`,
);

const END_MANAGE_SESSION = new Statement<{ account: string; id: string }, unknown>(
  'account-sessions.end-manage-session',
  ({ param, now }) => sql`
    update manage_session set ended_at = ${now}
    where account_id = ${param('account')}::uuid and id = ${param('id')}::uuid and ended_at is null
    returning id`,
);

@Injectable()
export class AccountSessions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** @param upstreamSessionId `sid` of an ID token @returns the id of the account of the session; null if there is no such session */
  async findOwner(upstreamSessionId: string): Promise<string | null> {
    const upstream = toStoredUpstreamId(upstreamSessionId);
    if (upstream === null) return null;
    return (await this.database.run(FIND_OWNER, { upstream }))[0]?.account_id ?? null;
  }

  /** Lists the sessions, newest first. */
  async list(accountId: string): Promise<ActiveSession[]> {
    return (await this.#findRows(accountId)).map(toSession);
  }

  /** @returns null if the account has no such session, or the session has ended */
  async end(accountId: string, id: string, auditContext: AuditContext): Promise<EndedSession | null> {
    return this.database.transaction(async (trx) => {
      const row = (await this.#findRows(accountId, trx)).find((activeRow) => toSession(activeRow).id === id);
      if (!row) return null;
      const upstream = row.upstream_id;
      const endedCount =
        upstream === null
          ? (await this.database.run(END_MANAGE_SESSION, { account: accountId, id }, trx)).length
          : await this.#endSignIn(accountId, upstream, trx);
      if (endedCount === 0) return null;
      const sessionIds = upstream === null ? [] : [upstream];
      await queueRevocation({ accountId, kind: 'named', sessionIds, now: this.database.now() }, trx);
      await this.audit.record({ ...auditContext, kind: 'sessions.ended', accountId, detail: { sessions: endedCount } }, trx);
      return { endedCount, upstreamSessionId: upstream };
    });
  }

  /** Also ends the manage sessions and the waiting sign-ins of the account in the browser. @returns number of ended sessions */
  async #endSignIn(accountId: string, upstream: string, trx: Transaction<Schema>): Promise<number> {
    const [session] = await this.database.run(END_SIGN_IN, { account: accountId, upstream }, trx);
    if (!session) return 0;
    await forgetSignInsInBrowsers({ accountId, browsers: [session.browser_hash] }, trx);
    const values = { account: accountId, browser: session.browser_hash };
    return 1 + (await this.database.run(END_IN_BROWSER, values, trx)).length;
  }

  #findRows(accountId: string, trx?: Transaction<Schema>): Promise<SessionRow[]> {
    return this.database.run(LIST, { account: accountId, idle: this.config.manage.idleSeconds }, trx);
  }
}

function toSession(row: SessionRow): ActiveSession {
  return {
    id: row.upstream_id === null ? row.id : fingerprint(row.upstream_id),
    kind: row.upstream_id === null ? 'account-area' : 'sign-in',
    beganAt: row.began_at,
    ...(row.seen_at === null ? {} : { seenAt: row.seen_at }),
    expiresAt: row.expires_at,
    ...(row.acr === null ? {} : { acr: row.acr }),
    amr: row.amr ?? [],
    ...(row.client_id === null ? {} : { clientId: row.client_id }),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.browser === null ? {} : { browser: row.browser }),
  };
}
