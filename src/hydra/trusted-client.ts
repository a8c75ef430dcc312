/** Decides when no consent screen is needed: for a client registered with `skip_consent`, and for scopes granted before. */
import type { AuthorizationRequest } from './authorization-request.js';
import { isRegisteredRedirect } from './client-links.js';
import type { ClientProfile } from './client-profile.js';

/** Names below `localhost` are loopback names too (RFC 6761, section 6.3). */
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @param request null if the address of the request cannot be read */
export function skipsConsent(client: ClientProfile, request: AuthorizationRequest | null): boolean {
  return client.skipConsent && mayPassWithoutConsentScreen(request) && isIdentified(client, request);
}

/** Whether the operator trusts this client, regardless of a single request. */
export function isTrusted({ skipConsent, isPublic, redirectUris }: ClientProfile): boolean {
  return skipConsent && (!isPublic || redirectUris.every(isOwnOrigin));
}

/** Whether earlier grants of a person apply to this request. They never apply to a device. */
export function countsGrants(client: ClientProfile, request: AuthorizationRequest | null): boolean {
  return mayPassWithoutConsentScreen(request) && !request.isDevice && isIdentified(client, request);
}

/** Whether the request certainly does not require a consent screen. For a consent that Hydra remembers, this condition is enough. */
export function mayPassWithoutConsentScreen(request: AuthorizationRequest | null): request is AuthorizationRequest {
  return request !== null && !request.isUnclear && !request.hasPrompt('consent');
}

/**
 * A client without a secret is identified only by its redirect URI, and any app can claim a private-use scheme (RFC
 * 8252, section 8.6). Hydra applies the same rule to remembered consents.
 */
function isIdentified({ isPublic, redirectUris }: ClientProfile, request: AuthorizationRequest): boolean {
  if (!isPublic) return true;
  const redirectUri = request.parameter('redirect_uri');
  if (redirectUri === undefined || redirectUri === '') return redirectUris.length > 0 && redirectUris.every(isOwnOrigin);
  return isRegisteredRedirect(redirectUri, redirectUris) && isOwnOrigin(redirectUri);
}

function isOwnOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.test(hostname));
}
