/** SQL of the records of challenges, also as parts of statements that read or write more at the same time. */
import { sql, type RawBuilder } from 'kysely';
import { interval, Statement } from '../../database/statement.js';
import { eventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { endPendingSql, evaluatedFirst, lockChallengesSql, moveChallengesSql, movePendingSql } from './browser-moves.js';

export type OwnerValues = Record<'kind' | 'challenge' | 'browser', string>;

export interface RecordRow {
  own: boolean;
  fresh: boolean;
  finished: boolean;
  inserted: boolean;
  /** Sealed. */
  result: string | null;
  /** The claim belonged to this browser until the last step gave it a new id. */
  previous: boolean;
  stepped_lately: boolean;
  /** Sealed. */
  step_result: string | null;
  pending: boolean;
  /** Sealed; null for other browsers, and if it is not kept. */
  request: string | null;
}

/** A value that is null finds no record. */
type Owner = Record<keyof OwnerValues, RawBuilder<string | null>> & { now: RawBuilder<Date> };

/** Time in which the same browser gets the result again: for double clicks, not for replays. */
export const REPEAT_WINDOW = sql.raw(`interval '10 seconds'`);

/** Of a record `r`, for the browser that asks. */
const seenBy = ({ browser, now }: Pick<Owner, 'browser' | 'now'>): RawBuilder<unknown> => sql`
  r.browser_hash = ${browser} as own, r.finished_at is not null as finished,
  coalesce(r.finished_at > ${now} - ${REPEAT_WINDOW}, false) as fresh, r.result,
  coalesce(r.previous_browser_hash = ${browser}, false) as previous,
  coalesce(r.stepped_at > ${now} - ${REPEAT_WINDOW}, false) as stepped_lately, r.step_result,
  r.kind = 'login' and exists (
    select from pending_authentication p
    where p.challenge_hash = r.challenge_hash and p.browser_hash = r.browser_hash and p.closed_at is null
      and p.expires_at > ${now}) as pending,
  case when r.browser_hash = ${browser} and r.finished_at is null then r.request end as request`;

/** Reads the record, if there is one. */
export function findRecordSql({ kind, challenge, ...seen }: Owner): RawBuilder<RecordRow> {
  return sql<RecordRow>`
    select ${seenBy(seen)}, false as inserted from challenge_record r where r.challenge_hash = ${challenge} and r.kind = ${kind}`;
}

interface Claim extends Owner {
  lifetime: RawBuilder<number>;
  /** Sealed; replaces that of the record if this browser has it. */
  request?: RawBuilder<string | null>;
}

/**
 * Makes the record, or reads it: the update makes PostgreSQL return the existing row. `xmax` is 0 for a new one.
 * @param condition nothing is made or read unless it holds
 */
export function claimRecordSql(
  { kind, challenge, lifetime, request = sql.lit(null), ...seen }: Claim,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<RecordRow> {
  return sql<RecordRow>`
    insert into challenge_record as r (challenge_hash, kind, browser_hash, expires_at, request)
    select ${challenge}::text, ${kind}::text, ${seen.browser}::text, ${seen.now} + ${interval(lifetime)}, ${request}::text where ${condition}
    on conflict (challenge_hash, kind) do update set request = case
      when r.browser_hash = excluded.browser_hash and r.finished_at is null then coalesce(excluded.request, r.request)
      else r.request end
    returning ${seenBy(seen)}, r.xmax = 0 as inserted`;
}

/**
 * Keeps the first result. Concurrent requests wait here; the second one gets the result of the first.
 * @param condition nothing is kept unless it holds
 */
export function finishRecordSql(
  { kind, challenge, browser, now, result }: Owner & { result: RawBuilder<string> },
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<{ result: string }> {
  return sql<{ result: string }>`
    update challenge_record
    set result = coalesce(result, ${result}), finished_at = coalesce(finished_at, ${now}), request = null
    where challenge_hash = ${challenge} and kind = ${kind} and browser_hash = ${browser} and ${condition}
    returning result`;
}

export const PEEK = new Statement<OwnerValues, RecordRow>('challenge.peek', ({ param, now }) =>
  findRecordSql({ kind: param('kind'), challenge: param('challenge'), browser: param('browser'), now }),
);

export const CLAIM = new Statement<OwnerValues & { lifetime: number; request: string | null }, RecordRow>(
  'challenge.claim',
  ({ param, now }) =>
    claimRecordSql({
      kind: param('kind'),
      challenge: param('challenge'),
      browser: param('browser'),
      lifetime: param('lifetime'),
      request: param('request'),
      now,
    }),
);

/** The event, if there is one, is that of the first result. */
export const FINISH = new Statement<OwnerValues & EventValues & { result: string }, { result: string }>(
  'challenge.finish',
  ({ param, now }) => sql`
    with record as (
      ${finishRecordSql({
        kind: param('kind'),
        challenge: param('challenge'),
        browser: param('browser'),
        result: param('result'),
        now,
      })}
    ), ended as (
      ${endPendingSql(param('challenge'), sql`exists (select from record)`)}
    ), audited as (
      ${insertEvent(eventColumns({ param, now }), sql`record where result = ${param('result')} and ${param('event')}::text is not null`)}
      returning seq
    )
    select result from record`,
);

export const MOVE = new Statement<{ old: string; next: string }, never>('challenge.move', ({ param }) => {
  const move = { old: param('old'), next: param('next'), condition: evaluatedFirst(sql`waiting`) };
  return sql`
    with waiting as (
      ${lockChallengesSql(move.old)}
    ), challenges as (
      ${moveChallengesSql(move)}
    )
    ${movePendingSql(move)}`;
});

/**
 * Gives the record to the new id of its browser. Concurrent requests wait here; the second one finds that it has a new owner.
 * @param condition nothing is changed unless it holds
 */
export function transferRecordSql(
  { kind, challenge, browser, now, next, result }: Owner & Record<'next' | 'result', RawBuilder<string>>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    update challenge_record
    set browser_hash = ${next}, previous_browser_hash = browser_hash, step_result = ${result}, stepped_at = ${now}
    where challenge_hash = ${challenge} and kind = ${kind} and browser_hash = ${browser} and finished_at is null and ${condition}
    returning kind`;
}
