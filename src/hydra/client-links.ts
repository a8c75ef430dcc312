/**
 * Addresses that a client's owner or a request wrote, made safe to be linked. What is not clearly harmless is left out;
 * the page works without it.
 */
import type { ClientProfile } from './client-profile.js';

const LONGEST = 2000;
const PLAIN_HTTP_URL = /^https?:\/\/[^\s\\\p{Cc}]+$/iu;
const IMAGE_DATA_URL = /^data:image\/(png|svg\+xml|jpeg|webp|gif)[;,]/;

/** @returns the address in its normal form, or undefined for any scheme but http(s) and for one with a user name in it */
export function webUrl(value: string | undefined): string | undefined {
  if (value === undefined || value.length > LONGEST || !PLAIN_HTTP_URL.test(value) || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isPlain = (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '';
  return isPlain ? url.href : undefined;
}

/**
 * The content policy allows https and data images, and this machine's own while people try things out; any other http
 * logo would be a broken picture.
 */
export function logoUrl(client: ClientProfile): string | undefined {
  const { logoUri } = client;
  if (logoUri !== undefined && logoUri.length <= 64 * 1024 && IMAGE_DATA_URL.test(logoUri)) return logoUri;
  const url = webUrl(logoUri);
  const isShown = url !== undefined && (url.startsWith('https:') || new URL(url).hostname === 'localhost');
  return isShown ? url : undefined;
}

/**
 * GEN-6: the address of the app to go back to. The request may name one (`return_to_url`), else it is the client's own.
 * Either counts only when its origin is one that the client has registered or the installation lists.
 */
export function returnUrl(
  client: ClientProfile,
  wanted: string | undefined,
  allowedOrigins: readonly string[],
): string | undefined {
  const registered = [...client.redirectUris, ...client.postLogoutRedirectUris, ...client.foyer.returnUrls];
  const origins = new Set([...registered, ...allowedOrigins].map(originOf));
  return [wanted, client.clientUri].map(webUrl).find((url) => url !== undefined && origins.has(new URL(url).origin));
}

/** Addresses of other schemes (native apps) have the opaque origin "null", which must equal nothing. */
function originOf(value: string): string | undefined {
  const url = webUrl(value);
  return url === undefined ? undefined : new URL(url).origin;
}
