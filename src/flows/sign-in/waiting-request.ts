/** Values derived from a waiting request, used by several steps. */
import type { Account } from '../../accounts/account/accounts.js';
import type { WantedProof } from '../../accounts/sessions/pending-authentications.js';
import type { Config } from '../../config/config.js';
import type { AccountState, ChallengeFault, ClientState, ProviderState } from '../../contract/page-state.js';
import { logoUrl } from '../../hydra/client-links.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { ChallengeExpired, ChallengeUnknown, ChallengeUsed } from '../../hydra/hydra.errors.js';
import { wantedProof } from '../../mfa/policy.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';

export function clientState(client: ClientProfile): ClientState {
  const logo = logoUrl(client);
  return { name: client.name, ...(logo === undefined ? {} : { logo_url: logo }) };
}

export function accountState({ id, displayName, username }: Account): AccountState {
  return { id, name: displayName === '' ? username : displayName, username };
}

export function providerState({ id, name, brand }: ProviderProfile): ProviderState {
  return { id, name, brand };
}

/** The proof that this request requires for this account. */
export function wantedOf({ client, acrValues }: LoginRequest, account: Account, config: Config['mfa']): WantedProof {
  return wantedProof({ account, clientWantsFactor: client.foyer.mfa === 'required', acrValues, config });
}

/** @returns why the challenge cannot be used. Rethrows other errors */
export function challengeFault(error: unknown): ChallengeFault {
  if (error instanceof ChallengeUnknown) return 'missing';
  if (error instanceof ChallengeExpired) return 'expired';
  if (error instanceof ChallengeUsed) return 'used';
  throw error;
}
