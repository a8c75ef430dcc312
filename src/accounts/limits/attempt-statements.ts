/**
 * SQL of the attempt counters. An attempt is reserved before it is checked, so that parallel guesses cannot all run before the
 * first failure is counted. The result releases the reservation; a reservation that is not released in time (the process died)
 * counts as a failure.
 *
 * Rows are always locked in the order address, device, name, so these statements cannot deadlock.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Config } from '../../config/config.js';
import { interval, Statement } from '../../database/statement.js';
import type { AuditKind } from '../audit/kinds.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';

/** Longer than the computation of any hash, but short: if a process dies, its reservations hold up other attempts for this time. */
const RESERVATION_LIFETIME = sql.raw(`interval '60 seconds'`);
/** After this time without a failure, earlier failures expire, except for a stopped account. */
const FAILURE_LIFETIME = sql.raw(`interval '90 days'`);

export interface ReserveRow {
  admitted: boolean;
  address_failures: number;
  address_wait: number | null;
  failures: number;
  wait: number | null;
}

export interface ReserveValues extends Record<string, unknown> {
  address: string;
  counterKey: string;
  account: string | null;
  /** Whether failures at the address do not delay the attempt: on a known device, or for a second factor. */
  ignoresAddress: boolean;
  /** Number of other attempts from this address that this process is checking. */
  runningCount: number;
  addressFailures: number;
  freeFailures: number;
  stopAt: number;
}

interface FailureLimits extends Record<'freeFailures' | 'firstWait' | 'longestWait' | 'stopAt', RawBuilder<number>> {
  now: RawBuilder<Date>;
}

/** Updates a counter `c` after a failure. From `freeFailures` failures on, each wait is twice as long as the previous wait, up to `longestWait`. */
export function recordFailureSql({ freeFailures, firstWait, longestWait, stopAt, now }: FailureLimits): RawBuilder<unknown> {
  return sql`
        failures = least(c.failures + 1, ${stopAt}::integer), pending = greatest(c.pending - 1, 0),
        blocked_until = case when c.failures + 1 >= ${freeFailures}::integer then ${now} + interval '1 second' * least(
          ${longestWait}::double precision,
          ${firstWait}::double precision * power(2, least(c.failures + 1 - ${freeFailures}::integer, 30))) end,
        expires_at = case when c.failures + 1 >= ${stopAt}::integer then 'infinity' else ${now} + ${FAILURE_LIFETIME} end`;
}

