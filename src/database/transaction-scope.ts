/**
 * Knows whether the running code is inside a transaction. Using the database beside the transaction that one is in waits
 * for ever on PGlite (one connection) and empties the pool on PostgreSQL, so both refuse it at once.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { TransactionMisuse } from './database.errors.js';

interface Scope {
  open: boolean;
}

export class TransactionScope {
  readonly #storage = new AsyncLocalStorage<Scope>();

  /** What `work` leaves running after its end is outside again. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const scope: Scope = { open: true };
    try {
      return await this.#storage.run(scope, work);
    } finally {
      scope.open = false;
    }
  }

  /** Throws TransactionMisuse inside a transaction. */
  requireOutside(): void {
    if (this.#storage.getStore()?.open) {
      throw new TransactionMisuse('Inside a transaction every statement has to go through the transaction.');
    }
  }
}
