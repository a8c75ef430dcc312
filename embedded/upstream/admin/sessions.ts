/** `/admin/oauth2/auth/sessions`: ends remembered logins; lists and revokes consents with their tokens. */
import type { Core } from '../core.js';
import type { Exchange } from '../http/exchange.js';
import type { Route } from '../http/router.js';
import { endSessionEverywhere } from '../logout/session-end.js';
import { OAuthError } from '../oauth-error.js';
import type { ConsentRow } from '../store/rows.js';
import { findConsentEnd } from '../store/cleanup.js';
import { showClient } from './client-fields.js';
import { cutPage, readPage, UnreadablePage } from './paging.js';

export function buildSessionRoutes(core: Core): Route[] {
  return [
    { method: 'DELETE', path: '/oauth2/auth/sessions/login', handle: (exchange) => endLogins(core, exchange) },
    { method: 'GET', path: '/oauth2/auth/sessions/consent', handle: (exchange) => listConsents(core, exchange) },
    { method: 'DELETE', path: '/oauth2/auth/sessions/consent', handle: (exchange) => revokeConsents(core, exchange) },
  ];
}

/**
 * The clients of a session are notified only if the request names the session, not if it names the subject. Tokens stay valid in both
 * cases.
 */
function endLogins(core: Core, exchange: Exchange): void {
  const [sid, subject] = [exchange.query.first('sid'), exchange.query.first('subject')];
  if (sid === '' && subject === '') {
    throw OAuthError.create('invalid_request', "Either 'subject' or 'sid' query parameters need to be defined.");
  }
  if (sid === '') for (const [id] of core.store.sessions.listMatching('subject', subject)) core.store.sessions.delete(id);
  else endSessionEverywhere(core, sid);
  exchange.sendEmpty(204);
}

function revokeConsents(core: Core, exchange: Exchange): void {
  const { query } = exchange;
  const [subject, clientId, id] = [query.first('subject'), query.first('client'), query.first('consent_request_id')];
  const isAll = query.first('all') === 'true';
  const isById = id !== '' && subject === '' && clientId === '';
  const isBySubject = id === '' && subject !== '' && (clientId === '') === isAll;
  if (!isById && !isBySubject) throw OAuthError.create('invalid_request', 'Invalid combination of query parameters.');
  const rows = isById ? core.store.consents.listMatching('consentId', id) : core.store.consents.listMatching('subject', subject);
  for (const [flowId, row] of rows) {
    if (clientId !== '' && row.clientId !== clientId) continue;
    core.vault.deleteByGrant(row.consentId, ['code', 'access', 'refresh']);
    core.store.consents.delete(flowId);
  }
  exchange.sendEmpty(204);
}

function listConsents(core: Core, exchange: Exchange): void {
  const [subject, sid] = [exchange.query.first('subject'), exchange.query.first('login_session_id')];
  if (subject === '') {
    throw OAuthError.create('invalid_request', "Query parameter 'subject' is not defined but should have been.");
  }
  const page = readPageOr400(core, exchange);
  const rows = core.store.consents
    .listMatching('subject', subject)
    .filter(([, row]) => !row.skip && findConsentEnd(row) > core.nowSeconds() && (sid === '' || row.sessionId === sid));
  // As in Hydra, an empty list has no Link header.
  if (rows.length === 0) return exchange.json([]);
  exchange.json(cutPage(core, exchange, { rows, page }).map((row) => showConsent(core, row)));
}

function readPageOr400(core: Core, { query }: Exchange): ReturnType<typeof readPage> {
  try {
    return readPage(core, query);
  } catch (error) {
    if (error instanceof UnreadablePage) throw OAuthError.create('invalid_request', error.message);
    throw error;
  }
}

function showConsent(core: Core, row: ConsentRow): Record<string, unknown> {
  const client = core.store.clients.get(row.clientId);
  return {
    consent_request_id: row.consentId,
    grant_scope: row.grantedScope,
    grant_access_token_audience: row.grantedAudience,
    session: { access_token: row.accessTokenClaims, id_token: row.idTokenClaims },
    remember: row.remember,
    remember_for: row.rememberFor,
    handled_at: new Date(row.handledAtMs).toISOString(),
    context: row.context,
    consent_request: {
      // The challenge is not stored.
      challenge: '',
      consent_request_id: row.consentId,
      requested_scope: row.requestedScope,
      requested_access_token_audience: row.requestedAudience,
      skip: row.skip,
      subject: row.subject,
      oidc_context: row.oidcContext,
      client: client ? showClient(client) : null,
      request_url: row.requestUrl,
      login_challenge: row.flowId,
      login_session_id: row.sessionId,
      acr: row.acr,
      amr: row.amr,
      context: row.context,
    },
  };
}
