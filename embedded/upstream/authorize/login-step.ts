/**
 * The first half of a flow: redirects the browser to the login page with a challenge, and continues when the browser returns with a
 * verifier. Hydra redirects to the login page even if a session makes a login unnecessary; the login request then has `skip` set.
 */
import { randomUUID } from 'node:crypto';
import type { Core } from '../core.js';
import { toOAuthError, type ClientSnapshot, type Flow, type LoginAnswer } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { joinUrl, Query, splitUrl } from '../http/query.js';
import { OAuthError, toUnrecognizable } from '../oauth-error.js';
import type { ClientRow, SessionRow } from '../store/rows.js';
import type { AuthorizeRequest } from './authorize-request.js';
import { deleteSessionCookie, findSession, requireCsrf, setCsrf, setSessionCookie } from './browser-cookies.js';
import { readHint, readMaxAge, requirePrompt, toSubject } from './prompt-rules.js';
import { splitWords } from './scopes.js';

/** Duration of a remembered login if the gateway does not set one. */
const SESSION_SECONDS = 720 * 3600;

/** The parts of a request that the login step needs; a device request has no redirect address. */
export type LoginRequest = Pick<AuthorizeRequest, 'form' | 'client' | 'scope' | 'audience'>;

/** The device request that started a flow. */
export interface DeviceOrigin {
  codeId: string;
  requestUrl: string;
}

export function beginLogin(core: Core, exchange: Exchange, request: LoginRequest & { origin?: DeviceOrigin }): void {
  const { form } = request;
  const prompts = splitWords(form.first('prompt'));
  const session = prompts.includes('login') ? null : findUsableSession(core, exchange, form);
  if (prompts.includes('none') && !session) {
    throw OAuthError.create('login_required', "Prompt 'none' was requested, but no existing login session was found.");
  }
  const flow = createFlow(core, exchange, { ...request, session });
  setCsrf(core, exchange, { step: 'login', clientId: flow.client.client_id, value: flow.loginCsrf });
  const { urls } = core.settings;
  exchange.redirect(
    buildLoginUrl(
      prompts.includes('registration') ? urls.registration : urls.login,
      form,
      core.flows.encode('login_challenge', flow),
    ),
  );
}

/** Replaces the query of the address, as Hydra has done since 25.4. */
function buildLoginUrl(address: string, form: Query, challenge: string): string {
  const query = new Query([['login_challenge', challenge]]);
  const schema = form.first('identity_schema');
  if (schema !== '') query.set('identity_schema', schema);
  return joinUrl(splitUrl(address).base, query);
}

function findUsableSession(core: Core, exchange: Exchange, form: Query): SessionRow | null {
  const session = findSession(core, exchange);
  if (!session) return null;
  const maxAge = form.first('max_age') === '' ? -1 : readMaxAge(form);
  if (maxAge === null) throw toUnrecognizable(500);
  if (maxAge >= 0 && (session.authenticatedAt + maxAge) * 1000 < core.nowMs()) {
    if (!splitWords(form.first('prompt')).includes('none')) return null;
    throw OAuthError.create(
      'login_required',
      "Request failed because prompt is set to 'none' and authentication time reached 'max_age'.",
    );
  }
  const hint = form.first('id_token_hint');
  if (hint !== '' && toSubject(readHint(core, hint)) !== session.subject) {
    throw OAuthError.create(
      'login_required',
      'Request failed because subject claim from id_token_hint does not match subject from authentication session.',
    );
  }
  return session;
}

type NewFlowParts = LoginRequest & { session: SessionRow | null; origin?: DeviceOrigin };

function createFlow(core: Core, exchange: Exchange, { form, client, scope, audience, session, origin }: NewFlowParts): Flow {
  return {
    id: createHexId(),
    requestUrl:
      origin?.requestUrl ?? `${core.settings.issuer}/oauth2/auth${exchange.rawQuery === '' ? '' : `?${exchange.rawQuery}`}`,
    requestedAt: core.nowSeconds(),
    client: toSnapshot(client),
    requestedScope: scope,
    requestedAudience: audience,
    oidcContext: origin ? null : toOidcContext(core, form),
    sessionId: session?.id ?? randomUUID(),
    loginCsrf: createHexId(),
    loginSkip: session !== null,
    subject: session?.subject ?? '',
    authenticatedAt: session?.authenticatedAt ?? 0,
    login: null,
    consentId: '',
    consentCsrf: '',
    consentSkip: false,
    consent: null,
    deviceCodeId: origin?.codeId ?? null,
  };
}

/** Contains only the parameters that the request has. */
function toOidcContext(core: Core, form: Query): Record<string, unknown> {
  const hint = form.first('id_token_hint');
  const lists = Object.entries({ acr_values: form.first('acr_values'), ui_locales: form.first('ui_locales') });
  const texts = Object.entries({ display: form.first('display'), login_hint: form.first('login_hint') });
  return Object.fromEntries([
    ...(hint === '' ? [] : [['id_token_hint_claims', readHint(core, hint)]]),
    ...lists.filter(([, text]) => text !== '').map(([name, text]) => [name, text.split(' ')]),
    ...texts.filter(([, text]) => text !== ''),
  ]) as Record<string, unknown>;
}

function toSnapshot(client: ClientRow): ClientSnapshot {
  const { secretHash: _, ...snapshot } = client;
  return snapshot;
}

export function createHexId(): string {
  return randomUUID().replaceAll('-', '');
}

/** @returns the flow of a browser that returns from an accepted login. @throws OAuthError */
export function finishLogin(core: Core, exchange: Exchange, { form, verifier }: { form: Query; verifier: string }): Flow {
  const flow = core.flows.decodeVerifier('login_verifier', verifier);
  const { login } = flow;
  if (!login) throw toUnrecognizable(500);
  if (core.settings.legacy) core.store.handled.put(flow.id, { sweepAt: flow.requestedAt + core.settings.requestTtlSeconds });
  if (login.denial) throw toOAuthError(login.denial, 'login request denied');
  requireCsrf(core, exchange, { step: 'login', clientId: flow.client.client_id, value: flow.loginCsrf });
  try {
    requirePrompt(core, form, flow);
  } catch (error) {
    // The sign-in does not satisfy the request, for example because another person signed in, so no session remains.
    if (error instanceof OAuthError && error.code === 'login_required') endSession(core, exchange);
    throw error;
  }
  keepSession(core, exchange, { flow, login });
  return flow;
}

function keepSession(core: Core, exchange: Exchange, { flow, login }: { flow: Flow; login: LoginAnswer }): void {
  const seconds = login.rememberFor > 0 ? login.rememberFor : SESSION_SECONDS;
  if (!flow.loginSkip && !login.remember) return endSession(core, exchange);
  if (!flow.loginSkip || login.extendsSession) {
    // The session must exist at least as long as its cookie.
    const expiresAt = core.nowSeconds() + Math.max(seconds, SESSION_SECONDS);
    const { sessionId: id, subject, authenticatedAt } = flow;
    if (!flow.loginSkip || core.store.sessions.has(id)) core.store.sessions.put(id, { id, subject, authenticatedAt, expiresAt });
    setSessionCookie(core, exchange, { id, seconds });
  }
}

/** Deletes the cookie and its session. As in Hydra, an error results if the session no longer exists. */
function endSession(core: Core, exchange: Exchange): void {
  const id = deleteSessionCookie(core, exchange);
  if (id !== '' && !core.store.sessions.delete(id)) throw toUnrecognizable(500);
}
