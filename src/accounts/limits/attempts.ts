/**
 * Limits on password guessing (docs/security.md D7): per name, per known device, per address. It decides whether an
 * attempt is checked and counts its result. It does not see passwords.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import type { Account } from '../account/account.js';
import { addressCounter, deviceCounter, keyCounter, nameCounter, type KnownDevice } from './attempt-keys.js';
import { AuditLog, eventValues } from '../audit/audit-log.js';
import {
  FAIL,
  GIVE_BACK,
  NOTE_LIMIT,
  failLimits,
  type AuditValues,
  type ReserveRow,
  type ReserveValues,
  type SucceedValues,
} from './attempt-statements.js';
import { clearFactorCounters, isFactorCounter } from './factor-counters.js';
import { KeyedQueue } from '../queue/bounded-queue.js';
import { KeySignals } from '../queue/key-signals.js';

export interface Attempt {
  username: string;
  /** Null if no account has the name, or if the statement that reserves looks it up. */
  accountId: string | null;
  /**
   * Set if the browser is a known device of this account: failures of others, on the account or from its address, do
   * not delay it.
   */
  device: KnownDevice | null;
  address: string;
  requestId: string;
}

/** @member counter `account`: of the name or the known device. `network`: of the address, where passkeys wait, too */
export interface Wait {
  kind: 'limited';
  counter: 'account' | 'network';
  retryAfterSeconds: number;
}

export type Admission =
  /** Exactly one method of the reservation must be called. */
  | { kind: 'admitted'; reservation: Reservation }
  /** Stopped after too many failures: refused like a wrong password, with the same work. */
  | { kind: 'stopped'; refuse: () => Promise<void> }
  | Wait
  | { kind: 'busy' }
  /** Not counted: the statement said `withdrawn`. */
  | { kind: 'withdrawn' };

/** Runs a statement with `reservation` in it. */
export type Reserve = (values: ReserveValues) => Promise<ReserveRow>;

export interface Reservation {
  /**
   * @param release runs a statement with `releaseCountersSql` in it and the event of the result; `active` is that of the account.
   * Null if the password was replaced meanwhile, which counts as a failure
   * @param isOwn false: the failures were counted for another account than the one that was proven, and stay
   * @returns what it returned, for an active account
   */
  succeed<Row extends { active: boolean }>(
    release: (values: SucceedValues) => Promise<Row | null>,
    isOwn: boolean,
  ): Promise<Row | null>;
  fail(): Promise<void>;
  /** The attempt was not checked. */
  giveBack(): Promise<void>;
}

interface Counters {
  subject: string;
  name: string;
  addressKey: string;
}

interface Waiting {
  attempt: Attempt;
  counters: Counters;
  reserve: Reserve;
}

const LONGEST_WAIT_MS = 5000;
const FIRST_SLEEP_MS = 40;
const LONGEST_SLEEP_MS = 320;
const QUEUE = { perKey: 128, inAll: 512 };

