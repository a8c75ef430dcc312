import type { AccountState } from '../../contract/request-state.js';
import type { Account } from './account.js';

/** An account as pages show it. */
export function toAccountState({ id, displayName, username }: Account): AccountState {
  return { id, name: displayName === '' ? username : displayName, username };
}
