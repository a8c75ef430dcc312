/**
 * What a person has to do between a proof and the app. `Dispatch` asks it wherever `nextStep` says `accept`; everything that it needs
 * is read with the account, so that it costs no statement.
 */
import type { Account, RequiredPassword } from '../../accounts/account/account.js';

export type Task = { kind: 'password' } & RequiredPassword;

export interface TaskCase {
  account: Pick<Account, 'requiredPassword'>;
  /**
   * Whether the password that is stored here was proven. Nobody else is asked for a new one: a provider alone must not set a password,
   * because that could lock the owner out.
   */
  provesPassword: boolean;
}

/** @returns the outstanding tasks, in the order in which they have to be done */
export function findTasks({ account: { requiredPassword }, provesPassword }: TaskCase): Task[] {
  return requiredPassword && provesPassword ? [{ kind: 'password', ...requiredPassword }] : [];
}
