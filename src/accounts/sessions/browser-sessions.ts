/**
 * Browser sessions: which account is signed in in which browser, with which proof, and until when. A browser session is Foyer's record
 * of a session at Hydra. It supplies acr and amr when Hydra continues the session, and determines which logout needs no confirmation.
 * Browser ids are hashed.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
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
  FIND_WITH_ACCOUNT,
  MOVE,
  REMEMBERED_SECONDS,
  toStoredUpstreamId,
  type BeginValues,
  type BegunRow,
  type SessionRow,
} from './browser-session-statements.js';
import { endManageSessions } from './manage-sessions.js';
import { toOutdatedPerson, type QueryablePerson } from './outdated-person.js';
import { AuditLog, toEventValues, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { endAccess } from '../account/security-stamp.js';
import { endGrants } from './consent-grants.js';
import { forgetDevices } from './known-devices.js';
import { toBrowserWords } from './browser-words.js';
import { forgetSignIns } from './sign-in-records.js';
import { UNNAMED_PREFIX, queueRevocation, type RevocationJob } from '../queue/revocation-jobs.js';

export interface BrowserSession {
  accountId: string;
  upstreamSessionId: string;
  authTime: Date;
  acr: string;
  amr: string[];
  /** When a provider authenticated the person; null if the provider did not state it, or if no provider authenticated the person. */
  providerAuthTime: Date | null;
  expiresAt: Date;
  /** Whether the session outlives the browser ("stay signed in"); null for a session of version 0.1. */
  remembered: boolean | null;
  /** Fingerprint of the browser id. */
  browserHash: string;
  /** Whether a trusted browser replaced the second factor. */
  isTrusted: boolean;
}

export interface NewBrowserSession {
  browser: string;
  accountId: string;
  upstreamSessionId: string;
  acr: string;
  amr: readonly string[];
  lifetimeSeconds: number;
  /** Whether the session outlives the browser ("stay signed in"). Default: false. */
  remembered?: boolean;
  /** If the account has a remembered session in the browser with this id, the new session is remembered too, and lasts this long. */
  previousSession?: { browser: string; lifetimeSeconds: number } | undefined;
  /** Version of the password that was proven; see `account/password-version.ts`. */
  passwordVersion?: string | undefined;
  /** Stamp of the account, if another credential was proven; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person, if any. */
  provider?: string | undefined;
  /** When the provider authenticated the person, if the provider states it. */
  providerAuthTime?: Date | null | undefined;
  /** Whether a trusted browser replaces the second factor. */
  isTrusted?: boolean;
  /** Shown to the person and to operators in lists of sessions. */
  requestInfo?: { clientId: string; address: string; userAgent: string } | undefined;
}

export interface BegunSession extends BrowserSession {
  /** Whether the account has unfinished revocation jobs, which must not end the new session at Hydra. */
  hasRevocations: boolean;
  /** The subject of the account at Hydra. */
  subject: string;
  /** Whether there was no record of this session at Hydra before. */
  isNew: boolean;
}

export interface SessionWithAccount {
  account: Account;
  factors: FactorCounts;
  session: BrowserSession | null;
  /** The person, if their source has to be queried again before the session continues. */
  outdatedPerson: QueryablePerson | null;
}

export interface EndedInBrowser {
  /** Accounts whose sessions ended, except a session that Hydra ends itself. */
  accountIds: string[];
  /** Whether there are such accounts, and all these sessions exist at Hydra, so that Hydra notifies their apps. */
  existsUpstream: boolean;
}

