/** Endings that wait to be carried out at the upstream, as `accounts/queue/revocation-jobs.ts` keeps them. */

export interface Revocation {
  id: number;
  /** From 1 on: which try this is. */
  tries: number;
  accountId: string;
  kind: 'named' | 'sessions' | 'everything';
  sessionIds: readonly string[];
}

export abstract class RevocationQueue {
  abstract claim(most: number): Promise<Revocation[]>;
  abstract claimOf(accountId: string): Promise<Revocation[]>;
  abstract done(purpose: Revocation): Promise<void>;
  /** It is tried again, after a delay that grows. */
  abstract later(purpose: Revocation): Promise<void>;
}
