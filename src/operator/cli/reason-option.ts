/** The option of all commands whose changes are recorded in the audit log. `run.ts` sends the reason with each call of the command. */
import type { Option } from './command.js';

export const REASON_OPTION: Readonly<Record<'reason', Option>> = {
  reason: { value: 'TEXT', about: 'why, in up to 500 characters, for the audit log' },
};
