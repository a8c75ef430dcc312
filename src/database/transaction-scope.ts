/**
 * Knows whether the running code is inside a transaction. Using the database beside the transaction that one is in waits
 * for ever on PGlite (one connection) and empties the pool on PostgreSQL, so both refuse it at once.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuse } from './database.errors.js';

interface Scope {
  open: boolean;
  /** What is to follow once the transaction is committed. */
  after: (() => void)[];
}

export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /**
   * What `work` leaves running after its end is outside again.
   * @param after gets what is to follow the commit
   */
  async within<T>(after: (() => void)[], work: () => Promise<T>): Promise<T> {
    const scope: Scope = { open: true, after };
    try {
      return await this.#storage.run(scope, work);
    } finally {
      scope.open = false;
    }
  }

  /** Does it once the transaction that runs is committed, and never when it is taken back; outside of one, at once. */
  whenCommitted(step: () => void): void {
    const scope = this.#storage.getStore();
    if (scope?.open) scope.after.push(step);
    else step();
  }

  /** Throws TransactionMisuse inside a transaction. */
  requireOutside(): void {
    if (this.#storage.getStore()?.open) {
      throw new TransactionMisuse('Inside a transaction every statement has to go through the transaction.');
    }
  }
}