@Injectable()
export class BrowserSessions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'sourceChecks'>,
  ) {}

  /**
   * Records a session. If the session at Hydra is already recorded, its browser, time and proof are replaced.
   * @throws ProofOutdated if the login must not be accepted
   */
  async begin(session: NewBrowserSession): Promise<BegunSession> {
    if (!isAccountId(session.accountId)) throw new ProofOutdated();
    const [row] = await this.database.run(BEGIN, toBeginValues(session));
    if (!row) throw new ProofOutdated();
    return toBegunSession(row);
  }

  /** Finds the newest active session of this account in this browser. */
  async find(browser: string, accountId: string): Promise<BrowserSession | null> {
    if (!isAccountId(accountId)) return null;
    const [row] = await this.database.run(FIND, { browser: fingerprint(browser), account: accountId });
    return row ? toSession(row) : null;
  }

  /** @returns how many seconds the newest session of this browser still lasts; null if it ends with the browser, or if there is none */
  async findRememberedSeconds(browser: string): Promise<number | null> {
    const [row] = await this.database.run(REMEMBERED_SECONDS, { browser: fingerprint(browser) });
    return row?.seconds ?? null;
  }

  /** Finds the newest active session of any account in this browser. */
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

  /** Finds the account with its factors, and its session if the session is active. @returns null for an unknown account */
  async findWithAccount(upstreamSessionId: string, accountId: string): Promise<SessionWithAccount | null> {
    if (!isAccountId(accountId)) return null;
    const { freshnessSeconds } = this.config.sourceChecks;
    const upstream = toStoredUpstreamId(upstreamSessionId);
    const [row] = await this.database.run(FIND_WITH_ACCOUNT, { upstream, account: accountId, freshnessSeconds });
    if (!row) return null;
    const session = row.account_id === null ? null : toSession(row);
    return { account: toAccount(row), factors: row.factors, session, outdatedPerson: toOutdatedPerson(row.id, row) };
  }

  /**
   * For a login that Hydra has not accepted, if its session existed before. The session then ends with the browser, until the person sends
   * the form again and decides again whether the session outlives the browser.
   */
  async endWithBrowser(browser: string): Promise<void> {
    await this.database.run(END_WITH_BROWSER, { browser: fingerprint(browser) });
  }

  /**
   * For a login that Hydra has not accepted, and for a form that was not answered first. The session was recorded under a browser id that no
   * browser receives, and moves to the browser of the sign-in.
   */
  async moveToSignIn(browser: string, signInId: string): Promise<void> {
    await this.database.run(MOVE, { signIn: signInId, browser: fingerprint(browser) });
  }

  /**
   * For a login that Hydra has not accepted, and for a form that was not answered first, if the first answer signed in another person or
   * no person. Discards the session, which began under a browser id that no browser receives. Must not be called for a session that existed
   * before. The session at Hydra continues, because it may belong to the form that was answered first.
   */
  async discard(browser: string): Promise<void> {
    await this.database.run(DISCARD, { browser: fingerprint(browser) });
  }

  /**
   * Records that the person continues the session, in the same app or another one.
   * @param event null if the audit log already contains it
   */
  async recordContinuation(session: BrowserSession, event: (AuditEvent & { kind: 'sign-in.continued' }) | null): Promise<void> {
    await this.database.run(CONTINUE, { owner: session.accountId, upstream: session.upstreamSessionId, ...toEventValues(event) });
    if (event) this.audit.count(event);
  }

  /**
   * Ends all sessions of the browser, and queues their end at Hydra.
   * @param exceptUpstreamId session that Hydra ends itself
   */
  async endForBrowser(browser: string, exceptUpstreamId?: string): Promise<EndedInBrowser> {
    return this.database.transaction(async (trx) => {
      const endedSessions = await trx
        .deleteFrom('browser_session')
        .where('browser_hash', '=', fingerprint(browser))
        .returning(['account_id', 'upstream_session_id', 'remembered'])
        .execute();
      const otherSessions = endedSessions.filter((row) => row.upstream_session_id !== exceptUpstreamId);
      const accountIds = [...new Set(otherSessions.map((row) => row.account_id))];
      for (const accountId of accountIds) {
        const sessionIds = otherSessions.flatMap((row) => (row.account_id === accountId ? [row.upstream_session_id] : []));
        await queueRevocation({ accountId, kind: 'named', sessionIds, now: this.database.now() }, trx);
      }
      const isUpstream = otherSessions.every(
        (row) => row.remembered !== null && !row.upstream_session_id.startsWith(UNNAMED_PREFIX),
      );
      return { accountIds, existsUpstream: otherSessions.length > 0 && isUpstream };
    });
  }

  /** Ends Foyer's sessions that belong to a session at Hydra. @returns number of ended sessions */
  async endForUpstreamSession(upstreamSessionId: string): Promise<number> {
    if (toStoredUpstreamId(upstreamSessionId) === null) return 0;
    const end = this.database.db.deleteFrom('browser_session').where('upstream_session_id', '=', upstreamSessionId);
    return Number((await end.executeTakeFirst()).numDeletedRows);
  }

  /** Ends all sessions of an account, in Foyer and at Hydra. @returns number of ended sessions */
  async endForAccount(accountId: string, auditContext: AuditContext = { actor: 'system' }): Promise<number> {
    if (!isAccountId(accountId)) return 0;
    return this.database.transaction(async (trx) => {
      const sessions = await endAllSessions({ accountId, now: this.database.now(), upstream: 'sessions' }, trx);
      if (sessions > 0)
        await this.audit.record({ ...auditContext, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
      return sessions;
    });
  }
}

/**
 * Ends all browser sessions, manage sessions and pending sign-ins of an account, in the transaction of a change.
 * @param selection `upstream`: kind of the revocation job; `everything` also forgets all known devices and all grants to apps
 * @returns number of ended sessions
 */
export async function endAllSessions(
  selection: { accountId: string; now: RawBuilder<Date>; upstream: Exclude<RevocationJob['kind'], 'named'> },
  trx: Transaction<Schema>,
): Promise<number> {
  const { accountId, now, upstream: kind } = selection;
  // Must come first: sign-ins and consents lock the account before their rows, so everything that they wrote before this lock ends here.
  // A transaction that ends a single session locks no account, but locks the session before the sign-ins of its browser, so it can deadlock
  // with this one. So can a transaction that ends or moves all sessions of a browser (a logout, a sign-in): a browser may have sessions of
  // several accounts, which are unknown before they are read. The transaction that the database aborts is repeated.
  await endAccess(selection, trx);
  await forgetSignIns(accountId, trx);
  const endedSessions = await trx
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .returning('upstream_session_id')
    .execute();
  const endedCount = endedSessions.length + (await endManageSessions(selection, trx));
  await queueRevocation({ accountId, kind, sessionIds: endedSessions.map((row) => row.upstream_session_id), now }, trx);
  if (kind === 'everything') await forgetDevices(accountId, trx);
  if (kind === 'everything') await endGrants(selection, trx);
  return endedCount;
}

interface OtherBrowsers {
  accountId: string;
  /** Fingerprint of the browser whose sessions continue. */
  browserHash: string;
  now: RawBuilder<Date>;
  /** Further condition for the sessions that end. */
  condition?: RawBuilder<boolean>;
}

/** Ends the browser sessions of the account in other browsers, in Foyer and at Hydra, in the transaction of a change. */
export async function endInOtherBrowsers(
  { accountId, browserHash, now, condition = sql<boolean>`true` }: OtherBrowsers,
  trx: Transaction<Schema>,
): Promise<void> {
  const endedSessions = await trx
    .deleteFrom('browser_session')
    .where('account_id', '=', accountId)
    .where('browser_hash', '<>', browserHash)
    .where(condition)
    .returning('upstream_session_id')
    .execute();
  await queueRevocation({ accountId, kind: 'named', sessionIds: endedSessions.map((row) => row.upstream_session_id), now }, trx);
}

/** Version 0.1 wrote `hwk` for every key, even for a synced passkey. */
function correctAmr(amr: string[]): string[] {
  return amr.includes('hwk') && !amr.includes('pop') ? amr.map((method) => (method === 'hwk' ? 'pop' : method)) : amr;
}

function toRequestColumns(
  request: NewBrowserSession['requestInfo'],
): Record<'client' | 'address' | 'browserWords', string | null> {
  if (!request) return { client: null, address: null, browserWords: null };
  return { client: request.clientId, address: request.address, browserWords: toBrowserWords(request.userAgent) };
}

function toBeginValues(session: NewBrowserSession): BeginValues {
  const { browser, accountId, upstreamSessionId, acr, amr, lifetimeSeconds, remembered = false, previousSession } = session;
  return {
    account: accountId,
    // If Hydra has no session id, a random id is used.
    upstream: upstreamSessionId || UNNAMED_PREFIX + randomToken(),
    browser: fingerprint(browser),
    acr,
    amr: [...amr],
    remembered,
    trusted: session.isTrusted ?? false,
    lifetimeSeconds,
    previousBrowser: previousSession ? fingerprint(previousSession.browser) : null,
    rememberedLifetimeSeconds: previousSession?.lifetimeSeconds ?? 0,
    version: session.passwordVersion ?? null,
    securityStamp: session.securityStamp ?? null,
    provider: session.provider ?? null,
    providerAuthTime: session.providerAuthTime ?? null,
    ...toRequestColumns(session.requestInfo),
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
    amr: correctAmr(row.amr),
    providerAuthTime: row.provider_auth_time,
    expiresAt: row.expires_at,
    remembered: row.remembered,
    browserHash: row.browser_hash,
    isTrusted: row.trusted,
  };
}
