/** The actions that a job can take on many accounts, in the order of the choice. */
import type { Job } from '../api/calls.js';

export const JOB_ACTIONS = [
  'end_sessions',
  'mail_reset',
  'invite',
  'disable',
  'enable',
  'schedule_deletion',
] as const satisfies Job['action'][];
