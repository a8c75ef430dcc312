/**
 * Browser sessions: which browser signed in which account, how, and until when. This product's record of an upstream session. It
 * supplies acr and amr when Hydra continues one, and shows whose sign-out needs no question. Browser ids are hashed.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { fingerprint, randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { ProofOutdated } from '../account/account.errors.js';
import { isAccountId, toAccount, type Account } from '../account/account.js';
import type { FactorCounts } from '../account/factor-counts.js';
import {
  BEGIN,
  CONTINUE,
  DISCARD,
  END_WITH_BROWSER,
  FIND,
  FIND_BY_UPSTREAM,
  FIND_IN_BROWSER,
  FIND_OWNED,
  MOVE,
  REMEMBERED_SECONDS,
  toStoredUpstreamId,
  type BeginValues,
  type BegunRow,
  type SessionRow,
} from './browser-session-statements.js';
import { endManageSessions } from './manage-sessions.js';
import { AuditLog, eventValues, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { endAccess } from '../account/security-stamp.js';
import { endGrants } from './consent-grants.js';
import { forgetDevices } from './known-devices.js';
import { browserWords } from './browser-words.js';
import { forgetSignIns } from './sign-in-records.js';
import { UNNAMED_PREFIX, queueRevocation, type RevocationJob } from '../queue/revocation-jobs.js';

export interface BrowserSession {
  accountId: string;
  upstreamSessionId: string;
  authTime: Date;
  acr: string;
  amr: string[];
  /** When a provider authenticated the person; null if it did not say so, or if no provider did. */
  providerAuthTime: Date | null;
  expiresAt: Date;
  /** It outlives the browser ("stay signed in"); null for a session of version 0.1. */
  remembered: boolean | null;
  /** Fingerprint of the browser id. */
  browserHash: string;
  /** A trusted browser stood for the second factor. */
  isTrusted: boolean;
}

export interface NewBrowserSession {
  browser: string;
  accountId: string;
  upstreamSessionId: string;
  acr: string;
  amr: readonly string[];
  lifetimeSeconds: number;
  /** It outlives the browser ("stay signed in"); default: false. */
  remembered?: boolean;
  /** Where the account has a remembered session in the browser with this id, the new one is remembered too, and lasts this long. */
  previous?: { browser: string; lifetimeSeconds: number } | undefined;
  /** Version of the password that was proven; see `account/password-version.ts`. */
  passwordVersion?: string | undefined;
  /** Stamp of the account, if something else was proven; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person, if any. */
  provider?: string | undefined;
  /** When it authenticated the person, if it says so. */
  providerAuthTime?: Date | null | undefined;
  /** A trusted browser stands for the second factor. */
  isTrusted?: boolean;
  /** For the people to whom sessions are shown. */
  seen?: { clientId: string; address: string; userAgent: string } | undefined;
}

export interface BegunSession extends BrowserSession {
  /** The account has unfinished revocation jobs at Hydra; they must not end the new session. */
  hasRevocations: boolean;
  /** What Hydra knows the account by. */
  subject: string;
  /** The account had no record of this upstream session before. */
  isNew: boolean;
}

export interface OwnedSession {
  account: Account;
  factors: FactorCounts;
  session: BrowserSession | null;
}

export interface EndedInBrowser {
  /** With queued revocation jobs. */
  accountIds: string[];
  /** There were such sessions, and Hydra has all of them, so that it notifies their apps. */
  isKeptUpstream: boolean;
}

