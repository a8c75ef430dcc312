/**
 * Reads the requests of Hydra to the token hook. All supported versions of Hydra send the same members (docs/hydra-behaviour.md).
 */
import type { IssuedToken } from '../../accounts/sessions/token-owners.js';

export type Claims = Readonly<Record<string, unknown>>;

export interface HookRequest {
  token: IssuedToken;
  /** Empty when a code is redeemed, because Hydra sends the granted scopes only at a refresh. */
  grantedScopes: readonly string[];
  /** The current claims of the token, which the answer replaces. */
  accessToken: Claims;
  idToken: Claims;
}

/** The body is not a request of Hydra. The message names the faulty member, and contains no value. */
export class HookRequestInvalid extends Error {
  constructor(member: string) {
    super(`${member} is missing, or is not what Hydra sends.`);
    this.name = 'HookRequestInvalid';
  }
}

/** The grant types by which a person grants an app access, and the grant type by which the app renews the access. */
const PERSON_GRANT_TYPES = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];

/** @returns null for a token without a person, such as a token of the client itself @throws HookRequestInvalid */
export function readHookRequest(body: unknown): HookRequest | null {
  const root = toObject(body, 'The body');
  const request = toObject(root['request'], 'request');
  const grantTypes = toTexts(request['grant_types'], 'request.grant_types');
  if (grantTypes.length === 0) throw new HookRequestInvalid('request.grant_types');
  if (!grantTypes.some((grantType) => PERSON_GRANT_TYPES.includes(grantType))) return null;
  const session = toObject(root['session'], 'session');
  const idToken = toObject(session['id_token'], 'session.id_token');
  const claims = toObject(idToken['id_token_claims'], 'session.id_token.id_token_claims');
  const ext = toClaims(claims['ext'], 'session.id_token.id_token_claims.ext');
  return {
    token: {
      // `id_token_claims.sub` would be the pairwise subject of the app.
      subject: toText(idToken['subject'], 'session.id_token.subject'),
      clientId: toText(request['client_id'], 'request.client_id'),
      authorizedAt: toTime(claims['iat'], 'session.id_token.id_token_claims.iat'),
      authenticatedAt: toTime(claims['auth_time'], 'session.id_token.id_token_claims.auth_time'),
      upstreamSessionId: typeof ext['sid'] === 'string' ? ext['sid'] : '',
    },
    grantedScopes: toTexts(request['granted_scopes'] ?? [], 'request.granted_scopes'),
    accessToken: toClaims(session['extra'], 'session.extra'),
    idToken: ext,
  };
}

function toObject(value: unknown, member: string): Claims {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims;
  throw new HookRequestInvalid(member);
}

/** Hydra is written in Go, which encodes a nil map as null. */
function toClaims(value: unknown, member: string): Claims {
  return value === null || value === undefined ? {} : toObject(value, member);
}

function toTexts(value: unknown, member: string): string[] {
  if (!Array.isArray(value)) throw new HookRequestInvalid(member);
  return value.map((entry) => toText(entry, member));
}

/** Refuses an empty text, and NUL, which PostgreSQL cannot store. */
function toText(value: unknown, member: string): string {
  if (typeof value === 'string' && value !== '' && !value.includes('\u0000')) return value;
  throw new HookRequestInvalid(member);
}

function toTime(value: unknown, member: string): Date {
  const time = new Date(toText(value, member));
  if (Number.isNaN(time.getTime())) throw new HookRequestInvalid(member);
  return time;
}
