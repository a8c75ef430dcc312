/**
 * One change of the tables. It may only add: the previous version keeps running while replicas are replaced, and may be
 * started again. Unused columns are dropped one version later.
 */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
}
