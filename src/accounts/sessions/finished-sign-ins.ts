/**
 * The end of a sign-in, in one statement: the first answer to its challenge counts and ends what was pending for it, everything
 * else of the browser moves to its new id, sessions of other people in its account area end, the device becomes known, and the audit log says who signed in.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { AuditLog, eventValues, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { eventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import {
  endPendingSql,
  evaluatedFirst,
  lockChallengesSql,
  moveChallengesSql,
  movePendingSql,
  moveSessionsSql,
} from './browser-moves.js';
import { finishRecordSql, type OwnerValues } from './challenge-record-statements.js';
import { ChallengeRecords, hashed, type ChallengeOwner, type FinishedChallenge } from './challenge-records.js';
import { Outbox, noticeSql, type Notice, type NoticeValues } from '../queue/outbox.js';
import { browserWords } from './browser-words.js';
import { KnownDevices, rememberDeviceSql, type DeviceValues } from './known-devices.js';
import { secretsOfOthers, trustSql, trustValues, type NewTrust, type TrustValues } from './trusted-browsers.js';
import { moveManageSessionsSql } from './manage-session-statements.js';

export interface FinishedSignIn {
  /** The challenge, and the browser id until now. */
  owner: ChallengeOwner;
  /** The answer to the form. */
  result: string;
  newBrowser: string;
  accountId: string;
  clientId: string;
  amr: readonly string[];
  /** Secret of the manage session of this browser, if it has one. */
  manageSession: string | null;
  /** To be remembered; null if it is known already, or if neither a password nor a passkey was proven. */
  device: string | null;
  /** The browser becomes one that may go without a second factor; null if not. */
  trust: NewTrust | null;
  /** It went without one. */
  isTrusted: boolean;
  userAgent: string;
  by: AuditContext;
}

type FinishValues = NoticeValues &
  OwnerValues &
  EventValues &
  DeviceValues &
  TrustValues & { result: string; next: string; session: string | null };

/** A script that keeps no cookies is a new browser at each sign-in; whoever has this many mails of a day knows it. */
const MOST_NOTICES = sql.lit(10);

/** Of the account `owner`. */
const isToldLess = ({ param, now }: Placeholders<FinishValues>): RawBuilder<boolean> => sql<boolean>`
  (select count(*) from outbox o where o.account_id = owner.id and o.kind = ${param('noticeKind')}::text
    and o.created_at > ${now} - interval '24 hours') < ${MOST_NOTICES}`;

/** The account is locked first, then the browser's challenges: of two tabs that come to their end at once, one waits. */
const FINISH = new Statement<FinishValues, { result: string; crowded: boolean; noticed: boolean }>(
  'sign-in.finish',
  (placeholders) => {
    const { param, now } = placeholders;
    const [old, next, result] = [param('browser'), param('next'), param('result')];
    const answered = { kind: param('kind'), challenge: param('challenge') };
    const condition = sql`exists (select from own)`;
    const move = { old, next, condition, except: answered };
    const trust = trustSql(placeholders, sql`owner where exists (select from own)`);
    return sql`
    with owner as (
      select id from account where id = ${param('account')}::uuid for key share
    ), waiting as (
      ${lockChallengesSql(old, evaluatedFirst(sql`owner`))}
    ), record as (
      ${finishRecordSql({ ...answered, browser: old, result, now }, evaluatedFirst(sql`waiting`))}
    ), own as (
      select result from record where result = ${result}
    ), challenges as (
      ${moveChallengesSql(move)}
    ), sessions as (
      ${moveSessionsSql(move)}
    ), pending as (
      ${movePendingSql(move)}
    ), ended as (
      ${endPendingSql(answered.challenge, condition)}
    ), managed as (
      ${moveManageSessionsSql({ account: param('account'), old, session: param('session'), new: next, now }, condition)}
      returning id
    ), remembered as (
      ${rememberDeviceSql(placeholders, sql`owner where ${param('device')}::text is not null and exists (select from own)`)}
    ), ${noticeSql(placeholders, sql`owner where exists (select from remembered where is_new) and ${isToldLess(placeholders)}`)}, replaced as (
      ${trust.replaced}
    ), trusted as (
      ${trust.made}
    ), audited as (
      ${insertEvent(eventColumns({ param, now }), sql`own`)}
      returning seq
    )
    select result, coalesce((select crowded from remembered), false) as crowded, exists (select from notice) as noticed from record`;
  },
);

@Injectable()
export class FinishedSignIns {
  constructor(
    private readonly database: Database,
    private readonly records: ChallengeRecords,
    private readonly devices: KnownDevices,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'accounts'>,
  ) {}

  /** What else a browser keeps in its cookie when it becomes trusted for an account. */
  trustOfOthers(accountId: string, presented: readonly string[]): Promise<string[]> {
    return secretsOfOthers(accountId, presented, this.database);
  }

  /** Nothing else changes unless this is the first answer. @throws ChallengeNotClaimed */
  async finish(finished: FinishedSignIn): Promise<FinishedChallenge> {
    const { owner, result, newBrowser, accountId, manageSession, device, trust, by } = finished;
    const account = isAccountId(accountId) ? { accountId } : {};
    const event: AuditEvent = {
      kind: 'sign-in.ok',
      ...by,
      ...account,
      detail: detailOf(finished),
    };
    const seen = { isCrowded: false };
    const first = await this.records.finishBy(result, async (sealed) => {
      const [row] = await this.database.run(FINISH, {
        ...hashed(owner),
        ...eventValues(event),
        ...this.devices.valuesOf(device),
        ...trustValues(trust),
        ...this.outbox.noticeValues(this.#notice(finished)),
        result: sealed,
        next: fingerprint(newBrowser),
        session: manageSession === null ? null : fingerprint(manageSession),
      });
      seen.isCrowded = row?.crowded ?? false;
      if (row?.noticed) this.outbox.written();
      return row;
    });
    if (first.isOwn) this.audit.count(event);
    if (seen.isCrowded) await this.devices.trim(accountId);
    return first;
  }

  /** Sent if the browser proves to be new to an account that knows others. */
  #notice({ accountId, device, userAgent, by }: FinishedSignIn): Notice | null {
    if (device === null || !this.config.accounts.tellsNewBrowsers) return null;
    const browser = browserWords(userAgent);
    return { kind: 'new-browser', accountId, values: browser === null ? {} : { browser }, by };
  }
}

function detailOf({ clientId, amr, trust, isTrusted, userAgent }: FinishedSignIn): NonNullable<AuditEvent['detail']> {
  const trusted = trust ? { trustedBrowser: 'made' } : isTrusted ? { trustedBrowser: 'used' } : {};
  const browser = browserWords(userAgent);
  return { client: clientId, amr: [...amr], ...(browser === null ? {} : { browser }), ...trusted };
}
