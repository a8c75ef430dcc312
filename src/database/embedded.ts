/**
 * Sessions of PGlite, which is PostgreSQL inside this process. PGlite has one connection, so sessions wait in a queue whose length
 * and waiting time are limited. `data-directory-lock.ts` locks the directory.
 */
import type { PGlite } from '@electric-sql/pglite';
import { DatabaseUnavailable } from './database.errors.js';
import type { Session, SessionSource, SessionUsage, StatementResult, StatementText } from './sessions.js';

const ACQUIRE_TIMEOUT_MS = 10_000;
const MAX_QUEUE_LENGTH = 500;

interface WaitingSession {
  take: () => void;
  timer: NodeJS.Timeout;
}

export class EmbeddedSource implements SessionSource {
  #busy = false;
  readonly #waitingSessions = new Set<WaitingSession>();

  constructor(
    private readonly pglite: PGlite,
    private readonly timeoutMs = ACQUIRE_TIMEOUT_MS,
  ) {}

  async acquire(): Promise<Session> {
    if (this.pglite.closed) throw new DatabaseUnavailable('The database is closed.');
    if (this.#waitingSessions.size >= MAX_QUEUE_LENGTH) {
      throw new DatabaseUnavailable('Too many requests are waiting for the database: try again later.');
    }
    if (this.#busy) await this.#waitForTurn();
    this.#busy = true;
    return new EmbeddedSession(this.pglite, () => this.#passOn());
  }

  usage(): SessionUsage {
    const usedCount = this.#busy ? 1 : 0;
    return { usedCount, idleCount: 1 - usedCount, waitingCount: this.#waitingSessions.size, max: 1, refusalCount: 0 };
  }

  /** Waits a limited time for the current session and the sessions in the queue, even if the queue is full. */
  async close(): Promise<void> {
    if (this.pglite.closed) return;
    if (this.#busy) await this.#waitForTurn().catch(() => undefined);
    await this.pglite.close();
  }

  #waitForTurn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waitingSessions.delete(waitingSession);
        reject(new DatabaseUnavailable('The database did not become free in time: try again later.'));
      }, this.timeoutMs);
      const waitingSession: WaitingSession = { take: resolve, timer };
      this.#waitingSessions.add(waitingSession);
    });
  }

  /**
   * Gives the connection to the session that has waited longest. PGlite answers without leaving the microtask queue, so without
   * `setImmediate` a series of statements would block sockets and timers.
   */
  #passOn(): void {
    const [nextSession] = this.#waitingSessions;
    if (!nextSession) {
      this.#busy = false;
      return;
    }
    this.#waitingSessions.delete(nextSession);
    clearTimeout(nextSession.timer);
    setImmediate(nextSession.take);
  }
}

class EmbeddedSession implements Session {
  constructor(
    private readonly pglite: PGlite,
    private readonly passOn: () => void,
  ) {}

  async query({ text, values }: StatementText): Promise<StatementResult> {
    const { rows, affectedRows } = await this.pglite.query<unknown>(text, [...values]);
    return { rows, affectedCount: affectedRows ?? 0 };
  }

  release(): void {
    this.passOn();
  }
}
