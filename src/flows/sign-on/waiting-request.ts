/** Small readings of the waiting request that more than one step shares. */
import type { Account } from '../../accounts/accounts.js';
import type { AccountState, ChallengeFault, ClientState } from '../../contract/page-state.js';
import { logoUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import { ChallengeExpired, ChallengeUnknown, ChallengeUsed } from '../../hydra/hydra.errors.js';

export function clientState(client: ClientProfile): ClientState {
  const logo = logoUrl(client);
  return { name: client.name, ...(logo === undefined ? {} : { logo_url: logo }) };
}

export function accountState({ id, displayName, username }: Account): AccountState {
  return { id, name: displayName === '' ? username : displayName, username };
}

/** @returns why the challenge cannot be used; throws the error on when it is about something else */
export function challengeFault(error: unknown): ChallengeFault {
  if (error instanceof ChallengeUnknown) return 'missing';
  if (error instanceof ChallengeExpired) return 'expired';
  if (error instanceof ChallengeUsed) return 'used';
  throw error;
}
