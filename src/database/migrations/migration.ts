/**
 * One change of the tables. It may only add: the previous version keeps running while replicas are replaced, and may be
 * started again. Unused columns are dropped one version later.
 */
export interface Migration {
  number: number;
  name: string;
  /** Run in one transaction with those of other migrations. Empty if the migration makes indexes. */
  statements: readonly string[];
  /**
   * Indexes on tables of earlier migrations. They are made after all statements, outside any transaction, without
   * stopping the changes of gateways that are running.
   */
  indexes?: readonly Index[];
}

export interface Index {
  name: string;
  /** What follows `create index … on`: `outbox (account_id) where sent_at is null`. */
  on: string;
  unique?: true;
}
