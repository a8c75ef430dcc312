/** When no consent screen is needed: for a client whose owner registered it with `skip_consent`, and for what was granted before. */
import type { AuthorizationRequest } from './authorization-request.js';
import type { ClientProfile } from './client-profile.js';

/** Names below `localhost` are loopback names too (RFC 6761, section 6.3). */
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** @param request null if the address of the request cannot be read; then all registered redirect URIs count */
export function skipsConsent(client: ClientProfile, request: AuthorizationRequest | null): boolean {
  return client.skipConsent && !request?.hasPrompt('consent') && isIdentified(client, request);
}

/** Whether what a person granted before counts: not for a device, nor if the client wants it asked, or may have asked for that. */
export function countsGrants(client: ClientProfile, request: AuthorizationRequest | null): boolean {
  if (request === null || request.isDevice || request.isByReference) return false;
  return !request.hasPrompt('consent') && isIdentified(client, request);
}

/**
 * A client without a secret is identified only by its redirect URI, and any app can claim a private-use scheme (RFC
 * 8252, section 8.6). Hydra forgets a remembered consent by the same rule.
 */
function isIdentified(client: ClientProfile, request: AuthorizationRequest | null): boolean {
  const named = request?.parameter('redirect_uri');
  return !client.isPublic || (named === undefined ? client.redirectUris : [named]).every(isOwnOrigin);
}

function isOwnOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.test(hostname));
}
