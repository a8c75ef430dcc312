/**
 * Limits on guessing second factors, for each account and kind of factor, separate from the password limits. An attempt
 * is counted before it is checked, and a failure is written in its own transaction, so a later error cannot roll the
 * failure back.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Amr } from '../../contract/authentication.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { recordFailureSql, recordSuccessSql, toFailLimits, GIVE_BACK, NOTE_LIMIT, RESERVE } from './attempt-statements.js';
import { AuditLog, toEventValues, type AuditContext } from '../audit/audit-log.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { toFactorCounter } from './factor-counters.js';
import { Outbox } from '../queue/outbox.js';

export type FactorVerdict =
  /** @member methods the proven methods, if they are more than the kind of factor implies */
  | { kind: 'proven'; methods?: readonly Amr[] }
  | { kind: 'refused' }
  /** Nothing was typed, or no code was expected. Nothing was checked or counted. */
  | { kind: 'untyped' }
  /** The account has no such factor; nothing was counted. */
  | { kind: 'missing' }
  | { kind: 'limited'; retryAfterSeconds: number }
  /** Stopped after too many failures, until an operator unlocks the account, or the factor is removed or reset. */
  | { kind: 'stopped' };

/** @member result the result of the check of a set-up */
export type SetUpVerdict<Result> = { kind: 'proven'; result: Result } | Exclude<FactorVerdict, { kind: 'proven' | 'missing' }>;

/** The attempt was not checked. */
type UncheckedVerdict = Extract<FactorVerdict, { kind: 'limited' | 'stopped' }>;

export interface FactorTry {
  accountId: string;
  /** Name of the counter: a kind of factor, or the set-up of that kind. */
  factor: string;
  /** The code, if the proof of the factor is typed. */
  typedCode?: unknown;
  auditContext: AuditContext;
}

/** Reason for the audit log; the page does not show it. */
export type FactorFault = 'code' | 'replayed' | 'challenge' | 'response' | 'counter';

/**
 * Consumes a correct proof, either in the transaction that counts the success, or in one statement that contains `recordProofSql`.
 * @returns true if it was consumed, false if it was already consumed before, or the fault
 */
export type Spend =
  | ((trx: Transaction<Schema>) => Promise<boolean | FactorFault>)
  | { inOneStatement: (values: ProvenValues) => Promise<boolean> };

/** `counterKey` and `stopAt` are for the counter, the other values for the audit log. */
export type ProvenValues = EventValues & { account: string; counterKey: string; stopAt: number };

/**
 * Common table expressions that count and record a success, for a statement with the expression `spent`, which has a row if the
 * statement consumed a proof.
 */
export function recordProofSql({ param, now, buildSinks }: Placeholders<ProvenValues>): RawBuilder<unknown> {
  return sql`
    succeeded as (
      update attempt_counter c set ${recordSuccessSql(param('stopAt'))}
      where c.key = ${param('counterKey')} and exists (select from spent)
      returning key
    ), audited as (
      ${insertEvent(buildEventColumns({ param, now, buildSinks }), sql`spent`)}
      returning seq
    )`;
}

/** @member spend counts the success for the given counter key, and returns null if this attempt consumed the proof */
interface CheckSuccess<Result> {
  result: Result;
  spend: (key: string) => Promise<FactorFault | null>;
}

/** Wait while a pending attempt for the same factor may be the last allowed attempt: no other attempt is checked then. */
const BUSY_RETRY_SECONDS = 1;

const FAIL = new Statement<{ key: string } & ReturnType<typeof toFailLimits>, { failures: number }>(
  'factor-attempt.fail',
  ({ param, now }) => sql`
    update attempt_counter c set ${recordFailureSql({
      freeFailures: param('freeFailures'),
      firstWait: param('firstWait'),
      longestWait: param('longestWait'),
      stopAt: param('stopAt'),
      now,
    })},
      -- A counter below the limit is not stopped: it was noted as stopped before the limit was raised.
      noted_until = case when c.failures < ${param('stopAt')}::integer then nullif(c.noted_until, 'infinity') else c.noted_until end
    where c.key = ${param('key')}
    returning failures`,
);

const SUCCEED = new Statement<{ key: string; stopAt: number }, never>(
  'factor-attempt.succeed',
  ({ param }) => sql`
    update attempt_counter c set ${recordSuccessSql(param('stopAt'))}
    where c.key = ${param('key')}`,
);

/** Returns a row only for the attempt that stops the factor, or for the first that finds it stopped. */
const NOTE_STOP = new Statement<{ key: string }, { key: string }>(
  'factor-attempt.note-stop',
  ({ param }) => sql`
    update attempt_counter set noted_until = 'infinity', expires_at = 'infinity'
    where key = ${param('key')} and noted_until is distinct from 'infinity'
    returning key`,
);

