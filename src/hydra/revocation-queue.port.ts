/** Endings that wait to be carried out at the upstream, as `accounts/upstream-errands.ts` keeps them. */

export interface Errand {
  id: number;
  /** From 1 on: which try this is. */
  tries: number;
  accountId: string;
  kind: 'named' | 'sessions' | 'everything';
  sessionIds: readonly string[];
}

export interface ErrandQueue {
  claim(most: number): Promise<Errand[]>;
  claimOf(accountId: string): Promise<Errand[]>;
  done(errand: Errand): Promise<void>;
  later(errand: Errand, seconds: number): Promise<void>;
}
