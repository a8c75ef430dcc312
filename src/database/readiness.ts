/**
 * Determines whether the database accepts changes, and how far the clock of this process differs from the clock of the database. The
 * probe inserts a row and rolls it back, because a database that is read-only or full still answers reads. The embedded database
 * runs in this process, so the probe only checks that it answers.
 */
import { sql } from 'kysely';
import type { Clock } from '../config/clock.js';
import { waitAtMost } from '../config/wait-at-most.js';
import type { Database } from './database.js';

/** A larger difference between the clocks is logged. */
const CLOCK_WARNING_MS = 3000;
/** With a larger difference between the clocks, valid TOTP codes and provider tokens would be refused: the gateway is not ready. */
export const CLOCK_FAULT_MS = 30_000;
const PROBE_TIMEOUT_MS = 2000;
/** Shortest time between two probes, so that many requests to the health check do not cause many writes. */
const MIN_INTERVAL_MS = 2000;
/** Long enough that each row needs its own page, so that a full volume refuses the row. */
const FILLER_CHARACTERS = 6000;

export interface DatabaseState {
  takesChanges: boolean;
  /** Milliseconds by which the clock of this process is ahead of the database; null if the probe failed. */
  clockOffsetMs: number | null;
}

const UNAVAILABLE_STATE: DatabaseState = { takesChanges: false, clockOffsetMs: null };

class ProbeRollback extends Error {}

export class DatabaseReadiness {
  /** A database that does not answer within this time is not ready. */
  timeoutMs = PROBE_TIMEOUT_MS;
  #state: { probe: Promise<DatabaseState>; atMs: number } | undefined;
  #isClockOff = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    /** Called once each time the clock begins to differ by more than `CLOCK_WARNING_MS`. */
    private readonly onClockOff: (offsetMs: number) => void = () => undefined,
  ) {}

  /** Never throws. Starts at most one probe in two seconds; all calls in this time share its result. */
  async state(): Promise<DatabaseState> {
    const nowMs = performance.now();
    if (!this.#state || nowMs - this.#state.atMs > MIN_INTERVAL_MS) this.#state = { probe: this.#probe(), atMs: nowMs };
    return waitAtMost(this.#state.probe, this.timeoutMs, UNAVAILABLE_STATE);
  }

  async #probe(): Promise<DatabaseState> {
    try {
      const clockOffsetMs = this.database.dialect === 'pglite' ? await this.#ping() : await this.#writeAndRollBack();
      this.#noteClock(clockOffsetMs);
      return { takesChanges: true, clockOffsetMs };
    } catch {
      return UNAVAILABLE_STATE;
    }
  }

  async #ping(): Promise<number> {
    await this.database.ping();
    return 0;
  }

  async #writeAndRollBack(): Promise<number> {
    let offsetMs = 0;
    const work = this.database.transaction(async (trx) => {
      const startMs = this.clock.now().getTime();
      const { rows } = await sql<{ time: Date }>`
        insert into write_probe (filler) values (repeat('x', ${sql.lit(FILLER_CHARACTERS)}))
        returning ${this.database.now()} as time`.execute(trx);
      const endMs = this.clock.now().getTime();
      offsetMs = (startMs + endMs) / 2 - (rows[0]?.time.getTime() ?? NaN);
      throw new ProbeRollback();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof ProbeRollback)) throw error;
    });
    return offsetMs;
  }

  #noteClock(offsetMs: number): void {
    const isOff = Math.abs(offsetMs) > CLOCK_WARNING_MS;
    if (isOff && !this.#isClockOff) this.onClockOff(offsetMs);
    this.#isClockOff = isOff;
  }
}
