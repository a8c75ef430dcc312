/**
 * Limits on guessing passwords and mailed codes of a sign-in (docs/security.md D7): per name, per known device, per address. The
 * limits wrap the check of an attempt: they decide whether the check may run, and count its result. They do not see passwords or
 * codes.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import type { Account } from '../account/account.js';
import { toAddressCounter, toDeviceCounter, toKeyCounter, toNameCounter, type KnownDevice } from './attempt-keys.js';
import type { AuditKind } from '../audit/kinds.js';
import { AuditLog, toEventValues } from '../audit/audit-log.js';
import {
  FAIL,
  GIVE_BACK,
  NOTE_LIMIT,
  RESERVE,
  SUCCEED,
  countFailuresSql,
  toFailLimits,
  type AuditValues,
  type ReserveRow,
  type ReserveValues,
} from './attempt-statements.js';
import { clearFactorCounters, hasCounted, isFactorCounter } from './factor-counters.js';
import { KeyedQueue } from '../queue/bounded-queue.js';
import { KeySignals } from '../queue/key-signals.js';

export interface Attempt {
  username: string;
  /** Null if no account has the name. */
  accountId: string | null;
  /**
   * Set if the browser is a known device of this account: failures of others, on the account or from its address, do
   * not delay it.
   */
  device: KnownDevice | null;
  address: string;
  requestId: string;
  /** What is tried; a password if absent. Both count together, so that neither gives an attacker further tries. */
  proof?: 'password' | 'sign-in-code';
}

/** @member counter `account`: the name or known device has to wait. `network`: the address has to wait, also for passkeys */
export interface Wait {
  kind: 'limited';
  counter: 'account' | 'network';
  retryAfterSeconds: number;
}

/** The result of the check. `isCountedAccount` is false if the proven account is not the account whose failures are counted. */
export type CheckOutcome<Proof, Refusal> =
  | { kind: 'proven'; proof: Proof; isCountedAccount: boolean }
  /** `counts`: whether the refusal counts against the limits. `reason`: for operators, never for the page. */
  | { kind: 'refused'; refusal: Refusal; counts: boolean; reason: RefusalReason };

/**
 * Why a password or a mailed code was refused. `source`: by the source of the account, or because the account belongs to a
 * provider. `replaced`: it was right, but the code was used, or the password or the account was changed, during the check.
 * `stopped`: it was refused whether or not it was right, because too many failures were counted.
 */
export type RefusalReason =
  | 'unknown-name'
  | 'disabled'
  | 'no-password'
  | 'wrong-password'
  | 'source'
  | 'replaced'
  | 'stopped'
  | 'wrong-code';

export type AttemptVerdict<Proof, Refusal> =
  | { kind: 'proven'; proof: Proof }
  | { kind: 'refused'; refusal: Refusal }
  | Wait
  /** Too many other attempts are waiting, or this attempt has waited too long. */
  | { kind: 'busy' };

/**
 * `isStopped`: the check must refuse whatever was typed, after the same work. `hasWaited`: values that were read before the attempt
 * may be outdated.
 */
export interface AttemptState {
  isStopped: boolean;
  hasWaited: boolean;
}

type Admission = { kind: 'admitted' | 'stopped' } | Wait | { kind: 'busy' };

/**
 * An account that has to wait because of failures. `until` is null if the wait does not end by itself: an operator or a new password ends it,
 * or, for a second factor, its removal or reset.
 */
export interface AccountLock {
  until: Date | null;
}

interface Counters {
  counterKey: string;
  /** Key of the counter of the name; `counterKey` is another key on a known device. */
  nameCounterKey: string;
  addressKey: string;
}

interface CountedAttempt {
  attempt: Attempt;
  counters: Counters;
}

const EVENTS = {
  password: { proven: 'password.ok', refused: 'password.refused' },
  'sign-in-code': { proven: 'sign-in-code.ok', refused: 'sign-in-code.refused' },
} as const satisfies Record<NonNullable<Attempt['proof']>, Record<'proven' | 'refused', AuditKind>>;

