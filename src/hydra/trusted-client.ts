/** When nobody is asked whether a client may have what it wants, because its owner registered it with `skip_consent`. */
import type { AuthorizationRequest } from './authorization-request.js';
import type { ClientProfile } from './client-profile.js';

/** Whole names under `localhost` are this machine's too (RFC 6761, section 6.3). */
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * A client without a secret is known by the address alone that it is called back at, and an address of a private scheme
 * belongs to any app on the phone (RFC 8252, section 8.6). Hydra forgets a remembered consent by the same rule.
 * @param requestedSkip null where the request's address cannot be read; then all that the client has registered counts
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
