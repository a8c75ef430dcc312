/**
 * Tracks whether the running code is inside a transaction. A statement outside the current transaction would never get the only connection
 * of PGlite, and could exhaust the pool of PostgreSQL, so it is refused.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuse } from './database.errors.js';

interface Scope {
  open: boolean;
  /** Steps to run after the commit. */
  steps: (() => void)[];
}

export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /**
   * Runs `work` inside a transaction. Code that `work` leaves running after its end is outside the transaction.
   * @param steps receives the steps to run after the commit
   */
  async run<T>(steps: (() => void)[], work: () => Promise<T>): Promise<T> {
    const scope: Scope = { open: true, steps };
    try {
      return await this.#storage.run(scope, work);
    } finally {
      scope.open = false;
    }
  }

  /** Runs `step` after the current transaction is committed, and not if it is rolled back; outside a transaction, immediately. */
  runAfterCommit(step: () => void): void {
    const scope = this.#storage.getStore();
    if (scope?.open) scope.steps.push(step);
    else step();
  }

  /** @throws TransactionMisuse inside a transaction */
  requireOutside(): void {
    if (this.#storage.getStore()?.open) {
      throw new TransactionMisuse('Inside a transaction every statement must use the transaction.');
    }
  }
}
