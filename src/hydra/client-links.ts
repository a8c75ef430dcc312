/**
 * Makes addresses from clients and requests safe to link, and compares redirect URIs with those of a client. Addresses that are not
 * clearly harmless are left out.
 */
import type { ClientState } from '../contract/page-state.js';
import type { ClientProfile } from './client-profile.js';

const MAX_LENGTH = 2000;
const PLAIN_HTTP_URL = /^https?:\/\/[^\s\\\p{Cc}]+$/iu;
const IMAGE_DATA_URL = /^data:image\/(png|svg\+xml|jpeg|webp|gif)[;,]/;
/** RFC 8252, section 7.3: an app on a loopback address may use any port. The rest is compared as text. */
const LOOPBACK = /^http:\/\/(127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?((?:[/?][^#]*)?)$/;

/** @returns the normalised address; undefined unless it is a plain http(s) address without a username, of at most 2000 characters */
export function toWebUrl(value: string | undefined): string | undefined {
  if (value === undefined || value.length > MAX_LENGTH || !PLAIN_HTTP_URL.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isPlain ? url.href : undefined;
}

/**
 * Leaves out logos that the content security policy always blocks, because they would be broken images. The policy allows https and
 * data images, and, only if the gateway itself uses http, also http at `localhost`.
 */
export function toSafeLogo(address: string | undefined): string | undefined {
  if (address !== undefined && address.length <= 64 * 1024 && IMAGE_DATA_URL.test(address)) return address;
  const url = toWebUrl(address);
  const isShown = url !== undefined && (url.startsWith('https:') || new URL(url).hostname === 'localhost');
  return isShown ? url : undefined;
}

/** The logos of a client, as members of its page state. */
export function toLogos({ logoUri, logoDarkUri }: ClientProfile): Pick<ClientState, 'logo_url' | 'logo_dark_url'> {
  const [logo, darkLogo] = [toSafeLogo(logoUri), toSafeLogo(logoDarkUri)];
  if (logo === undefined) return {};
  // A space would end the address in a list of sources.
  return { logo_url: logo, ...(darkLogo === undefined ? {} : { logo_dark_url: darkLogo.replace(/\s/g, '%20') }) };
}

/**
 * Finds the address of "back to the app" (GEN-6): `return_to_url` of the request, or the client's own address. Either must
 * have an origin that the client registered or the installation lists.
 */
export function findReturnUrl(
  client: ClientProfile,
  requestedUrl: string | undefined,
  allowedOrigins: readonly string[],
): string | undefined {
  const registeredUrls = [...client.redirectUris, ...client.postLogoutRedirectUris, ...client.foyer.returnUrls];
  const origins = new Set([...registeredUrls, ...allowedOrigins].map(toOrigin));
  return [requestedUrl, client.clientUri].map(toWebUrl).find((url) => url !== undefined && origins.has(new URL(url).origin));
}

/** Addresses with other schemes (native apps) have the opaque origin "null", which must not equal another opaque origin. */
function toOrigin(value: string): string | undefined {
  const url = toWebUrl(value);
  return url === undefined ? undefined : new URL(url).origin;
}

/** Whether a redirect URI belongs to a client. Compares like Hydra, and never accepts a URI that Hydra refuses. */
export function isRegisteredRedirect(requestedUri: string, registeredUris: readonly string[]): boolean {
  return requestedUri !== '' && registeredUris.some((uri) => uri === requestedUri || isSameLoopback(uri, requestedUri));
}

function isSameLoopback(registeredUri: string, requestedUri: string): boolean {
  const [registeredParts, requestedParts] = [LOOPBACK.exec(registeredUri), LOOPBACK.exec(requestedUri)];
  return (
    registeredParts !== null &&
    requestedParts !== null &&
    registeredParts[1] === requestedParts[1] &&
    registeredParts[2] === requestedParts[2]
  );
}
