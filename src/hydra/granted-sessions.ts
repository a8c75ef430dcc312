/** Reads the session ids from a person's list of consents. Pure. */
import { asObject, optionalObject, optionalText } from './wire.js';
import { UpstreamUnavailable } from './hydra.errors.js';

/** @param body of `GET /admin/oauth2/auth/sessions/consent`; some servers write an empty list as null */
export function readSessionIds(body: unknown): string[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new UpstreamUnavailable('The upstream answered with something that is no list');
  return body.flatMap((item) => {
    const request = optionalObject(asObject(item, 'a consent')['consent_request']);
    return optionalText(request, 'login_session_id') || [];
  });
}

/** @param link header with web links (RFC 8288) @returns null on the last page */
export function nextPageToken(link: unknown): string | null {
  if (typeof link !== 'string') return null;
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  return target === undefined ? null : new URL(target, 'http://upstream').searchParams.get('page_token');
}
