/**
 * Sessions of operators in the console. A session belongs to one account and to its session at Hydra, and is valid only while
 * the account is active and has an operator right, and its access has not been ended since (`security-stamp.ts`). Only the
 * fingerprint of the secret in the cookie is stored.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { OperatorRights } from '../../config/config.js';
import { fingerprint, randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { interval, Statement } from '../../database/statement.js';
import { accountColumns, isAccountId, toAccount, type Account, type AccountFields } from '../account/account.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { AuditLog, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { toBrowserWords } from '../sessions/browser-words.js';
import { AccountRights, isScimAccount, selectGrantedRightsSql } from './account-rights.js';

/** Limits of a session in the console. */
export const OPERATOR_SESSION_SECONDS = { idle: 15 * 60, lifetime: 8 * 3600, proof: 15 * 60 } as const;

/** `seen_at` is written at most once in this time, because a page of the console makes several calls. */
const TOUCH_INTERVAL = sql.raw(`interval '30 seconds'`);
const MAX_LISTED = 200;

export interface OperatorSession {
  id: string;
  account: Account;
  rights: readonly OperatorRights[];
  /** Whether the last proof is recent enough for dangerous operations. */
  isFresh: boolean;
  freshUntil: Date;
  endsAt: Date;
}

/** A sign-in at Foyer whose ID token was verified. */
export interface OperatorSignIn {
  accountId: string;
  /** `sid` of the ID token. */
  upstreamSessionId: string;
  acr: string;
  /** `auth_time` of the ID token. */
  authTime: Date;
  userAgent: string;
}

/**
 * `outdated`: the account is not active, its access was ended after the proof, or the session at Foyer has ended. `signed-out`: a session
 * in the console that began with the same session at Foyer was ended after the proof.
 */
export type OperatorSessionOutcome = { kind: 'begun'; secret: string } | { kind: 'no-right' | 'outdated' | 'signed-out' };

/** A session as other operators see it. */
export interface ListedOperatorSession {
  id: string;
  accountId: string;
  username: string;
  beganAt: Date;
  seenAt: Date;
  provenAt: Date;
  expiresAt: Date;
  acr: string;
  address: string | null;
  browser: string | null;
}

interface SessionRow extends AccountFields {
  session_id: string;
  proven_at: Date;
  ends_at: Date;
  fresh: boolean;
  /** Rights by grants that have not ended. */
  granted_rights: string[];
  of_scim: boolean;
}

const IDLE = interval(OPERATOR_SESSION_SECONDS.idle);
const PROOF = interval(OPERATOR_SESSION_SECONDS.proof);

/**
 * Whether a session `s` of the account `a` is valid, apart from the rights of the account, which `find` checks. It ends with the
 * session at Foyer, so that a logout by the person, an operator or an app takes effect immediately, even if the logout token of
 * Hydra does not arrive.
 */
const isValidSql = (now: RawBuilder<Date>): RawBuilder<boolean> => sql<boolean>`
  (s.expires_at > ${now} and s.seen_at > ${now} - ${IDLE} and a.status = 'active' and s.stamp = ${SECURITY_STAMP}
    and exists (select from browser_session b
      where b.account_id = s.account_id and b.upstream_session_id = s.upstream_session_id and b.expires_at > ${now}))`;

const FIND = new Statement<{ secret: string; touch: boolean }, SessionRow>(
  'operator-session.find',
  ({ param, now }) => sql`
    with found as (
      select s.id as session_id, s.proven_at, s.expires_at as ends_at, s.proven_at > ${now} - ${PROOF} as fresh,
        ${selectGrantedRightsSql('a', now)} as granted_rights, ${isScimAccount('a')} as of_scim, ${accountColumns('a')}
      from operator_session s join account a on a.id = s.account_id
      where s.secret_hash = ${param('secret')} and ${isValidSql(now)}
    ), touched as (
      update operator_session set seen_at = ${now}
      where ${param('touch')}::boolean and id in (select session_id from found) and seen_at <= ${now} - ${TOUCH_INTERVAL}
      returning id
    )
    select found.* from found`,
);

