/**
 * One step of the tables. A step may only add: the version before it goes on running while replicas are replaced, and
 * may be put back. What is no longer used is dropped one version later.
 */
export interface Migration {
  number: number;
  name: string;
  statements: readonly string[];
}
