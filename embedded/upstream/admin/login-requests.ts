/** `/admin/oauth2/auth/requests/login`: show, accept, reject. Nothing is stored, because the verifier contains the answer. */
import type { Core } from '../core.js';
import type { Flow, LoginAnswer } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { decodeBody, UnreadableBody, type DecodedFields, type Fields, type Shape } from '../http/json-body.js';
import { withQuery } from '../http/query.js';
import type { Route } from '../http/router.js';
import { OAuthError } from '../oauth-error.js';
import { showClient } from './client-fields.js';
import { DENIAL_SHAPE, toDenial } from './denial.js';
import { toChallenge, refuseHandled, requireFlow } from './flow-challenge.js';

const ACCEPT_SHAPE = {
  type: 'flow.HandledLoginRequest',
  fields: {
    subject: 'string',
    remember: 'bool',
    remember_for: 'int',
    extend_session_lifespan: 'bool',
    acr: 'string',
    amr: 'strings',
    force_subject_identifier: 'string',
    identity_provider_session_id: 'string',
    context: 'any',
  },
} as const;

export function buildLoginRequestRoutes(core: Core): Route[] {
  const path = '/oauth2/auth/requests/login';
  return [
    { method: 'GET', path, handle: (exchange) => show(core, exchange) },
    { method: 'PUT', path: `${path}/accept`, handle: (exchange) => accept(core, exchange) },
    { method: 'PUT', path: `${path}/reject`, handle: (exchange) => reject(core, exchange) },
  ];
}

function show(core: Core, exchange: Exchange): void {
  const challenge = toChallenge(exchange, 'login');
  const flow = requireFlow(core, 'login_challenge', challenge);
  if (core.store.handled.has(flow.id)) return exchange.json({ redirect_to: flow.requestUrl }, 410);
  exchange.json({
    challenge,
    requested_scope: flow.requestedScope,
    requested_access_token_audience: flow.requestedAudience,
    skip: flow.loginSkip,
    subject: flow.subject,
    oidc_context: flow.oidcContext,
    client: showClient(flow.client),
    request_url: flow.requestUrl,
    session_id: flow.sessionId,
  });
}

async function accept(core: Core, exchange: Exchange): Promise<void> {
  const challenge = toChallenge(exchange, 'login');
  const body = await readBody(exchange, ACCEPT_SHAPE);
  const subject = body.subject ?? '';
  if (subject === '') throw OAuthError.create('invalid_request', "Field 'subject' must not be empty.");
  const flow = requireFlow(core, 'login_challenge', challenge);
  refuseHandled(core, flow.id, 'login');
  // Another person than the person of the session has signed in, so the request starts again with a login page.
  if (flow.subject !== '' && flow.subject !== subject) {
    return exchange.json({ redirect_to: withQuery(flow.requestUrl, { prompt: 'login' }) });
  }
  const login: LoginAnswer = {
    denial: null,
    remember: flow.loginSkip || (body.remember ?? false),
    rememberFor: body.remember_for ?? 0,
    extendsSession: body.extend_session_lifespan ?? false,
    acr: body.acr ?? '',
    amr: body.amr ?? [],
    context: body.context ?? null,
  };
  const authenticatedAt = flow.loginSkip ? flow.authenticatedAt : core.nowSeconds();
  answer(core, exchange, { ...flow, subject, authenticatedAt, login });
}

async function reject(core: Core, exchange: Exchange): Promise<void> {
  const challenge = toChallenge(exchange, 'login');
  const denial = toDenial(await readBody(exchange, DENIAL_SHAPE));
  const flow = requireFlow(core, 'login_challenge', challenge);
  refuseHandled(core, flow.id, 'login');
  const emptyLogin = { remember: false, rememberFor: 0, extendsSession: false, acr: '', amr: [], context: null };
  answer(core, exchange, { ...flow, subject: '', authenticatedAt: 0, login: { denial, ...emptyLogin } });
}

function answer(core: Core, exchange: Exchange, flow: Flow): void {
  exchange.json({ redirect_to: withQuery(flow.requestUrl, { login_verifier: core.flows.encode('login_verifier', flow) }) });
}

async function readBody<F extends Fields>(exchange: Exchange, shape: Shape<F>): Promise<DecodedFields<F>> {
  try {
    return decodeBody(await exchange.body(), shape);
  } catch (error) {
    if (error instanceof UnreadableBody) {
      throw OAuthError.create('invalid_request', `Unable to decode body because: ${error.message}`);
    }
    throw error;
  }
}
