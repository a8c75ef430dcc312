/**
 * Limits on guessing second factors, for each account and kind of factor, separate from the password limits. An attempt
 * is counted before it is checked, and a failure is written in its own transaction, so a later error cannot roll it
 * back.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { afterFailure, afterSuccess, GIVE_BACK, NOTE_LIMIT, RESERVE } from './attempt-statements.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { factorCounter } from './factor-counters.js';
import { Outbox } from '../queue/outbox.js';

export type FactorVerdict =
  | { kind: 'proven' }
  | { kind: 'refused' }
  /** The account has no such factor; nothing was counted. */
  | { kind: 'missing' }
  | { kind: 'limited'; retryAfterSeconds: number }
  /** Stopped after too many failures: an operator unlocks it, or the factor is set up again. */
  | { kind: 'stopped' };

export interface FactorTry {
  accountId: string;
  /** Name of the counter: of a kind of factor, or of its set-up. */
  factor: string;
  /** True for a set-up: the attempt proves nothing for a sign-in. */
  isSetUp?: true;
  by: AuditContext;
}

/** Reason for the audit log; the page does not show it. */
export type FactorFault = 'code' | 'replayed' | 'challenge' | 'response' | 'counter';

/**
 * Consumes a correct code in the transaction that counts the success. @returns false if it was already consumed, or the
 * fault
 */
export type Spend = (trx: Transaction<Schema>) => Promise<boolean | FactorFault>;

/** No attempt is checked while a pending attempt of the same factor could be the last allowed one. */
const BUSY_RETRY_SECONDS = 1;

interface FailValues extends Record<string, unknown> {
  key: string;
  free: number;
  firstWait: number;
  longestWait: number;
  stopAt: number;
}

const FAIL = new Statement<FailValues, { failures: number }>(
  'factor-attempt.fail',
  ({ slot, now }) => sql`
    update attempt_counter c set ${afterFailure({
      free: slot('free'),
      firstWait: slot('firstWait'),
      longestWait: slot('longestWait'),
      stopAt: slot('stopAt'),
      now,
    })}
    where c.key = ${slot('key')}
    returning failures`,
);

const SUCCEED = new Statement<{ key: string; stopAt: number }, never>(
  'factor-attempt.succeed',
  ({ slot }) => sql`
    update attempt_counter c set ${afterSuccess(slot('stopAt'))}
    where c.key = ${slot('key')}`,
);

/** Written once each time a factor is stopped. */
const NOTE_STOP = new Statement<{ key: string }, { key: string }>(
  'factor-attempt.note-stop',
  ({ slot }) => sql`
    update attempt_counter set noted_until = 'infinity', expires_at = 'infinity'
    where key = ${slot('key')} and noted_until is distinct from 'infinity'
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
   * Checks an attempt if the limits allow it, and counts the result.
   * @param check verifies the response outside any transaction; the function it returns consumes it
   */
  async judge(attempt: FactorTry, check: () => Promise<Spend | FactorFault>): Promise<FactorVerdict> {
    const verdict = await this.#judge(attempt, check);
    this.telemetry.count('foyer.factor.attempts', { 'foyer.factor': attempt.factor, 'foyer.factor.result': verdict.kind });
    return verdict;
  }

  async #judge(attempt: FactorTry, check: () => Promise<Spend | FactorFault>): Promise<FactorVerdict> {
    const key = factorCounter(this.keys, attempt.factor, attempt.accountId);
    const held = await this.#reserve(key, attempt);
    if (held) return held;
    let fault: FactorFault | null;
    try {
      const checked = await check();
      fault = typeof checked === 'string' ? checked : await this.#spend(key, attempt, checked);
    } catch (error) {
      await this.database.run(GIVE_BACK, { subject: key });
      throw error;
    }
    if (fault === null) return { kind: 'proven' };
    await this.#fail(key, attempt, fault);
    return { kind: 'refused' };
  }

  /** @returns null if the attempt may be checked */
  async #reserve(key: string, attempt: FactorTry): Promise<FactorVerdict | null> {
    const { database, audit } = this;
    const { limits } = this.config;
    const { accountFreeFailures: free, accountStopAt: stopAt, addressFailures } = limits;
    // The person has already proven the password, so failures of the address do not matter.
    const values = { address: '', subject: key, account: null, known: true, running: 0, addressFailures, free, stopAt };
    const [row] = await database.run(RESERVE, values);
    if (!row) throw new Error('A reservation always answers.');
    if (row.admitted) return null;
    if (row.failures >= stopAt) return this.#stopped(key, attempt);
    if (row.wait === null || row.wait <= 0) return { kind: 'limited', retryAfterSeconds: BUSY_RETRY_SECONDS };
    const { accountId, by } = attempt;
    const auditLog = { account: accountId, address: by.address ?? null, request: by.requestId ?? null };
    const noted = await database.run(NOTE_LIMIT, { key, kind: 'factor.limited', ...auditLog });
    if (noted.length > 0) audit.count({ kind: 'factor.limited', actor: 'person' });
    return { kind: 'limited', retryAfterSeconds: Math.max(Math.ceil(row.wait), 1) };
  }

  /** @returns null if this attempt consumed it */
  async #spend(key: string, { accountId, factor, isSetUp, by }: FactorTry, spend: Spend): Promise<FactorFault | null> {
    const { database, audit } = this;
    const { limits } = this.config;
    return database.transaction(async (trx) => {
      const spent = await spend(trx);
      if (spent !== true) return spent === false ? 'replayed' : spent;
      await database.run(SUCCEED, { key, stopAt: limits.accountStopAt }, trx);
      // A set-up records its own audit event.
      if (!isSetUp) await audit.record({ ...by, kind: 'factor.ok', accountId, detail: { factor } }, trx);
      return null;
    });
  }

  async #fail(key: string, attempt: FactorTry, fault: FactorFault): Promise<void> {
    const { database, audit } = this;
    const { limits } = this.config;
    const { accountId, factor, by } = attempt;
    const values = {
      key,
      free: limits.accountFreeFailures,
      firstWait: limits.accountFirstWaitSeconds,
      longestWait: limits.accountLongestWaitSeconds,
      stopAt: limits.accountStopAt,
    };
    await database.transaction(async (trx) => {
      const [row] = await database.run(FAIL, values, trx);
      await audit.record({ ...by, kind: 'factor.refused', accountId, detail: { factor, fault } }, trx);
      if (row && row.failures >= limits.accountStopAt) await this.#noteStop(key, attempt, trx);
    });
  }

  async #stopped(key: string, attempt: FactorTry): Promise<FactorVerdict> {
    await this.database.transaction((trx) => this.#noteStop(key, attempt, trx));
    return { kind: 'stopped' };
  }

  async #noteStop(key: string, { accountId, factor, by }: FactorTry, trx: Transaction<Schema>): Promise<void> {
    const { database, audit, outbox } = this;
    if ((await database.run(NOTE_STOP, { key }, trx)).length === 0) return;
    await audit.record({ ...by, kind: 'factor.limited', accountId, detail: { factor, stopped: true } }, trx);
    await outbox.queueNotice({ kind: 'factor-stopped', accountId, values: { factor }, by }, trx);
  }
}
