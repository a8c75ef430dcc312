/**
 * One change of the tables. A migration may only add, because the previous version keeps running while replicas are replaced, and
 * may be started again. Unused columns are dropped one version later.
 */
export interface Migration {
  number: number;
  name: string;
  /** Statements that run in one transaction with those of all other pending migrations. Empty if the migration has indexes. */
  statements: readonly string[];
  /**
   * Indexes on tables of earlier migrations. On a server, they are created after all statements, outside any transaction, without blocking
   * the changes of running gateways; in the embedded database, in the transaction of the statements.
   */
  indexes?: readonly Index[];
}

export interface Index {
  name: string;
  /** The SQL after `create index … on`, such as `outbox (account_id) where sent_at is null`. */
  on: string;
  unique?: true;
}
