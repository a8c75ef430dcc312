/**
 * Browser sessions: which browser signed in which account, how, and until when. This product's record of an upstream
 * session. It supplies acr and amr when the OAuth server continues a session, and shows whose sign-out needs no
 * question. Browser ids are stored as hashes.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { fingerprint, randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { BrowserSessionTable, Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { AccountDisabled } from '../account/account.errors.js';
import { isAccountId } from '../account/account.js';
import { endManageSessionsOf } from './manage-sessions.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { insertEvent } from '../audit/insert-event.js';
import { endAccessOf, stampedOwner } from '../account/security-stamp.js';
import { forgetDevicesOf } from './known-devices.js';
import { provenPassword } from '../account/password-version.js';
import { endPendingOf } from './pending-authentications.js';
import { ALL_SESSIONS, queueRevocation } from '../queue/revocation-jobs.js';
import type { RevocationJob } from '../queue/revocation-jobs.js';

export interface BrowserSession {
  accountId: string;
  upstreamSessionId: string;
  authTime: Date;
  acr: string;
  amr: string[];
  expiresAt: Date;
}

export interface NewBrowserSession {
  browser: string;
  accountId: string;
  upstreamSessionId: string;
  acr: string;
  amr: readonly string[];
  lifetimeSeconds: number;
  /** Of the proven password, if one was proven. */
  passwordVersion?: string | undefined;
  /** Of the account, if another proof was used; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person, if any. */
  provider?: string | undefined;
}

export interface BegunSession extends BrowserSession {
  /** The account has unfinished revocation jobs at the OAuth server; they must not end the new session. */
  hasRevocations: boolean;
}

type SessionRow = Omit<BrowserSessionTable, 'browser_hash' | 'provider'>;

/**
 * The share lock waits for a transaction that disables the account and then sees its result; otherwise a session could
 * outlive the disabling.
 */
const BEGIN = new Statement<
  Record<'account' | 'upstream' | 'browser' | 'acr', string> &
    Record<'version' | 'securityStamp' | 'provider', string | null> & { amr: string[]; lifetime: number },
  SessionRow & { has_revocations: boolean }
>(
  'browser-session.begin',
  ({ slot, now }) => sql`
    with owner as (${stampedOwner({ account: slot('account'), securityStamp: slot('securityStamp') })}),
      password as (${provenPassword({ account: slot('account'), version: slot('version') })})
    insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at, provider)
    select id, ${slot('upstream')}::text, ${slot('browser')}::text, ${now}, ${slot('acr')}::text, ${slot('amr')}::text[],
           ${now} + ${interval(slot('lifetime'))}, ${slot('provider')}::text
    from owner where ${slot('version')}::text is null or exists (select from password)
    on conflict (account_id, upstream_session_id) do update set
      browser_hash = excluded.browser_hash, auth_time = excluded.auth_time, acr = excluded.acr, amr = excluded.amr,
      expires_at = excluded.expires_at, provider = excluded.provider
    returning account_id, upstream_session_id, auth_time, acr, amr, expires_at,
      exists (select from revocation_job j where j.account_id = browser_session.account_id) as has_revocations`,
);

const active = (x: { account: RawBuilder<string>; now: RawBuilder<Date> }): RawBuilder<SessionRow> => sql`
    select s.account_id, s.upstream_session_id, s.auth_time, s.acr, s.amr, s.expires_at
    from browser_session s join account a on a.id = s.account_id
    where s.account_id = ${x.account} and s.expires_at > ${x.now} and a.status = 'active'`;

const FIND = new Statement<{ browser: string; account: string }, SessionRow>(
  'browser-session.find',
  ({ slot, now }) => sql`
    ${active({ account: slot('account'), now })} and s.browser_hash = ${slot('browser')}
    order by s.auth_time desc limit 1`,
);

const FIND_BY_UPSTREAM = new Statement<{ upstream: string; account: string }, SessionRow>(
  'browser-session.find-by-upstream',
  ({ slot, now }) => sql`
    ${active({ account: slot('account'), now })} and s.upstream_session_id = ${slot('upstream')}`,
);

const MOVE = new Statement<{ old: string; new: string }, never>(
  'browser-session.move',
  ({ slot }) => sql`update browser_session set browser_hash = ${slot('new')} where browser_hash = ${slot('old')}`,
);

/** Last step of a sign-in: moves the sessions of the browser to its new id and records the sign-in in the audit log. */
const SIGNED_IN = new Statement<
  { old: string; new: string; account: string; address: string; request: string; client: string; amr: string[] },
  never
>(
  'browser-session.signed-in',
  ({ slot, now }) => sql`
    with moved as (
      update browser_session set browser_hash = ${slot('new')} where browser_hash = ${slot('old')} returning account_id
    )
    ${insertEvent({
      at: now,
      kind: 'sign-in.ok',
      account: slot('account'),
      address: slot('address'),
      request: slot('request'),
      detail: sql`jsonb_build_object('client', ${slot('client')}::text, 'amr', ${slot('amr')}::text[])`,
    })}`,
);

export interface FinishedSignIn {
  from: { browser: string; address: string; requestId: string };
  newBrowser: string;
  accountId: string;
  clientId: string;
  amr: readonly string[];
}

