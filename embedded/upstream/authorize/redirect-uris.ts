/** Decides which redirect address a request may use (RFC 6749, section 3.1.2; RFC 8252, section 7.3). */
import { OAuthError } from '../oauth-error.js';

/** @param requested the `redirect_uri` of the request, or ''. @throws OAuthError */
export function chooseRedirectUri(registered: readonly string[], requested: string): string {
  const defaultUri = registered.length === 1 ? registered[0] : undefined;
  const uri = requested === '' ? defaultUri : registered.some((each) => isSame(each, requested)) ? requested : undefined;
  if (uri === undefined || uri.includes('#')) {
    throw OAuthError.create(
      'invalid_request',
      "The 'redirect_uri' parameter does not match any of the OAuth 2.0 Client's pre-registered redirect urls.",
    );
  }
  return uri;
}

/** Compares the addresses as text, except that an app on a loopback address may use any port. */
function isSame(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const registeredParts = loopbackParts(registered);
  const requestedParts = loopbackParts(requested);
  return (
    registeredParts !== null &&
    requestedParts !== null &&
    registeredParts.host === requestedParts.host &&
    registeredParts.rest === requestedParts.rest
  );
}

function loopbackParts(uri: string): { host: string; rest: string } | null {
  const match = /^http:\/\/(127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?(\/[^#]*)?$/.exec(uri);
  return match ? { host: match[1] ?? '', rest: match[2] ?? '' } : null;
}

/** @returns whether only the client can receive an answer at this address: it uses TLS, or is on the browser's own machine */
export function isPrivateRedirect(uri: string): boolean {
  const { protocol, hostname } = URL.canParse(uri) ? new URL(uri) : { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}
