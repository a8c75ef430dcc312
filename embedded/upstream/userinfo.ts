/**
 * Answers `/userinfo` (OpenID Connect Core, section 5.3) for the holder of an access token, with the claims of the ID token except
 * `exp`, `jti`, `sid`, `at_hash` and `nonce`. Its `iat` is the time of the consent; a signed answer has its own `iat` and `jti`.
 */
import { randomUUID } from 'node:crypto';
import type { Core } from './core.js';
import type { Exchange } from './http/exchange.js';
import { OAuthError, toUnrecognizable } from './oauth-error.js';
import type { TokenRow } from './store/rows.js';
import { buildUserinfoClaims } from './tokens/id-token.js';
import type { Claims } from './tokens/signer.js';

const ONLY_ACCESS_TOKENS = 'Only access tokens are allowed in the authorization header.';

export async function answerUserinfo(core: Core, exchange: Exchange): Promise<void> {
  const row = core.vault.findActive(await readToken(exchange))?.row;
  if (row?.kind === 'refresh')
    return refuse(exchange, toUnrecognizable(401), `error="invalid_token",error_description="${ONLY_ACCESS_TOKENS}"`);
  const client = row?.kind === 'access' ? core.store.clients.get(row.clientId) : undefined;
  if (!row || !client) {
    const error = OAuthError.create('request_unauthorized');
    return refuse(exchange, error, `error="${error.code}",error_description="${error.description}"`);
  }
  const claims = toClaims(core, row);
  if (client.userinfo_signed_response_alg !== 'RS256') return exchange.json(claims);
  const token = core.signer.sign({ ...claims, iat: core.nowSeconds(), jti: randomUUID() });
  exchange.send(200, 'application/jwt', token);
}

/** A token without a consent has no person, so the answer contains only its issuer, its client and its time. */
function toClaims(core: Core, row: TokenRow): Claims {
  const consent = core.store.consents.listMatching('consentId', row.grantId)[0]?.[1];
  if (consent) return buildUserinfoClaims(core, consent);
  return { aud: [row.clientId], iat: row.issuedAt, iss: core.settings.issuer };
}

/** Reads the token from the header, the form or the query (RFC 6750, section 2). */
async function readToken(exchange: Exchange): Promise<string> {
  const [scheme = '', token = ''] = (exchange.req.headers.authorization ?? '').split(' ', 2);
  if (scheme.toLowerCase() === 'bearer') return token;
  const form = exchange.method === 'POST' ? (await exchange.form()).concat(exchange.query) : exchange.query;
  return form.first('access_token');
}

function refuse(exchange: Exchange, error: OAuthError, reason: string): void {
  exchange.res.setHeader('WWW-Authenticate', `Bearer ${reason}`);
  exchange.json({ error: error.code, error_description: error.description }, error.status, 'application/json');
}