@Injectable()
export class BrowserSessions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * If the upstream session exists already, its browser, time and proof are replaced.
   * @throws AccountDisabled if the account is disabled or deleted or its password was replaced; then the login must not
   * be accepted
   */
  async begin(session: NewBrowserSession): Promise<BegunSession> {
    const { browser, accountId, upstreamSessionId, acr, amr, lifetimeSeconds, passwordVersion, securityStamp, provider } =
      session;
    if (!isAccountId(accountId)) throw new AccountDisabled();
    const [row] = await this.database.run(BEGIN, {
      account: accountId,
      // If the OAuth server gives no session id, a random one is used.
      upstream: upstreamSessionId || ALL_SESSIONS + randomToken(),
      browser: fingerprint(browser),
      acr,
      amr: [...amr],
      lifetime: lifetimeSeconds,
      version: passwordVersion ?? null,
      securityStamp: securityStamp ?? null,
      provider: provider ?? null,
    });
    if (!row) throw new AccountDisabled();
    return { ...toSession(row), hasRevocations: row.has_revocations };
  }

  /** The newest active session of this account in this browser. */
  async find(browser: string, accountId: string): Promise<BrowserSession | null> {
    if (!isAccountId(accountId)) return null;
    const [row] = await this.database.run(FIND, { browser: fingerprint(browser), account: accountId });
    return row ? toSession(row) : null;
  }

  async findByUpstreamSession(upstreamSessionId: string, accountId: string): Promise<BrowserSession | null> {
    if (!isAccountId(accountId) || upstreamSessionId.includes('\u0000')) return null;
    const [row] = await this.database.run(FIND_BY_UPSTREAM, { upstream: upstreamSessionId, account: accountId });
    return row ? toSession(row) : null;
  }

  /** The browser gets a new id at each sign-in; its sessions move with it. */
  async move(oldBrowser: string, newBrowser: string): Promise<void> {
    await this.database.run(MOVE, { old: fingerprint(oldBrowser), new: fingerprint(newBrowser) });
  }

  /** Once for each sign-in, when it can no longer fail. */
  async recordSignIn({ from, newBrowser, accountId, clientId, amr }: FinishedSignIn): Promise<void> {
    await this.database.run(SIGNED_IN, {
      old: fingerprint(from.browser),
      new: fingerprint(newBrowser),
      account: accountId,
      address: from.address,
      request: from.requestId,
      client: clientId,
      amr: [...amr],
    });
    this.audit.count({ kind: 'sign-in.ok', actor: 'person', detail: { amr: [...amr] } });
  }

  /** The person continues a session, in another app or the same one. */
  async recordContinuation({ accountId, amr }: BrowserSession, clientId: string, by: AuditContext): Promise<void> {
    await this.audit.record({ ...by, kind: 'sign-in.continued', accountId, detail: { client: clientId, amr: [...amr] } });
  }

  /** @returns number of ended sessions */
  async endForBrowser(browser: string): Promise<number> {
    const end = this.database.db.deleteFrom('browser_session').where('browser_hash', '=', fingerprint(browser));
    return Number((await end.executeTakeFirst()).numDeletedRows);
  }

  /** @returns number of ended sessions */
  async endForUpstreamSession(upstreamSessionId: string): Promise<number> {
    if (upstreamSessionId.includes('\u0000')) return 0;
    const end = this.database.db.deleteFrom('browser_session').where('upstream_session_id', '=', upstreamSessionId);
    return Number((await end.executeTakeFirst()).numDeletedRows);
  }

  /** @returns number of ended sessions */
  async endForAccount(accountId: string, by: AuditContext = { actor: 'system' }): Promise<number> {
    if (!isAccountId(accountId)) return 0;
    return this.database.transaction(async (trx) => {
      const sessions = await endEverySessionOf({ accountId, now: this.database.now(), upstream: 'sessions' }, trx);
      if (sessions > 0) await this.audit.record({ ...by, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
      return sessions;
    });
  }
}

/**
 * Runs in transactions that end all sessions: of browsers, of the account area, and pending sign-ins.
 * @param x `upstream`: kind of the revocation job; `everything` also forgets all known devices
 * @returns number of ended sessions
 */
export async function endEverySessionOf(
  x: { accountId: string; now: RawBuilder<Date>; upstream: Exclude<RevocationJob['kind'], 'named'> },
  trx: Transaction<Schema>,
): Promise<number> {
  const { accountId, now, upstream: kind } = x;
  await endPendingOf(accountId, trx);
  const gone = await trx
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .returning('upstream_session_id')
    .execute();
  const ended = gone.length + (await endManageSessionsOf(x, trx));
  await queueRevocation({ accountId, kind, sessionIds: gone.map((row) => row.upstream_session_id), now }, trx);
  if (kind === 'everything') await forgetDevicesOf(accountId, trx);
  // Must come last: a sign-in locks its pending row before the account.
  await endAccessOf(x, trx);
  return ended;
}

interface OtherBrowsers {
  accountId: string;
  /** Fingerprint of the browser whose sessions continue. */
  browserHash: string;
  now: RawBuilder<Date>;
  /** Restricts the sessions. */
  only?: RawBuilder<boolean>;
}

/** Runs in transactions that end the sign-ins of other browsers, here and at the OAuth server. */
export async function endInOtherBrowsers(
  { accountId, browserHash, now, only = sql<boolean>`true` }: OtherBrowsers,
  trx: Transaction<Schema>,
): Promise<void> {
  const gone = await trx
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .where('browser_hash', '<>', browserHash)
    .where(only)
    .returning('upstream_session_id')
    .execute();
  await queueRevocation({ accountId, kind: 'named', sessionIds: gone.map((row) => row.upstream_session_id), now }, trx);
}

function toSession(row: SessionRow): BrowserSession {
  return {
    accountId: row.account_id,
    upstreamSessionId: row.upstream_session_id,
    authTime: row.auth_time,
    acr: row.acr,
    amr: row.amr,
    expiresAt: row.expires_at,
  };
}
