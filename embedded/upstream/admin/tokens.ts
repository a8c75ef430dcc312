/** `/admin/oauth2/introspect` (RFC 7662) and `/admin/oauth2/tokens`. */
import { isScopeAllowed, splitWords } from '../authorize/scopes.js';
import type { Core } from '../core.js';
import type { Exchange } from '../http/exchange.js';
import type { Query } from '../http/query.js';
import type { Route } from '../http/router.js';
import { OAuthError } from '../oauth-error.js';
import { toSessionClaims } from '../tokens/id-token.js';
import type { TokenRow } from '../store/rows.js';

const JSON_TYPE = 'application/json;charset=UTF-8';

export function buildTokenRoutes(core: Core): Route[] {
  return [
    { method: 'POST', path: '/oauth2/introspect', handle: (exchange) => introspect(core, exchange) },
    { method: 'DELETE', path: '/oauth2/tokens', handle: (exchange) => deleteTokens(core, exchange) },
  ];
}

async function introspect(core: Core, exchange: Exchange): Promise<void> {
  const form = await exchange.form();
  const answer = form.isEmpty ? null : describe(core, form);
  if (answer) return exchange.json(answer, 200, JSON_TYPE);
  exchange.res.setHeader('Cache-Control', 'no-store');
  exchange.res.setHeader('Pragma', 'no-cache');
  if (!form.isEmpty) return exchange.json({ active: false }, 200, JSON_TYPE);
  const error = OAuthError.create('invalid_request', 'The POST body can not be empty.');
  exchange.json({ error: error.code, error_description: error.description }, error.status, JSON_TYPE);
}

/** @returns null if the token cannot be used or lacks one of the requested scopes */
function describe(core: Core, form: Query): Record<string, unknown> | null {
  const token = core.vault.findActive(form.first('token'));
  if (!token || !isToken(token.row)) return null;
  const { row } = token;
  if (!splitWords(form.first('scope')).every((scope) => isScopeAllowed(row.scope, scope))) return null;
  const consent = core.store.consents.listMatching('consentId', row.grantId)[0]?.[1];
  const extraClaims = consent === undefined ? {} : toSessionClaims(consent).accessToken;
  return {
    active: true,
    ...(row.scope.length === 0 ? {} : { scope: row.scope.join(' ') }),
    client_id: row.clientId,
    sub: row.subject ?? row.clientId,
    exp: row.expiresAt,
    iat: row.issuedAt,
    nbf: row.issuedAt,
    aud: row.audience,
    iss: core.settings.issuer,
    token_type: 'Bearer',
    token_use: `${row.kind}_token`,
    ...(Object.keys(extraClaims).length === 0 ? {} : { ext: extraClaims }),
  };
}

function isToken(row: TokenRow): boolean {
  return row.kind === 'access' || row.kind === 'refresh';
}

/** Deletes only the access tokens of the client; refresh tokens stay valid. */
function deleteTokens(core: Core, exchange: Exchange): void {
  const clientId = exchange.query.first('client_id');
  if (clientId === '') {
    throw OAuthError.create('invalid_request', "Query parameter 'client_id' is not defined but it should have been.");
  }
  core.vault.deleteByClient(clientId, ['access']);
  exchange.sendEmpty(204);
}