@Injectable()
export class BrowserSessions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * If the upstream session exists already, its browser, time and proof are replaced.
   * @throws ProofOutdated; then the login must not be accepted
   */
  async begin(session: NewBrowserSession): Promise<BegunSession> {
    if (!isAccountId(session.accountId)) throw new ProofOutdated();
    const [row] = await this.database.run(BEGIN, beginValues(session));
    if (!row) throw new ProofOutdated();
    return toBegunSession(row);
  }

  /** The newest active session of this account in this browser. */
  async find(browser: string, accountId: string): Promise<BrowserSession | null> {
    if (!isAccountId(accountId)) return null;
    const [row] = await this.database.run(FIND, { browser: fingerprint(browser), account: accountId });
    return row ? toSession(row) : null;
  }

  /** How long the session of this browser still lasts. @returns null if it ends with the browser, or there is none */
  async findRememberedSeconds(browser: string): Promise<number | null> {
    const [row] = await this.database.run(REMEMBERED_SECONDS, { browser: fingerprint(browser) });
    return row?.seconds ?? null;
  }

  /** The newest active session in this browser, of any account. */
  async findInBrowser(browser: string): Promise<BrowserSession | null> {
    const [row] = await this.database.run(FIND_IN_BROWSER, { browser: fingerprint(browser) });
    return row ? toSession(row) : null;
  }

  async findByUpstreamSession(upstreamSessionId: string, accountId: string): Promise<BrowserSession | null> {
    const upstream = toStoredUpstreamId(upstreamSessionId);
    if (!isAccountId(accountId) || upstream === null) return null;
    const [row] = await this.database.run(FIND_BY_UPSTREAM, { upstream, account: accountId });
    return row ? toSession(row) : null;
  }

  /** The session, if it may continue, with its account and the factors of that. @returns null for an unknown account */
  async findOwned(upstreamSessionId: string, accountId: string): Promise<OwnedSession | null> {
    if (!isAccountId(accountId)) return null;
    const [row] = await this.database.run(FIND_OWNED, { upstream: toStoredUpstreamId(upstreamSessionId), account: accountId });
    if (!row) return null;
    return { account: toAccount(row), factors: row.factors, session: row.account_id === null ? null : toSession(row) };
  }

  /** For a login that Hydra has not answered: whoever sends the form again decides anew whether the session outlives the browser. */
  async endWithBrowser(browser: string): Promise<void> {
    await this.database.run(END_WITH_BROWSER, { browser: fingerprint(browser) });
  }

  /** For a form whose answer was not the first: its session began under an id that no browser gets. It moves to the browser of the sign-in. */
  async moveToSignIn(browser: string, signInId: string): Promise<void> {
    await this.database.run(MOVE, { signIn: signInId, browser: fingerprint(browser) });
  }

  /**
   * For a login that Hydra has not accepted, and for a form whose answer was not the first, where somebody else was first or nobody is
   * signed in: the session began under an id that no browser gets. Not for a session that was there before. Hydra keeps its session,
   * which may be the session of the first answer.
   */
  async discard(browser: string): Promise<void> {
    await this.database.run(DISCARD, { browser: fingerprint(browser) });
  }

  /** The person continues it, in another app or the same one. @param event null if it is recorded already */
  async recordContinuation(session: BrowserSession, event: (AuditEvent & { kind: 'sign-in.continued' }) | null): Promise<void> {
    await this.database.run(CONTINUE, { owner: session.accountId, upstream: session.upstreamSessionId, ...eventValues(event) });
    if (event) this.audit.count(event);
  }

  /**
   * Ends all sessions of the browser, and queues their end at Hydra.
   * @param exceptUpstreamId session that Hydra ends itself
   */
  async endForBrowser(browser: string, exceptUpstreamId?: string): Promise<EndedInBrowser> {
    return this.database.transaction(async (trx) => {
      const gone = await trx
        .deleteFrom('browser_session')
        .where('browser_hash', '=', fingerprint(browser))
        .returning(['account_id', 'upstream_session_id', 'remembered'])
        .execute();
      const others = gone.filter((row) => row.upstream_session_id !== exceptUpstreamId);
      const accountIds = [...new Set(others.map((row) => row.account_id))];
      for (const accountId of accountIds) {
        const sessionIds = others.flatMap((row) => (row.account_id === accountId ? [row.upstream_session_id] : []));
        await queueRevocation({ accountId, kind: 'named', sessionIds, now: this.database.now() }, trx);
      }
      const isKept = others.every((row) => row.remembered !== null && !row.upstream_session_id.startsWith(UNNAMED_PREFIX));
      return { accountIds, isKeptUpstream: others.length > 0 && isKept };
    });
  }

  /** @returns number of ended sessions */
  async endForUpstreamSession(upstreamSessionId: string): Promise<number> {
    if (toStoredUpstreamId(upstreamSessionId) === null) return 0;
    const end = this.database.db.deleteFrom('browser_session').where('upstream_session_id', '=', upstreamSessionId);
    return Number((await end.executeTakeFirst()).numDeletedRows);
  }

  /** @returns number of ended sessions */
  async endForAccount(accountId: string, by: AuditContext = { actor: 'system' }): Promise<number> {
    if (!isAccountId(accountId)) return 0;
    return this.database.transaction(async (trx) => {
      const sessions = await endAllSessions({ accountId, now: this.database.now(), upstream: 'sessions' }, trx);
      if (sessions > 0) await this.audit.record({ ...by, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
      return sessions;
    });
  }
}

/**
 * Runs in transactions that end all sessions: of browsers, of the account area, and pending sign-ins.
 * @param selection `upstream`: kind of the revocation job; `everything` also forgets all known devices and what was granted to apps
 * @returns number of ended sessions
 */
export async function endAllSessions(
  selection: { accountId: string; now: RawBuilder<Date>; upstream: Exclude<RevocationJob['kind'], 'named'> },
  trx: Transaction<Schema>,
): Promise<number> {
  const { accountId, now, upstream: kind } = selection;
  // Must come first: sign-ins and consents lock the account before their rows, and what they wrote before this lock ends here. The end of
  // a single session locks no account and cannot deadlock with this. Whatever ends or moves all sessions of a browser (a logout, a
  // sign-in) can, if the account has several there: a browser may have sessions of several accounts, which are not known before they are
  // read, so there is no order that both could keep. The transaction that the database ends is repeated.
  await endAccess(selection, trx);
  await forgetSignIns(accountId, trx);
  const gone = await trx
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .returning('upstream_session_id')
    .execute();
  const ended = gone.length + (await endManageSessions(selection, trx));
  await queueRevocation({ accountId, kind, sessionIds: gone.map((row) => row.upstream_session_id), now }, trx);
  if (kind === 'everything') await forgetDevices(accountId, trx);
  if (kind === 'everything') await endGrants(selection, trx);
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

/** Runs in transactions that end the sign-ins of other browsers, here and at Hydra. */
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

/** Version 0.1 wrote `hwk` for every key, also for a synced one. */
function truthful(amr: string[]): string[] {
  return amr.includes('hwk') && !amr.includes('pop') ? amr.map((method) => (method === 'hwk' ? 'pop' : method)) : amr;
}

function toSeenColumns(seen: NewBrowserSession['seen']): Record<'client' | 'seenAddress' | 'agent', string | null> {
  if (!seen) return { client: null, seenAddress: null, agent: null };
  return { client: seen.clientId, seenAddress: seen.address, agent: browserWords(seen.userAgent) };
}

function beginValues(session: NewBrowserSession): BeginValues {
  const { browser, accountId, upstreamSessionId, acr, amr, lifetimeSeconds, remembered = false, previous } = session;
  return {
    account: accountId,
    // If Hydra gives no session id, a random one is used.
    upstream: upstreamSessionId || UNNAMED_PREFIX + randomToken(),
    browser: fingerprint(browser),
    acr,
    amr: [...amr],
    remembered,
    trusted: session.isTrusted ?? false,
    lifetime: lifetimeSeconds,
    previousBrowser: previous ? fingerprint(previous.browser) : null,
    rememberedLifetime: previous?.lifetimeSeconds ?? 0,
    version: session.passwordVersion ?? null,
    securityStamp: session.securityStamp ?? null,
    provider: session.provider ?? null,
    providerAuthTime: session.providerAuthTime ?? null,
    ...toSeenColumns(session.seen),
  };
}

function toBegunSession(row: BegunRow): BegunSession {
  const { has_revocations: hasRevocations, subject, is_new: isNew } = row;
  return { ...toSession(row), hasRevocations, subject: subject ?? row.account_id, isNew };
}

function toSession(row: SessionRow): BrowserSession {
  return {
    accountId: row.account_id,
    upstreamSessionId: row.upstream_session_id,
    authTime: row.auth_time,
    acr: row.acr,
    amr: truthful(row.amr),
    providerAuthTime: row.provider_auth_time,
    expiresAt: row.expires_at,
    remembered: row.remembered,
    browserHash: row.browser_hash,
    isTrusted: row.trusted,
  };
}
