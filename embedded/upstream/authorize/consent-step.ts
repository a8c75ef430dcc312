/**
 * The second half of a flow: redirects the browser to the consent page and redeems the verifier with which the browser returns. A
 * flow is redeemed only once, even if several verifiers were issued, because its row already exists the second time.
 */
import type { Core } from '../core.js';
import { toOAuthError, type ConsentAnswer, type Flow } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { withQuery, type Query } from '../http/query.js';
import { OAuthError, toUnrecognizable } from '../oauth-error.js';
import type { ClientRow, ConsentRow } from '../store/rows.js';
import { findConsentEnd } from '../store/cleanup.js';
import { requireCsrf, setCsrf } from './browser-cookies.js';
import { createHexId } from './login-step.js';
import { isPrivateRedirect } from './redirect-uris.js';
import { isScopeAllowed, splitWords } from './scopes.js';

export interface ConsentRequest {
  form: Query;
  client: ClientRow;
  /** The scopes of this request, which may include more scopes than the request that started the flow. */
  scope: readonly string[];
  /** null in a device flow. */
  redirectUri: string | null;
}

export function beginConsent(core: Core, exchange: Exchange, { request, flow }: { request: ConsentRequest; flow: Flow }): void {
  const prompts = splitWords(request.form.first('prompt'));
  const consentSkip = !prompts.includes('consent') && canSkipConsent(request) && isCovered(core, flow, request.scope);
  if (prompts.includes('none') && !consentSkip) {
    throw OAuthError.create('consent_required', "Prompt 'none' was requested, but no previous consent was found.");
  }
  requireSameClient(flow, request.client.client_id);
  const consentFlow: Flow = { ...flow, consentId: createHexId(), consentCsrf: createHexId(), consentSkip };
  setCsrf(core, exchange, { step: 'consent', clientId: flow.client.client_id, value: consentFlow.consentCsrf });
  exchange.redirect(
    withQuery(core.settings.urls.consent, { consent_challenge: core.flows.encode('consent_challenge', consentFlow) }),
  );
}

/** A public client is not authenticated, so consent is skipped only if no one else can receive the answer (RFC 6749, section 10.2). */
function canSkipConsent({ client, redirectUri }: ConsentRequest): boolean {
  return client.token_endpoint_auth_method !== 'none' || (redirectUri !== null && isPrivateRedirect(redirectUri));
}

function isCovered(core: Core, flow: Flow, scope: readonly string[]): boolean {
  const previousConsent = findNewestConsent(core, flow);
  return (
    previousConsent !== null && scope.every((requestedScope) => isScopeAllowed(previousConsent.grantedScope, requestedScope))
  );
}

/** Finds the newest consent that is still remembered. */
function findNewestConsent(core: Core, flow: Flow): ConsentRow | null {
  let newestRow: ConsentRow | null = null;
  for (const [, row] of core.store.consents.listMatching('subject', flow.subject)) {
    const isEligible =
      row.clientId === flow.client.client_id && row.remember && !row.skip && findConsentEnd(row) > core.nowSeconds();
    if (isEligible && row.requestedAt >= (newestRow?.requestedAt ?? 0)) newestRow = row;
  }
  return newestRow;
}

export interface ConsentReturn {
  /** The parameters of the request, for the nonce of the ID token. */
  form: Query;
  verifier: string;
}

/** Redeems the verifier. @returns the flow and its consent. @throws OAuthError */
export function finishConsent(
  core: Core,
  exchange: Exchange,
  { form, verifier }: ConsentReturn,
): { flow: Flow; consent: ConsentRow } {
  const flow = core.flows.decodeVerifier('consent_verifier', verifier);
  requireSameClient(flow, exchange.query.first('client_id'));
  const { consent: answer } = flow;
  if (!answer) throw toUnrecognizable(500);
  if (answer.denial) throw toOAuthError(answer.denial, 'consent request denied');
  if (core.store.consents.has(flow.id)) throw OAuthError.create('access_denied', 'The consent verifier has already been used.');
  const consent = toRow(flow, answer, form.first('nonce'));
  core.store.consents.put(flow.id, consent);
  if (core.settings.legacy) {
    core.store.handled.put(flow.consentId, { sweepAt: flow.requestedAt + core.settings.requestTtlSeconds });
  }
  requireCsrf(core, exchange, { step: 'consent', clientId: flow.client.client_id, value: flow.consentCsrf });
  return { flow, consent };
}

function requireSameClient(flow: Flow, clientId: string): void {
  if (flow.client.client_id !== clientId) {
    throw OAuthError.create('invalid_client', 'The flow client id does not match the authorize request client id.');
  }
}

function toRow(flow: Flow, answer: ConsentAnswer, nonce: string): ConsentRow {
  const { requestedScope, requestedAudience, oidcContext, requestUrl, requestedAt, authenticatedAt, login } = flow;
  return {
    flowId: flow.id,
    consentId: flow.consentId,
    clientId: flow.client.client_id,
    subject: flow.subject,
    sessionId: flow.sessionId,
    ...{ requestedScope, requestedAudience, oidcContext, requestUrl, requestedAt, authenticatedAt, nonce },
    acr: login?.acr ?? '',
    amr: login?.amr ?? [],
    context: login?.context ?? null,
    skip: flow.consentSkip,
    remember: answer.remember,
    rememberFor: answer.rememberFor,
    grantedScope: [...new Set(answer.scope)],
    grantedAudience: [...new Set(answer.audience)],
    handledAtMs: answer.handledAtMs,
    idTokenClaims: answer.idTokenClaims,
    accessTokenClaims: answer.accessTokenClaims,
  };
}
