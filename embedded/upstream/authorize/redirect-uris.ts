/** Decides which redirect address a request may use (RFC 6749, section 3.1.2; RFC 8252, section 7.3). */
import { OAuthError } from '../oauth-error.js';

/** @param requestedUri the `redirect_uri` of the request, or ''. @throws OAuthError */
export function chooseRedirectUri(registeredUris: readonly string[], requestedUri: string): string {
  const defaultUri = registeredUris.length === 1 ? registeredUris[0] : undefined;
  const isRegistered = registeredUris.some((registeredUri) => isSame(registeredUri, requestedUri));
  const uri = requestedUri === '' ? defaultUri : isRegistered ? requestedUri : undefined;
  if (uri === undefined || uri.includes('#')) {
    throw OAuthError.create(
      'invalid_request',
      "The 'redirect_uri' parameter does not match any of the OAuth 2.0 Client's pre-registered redirect urls.",
    );
  }
  return uri;
}

/** Compares the addresses as text, except that an app on a loopback address may use any port. */
function isSame(registeredUri: string, requestedUri: string): boolean {
  if (registeredUri === requestedUri) return true;
  const registeredParts = findLoopbackParts(registeredUri);
  const requestedParts = findLoopbackParts(requestedUri);
  return (
    registeredParts !== null &&
    requestedParts !== null &&
    registeredParts.host === requestedParts.host &&
    registeredParts.rest === requestedParts.rest
  );
}

function findLoopbackParts(uri: string): { host: string; rest: string } | null {
  const match = /^http:\/\/(127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(\/[^#]*)?$/.exec(uri);
  return match ? { host: match[1] ?? '', rest: match[2] ?? '' } : null;
}

/** @returns whether only the client can receive an answer at this address: it uses TLS, or is on the browser's own machine */
export function isPrivateRedirect(uri: string): boolean {
  const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}