const MAX_WAIT_MS = 5000;
const FIRST_SLEEP_MS = 40;
const MAX_SLEEP_MS = 320;
const QUEUE = { perKey: 128, total: 512 };

@Injectable()
export class Attempts {
  /** Only the first attempt for each counter queries the database; the others wait for it. */
  readonly #queue = new KeyedQueue(QUEUE);
  readonly #endSignals = new KeySignals();
  /** Attempts being checked in this process, by address. Attempts of other processes are visible only after they fail. */
  readonly #runningByAddress = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly audit: AuditLog,
  ) {}

  /** Number of attempts that wait for other attempts for the same name or known device. */
  get waitingCount(): number {
    return this.#queue.waitingCount;
  }

  /**
   * Runs the check if the limits allow it, and counts the result. While as many attempts are being checked as may still fail,
   * further attempts wait, so that all legitimate attempts get a turn.
   * @param check verifies what was typed; not called if the attempt is limited or the result is `busy`
   */
  async judge<Proof, Refusal>(
    attempt: Attempt,
    check: (state: AttemptState) => Promise<CheckOutcome<Proof, Refusal>>,
  ): Promise<AttemptVerdict<Proof, Refusal>> {
    const nameCounterKey = toNameCounter(this.keys, attempt.username);
    const counters: Counters = {
      nameCounterKey,
      counterKey: attempt.device ? toDeviceCounter(this.keys, attempt.device) : nameCounterKey,
      addressKey: toAddressCounter(this.keys, attempt.address),
    };
    const countedAttempt = { attempt, counters };
    const isQueued = this.#queue.isBusy(counters.counterKey);
    const decision = await this.#queue.run(counters.counterKey, () => this.#waitForDecision(countedAttempt));
    if (!decision) return { kind: 'busy' };
    const { admission, tries } = decision;
    const hasWaited = isQueued || tries > 1;
    switch (admission.kind) {
      case 'admitted':
        return this.#check(countedAttempt, () => check({ isStopped: false, hasWaited }));
      case 'stopped':
        return this.#refuseStopped(countedAttempt, await check({ isStopped: true, hasWaited }));
      default:
        return admission;
    }
  }

  /** Ends the reservation, also if the check throws. */
  async #check<Proof, Refusal>(
    { attempt, counters }: CountedAttempt,
    check: () => Promise<CheckOutcome<Proof, Refusal>>,
  ): Promise<AttemptVerdict<Proof, Refusal>> {
    const { counterKey } = counters;
    try {
      const outcome = await check().catch(async (error: unknown) => {
        await this.database.run(GIVE_BACK, { counterKey });
        throw error;
      });
      if (outcome.kind === 'proven') {
        await this.#succeed(attempt, counters, outcome.isCountedAccount);
        return outcome;
      }
      if (outcome.counts) await this.#fail(attempt, counters, { counterKey, reason: outcome.reason });
      else await this.database.run(GIVE_BACK, { counterKey });
      return outcome;
    } finally {
      this.#removeRunning(counters.addressKey);
      this.#wake(counters);
    }
  }

  async #refuseStopped<Proof, Refusal>(
    { attempt, counters }: CountedAttempt,
    outcome: CheckOutcome<Proof, Refusal>,
  ): Promise<AttemptVerdict<Proof, Refusal>> {
    if (outcome.kind === 'proven') throw new Error('The check of a stopped attempt must refuse it.');
    if (outcome.counts) await this.#fail(attempt, counters, { counterKey: null, reason: outcome.reason });
    return outcome;
  }

  /**
   * Ends a wait or a stop. `record` runs in the same transaction if a counter of the account had counted something.
   * @returns whether the account was locked; a few failures do not lock it
   */
  async unlock(
    { id, username }: Pick<Account, 'id' | 'username'>,
    record: (trx: Transaction<Schema>) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      const lock = await this.findLock({ id, username }, trx);
      if (await this.forget({ id, username }, trx)) await record(trx);
      return lock !== null;
    });
  }

  /** @returns null if the account does not have to wait. A few failures do not lock it, and failures counted for an address never do */
  async findLock(
    { id, username }: Pick<Account, 'id' | 'username'>,
    db: Kysely<Schema> = this.database.db,
  ): Promise<AccountLock | null> {
    const nameCounters = await this.#findNameCounters(username, id, db);
    const now = this.database.now();
    // Mails are counted in a window and do not stop anything.
    const isStopped = sql`(${countFailuresSql('c', now)} >= ${this.config.limits.accountStopAt} and window_until is null)`;
    const { rows } = await sql<{ stopped: boolean | null; until: Date | null }>`
      select bool_or(${isStopped}) as stopped, max(blocked_until) as until
      from attempt_counter c where (key = any(${nameCounters}::text[]) or ${isFactorCounter(this.keys, id)} or account_id = ${id})
        and (blocked_until > ${now} or ${isStopped})`.execute(db);
    const { stopped = null, until = null } = rows[0] ?? {};
    if (stopped === null) return null;
    return { until: stopped ? null : until };
  }

  /**
   * Deletes the counters of an account for passwords, codes of a sign-in, second factors and each `FactorMail`.
   * @returns whether a deleted counter had counted something; after a success, a counter without failures remains
   */
  async forget({ id, username }: Pick<Account, 'id' | 'username'>, trx: Transaction<Schema>): Promise<boolean> {
    const hadFailures = await this.clear(username, id, trx);
    return (await clearFactorCounters(this.keys, { accountId: id }, trx)) || hadFailures;
  }

  /**
   * Deletes the counters of passwords and codes of a sign-in, in the transaction that sets a new password, unlocks the account or
   * deletes it.
   * @returns as `forget`
   */
  async clear(username: string, accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    const nameCounters = await this.#findNameCounters(username, accountId, trx);
    const counters = await trx
      .deleteFrom('attempt_counter')
      .where(({ eb, or }) => or([eb('key', 'in', nameCounters), eb('account_id', '=', accountId)]))
      .returning(['failures', 'pending'])
      .execute();
    return counters.some(hasCounted);
  }

  /** A name at a source has its own counter if it was tried before it was known to belong to this account. */
  async #findNameCounters(username: string, accountId: string, db: Kysely<Schema>): Promise<string[]> {
    const rows = await db.selectFrom('source_name').select('name_key').where('account_id', '=', accountId).execute();
    return [toNameCounter(this.keys, username), ...rows.map((row) => toKeyCounter(this.keys, row.name_key))];
  }

  /** Moves the counted failures to the new name, where they replace earlier ones, in the transaction of the change. */
  async rename(oldUsername: string, username: string, trx: Transaction<Schema>): Promise<void> {
    const key = toNameCounter(this.keys, username);
    await trx.deleteFrom('attempt_counter').where('key', '=', key).execute();
    await trx.updateTable('attempt_counter').set({ key }).where('key', '=', toNameCounter(this.keys, oldUsername)).execute();
  }

  async #waitForDecision(countedAttempt: CountedAttempt): Promise<{ admission: Admission; tries: number }> {
    const { counterKey, addressKey } = countedAttempt.counters;
    const deadline = performance.now() + MAX_WAIT_MS;
    let sleepMs = FIRST_SLEEP_MS;
    for (let tries = 1; ; tries++) {
      const admission = await this.#decide(countedAttempt);
      if (admission) return { admission, tries };
      if (performance.now() > deadline) return { admission: { kind: 'busy' }, tries };
      await this.#endSignals.wait([counterKey, addressKey], sleepMs);
      sleepMs = Math.min(sleepMs * 2, MAX_SLEEP_MS);
    }
  }

  /** @returns null if the decision depends on attempts that are still being checked */
  async #decide({ attempt, counters }: CountedAttempt): Promise<Admission | null> {
    const runningCount = this.#runningByAddress.get(counters.addressKey) ?? 0;
    if (!attempt.device && runningCount >= this.config.limits.addressFailures) return null;
    this.#addRunning(counters.addressKey);
    let admission: Admission | null = null;
    try {
      const [row] = await this.database.run(RESERVE, this.#toReserveValues(attempt, counters, runningCount));
      if (!row) throw new Error('The reservation of an attempt returned no row.');
      admission = row.admitted ? { kind: 'admitted' } : await this.#refuse(row, attempt, counters);
      return admission;
    } finally {
      if (admission?.kind !== 'admitted') this.#removeRunning(counters.addressKey);
      // An attempt that has to wait again does not wake another attempt: the two would wake each other forever.
      if (admission && admission.kind !== 'admitted') this.#wake(counters);
    }
  }

  #toReserveValues({ accountId, device }: Attempt, { addressKey, counterKey }: Counters, runningCount: number): ReserveValues {
    const { addressFailures, accountFreeFailures: freeFailures, accountStopAt: stopAt } = this.config.limits;
    const isKnownDevice = device !== null;
    return {
      address: addressKey,
      counterKey,
      account: isKnownDevice ? accountId : null,
      ignoresAddress: isKnownDevice,
      runningCount,
      addressFailures,
      freeFailures,
      stopAt,
    };
  }

  /** @returns null if the attempt may still be admitted when another attempt has ended */
  async #refuse(row: ReserveRow, attempt: Attempt, counters: Counters): Promise<Admission | null> {
    const { addressFailures, accountStopAt } = this.config.limits;
    if (!attempt.device && row.address_failures >= addressFailures) {
      const retryAfterSeconds = await this.#noteWait(counters.addressKey, row.address_wait, attempt);
      return { kind: 'limited', counter: 'network', retryAfterSeconds };
    }
    if (row.failures >= accountStopAt) return { kind: 'stopped' };
    if (row.wait === null || row.wait <= 0) return null;
    return {
      kind: 'limited',
      counter: 'account',
      retryAfterSeconds: await this.#noteWait(counters.counterKey, row.wait, attempt),
    };
  }

  /** @returns seconds to wait */
  async #noteWait(key: string, waitSeconds: number | null, attempt: Attempt): Promise<number> {
    const events = await this.database.run(NOTE_LIMIT, { key, kind: 'password.limited', ...toAudit(attempt) });
    if (events.length > 0) this.#count('password.limited');
    return Math.max(Math.ceil(waitSeconds ?? 0), 1);
  }

  async #succeed(attempt: Attempt, { counterKey, nameCounterKey }: Counters, isCountedAccount: boolean): Promise<void> {
    // If `stopAt` is 0, no counter is cleared.
    const stopAt = isCountedAccount ? this.config.limits.accountStopAt : 0;
    const kind = EVENTS[attempt.proof ?? 'password'].proven;
    await this.database.run(SUCCEED, { counterKey, nameCounterKey, stopAt, kind, ...toAudit(attempt) });
    this.#count(kind);
  }

  async #fail(
    attempt: Attempt,
    { addressKey }: Counters,
    { counterKey, reason }: { counterKey: string | null; reason: RefusalReason },
  ): Promise<void> {
    const kind = EVENTS[attempt.proof ?? 'password'].refused;
    await this.database.run(FAIL, {
      addressKey,
      counterKey,
      ...toFailLimits(this.config.limits),
      ...toEventValues({ kind, actor: 'person', detail: { reason } }),
      ...toAudit(attempt),
    });
    this.#count(kind);
  }

  #count(kind: AuditKind): void {
    this.audit.count({ kind, actor: 'person' });
  }

  #addRunning(addressKey: string): void {
    this.#runningByAddress.set(addressKey, (this.#runningByAddress.get(addressKey) ?? 0) + 1);
  }

  #removeRunning(addressKey: string): void {
    const runningCount = (this.#runningByAddress.get(addressKey) ?? 1) - 1;
    if (runningCount > 0) this.#runningByAddress.set(addressKey, runningCount);
    else this.#runningByAddress.delete(addressKey);
  }

  #wake({ counterKey, addressKey }: Counters): void {
    this.#endSignals.signal(counterKey);
    this.#endSignals.signal(addressKey);
  }
}

/** Omits the typed name, because people type passwords into that field by mistake. */
function toAudit({ accountId, address, requestId }: Attempt): AuditValues {
  return { account: accountId, address, request: requestId };
}