/** Updates a counter `c` after a success. A stopped counter stays stopped. */
export function recordSuccessSql(stopAt: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
        pending = greatest(c.pending - 1, 0),
        failures = case when c.failures < ${stopAt}::integer then 0 else c.failures end,
        blocked_until = case when c.failures < ${stopAt}::integer then null else c.blocked_until end`;
}

/**
 * The common table expression `address_counter`: the failures of an address, and the time until which the address has to wait if there
 * are too many. If the limit was lowered after the last failure, no failure has set that time; the address then waits until the end of
 * its window.
 */
export function findAddressCounterSql({ address, now }: Record<'address' | 'now', RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql`
    address_counter as (
      select coalesce(max(failures), 0) as failures, max(coalesce(blocked_until, window_until)) as blocked_until
      from attempt_counter where key = ${address} and window_until > ${now}
    )`;
}

/** Failures of a counter. An attempt whose reservation has expired counts as one. @param counter alias of the table */
export function countFailuresSql(counter: string, now: RawBuilder<Date>): RawBuilder<number> {
  const [failures, pending, reservedAt] = ['failures', 'pending', 'reserved_at'].map((column) => sql.ref(`${counter}.${column}`));
  return sql<number>`${failures} + case when ${reservedAt} < ${now} - ${RESERVATION_LIFETIME} then ${pending} else 0 end`;
}

/** Admits as many concurrent attempts as failures remain, and one at a time after that. */
export const RESERVE = new Statement<ReserveValues, ReserveRow>(
  'attempt.reserve',
  ({ param, now }) => sql`
    with ${findAddressCounterSql({ address: param('address'), now })}, counted as (
      insert into attempt_counter as c (key, account_id, pending, reserved_at, expires_at)
      select ${param('counterKey')}::text, ${param('account')}::uuid, 1, ${now}, ${now} + ${FAILURE_LIFETIME}
      from address_counter
      where ${param('ignoresAddress')}::boolean or address_counter.failures + ${param('runningCount')}::integer < ${param('addressFailures')}::integer
      on conflict (key) do update set
        failures = ${countFailuresSql('c', now)},
        pending = case when c.reserved_at < ${now} - ${RESERVATION_LIFETIME} then 1 else c.pending + 1 end,
        reserved_at = excluded.reserved_at
      where (c.blocked_until is null or c.blocked_until <= ${now})
        and ${countFailuresSql('c', now)} < ${param('stopAt')}::integer
        and (c.pending = 0 or c.reserved_at < ${now} - ${RESERVATION_LIFETIME}
          or c.pending < least(${param('freeFailures')}::integer, ${param('stopAt')}::integer) - c.failures)
      returning key
    ), seen as (
      select ${countFailuresSql('s', now)} as failures, blocked_until
      from attempt_counter s where key = ${param('counterKey')}::text
    )
    select exists (select from counted) as admitted,
      address_counter.failures as address_failures, extract(epoch from address_counter.blocked_until - ${now})::double precision as address_wait,
      coalesce(seen.failures, 0) as failures, extract(epoch from seen.blocked_until - ${now})::double precision as wait
    from address_counter left join seen on true`,
);

export interface AuditValues extends Record<string, unknown> {
  account: string | null;
  address: string | null;
  request: string | null;
}

export type FailValues = EventValues & {
  addressKey: string;
  /** Null if nothing was reserved, because the account is already stopped or the failure counts only against the address. */
  counterKey: string | null;
} & ReturnType<typeof toFailLimits>;

/** @returns the values of a failure that come from the settings */
export function toFailLimits(limits: Config['limits']) {
  return {
    addressFailures: limits.addressFailures,
    windowSeconds: limits.addressWindowSeconds,
    freeFailures: limits.accountFreeFailures,
    firstWait: limits.accountFirstWaitSeconds,
    longestWait: limits.accountLongestWaitSeconds,
    stopAt: limits.accountStopAt,
  };
}

export const FAIL = new Statement<FailValues, never>(
  'attempt.fail',
  ({ param, now, buildSinks }) => sql`
    with address_counter as (
      insert into attempt_counter as c (key, failures, window_until, blocked_until, expires_at)
      select ${param('addressKey')}::text, 1, window_end, case when ${param('addressFailures')}::integer <= 1 then window_end end, window_end
      from (select ${now} + ${interval(param('windowSeconds'))} as window_end) w
      on conflict (key) do update set
        failures = case when c.window_until > ${now} then c.failures + 1 else 1 end,
        window_until = case when c.window_until > ${now} then c.window_until else excluded.window_until end,
        blocked_until = case
          when c.window_until > ${now} and c.failures + 1 >= ${param('addressFailures')}::integer then c.window_until
          when c.window_until > ${now} then null
          else excluded.blocked_until end,
        expires_at = case when c.window_until > ${now} then c.window_until else excluded.window_until end
      returning key
    ), counted as (
      update attempt_counter c set ${recordFailureSql({
        freeFailures: param('freeFailures'),
        firstWait: param('firstWait'),
        longestWait: param('longestWait'),
        stopAt: param('stopAt'),
        now,
      })}
      where c.key = ${param('counterKey')} and exists (select from address_counter)
      returning key
    )
    ${insertEvent(buildEventColumns({ param, now, buildSinks }))}`,
);

export interface SucceedValues extends AuditValues {
  counterKey: string;
  /** Key of the counter of the name. Equal to `counterKey` unless the attempt was counted for a known device. */
  nameCounterKey: string;
  /** Counters with at least this many failures keep them. */
  stopAt: number;
  /** The event that is recorded. */
  kind: AuditKind;
}

/** Clears the failures of the counter. A success of a known device also clears the failures that others caused for the name. */
export const SUCCEED = new Statement<SucceedValues, never>(
  'attempt.succeed',
  ({ param, now, buildSinks }) => sql`
    with released as (
      update attempt_counter c set ${recordSuccessSql(param('stopAt'))}
      where c.key = ${param('counterKey')}
      returning key
    ), strangers as (
      update attempt_counter set failures = 0, blocked_until = null
      where key = ${param('nameCounterKey')} and key <> ${param('counterKey')} and failures between 1 and ${param('stopAt')}::integer - 1
        and exists (select from released)
      returning key
    )
    ${insertEvent({
      at: now,
      kind: param('kind'),
      account: param('account'),
      address: param('address'),
      request: param('request'),
      sinks: buildSinks && buildSinks({ param: 'kind' }),
    })}`,
);

export const GIVE_BACK = new Statement<{ counterKey: string }, never>(
  'attempt.give-back',
  ({ param }) => sql`update attempt_counter set pending = greatest(pending - 1, 0) where key = ${param('counterKey')}`,
);

/** Writes one event for each wait, so that repeated requests cannot fill the audit log. @returns a row if the event was written */
export const NOTE_LIMIT = new Statement<AuditValues & { key: string; kind: AuditKind }, { seq: number }>(
  'attempt.note-limit',
  ({ param, now, buildSinks }) => sql`
    with noted as (
      update attempt_counter set noted_until = coalesce(blocked_until, window_until)
      where key = ${param('key')} and noted_until is distinct from coalesce(blocked_until, window_until)
      returning key
    )
    ${insertEvent(
      {
        at: now,
        kind: param('kind'),
        account: param('account'),
        address: param('address'),
        request: param('request'),
        sinks: buildSinks && buildSinks({ param: 'kind' }),
      },
      sql`noted`,
    )}
    returning seq`,
);