/** Returns a row if a session in the console that began with this session at Foyer was ended, without a new proof since. */
const WAS_SIGNED_OUT = new Statement<{ account: string; upstream: string }, { id: string }>(
  'operator-session.was-signed-out',
  ({ param }) => sql`
    select account_id as id from browser_session
    where account_id = ${param('account')}::uuid and upstream_session_id = ${param('upstream')}::text
      and console_ended_at >= auth_time`,
);

/** Ends a session, by its secret or its id, and records that at the session at Foyer, so that the next session needs a new proof. */
const END = new Statement<{ secret: string | null; id: string | null }, { id: string; username: string }>(
  'operator-session.end',
  ({ param, now }) => sql`
    with ended as (
      delete from operator_session where secret_hash = ${param('secret')}::text or id = ${param('id')}::uuid
      returning account_id, upstream_session_id
    ), noted as (
      update browser_session b set console_ended_at = ${now} from ended e
      where b.account_id = e.account_id and b.upstream_session_id = e.upstream_session_id
      returning b.account_id
    )
    select a.id, a.username from ended e join account a on a.id = e.account_id`,
);

/**
 * Does not begin a session if the access to the account was ended after the proof: the code of a sign-in may be exchanged later.
 * `auth_time` has whole seconds.
 */
const BEGIN = new Statement<
  {
    account: string;
    secret: string;
    upstream: string;
    acr: string;
    authTime: Date;
    address: string | null;
    browser: string | null;
    replacedSecret: string | null;
  },
  { id: string }
>(
  'operator-session.begin',
  ({ param, now }) => sql`
    with replaced as (
      delete from operator_session where secret_hash = ${param('replacedSecret')}::text
    )
    insert into operator_session
      (account_id, secret_hash, upstream_session_id, stamp, acr, address, browser, began_at, proven_at, seen_at, expires_at)
    select a.id, ${param('secret')}::text, ${param('upstream')}::text, ${SECURITY_STAMP}, ${param('acr')}::text,
      ${param('address')}::text, ${param('browser')}::text, ${now}, least(${param('authTime')}::timestamptz, ${now}), ${now},
      ${now} + ${interval(OPERATOR_SESSION_SECONDS.lifetime)}
    from account a
    where a.id = ${param('account')}::uuid and a.status = 'active'
      and (a.access_ended_at is null or a.access_ended_at < ${param('authTime')}::timestamptz + interval '1 second')
    returning id`,
);

const LIST = new Statement<{ max: number }, ListedRow>(
  'operator-session.list',
  ({ param, now }) => sql`
    select s.id, s.account_id, a.username, s.began_at, s.seen_at, s.proven_at, s.expires_at, s.acr, s.address, s.browser
    from operator_session s join account a on a.id = s.account_id
    where ${isValidSql(now)}
    order by s.began_at desc, s.id limit ${param('max')}::integer`,
);

interface ListedRow {
  id: string;
  account_id: string;
  username: string;
  began_at: Date;
  seen_at: Date;
  proven_at: Date;
  expires_at: Date;
  acr: string;
  address: string | null;
  browser: string | null;
}

