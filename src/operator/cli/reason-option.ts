/** The option of every command that changes something. `run.ts` sends its text with each call of the command. */
import type { Option } from './command.js';

export const REASON_OPTION: Readonly<Record<'reason', Option>> = {
  reason: { value: 'TEXT', about: 'why, in up to 500 characters, for the audit log' },
};
