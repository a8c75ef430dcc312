/** When the consent screen is skipped because the client's owner registered it with `skip_consent`. */
import type { AuthorizationRequest } from './authorization-request.js';
import type { ClientProfile } from './client-profile.js';

/** Names below `localhost` are loopback names too (RFC 6761, section 6.3). */
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A client without a secret is identified only by its redirect URI, and any app can claim a private-use scheme (RFC
 * 8252, section 8.6). Hydra forgets a remembered consent by the same rule.
 * @param requested null if the address of the request cannot be read; then all registered redirect URIs count
 */
export function skipsQuestion(client: ClientProfile, requestedSkip: AuthorizationRequest | null): boolean {
  if (!client.skipConsent || requestedSkip?.hasPrompt('consent')) return false;
  const named = requestedSkip?.parameter('redirect_uri');
  return !client.isPublic || (named === undefined ? client.redirectUris : [named]).every(isOwnOrigin);
}

function isOwnOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.test(hostname));
}
