/**
 * Whether the database takes changes now, and how far the clock of this process differs from it. The probe inserts a row
 * and rolls it back: a database that is read-only or full still answers reads. The embedded database lives with this
 * process and is only asked whether it answers.
 */
import { sql } from 'kysely';
import type { Clock } from '../config/clock.js';
import type { Database } from './database.js';

/** Beyond it the clock is reported. */
const CLOCK_WARNING_MS = 3000;
/** From then on codes of authenticator apps and tokens of providers would be refused: the gateway is not ready. */
export const CLOCK_FAULT_MS = 30_000;
/** A database that says nothing for so long is not ready. */
const PATIENCE_MS = 2000;
/** A flood of requests to the probe writes no more often. */
const EVERY_MS = 2000;
/** One row to a page. */
const FILLER_CHARACTERS = 6000;

export interface DatabaseState {
  takesChanges: boolean;
  /** Milliseconds by which the clock of this process is ahead; null if the database did not say its time. */
  clockOffsetMs: number | null;
}

const SILENT: DatabaseState = { takesChanges: false, clockOffsetMs: null };

class RolledBack extends Error {}

export class DatabaseReadiness {
  #state: { probed: Promise<DatabaseState>; atMs: number } | undefined;
  #isClockOff = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    /** Called once each time the clock begins to differ by more than `CLOCK_WARNING_MS`. */
    private readonly onClockOff: (offsetMs: number) => void = () => undefined,
  ) {}

  /** Never throws. One probe at a time, and its result is kept for two seconds. */
  async state(): Promise<DatabaseState> {
    const nowMs = performance.now();
    if (!this.#state || nowMs - this.#state.atMs > EVERY_MS) this.#state = { probed: this.#probe(), atMs: nowMs };
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<DatabaseState>((resolve) => (late = setTimeout(() => resolve(SILENT), PATIENCE_MS)));
    return Promise.race([this.#state.probed, patience]).finally(() => clearTimeout(late));
  }

  async #probe(): Promise<DatabaseState> {
    try {
      const clockOffsetMs = this.database.dialect === 'pglite' ? await this.#answer() : await this.#writeAndRollBack();
      this.#noteClock(clockOffsetMs);
      return { takesChanges: true, clockOffsetMs };
    } catch {
      return SILENT;
    }
  }

  async #answer(): Promise<number> {
    await this.database.ping();
    return 0;
  }

  async #writeAndRollBack(): Promise<number> {
    let offsetMs = 0;
    const work = this.database.transaction(async (trx) => {
      const before = this.clock.now().getTime();
      const { rows } = await sql<{ time: Date }>`
        insert into write_probe (filler) values (repeat('x', ${sql.lit(FILLER_CHARACTERS)}))
        returning ${this.database.now()} as time`.execute(trx);
      const after = this.clock.now().getTime();
      offsetMs = (before + after) / 2 - (rows[0]?.time.getTime() ?? NaN);
      throw new RolledBack();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
    return offsetMs;
  }

  #noteClock(offsetMs: number): void {
    const isOff = Math.abs(offsetMs) > CLOCK_WARNING_MS;
    if (isOff && !this.#isClockOff) this.onClockOff(offsetMs);
    this.#isClockOff = isOff;
  }
}
