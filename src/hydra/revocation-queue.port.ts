/** Queue of revocation jobs; implemented by `accounts/queue/revocation-jobs.ts`. */

export interface Revocation {
  id: number;
  /** Number of this try, from 1. */
  tries: number;
  accountId: string;
  /** The subject that identifies the account at Hydra. */
  subject: string;
  kind: 'named' | 'sessions' | 'everything';
  sessionIds: readonly string[];
}

export abstract class RevocationQueue {
  abstract claim(max: number): Promise<Revocation[]>;
  abstract claimForAccount(accountId: string): Promise<Revocation[]>;
  /** Whether another gateway that ran the same job has finished it. */
  abstract isFinished(job: Revocation): Promise<boolean>;
  abstract finish(job: Revocation): Promise<void>;
  /** Schedules another try; the delay grows with each try. */
  abstract postpone(job: Revocation): Promise<void>;
}
