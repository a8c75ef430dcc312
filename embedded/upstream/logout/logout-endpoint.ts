/**
 * `/oauth2/sessions/logout` (OpenID Connect RP-Initiated Logout). A client starts a logout with an ID token as hint, or the person
 * starts it directly. The session ends only after the gateway has accepted the logout and the browser has returned with the verifier.
 */
import { randomUUID } from 'node:crypto';
import { deleteSessionCookie, findSession } from '../authorize/browser-cookies.js';
import { showErrorPage } from '../authorize/delivery.js';
import { readHint } from '../authorize/prompt-rules.js';
import type { Core } from '../core.js';
import { BodyTooLarge, type Exchange } from '../http/exchange.js';
import { withQuery, type Query } from '../http/query.js';
import { toNotFound, OAuthError, toUnrecognizable } from '../oauth-error.js';
import type { ClientRow, LogoutRow } from '../store/rows.js';
import type { Claims } from '../tokens/signer.js';
import { buildFrontChannelPage } from './front-channel-page.js';
import { endSessionEverywhere, listFrontChannelUrls } from './session-end.js';

const ROW_SECONDS = 24 * 3600;
/** The maximum number of stored requests, because anyone with an ID token can create any number of them. */
const MAX_ROWS = 5000;

export async function answerLogout(core: Core, exchange: Exchange): Promise<void> {
  try {
    const verifier = exchange.query.first('logout_verifier');
    if (verifier !== '') return finish(core, exchange, verifier);
    const form = (await exchange.form()).concat(exchange.query);
    if (form.first('id_token_hint') === '') beginForPerson(core, exchange, form);
    else beginForClient(core, exchange, form);
  } catch (error) {
    if (error instanceof BodyTooLarge || exchange.isAbandoned) throw error;
    if (!(error instanceof OAuthError)) core.emit({ type: 'defect', error });
    showErrorPage(exchange, core.settings.urls.error, error instanceof OAuthError ? error : toUnrecognizable(500));
  }
}

function beginForPerson(core: Core, exchange: Exchange, form: Query): void {
  for (const name of ['state', 'post_logout_redirect_uri']) {
    if (form.first(name) === '') continue;
    throw toInvalidRequest(`Logout failed because query parameter ${name} is set but id_token_hint is missing.`);
  }
  const { postLogoutRedirect } = core.settings.urls;
  const session = findSession(core, exchange);
  if (!session) return exchange.redirect(postLogoutRedirect);
  const requestedAt = Math.round(core.nowMs() / 1000);
  askForConfirmation(core, exchange, {
    subject: session.subject,
    sessionId: session.id,
    clientId: null,
    redirectTo: postLogoutRedirect,
    expiresAt: requestedAt + core.settings.requestTtlSeconds,
    requestedAt,
  });
}

function beginForClient(core: Core, exchange: Exchange, form: Query): void {
  const claims = readHint(core, form.first('id_token_hint'));
  const sessionId = requireClaims(core, claims);
  const client = requireAudience(core, claims);
  const redirectTo = chooseRedirect(core, client, form);
  // Only remembered sessions are stored. Without a stored session there is nothing to end.
  const session = core.store.sessions.get(sessionId);
  if (!session) return exchange.redirect(redirectTo);
  const requestedAt = core.nowSeconds();
  const { subject } = session;
  askForConfirmation(core, exchange, {
    subject,
    sessionId,
    clientId: client.client_id,
    redirectTo,
    expiresAt: null,
    requestedAt,
  });
}

/** @returns the session id in the token. @throws OAuthError */
function requireClaims(core: Core, { iss, iat, sid, sub }: Claims): string {
  if (iss !== core.settings.issuer) {
    throw toInvalidRequest(
      `Logout failed because issuer claim value '${typeof iss === 'string' ? iss : ''}' from query parameter id_token_hint does not match with issuer value from configuration '${core.settings.issuer}'.`,
    );
  }
  const now = core.nowSeconds();
  if (typeof iat !== 'number' || iat > now) {
    throw toInvalidRequest(
      `Logout failed because iat claim value '${Number(iat)}' from query parameter id_token_hint is before now ('${now}').`,
    );
  }
  if (typeof sid !== 'string' || sid === '') {
    throw toInvalidRequest('Logout failed because query parameter id_token_hint is missing sid claim.');
  }
  if (typeof sub !== 'string' || sub === '') {
    throw toInvalidRequest('Logout failed because query parameter id_token_hint is missing sub claim.');
  }
  return sid;
}

function requireAudience(core: Core, { aud }: Claims): ClientRow {
  const ids: unknown[] = Array.isArray(aud) ? aud : [aud];
  const client = ids.map((id) => core.store.clients.get(String(id))).find((candidate) => candidate !== undefined);
  if (!client) throw toInvalidRequest('Logout failed because none of the listed audiences is a registered OAuth 2.0 Client.');
  return client;
}

function chooseRedirect(core: Core, client: ClientRow, form: Query): string {
  const requestedUri = form.first('post_logout_redirect_uri');
  if (requestedUri === '') return core.settings.urls.postLogoutRedirect;
  if (!client.post_logout_redirect_uris?.includes(requestedUri)) {
    throw toInvalidRequest(
      'Logout failed because query parameter post_logout_redirect_uri is not a whitelisted as a post_logout_redirect_uri for the client.',
    );
  }
  const state = form.first('state');
  return withQuery(requestedUri, state === '' ? {} : { state });
}

type LogoutRequest = Pick<LogoutRow, 'subject' | 'sessionId' | 'clientId' | 'redirectTo' | 'expiresAt' | 'requestedAt'>;

function askForConfirmation(core: Core, exchange: Exchange, request: LogoutRequest): void {
  const { logouts } = core.store;
  const [oldestEntry] = logouts.size >= MAX_ROWS ? [...logouts.entries()] : [];
  if (oldestEntry) logouts.delete(oldestEntry[0]);
  const challenge = randomUUID();
  logouts.put(challenge, {
    ...request,
    challenge,
    verifier: randomUUID(),
    requestUrl: exchange.target,
    rpInitiated: request.clientId !== null,
    state: 'waiting',
    used: false,
    sweepAt: request.requestedAt + Math.max(ROW_SECONDS, core.settings.requestTtlSeconds),
  });
  exchange.redirect(withQuery(core.settings.urls.logout, { logout_challenge: challenge }));
}

function finish(core: Core, exchange: Exchange, verifier: string): void {
  const row = core.store.logouts.listMatching('verifier', verifier)[0]?.[1];
  if (row?.state !== 'accepted') throw toNotFound();
  core.store.logouts.put(row.challenge, { ...row, used: true });
  if (row.expiresAt !== null && row.expiresAt * 1000 < core.nowMs()) {
    throw OAuthError.create('request_unauthorized', 'The logout request has expired, please try the flow again.');
  }
  // Without a hint, the request began with the session of the cookie, so the verifier ends the session only in a browser with a session
  // of the same person.
  if (!row.rpInitiated && findSession(core, exchange)?.subject !== row.subject) return exchange.redirect(row.redirectTo);
  deleteSessionCookie(core, exchange);
  const frames = listFrontChannelUrls(core, row.sessionId);
  endSessionEverywhere(core, row.sessionId);
  if (frames.length === 0) return exchange.redirect(row.redirectTo);
  exchange.send(200, 'text/html; charset=utf-8', buildFrontChannelPage(frames, row.redirectTo));
}

function toInvalidRequest(hint: string): OAuthError {
  return OAuthError.create('invalid_request', hint);
}
