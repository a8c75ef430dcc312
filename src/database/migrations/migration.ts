/**
 * One change of the tables. It may only add: the version before keeps running while replicas are replaced, and may be
 * started again. What is no longer used is dropped one version later.
 */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
}
