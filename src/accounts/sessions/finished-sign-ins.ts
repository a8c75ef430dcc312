/**
 * The end of a sign-in, in one statement: the first answer to its challenge counts, everything else of the browser moves to its
 * new id, sessions of other people in its account area end, the device becomes known, and the audit log says who signed in.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { AuditLog, eventValues } from '../audit/audit-log.js';
import type { AuditEvent } from '../audit/audit-log.js';
import { eventColumns, insertEvent } from '../audit/insert-event.js';
import type { EventValues } from '../audit/insert-event.js';
import { finishRecordSql } from './challenge-record-statements.js';
import type { OwnerValues } from './challenge-record-statements.js';
import { ChallengeRecords, hashed } from './challenge-records.js';
import type { ChallengeOwner, FinishedChallenge } from './challenge-records.js';
import { KnownDevices, rememberDeviceSql } from './known-devices.js';
import type { DeviceValues } from './known-devices.js';
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
  /** To be remembered; null if it is known already, or if no password was proven. */
  device: string | null;
  by: { address: string; requestId: string };
}

type FinishValues = OwnerValues & EventValues & DeviceValues & { result: string; next: string; session: string | null };

/** Always true: PostgreSQL has to evaluate the part, and so take its locks, before the statement goes on. */
const evaluatedFirst = (part: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(select count(*) from ${part}) >= 0`;

/**
 * The account is locked first, then the open challenges of the browser in their order: of two tabs that come to their end at
 * once, one waits for the other, and the order prevents a deadlock. The parts of one statement do not see each other's changes, so the finished
 * record is left out of what moves.
 */
const FINISH = new Statement<FinishValues, { result: string; crowded: boolean }>('sign-in.finish', (placeholders) => {
  const { param, now } = placeholders;
  const [browser, next, result] = [param('browser'), param('next'), param('result')];
  const owner = { kind: param('kind'), challenge: param('challenge'), browser, result, now };
  return sql`
    with owner as (
      select id from account where id = ${param('account')}::uuid for key share
    ), waiting as (
      select challenge_hash, kind from challenge_record
      where browser_hash = ${browser} and finished_at is null and ${evaluatedFirst(sql`owner`)}
      order by challenge_hash, kind for update
    ), record as (
      ${finishRecordSql(owner, evaluatedFirst(sql`waiting`))}
    ), own as (
      select result from record where result = ${result}
    ), challenges as (
      update challenge_record set browser_hash = ${next}
      where browser_hash = ${browser} and finished_at is null
        and not (challenge_hash = ${param('challenge')} and kind = ${param('kind')}) and exists (select from own)
      returning kind
    ), sessions as (
      update browser_session set browser_hash = ${next} where browser_hash = ${browser} and exists (select from own)
      returning account_id
    ), pending as (
      update pending_authentication set browser_hash = ${next} where browser_hash = ${browser} and exists (select from own)
      returning id
    ), managed as (
      ${moveManageSessionsSql(
        { account: param('account'), old: browser, session: param('session'), new: next, now },
        sql`exists (select from own)`,
      )}
      returning id
    ), remembered as (
      ${rememberDeviceSql(placeholders, sql`owner where ${param('device')}::text is not null and exists (select from own)`)}
    ), audited as (
      ${insertEvent(eventColumns({ param, now }), sql`own`)}
      returning seq
    )
    select record.result, coalesce((select crowded from remembered), false) as crowded from record`;
});

@Injectable()
export class FinishedSignIns {
  constructor(
    private readonly database: Database,
    private readonly records: ChallengeRecords,
    private readonly devices: KnownDevices,
    private readonly audit: AuditLog,
  ) {}

  /** Nothing else changes unless this is the first answer. @throws ChallengeNotClaimed */
  async finish(finished: FinishedSignIn): Promise<FinishedChallenge> {
    const { owner, result, newBrowser, accountId, clientId, amr, manageSession, device, by } = finished;
    const account = isAccountId(accountId) ? { accountId } : {};
    const event: AuditEvent = {
      kind: 'sign-in.ok',
      actor: 'person',
      ...by,
      ...account,
      detail: { client: clientId, amr: [...amr] },
    };
    const seen = { isCrowded: false };
    const first = await this.records.finishBy(result, async (sealed) => {
      const [row] = await this.database.run(FINISH, {
        ...hashed(owner),
        ...eventValues(event),
        ...this.devices.valuesOf(device),
        result: sealed,
        next: fingerprint(newBrowser),
        session: manageSession === null ? null : fingerprint(manageSession),
      });
      seen.isCrowded = row?.crowded ?? false;
      return row;
    });
    if (first.isOwn) this.audit.count(event);
    if (seen.isCrowded) await this.devices.trim(accountId);
    return first;
  }
}
