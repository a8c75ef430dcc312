/** Reads a person's list of consents, and the link from one page of a list to the next, without side effects. */
import type { StoredConsent } from './hydra.port.js';
import { readClient } from './requests.js';
import { toObject, toObjectOrEmpty, readOptionalText, readTexts, type Wire } from './wire.js';
import { UpstreamUnavailable } from './hydra.errors.js';

/** @param body of `GET /admin/oauth2/auth/sessions/consent`; an empty list may arrive as null */
export function readSessionIds(body: unknown): string[] {
  return toItems(body).flatMap((item) => readOptionalText(toObjectOrEmpty(item['consent_request']), 'login_session_id') || []);
}

/** Leaves out consents of deleted clients, because nothing can be done with them. */
export function readConsents(body: unknown): StoredConsent[] {
  return toItems(body).flatMap((item) => {
    const client = toObjectOrEmpty(toObjectOrEmpty(item['consent_request'])['client']);
    const handledAt = Date.parse(readOptionalText(item, 'handled_at') ?? '');
    const grantedAt = Number.isNaN(handledAt) || handledAt <= 0 ? null : new Date(handledAt);
    return readOptionalText(client, 'client_id')
      ? [{ client: readClient(client), scopes: readTexts(item, 'grant_scope'), grantedAt }]
      : [];
  });
}

function toItems(body: unknown): Wire[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new UpstreamUnavailable('Hydra answered with something that is not a list');
  return body.map((item) => toObject(item, 'a consent'));
}

const RELATIVE_BASE = 'http://upstream';

/** @param link header with web links (RFC 8288) @returns null if the header has no link to a next page */
export function findNextPageToken(link: unknown): string | null {
  if (typeof link !== 'string') return null;
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link)?.[1];
  if (target === undefined) return null;
  if (!URL.canParse(target, RELATIVE_BASE)) throw new UpstreamUnavailable('Hydra answered with an invalid link to the next page');
  return new URL(target, RELATIVE_BASE).searchParams.get('page_token');
}