@Injectable()
export class OperatorSessions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly rights: AccountRights,
  ) {}

  /**
   * @param touch whether the call keeps an idle session alive
   * @returns null if there is no valid session, or if its account no longer has a right
   */
  async find(secret: string, touch: boolean): Promise<OperatorSession | null> {
    const [row] = await this.database.run(FIND, { secret: fingerprint(secret), touch });
    if (row === undefined) return null;
    const account = toAccount(row);
    const rights = this.rights.toRights(row);
    if (rights.length === 0) return null;
    const freshUntil = new Date(row.proven_at.getTime() + OPERATOR_SESSION_SECONDS.proof * 1000);
    return { id: row.session_id, account, rights, isFresh: row.fresh, freshUntil, endsAt: row.ends_at };
  }

  /** @param replacedSecret secret of the session in this browser, which ends unless the outcome is `signed-out` */
  async begin(
    signIn: OperatorSignIn,
    replacedSecret: string | null,
    auditContext: AuditContext,
  ): Promise<OperatorSessionOutcome> {
    const secret = randomToken();
    const { accountId, acr } = signIn;
    return this.database.transaction(async (trx) => {
      const values = {
        account: accountId,
        secret: fingerprint(secret),
        upstream: signIn.upstreamSessionId,
        acr,
        authTime: signIn.authTime,
        address: auditContext.address ?? null,
        browser: toBrowserWords(signIn.userAgent),
        replacedSecret: replacedSecret === null ? null : fingerprint(replacedSecret),
      };
      if ((await this.database.run(WAS_SIGNED_OUT, values, trx)).length > 0) return { kind: 'signed-out' };
      const [begunSession] = await this.database.run(BEGIN, values, trx);
      if (begunSession === undefined) return { kind: 'outdated' };
      const [row] = await this.database.run(FIND, { secret: values.secret, touch: false }, trx);
      if (row !== undefined && this.rights.toRights(row).length > 0) {
        await this.audit.record({ ...auditContext, kind: 'console.opened', accountId, detail: { acr } }, trx);
        return { kind: 'begun', secret };
      }
      await trx.deleteFrom('operator_session').where('id', '=', begunSession.id).execute();
      // The session at Foyer has ended in the meantime.
      if (row === undefined) return { kind: 'outdated' };
      await this.audit.record(buildRefusedSignIn(accountId, 'right', auditContext), trx);
      return { kind: 'no-right' };
    });
  }

  /** Signs the operator out of the console, even if the account has lost its rights. Does nothing for an unknown secret. */
  async end(secret: string, auditContext: AuditContext): Promise<void> {
    await this.database.transaction(async (trx) => {
      const endedSessions = await this.database.run(END, { secret: fingerprint(secret), id: null }, trx);
      for (const { id, username } of endedSessions)
        await this.audit.record(
          { ...auditContext, operator: username, operatorAccount: id, kind: 'console.closed', accountId: id },
          trx,
        );
    });
  }

  /** Ends the session on behalf of another operator. @returns false if there is no such session */
  async endById(id: string, auditContext: AuditContext): Promise<boolean> {
    if (!isAccountId(id)) return false;
    return this.database.transaction(async (trx) => {
      const [endedSession] = await this.database.run(END, { secret: null, id }, trx);
      if (endedSession === undefined) return false;
      await this.audit.record({ ...auditContext, kind: 'console.closed', accountId: endedSession.id }, trx);
      return true;
    });
  }

  /**
   * Ends sessions after Hydra has ended a session, or all sessions of a subject (OpenID Connect Back-Channel Logout 1.0, section 2.7).
   * @param endsBefore sessions that began at this time or later do not end
   * @returns number of ended sessions
   */
  async endForUpstream(
    upstream: { sessionId: string } | { accountId: string },
    endsBefore: Date,
    auditContext: AuditContext,
  ): Promise<number> {
    return this.database.transaction(async (trx) => {
      const endedSessions = await trx
        .deleteFrom('operator_session')
        .where((eb) =>
          'sessionId' in upstream
            ? eb('upstream_session_id', '=', upstream.sessionId)
            : eb('account_id', '=', upstream.accountId),
        )
        .where('began_at', '<', endsBefore)
        .returning('account_id')
        .execute();
      for (const { account_id: accountId } of endedSessions)
        await this.audit.record({ ...auditContext, kind: 'console.closed', accountId }, trx);
      return endedSessions.length;
    });
  }

  /**
   * @returns the valid sessions, newest first, at most 200; also sessions of accounts that have lost their rights, which `find`
   * refuses
   */
  async list(): Promise<ListedOperatorSession[]> {
    const rows = await this.database.run(LIST, { max: MAX_LISTED });
    return rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      username: row.username,
      beganAt: row.began_at,
      seenAt: row.seen_at,
      provenAt: row.proven_at,
      expiresAt: row.expires_at,
      acr: row.acr,
      address: row.address,
      browser: row.browser,
    }));
  }
}

/** The actor is the person: otherwise anybody could write events that seem to come from an operator or token of their name. */
export function buildRefusedSignIn(accountId: string, reason: 'right' | 'strength', auditContext: AuditContext): AuditEvent {
  const { operator: _, operatorAccount: __, ...person } = auditContext;
  return { ...person, actor: 'person', kind: 'console.refused', accountId, detail: { reason } };
}
