/** Values derived from a waiting request, used by several steps. */
import type { Account } from '../../accounts/account/accounts.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ChallengeFault, ClientState, ProviderState } from '../../contract/page-state.js';
import type { ClientWithPolicyState } from '../../contract/request-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { AuthorizationRequest, isDeviceRequest } from '../../hydra/authorization-request.js';
import { toLogos, toWebUrl } from '../../hydra/client-links.js';
import { UNKNOWN_CLASSES } from '../../hydra/client-settings.js';
import type { ClientProfile } from '../../hydra/client-profile.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { ChallengeExpired, ChallengeUnknown, ChallengeUsed, ClientUnreadable } from '../../hydra/hydra.errors.js';
import { hasOwnMethod } from '../../contract/authentication.js';
import { hasKnownValue, chooseWantedProof, type WantedProof } from '../../mfa/policy.js';
import { findWorkingFactors } from '../../mfa/registry.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';

export function toClientState(client: ClientProfile): ClientState {
  return { name: client.name, ...toLogos(client) };
}

export function toClientWithPolicyState(client: ClientProfile): ClientWithPolicyState {
  const [policy, terms] = [toWebUrl(client.policyUri), toWebUrl(client.tosUri)];
  return {
    ...toClientState(client),
    ...defined({ policy_uri: policy }),
    ...defined({ tos_uri: terms }),
  };
}

export function toProviderState({ id, name, brand }: ProviderProfile): ProviderState {
  return { id, name, brand };
}

/** The proof that this request requires for this account. @throws ClientUnreadable if a device client names only unknown classes */
export function toWantedProof(
  { client, acrValues, requestUrl }: LoginRequest,
  account: Account,
  { config, now }: { config: Config; now: Date },
): WantedProof {
  // Unknown classes in a request are ignored. A device client is registered with its classes, and at least one of them must be known.
  if (isDeviceRequest(requestUrl) && acrValues.length > 0 && !hasKnownValue(acrValues, config.mfa))
    throw new ClientUnreadable(client.id, UNKNOWN_CLASSES);
  const offersKey = findWorkingFactors(config).some(({ amr }) => amr === 'hwk');
  const clientWantsFactor = client.foyer.mfa === 'required';
  const wantedProof = chooseWantedProof({ account, clientWantsFactor, acrValues, offersKey, config: config.mfa, now });
  return config.passkeys.mode === 'off' ? { ...wantedProof, usesPasskeys: false } : wantedProof;
}

/**
 * Whether the request limits the age of the authentication (`AuthorizationRequest.maxAgeSeconds`), and a provider may only have confirmed
 * an earlier session. A password or factor that was proven in this sign-in is a new authentication.
 */
export function lacksNewProof(
  { amr, provider }: { amr: readonly string[]; provider?: { isEarlierSession: boolean } | undefined },
  { requestUrl }: LoginRequest,
  { publicUrl }: Config['hydra'],
): boolean {
  if (provider?.isEarlierSession !== true || hasOwnMethod(amr)) return false;
  return AuthorizationRequest.parse(requestUrl, publicUrl)?.maxAgeSeconds() !== null;
}

/** Every challenge is foreign to a browser that refuses cookies; the page then states that cookies are missing. */
export function toShownFault(fault: ChallengeFault, { isKnownBrowser }: RequestContext): ChallengeFault {
  return fault === 'foreign' && !isKnownBrowser ? 'no-cookies' : fault;
}

/** @returns why the challenge cannot be used. Rethrows other errors */
export function toChallengeFault(error: unknown): ChallengeFault {
  if (error instanceof ChallengeUnknown) return 'missing';
  if (error instanceof ChallengeExpired) return 'expired';
  if (error instanceof ChallengeUsed) return 'used';
  throw error;
}
