/**
 * The content of an ID token and of `/userinfo` for a consent (OpenID Connect Core, sections 2 and 5.3), merged as in
 * Hydra.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Core } from '../core.js';
import type { ConsentRow, TokenClaims } from '../store/rows.js';
import type { Claims } from './signer.js';

/** The claims for the tokens of a consent, from the gateway and from the token hook. */
export const SESSION_SHAPE = {
  type: 'flow.AcceptOAuth2ConsentRequestSession',
  fields: { access_token: 'object', id_token: 'object' },
} as const;

/** Claims that are not copied from the claims of the gateway or of the token hook. `signIdToken` adds `sid`. */
const PROTECTED_CLAIMS = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'jti',
  'rat',
  'nonce',
  'at_hash',
  'c_hash',
  'auth_time',
  'acr',
  'amr',
  'sid',
];

export interface IdTokenParts {
  consent: ConsentRow;
  accessToken: string;
  lifespanSeconds: number;
}

export function signIdToken(core: Core, { consent, accessToken, lifespanSeconds }: IdTokenParts): string {
  const now = core.nowSeconds();
  return core.signer.sign({
    ...buildCommonClaims(core, consent),
    iat: now,
    exp: now + lifespanSeconds,
    jti: randomUUID(),
    ...('sid' in toSessionClaims(consent).idToken ? { sid: toSessionClaims(consent).idToken['sid'] } : {}),
    at_hash: toHalfHash(accessToken),
    ...(consent.nonce === '' ? {} : { nonce: consent.nonce }),
  });
}

export function buildUserinfoClaims(core: Core, consent: ConsentRow): Claims {
  return { ...buildCommonClaims(core, consent), iat: Math.floor(consent.handledAtMs / 1000) };
}

function buildCommonClaims(core: Core, consent: ConsentRow): Claims {
  return {
    ...removeProtectedClaims(toSessionClaims(consent).idToken),
    iss: core.settings.issuer,
    sub: consent.subject,
    aud: [consent.clientId],
    auth_time: consent.authenticatedAt,
    rat: consent.requestedAt,
    ...(consent.acr === '' ? {} : { acr: consent.acr }),
    ...(consent.amr.length === 0 ? {} : { amr: consent.amr }),
  };
}

function removeProtectedClaims(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !PROTECTED_CLAIMS.includes(name)));
}

/** The left half of the hash, as `at_hash` requires for RS256 (section 3.1.3.6). */
function toHalfHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

/**
 * @returns the claims in the last answer of the token hook that did not have the status 204, otherwise those of the gateway. Those of
 * the ID token include `sid`, unless the hook omitted it
 */
export function toSessionClaims({ hooked, idTokenClaims, accessTokenClaims, sessionId }: ConsentRow): TokenClaims {
  return hooked ?? { idToken: { ...idTokenClaims, sid: sessionId }, accessToken: accessTokenClaims };
}