@Injectable()
export class Attempts {
  /** Only the first attempt of each counter queries the database; the others wait for it. */
  readonly #queue = new KeyedQueue(QUEUE);
  readonly #ended = new KeySignals();
  /** Attempts being checked in this process, by address. Attempts of other processes are visible only after they fail. */
  readonly #runningByAddress = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    @Inject(CONFIG) private readonly config: Pick<Config, 'limits'>,
    private readonly audit: AuditLog,
  ) {}

  /** Number of attempts that wait for others of the same name. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Waits while as many attempts are being checked as may still fail, so that legitimate attempts all get a turn. */
  async admit(attempt: Attempt, reserve: Reserve): Promise<Admission> {
    const name = nameCounter(this.keys, attempt.username);
    const counters: Counters = {
      name,
      subject: attempt.device ? deviceCounter(this.keys, attempt.device) : name,
      addressKey: addressCounter(this.keys, attempt.address),
    };
    const admission = await this.#queue.run(counters.subject, () => this.#waitForDecision({ attempt, counters, reserve }));
    return admission ?? { kind: 'busy' };
  }

  /**
   * Removes a wait or a stop. `note` runs in the same transaction if failures were counted.
   * @returns whether the account was locked; a few failures do not lock it
   */
  async unlock(
    { id, username }: Pick<Account, 'id' | 'username'>,
    note: (trx: Transaction<Schema>) => Promise<void>,
  ): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      const names = await this.#nameCounters(username, id, trx);
      const { rows } = await sql<{ locked: boolean }>`
        select exists (
          select from attempt_counter where (key = any(${names}::text[]) or ${isFactorCounter(this.keys, id)} or account_id = ${id})
            and (blocked_until > ${this.database.now()} or expires_at = 'infinity')) as locked`.execute(trx);
      const held = await this.forget({ id, username }, trx);
      if (held > 0) await note(trx);
      return rows[0]?.locked ?? false;
    });
  }

  /** Deletes all counted failures of an account. @returns number of deleted counters */
  async forget({ id, username }: Pick<Account, 'id' | 'username'>, trx: Transaction<Schema>): Promise<number> {
    return (await this.clear(username, id, trx)) + (await clearFactorCounters(this.keys, { accountId: id }, trx));
  }

  /**
   * Runs in the transaction that sets a new password.
   * @returns number of deleted counters
   */
  async clear(username: string, accountId: string, trx: Transaction<Schema>): Promise<number> {
    const names = await this.#nameCounters(username, accountId, trx);
    const { numDeletedRows } = await trx
      .deleteFrom('attempt_counter')
      .where(({ eb, or }) => or([eb('key', 'in', names), eb('account_id', '=', accountId)]))
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  /** Of names at a source there are some if they were tried before they were known to be of this account. */
  async #nameCounters(username: string, accountId: string, trx: Transaction<Schema>): Promise<string[]> {
    const rows = await trx.selectFrom('source_name').select('name_key').where('account_id', '=', accountId).execute();
    return [nameCounter(this.keys, username), ...rows.map((row) => keyCounter(this.keys, row.name_key))];
  }

  /** Moves the counted failures to the new name, in the transaction of the change. */
  async rename(oldUsername: string, username: string, trx: Transaction<Schema>): Promise<void> {
    const key = nameCounter(this.keys, username);
    await trx.deleteFrom('attempt_counter').where('key', '=', key).execute();
    await trx.updateTable('attempt_counter').set({ key }).where('key', '=', nameCounter(this.keys, oldUsername)).execute();
  }

  async #waitForDecision(waiting: Waiting): Promise<Admission> {
    const { subject, addressKey } = waiting.counters;
    const deadline = performance.now() + LONGEST_WAIT_MS;
    for (let sleepMs = FIRST_SLEEP_MS; ; sleepMs = Math.min(sleepMs * 2, LONGEST_SLEEP_MS)) {
      const decided = await this.#decide(waiting);
      if (decided) return decided;
      if (performance.now() > deadline) return { kind: 'busy' };
      await this.#ended.wait([subject, addressKey], sleepMs);
    }
  }

  /** @returns null if the decision depends on attempts that are still being checked */
  async #decide({ attempt, counters, reserve }: Waiting): Promise<Admission | null> {
    const running = this.#runningByAddress.get(counters.addressKey) ?? 0;
    if (!attempt.device && running >= this.config.limits.addressFailures) return null;
    this.#countIn(counters.addressKey);
    let decided: Admission | null = null;
    try {
      const row = await reserve(this.#values(attempt, counters, running));
      const looked = row.account === undefined ? attempt : { ...attempt, accountId: row.account };
      if (row.withdrawn) decided = { kind: 'withdrawn' };
      else if (row.admitted) decided = { kind: 'admitted', reservation: this.#reservation(looked, counters) };
      else decided = await this.#refuse(row, looked, counters);
      return decided;
    } finally {
      if (decided?.kind !== 'admitted') this.#countOut(counters.addressKey);
      // An attempt that keeps waiting wakes no other: they would only wake each other.
      if (decided && decided.kind !== 'admitted') this.#wake(counters);
    }
  }

  #values({ accountId, device }: Attempt, { addressKey, subject }: Counters, running: number): ReserveValues {
    const { addressFailures, accountFreeFailures: free, accountStopAt: stopAt } = this.config.limits;
    const known = device !== null;
    return { address: addressKey, subject, account: known ? accountId : null, known, running, addressFailures, free, stopAt };
  }

  async #refuse(row: ReserveRow, attempt: Attempt, counters: Counters): Promise<Admission | null> {
    const { addressFailures, accountStopAt } = this.config.limits;
    if (!attempt.device && row.address_failures >= addressFailures) {
      const retryAfterSeconds = await this.#noteWait(counters.addressKey, row.address_wait, attempt);
      return { kind: 'limited', counter: 'network', retryAfterSeconds };
    }
    if (row.failures >= accountStopAt) return { kind: 'stopped', refuse: () => this.#fail(attempt, counters, null) };
    if (row.wait === null || row.wait <= 0) return null;
    return { kind: 'limited', counter: 'account', retryAfterSeconds: await this.#noteWait(counters.subject, row.wait, attempt) };
  }

  /** @returns seconds to wait */
  async #noteWait(key: string, waitSeconds: number | null, attempt: Attempt): Promise<number> {
    const noted = await this.database.run(NOTE_LIMIT, { key, kind: 'password.limited', ...auditLogOf(attempt) });
    if (noted.length > 0) this.#count('password.limited');
    return Math.max(Math.ceil(waitSeconds ?? 0), 1);
  }

  #reservation(attempt: Attempt, counters: Counters): Reservation {
    const settling = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } finally {
        this.#countOut(counters.addressKey);
        this.#wake(counters);
      }
    };
    const { subject, name } = counters;
    return {
      fail: () => settling(() => this.#fail(attempt, counters, subject)),
      giveBack: () =>
        settling(async () => {
          await this.database.run(GIVE_BACK, { subject });
        }),
      succeed: (release, isOwn) =>
        settling(async () => {
          const stopAt = isOwn ? this.config.limits.accountStopAt : 0;
          const row = await release({ subject, name, stopAt, ...auditLogOf(attempt) });
          if (row) this.#count(row.active ? 'password.ok' : 'password.refused');
          else await this.#fail(attempt, counters, subject);
          return row?.active ? row : null;
        }),
    };
  }

  async #fail(attempt: Attempt, { addressKey }: Counters, subject: string | null): Promise<void> {
    await this.database.run(FAIL, {
      addressKey,
      subject,
      ...failLimits(this.config.limits),
      ...eventValues({ kind: 'password.refused', actor: 'person' }),
      ...auditLogOf(attempt),
    });
    this.#count('password.refused');
  }

  #count(kind: 'password.ok' | 'password.refused' | 'password.limited'): void {
    this.audit.count({ kind, actor: 'person' });
  }

  #countIn(addressKey: string): void {
    this.#runningByAddress.set(addressKey, (this.#runningByAddress.get(addressKey) ?? 0) + 1);
  }

  #countOut(addressKey: string): void {
    const left = (this.#runningByAddress.get(addressKey) ?? 1) - 1;
    if (left > 0) this.#runningByAddress.set(addressKey, left);
    else this.#runningByAddress.delete(addressKey);
  }

  #wake({ subject, addressKey }: Counters): void {
    this.#ended.signal(subject);
    this.#ended.signal(addressKey);
  }
}

/** Does not contain the entered name: people enter passwords in that field. */
function auditLogOf({ accountId, address, requestId }: Attempt): AuditValues {
  return { account: accountId, address, request: requestId };
}
