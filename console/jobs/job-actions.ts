/** The actions that a job can take on many accounts, in the order of the choice. */
import type { TFunction } from 'i18next';
import type { Job } from '../api/calls.js';

export const JOB_ACTIONS = [
  'end_sessions',
  'mail_reset',
  'invite',
  'disable',
  'enable',
  'schedule_deletion',
] as const satisfies Job['action'][];

/** @param action may be one that only another version of Foyer knows @returns the action in words; its stored name if there are none */
export function nameJobAction(action: string, t: TFunction): string {
  const knownAction = JOB_ACTIONS.find((one) => one === action);
  return knownAction === undefined ? action : t(`action.${knownAction}`);
}
