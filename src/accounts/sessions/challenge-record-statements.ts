/** SQL of the records of challenges, for separate statements and for parts of larger statements. */
import { sql, type RawBuilder } from 'kysely';
import { interval, Statement } from '../../database/statement.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { REPEAT_WINDOW } from './sign-in-statements.js';

export type OwnerValues = Record<'kind' | 'challenge' | 'browser', string>;

export interface RecordRow {
  own: boolean;
  fresh: boolean;
  finished: boolean;
  inserted: boolean;
  /** Sealed. */
  result: string | null;
}

/** If a value is null, no record is found. */
type Owner = Record<keyof OwnerValues, RawBuilder<string | null>> & { now: RawBuilder<Date> };

/** The columns of a record `r`. `own`: it belongs to the requesting browser. `fresh`: it was finished within the last ten seconds. */
const selectColumnsSql = ({ browser, now }: Pick<Owner, 'browser' | 'now'>): RawBuilder<unknown> => sql`
  r.browser_hash = ${browser} as own, r.finished_at is not null as finished,
  coalesce(r.finished_at > ${now} - ${REPEAT_WINDOW}, false) as fresh, r.result`;

/** Reads the record if it exists. */
export function findRecordSql({ kind, challenge, ...owner }: Owner): RawBuilder<RecordRow> {
  return sql<RecordRow>`
    select ${selectColumnsSql(owner)}, false as inserted from challenge_record r where r.challenge_hash = ${challenge} and r.kind = ${kind}`;
}

interface Claim extends Owner {
  lifetimeSeconds: RawBuilder<number>;
}

/**
 * Creates the record, or reads it: the update makes PostgreSQL return the existing row. `xmax` is 0 for a new row.
 * @param condition if it is false, nothing is created or read
 */
export function claimRecordSql(
  { kind, challenge, lifetimeSeconds, ...owner }: Claim,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<RecordRow> {
  return sql<RecordRow>`
    insert into challenge_record as r (challenge_hash, kind, browser_hash, expires_at)
    select ${challenge}::text, ${kind}::text, ${owner.browser}::text, ${owner.now} + ${interval(lifetimeSeconds)} where ${condition}
    on conflict (challenge_hash, kind) do update set kind = r.kind
    returning ${selectColumnsSql(owner)}, r.xmax = 0 as inserted`;
}

/**
 * Stores the first result. Concurrent requests wait for each other, and the second request gets the result of the first.
 * @param condition if it is false, nothing is stored
 */
export function finishRecordSql(
  { kind, challenge, browser, now, result }: Owner & { result: RawBuilder<string> },
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<{ result: string }> {
  return sql<{ result: string }>`
    update challenge_record
    set result = coalesce(result, ${result}), finished_at = coalesce(finished_at, ${now})
    where challenge_hash = ${challenge} and kind = ${kind} and browser_hash = ${browser} and ${condition}
    returning result`;
}

export const PEEK = new Statement<OwnerValues, RecordRow>('challenge.peek', ({ param, now }) =>
  findRecordSql({ kind: param('kind'), challenge: param('challenge'), browser: param('browser'), now }),
);

export const CLAIM = new Statement<OwnerValues & { lifetimeSeconds: number }, RecordRow>('challenge.claim', ({ param, now }) =>
  claimRecordSql({
    kind: param('kind'),
    challenge: param('challenge'),
    browser: param('browser'),
    lifetimeSeconds: param('lifetimeSeconds'),
    now,
  }),
);

/** The event is recorded only with the first result. */
export const FINISH = new Statement<OwnerValues & EventValues & { result: string }, { result: string }>(
  'challenge.finish',
  ({ param, now, buildSinks }) => sql`
    with record as (
      ${finishRecordSql({
        kind: param('kind'),
        challenge: param('challenge'),
        browser: param('browser'),
        result: param('result'),
        now,
      })}
    ), audited as (
      ${insertEvent(buildEventColumns({ param, now, buildSinks }), sql`record where result = ${param('result')} and ${param('event')}::text is not null`)}
      returning seq
    )
    select result from record`,
);
