/** Answers about jobs on many accounts. */

/** The actions of jobs. */
export const JOB_ACTIONS = ['disable', 'enable', 'end_sessions', 'mail_reset', 'invite', 'schedule_deletion'] as const;

export type JobActionName = (typeof JOB_ACTIONS)[number];

/** How many accounts a job would affect. */
export interface JobCountAnswer {
  count: number;
  /** The largest number of accounts of one job. */
  most: number;
  /** Whether there are more accounts than a job may have; `count` is then `most`. */
  is_too_large: boolean;
}

/** A job on many accounts. */
export interface JobAnswer {
  id: string;
  action: 'disable' | 'enable' | 'end_sessions' | 'mail_reset' | 'invite' | 'schedule_deletion';
  /** Days until the scheduled deletion; null for other actions. */
  days: number | null;
  /** The parameters of the list of accounts. */
  filter: Readonly<Record<string, string>>;
  state: 'running' | 'done' | 'stopped';
  /** `operator`: an operator stopped the job. `rights`: the operator lost the rights for it. Null if it was not stopped. */
  stop_cause: 'operator' | 'rights' | null;
  /** `operator`, or `operator:` and the name of the token or the username of the operator. */
  started_by: string;
  reason: string | null;
  total: number;
  done: number;
  failed: number;
  left: number;
  started_at: string;
  ended_at: string | null;
}

/** A page of jobs, newest first. */
export interface JobListAnswer {
  jobs: JobAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}

/** An account that a job could not change. */
export interface JobFailureAnswer {
  account_id: string;
  /** Null if the account was deleted. */
  username: string | null;
  /**
   * The error that the call for this account alone would return. `own_account`: the account of the operator who started the job.
   * `interrupted`: the gateway stopped meanwhile.
   */
  error: string;
}

/** A page of the accounts that a job could not change. */
export interface JobFailuresAnswer {
  failures: JobFailureAnswer[];
  /** Value of `cursor` for the next page; absent on the last page. */
  next_cursor?: string;
}
