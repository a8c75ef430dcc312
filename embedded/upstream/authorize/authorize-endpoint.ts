/**
 * `/oauth2/auth`: finds the step of the flow to which a request belongs, and delivers the result. The steps do not know how the
 * result reaches the client.
 */
import type { Core } from '../core.js';
import { BodyTooLarge, type Exchange } from '../http/exchange.js';
import { OAuthError, toUnrecognizable } from '../oauth-error.js';
import type { ConsentRow } from '../store/rows.js';
import { CODE_LIFESPAN_SECONDS } from '../tokens/lifespans.js';
import { requireKnownMethod } from '../tokens/pkce.js';
import { readAuthorizeRequest, type AuthorizeRequest, type ReplyAddress } from './authorize-request.js';
import { beginConsent, finishConsent } from './consent-step.js';
import { deliver, deliverError, showErrorPage } from './delivery.js';
import { beginLogin, finishLogin } from './login-step.js';

export async function authorize(core: Core, exchange: Exchange): Promise<void> {
  const reply: ReplyAddress = { redirectUri: null, responseMode: 'query', state: '' };
  try {
    takeStep(core, exchange, { request: await readRequest(core, exchange, reply), reply });
  } catch (error) {
    if (error instanceof BodyTooLarge || exchange.isAbandoned) throw error;
    const oauthError = toOAuthError(core, error);
    if (reply.redirectUri === null) showErrorPage(exchange, core.settings.urls.error, oauthError);
    else deliverError(exchange, reply, oauthError);
  }
}

async function readRequest(core: Core, exchange: Exchange, reply: ReplyAddress): Promise<AuthorizeRequest> {
  if (exchange.bodyType.startsWith('multipart/')) {
    throw OAuthError.create(
      'invalid_request',
      'Unable to parse HTTP body, make sure to send a properly formatted form request body.',
    );
  }
  const form = exchange.method === 'POST' ? (await exchange.form()).concat(exchange.query) : exchange.query;
  return readAuthorizeRequest(core, form, reply);
}

function takeStep(core: Core, exchange: Exchange, { request, reply }: { request: AuthorizeRequest; reply: ReplyAddress }): void {
  const { form } = request;
  const loginVerifier = form.first('login_verifier').trim();
  const consentVerifier = form.first('consent_verifier').trim();
  if (loginVerifier !== '') {
    beginConsent(core, exchange, { request, flow: finishLogin(core, exchange, { form, verifier: loginVerifier }) });
  } else if (consentVerifier !== '') {
    const { consent } = finishConsent(core, exchange, { form, verifier: consentVerifier });
    const code = issueCode(core, request, consent);
    deliver(exchange, reply, { code, scope: consent.grantedScope.join(' '), state: reply.state });
  } else beginLogin(core, exchange, request);
}

function issueCode(core: Core, { form, client }: AuthorizeRequest, consent: ConsentRow): string {
  const pkce = { challenge: form.first('code_challenge'), challengeMethod: form.first('code_challenge_method') };
  requireKnownMethod(pkce);
  const now = core.nowSeconds();
  return core.vault.issue({
    kind: 'code',
    clientId: client.client_id,
    grantId: consent.consentId,
    subject: consent.subject,
    scope: consent.grantedScope,
    audience: consent.grantedAudience,
    issuedAt: now,
    expiresAt: now + CODE_LIFESPAN_SECONDS,
    code: { redirectUri: form.first('redirect_uri'), ...pkce },
  });
}

/** The client must not learn the cause of an internal error. */
function toOAuthError(core: Core, error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  core.emit({ type: 'defect', error });
  return toUnrecognizable(500);
}