@Injectable()
export class FactorAttempts {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /**
   * Checks a proof if the limits allow it, and counts the result.
   * @param check verifies the response outside any transaction; the `Spend` that it returns consumes the response
   */
  async judge(attempt: FactorTry, check: () => Promise<Spend | FactorFault>): Promise<FactorVerdict> {
    return this.#judge(attempt, async () => {
      const outcome = await check();
      if (typeof outcome === 'string') return outcome;
      return { result: undefined, spend: (key) => this.#spend(key, attempt, outcome) };
    });
  }

  /** Checks the code of a set-up like `judge`. The code proves nothing for a sign-in, and the set-up consumes the result. */
  async judgeSetUp<Result extends object>(
    attempt: FactorTry,
    check: () => Promise<Result | FactorFault>,
  ): Promise<SetUpVerdict<Result>> {
    return this.#judge(attempt, async () => {
      const result = await check();
      return typeof result === 'string' ? result : { result, spend: (key) => this.#succeed(key) };
    });
  }

  async #judge<Result>(
    attempt: FactorTry,
    check: () => Promise<CheckSuccess<Result> | FactorFault>,
  ): Promise<SetUpVerdict<Result>> {
    const { typedCode, factor } = attempt;
    if (typeof typedCode === 'string' && typedCode.trim() === '') return { kind: 'untyped' };
    const verdict = await this.#checkOnce(attempt, check);
    this.telemetry.count('foyer.factor.attempts', { 'foyer.factor': factor, 'foyer.factor.result': verdict.kind });
    return verdict;
  }

  async #checkOnce<Result>(
    attempt: FactorTry,
    check: () => Promise<CheckSuccess<Result> | FactorFault>,
  ): Promise<Exclude<SetUpVerdict<Result>, { kind: 'untyped' }>> {
    const key = toFactorCounter(this.keys, attempt.factor, attempt.accountId);
    const refusal = await this.#reserve(key, attempt);
    if (refusal) return refusal;
    let fault: FactorFault;
    try {
      const outcome = await check();
      const spendFault = typeof outcome === 'string' ? outcome : await outcome.spend(key);
      if (spendFault === null && typeof outcome !== 'string') return { kind: 'proven', result: outcome.result };
      fault = spendFault ?? 'code';
    } catch (error) {
      await this.database.run(GIVE_BACK, { counterKey: key });
      throw error;
    }
    await this.#fail(key, attempt, fault);
    return { kind: 'refused' };
  }

  /** @returns null if the attempt may be checked */
  async #reserve(key: string, attempt: FactorTry): Promise<UncheckedVerdict | null> {
    const { database, audit } = this;
    const { limits } = this.config;
    const { accountFreeFailures: freeFailures, accountStopAt: stopAt, addressFailures } = limits;
    // The person has already proven a first factor, so failures of the address do not matter.
    const values = {
      address: '',
      counterKey: key,
      account: null,
      ignoresAddress: true,
      runningCount: 0,
      addressFailures,
      freeFailures,
      stopAt,
    };
    const [row] = await database.run(RESERVE, values);
    if (!row) throw new Error('The reservation of an attempt returned no row.');
    if (row.admitted) return null;
    if (row.failures >= stopAt) return this.#refuseAsStopped(key, attempt);
    if (row.wait === null || row.wait <= 0) return { kind: 'limited', retryAfterSeconds: BUSY_RETRY_SECONDS };
    const { accountId, auditContext } = attempt;
    const auditValues = { account: accountId, address: auditContext.address ?? null, request: auditContext.requestId ?? null };
    const events = await database.run(NOTE_LIMIT, { key, kind: 'factor.limited', ...auditValues });
    if (events.length > 0) audit.count({ kind: 'factor.limited', actor: 'person' });
    return { kind: 'limited', retryAfterSeconds: Math.max(Math.ceil(row.wait), 1) };
  }

  /** @returns null if this attempt consumed the proof */
  async #spend(key: string, { accountId, factor, auditContext }: FactorTry, spend: Spend): Promise<FactorFault | null> {
    const { database, audit } = this;
    const event = { ...auditContext, kind: 'factor.ok', accountId, detail: { factor } } as const;
    if (typeof spend === 'function') {
      return database.transaction(async (trx) => {
        const spendResult = await spend(trx);
        if (spendResult !== true) return spendResult === false ? 'replayed' : spendResult;
        await audit.record(event, trx);
        return this.#succeed(key, trx);
      });
    }
    const { accountStopAt: stopAt } = this.config.limits;
    if (!(await spend.inOneStatement({ ...toEventValues(event), account: accountId, counterKey: key, stopAt })))
      return 'replayed';
    audit.count(event);
    return null;
  }

  async #succeed(key: string, trx?: Transaction<Schema>): Promise<null> {
    await this.database.run(SUCCEED, { key, stopAt: this.config.limits.accountStopAt }, trx);
    return null;
  }

  async #fail(key: string, attempt: FactorTry, fault: FactorFault): Promise<void> {
    const { database, audit } = this;
    const { limits } = this.config;
    const { accountId, factor, auditContext } = attempt;
    await database.transaction(async (trx) => {
      const [row] = await database.run(FAIL, { key, ...toFailLimits(limits) }, trx);
      await audit.record({ ...auditContext, kind: 'factor.refused', accountId, detail: { factor, fault } }, trx);
      if (row && row.failures >= limits.accountStopAt) await this.#noteStop(key, attempt, trx);
    });
  }

  async #refuseAsStopped(key: string, attempt: FactorTry): Promise<UncheckedVerdict> {
    await this.database.transaction((trx) => this.#noteStop(key, attempt, trx));
    return { kind: 'stopped' };
  }

  async #noteStop(key: string, { accountId, factor, auditContext }: FactorTry, trx: Transaction<Schema>): Promise<void> {
    const { database, audit, outbox } = this;
    if ((await database.run(NOTE_STOP, { key }, trx)).length === 0) return;
    await audit.record({ ...auditContext, kind: 'factor.limited', accountId, detail: { factor, stopped: true } }, trx);
    await outbox.queueNotice({ kind: 'factor-stopped', accountId, values: { factor }, auditContext }, trx);
  }
}
