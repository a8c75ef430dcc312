/**
 * `/admin/oauth2/auth/requests/consent`: show, accept, reject. Grants exactly the scopes that the gateway
 * sends, even if the client has not requested them.
 */
import type { Core } from '../core.js';
import type { ConsentAnswer, Flow } from '../flow/flow.js';
import type { Exchange } from '../http/exchange.js';
import { decodeBody, decodeValue, UnreadableBody, type DecodedFields, type Fields, type Shape } from '../http/json-body.js';
import { withQuery } from '../http/query.js';
import type { Route } from '../http/router.js';
import { toUnrecognizable } from '../oauth-error.js';
import { SESSION_SHAPE } from '../tokens/id-token.js';
import { showClient } from './client-fields.js';
import { DENIAL_SHAPE, toDenial } from './denial.js';
import { toChallenge, refuseHandled, requireFlow } from './flow-challenge.js';

const ACCEPT_SHAPE = {
  type: 'flow.AcceptOAuth2ConsentRequest',
  fields: {
    grant_scope: 'strings',
    grant_access_token_audience: 'strings',
    session: 'struct',
    remember: 'bool',
    remember_for: 'int',
    context: 'any',
  },
} as const;

export function buildConsentRequestRoutes(core: Core): Route[] {
  const path = '/oauth2/auth/requests/consent';
  return [
    { method: 'GET', path, handle: (exchange) => show(core, exchange) },
    { method: 'PUT', path: `${path}/accept`, handle: (exchange) => accept(core, exchange) },
    { method: 'PUT', path: `${path}/reject`, handle: (exchange) => reject(core, exchange) },
  ];
}

function show(core: Core, exchange: Exchange): void {
  const challenge = toChallenge(exchange, 'consent');
  const flow = requireFlow(core, 'consent_challenge', challenge);
  if (core.store.handled.has(flow.consentId)) return exchange.json({ redirect_to: flow.requestUrl }, 410);
  exchange.json({
    challenge,
    consent_request_id: flow.consentId,
    requested_scope: flow.requestedScope,
    requested_access_token_audience: flow.requestedAudience,
    skip: flow.consentSkip,
    subject: flow.subject,
    oidc_context: flow.oidcContext,
    client: showClient(flow.client),
    request_url: flow.requestUrl,
    login_challenge: flow.id,
    login_session_id: flow.sessionId,
    acr: flow.login?.acr ?? '',
    amr: flow.login?.amr ?? [],
    context: flow.login?.context ?? null,
  });
}

async function accept(core: Core, exchange: Exchange): Promise<void> {
  const challenge = toChallenge(exchange, 'consent');
  const body = await readBody(exchange, ACCEPT_SHAPE);
  const session = decode(() => decodeValue(body.session ?? null, SESSION_SHAPE));
  const flow = requireFlow(core, 'consent_challenge', challenge);
  refuseHandled(core, flow.consentId, 'consent');
  const consent: ConsentAnswer = {
    denial: null,
    scope: body.grant_scope ?? [],
    audience: body.grant_access_token_audience ?? [],
    remember: body.remember ?? false,
    rememberFor: body.remember_for ?? 0,
    handledAtMs: core.nowMs(),
    idTokenClaims: session.id_token ?? {},
    accessTokenClaims: session.access_token ?? {},
  };
  const login = flow.login && body.context !== undefined ? { ...flow.login, context: body.context } : flow.login;
  answer(core, exchange, { ...flow, login, consent });
}

async function reject(core: Core, exchange: Exchange): Promise<void> {
  const challenge = toChallenge(exchange, 'consent');
  const denial = toDenial(await readBody(exchange, DENIAL_SHAPE));
  const flow = requireFlow(core, 'consent_challenge', challenge);
  refuseHandled(core, flow.consentId, 'consent');
  const emptyGrant = { scope: [], audience: [], remember: false, rememberFor: 0, idTokenClaims: {}, accessTokenClaims: {} };
  answer(core, exchange, { ...flow, consent: { denial, handledAtMs: core.nowMs(), ...emptyGrant } });
}

function answer(core: Core, exchange: Exchange, flow: Flow): void {
  const verifier = core.flows.encode('consent_verifier', flow);
  exchange.json({ redirect_to: withQuery(flow.requestUrl, { consent_verifier: verifier }) });
}

async function readBody<F extends Fields>(exchange: Exchange, shape: Shape<F>): Promise<DecodedFields<F>> {
  const text = await exchange.body();
  return decode(() => decodeBody(text, shape));
}

/** As in Hydra, the error does not say which value could not be read. */
function decode<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableBody) throw toUnrecognizable(400);
    throw error;
  }
}
