/**
 * `/oauth2/token`, `/oauth2/revoke` and `/oauth2/device/auth` with oidc-provider, which parses the request, authenticates the client,
 * selects the grant and finds tokens to revoke. `grants.ts` decides the result of a grant; this file converts answers to Hydra's format.
 */
import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Core } from '../core.js';
import { OAuthError, toUnrecognizable } from '../oauth-error.js';
import type { ClientRow } from '../store/rows.js';
import { issueDeviceCode } from '../device/device-code.js';
import { verifySecret } from './client-secret.js';
import { DEVICE_CODE_LIFESPAN_SECONDS } from './lifespans.js';
import { grantToClient, redeemCode, redeemDeviceCode, refresh, type TokenParameters, type UsableGrant } from './grants.js';
import { DEVICE_GRANT, ProviderAdapter } from './provider-adapter.js';
import { isUnknownToken, translate } from './provider-errors.js';
import type { ProviderLibrary } from './quiet-import.js';
import { callTokenHook } from './token-hook.js';

export const TOKEN_PATH = '/oauth2/token';
export const REVOCATION_PATH = '/oauth2/revoke';
export const DEVICE_PATH = '/oauth2/device/auth';

type Grant = (core: Core, client: ClientRow, parameters: TokenParameters) => UsableGrant;

const GRANTS: Record<string, { grant: Grant; parameters: string[] }> = {
  authorization_code: { grant: redeemCode, parameters: ['code', 'redirect_uri', 'code_verifier'] },
  refresh_token: { grant: refresh, parameters: ['refresh_token'] },
  client_credentials: { grant: grantToClient, parameters: ['scope', 'audience'] },
  [DEVICE_GRANT]: { grant: redeemDeviceCode, parameters: ['device_code'] },
};

export type TokenEndpoint = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** @param library already loaded, because loading is slow */
export function createTokenEndpoint(core: Core, library: ProviderLibrary): TokenEndpoint {
  const provider = new library.Provider(core.settings.issuer, toConfiguration(core));
  provider.Client.prototype.compareClientSecret = function (this: { clientSecret?: string | undefined }, secret: string) {
    return verifySecret(secret, this.clientSecret ?? '');
  };
  for (const [name, { grant, parameters }] of Object.entries(GRANTS)) {
    provider.registerGrantType(name, (ctx) => serve(core, grant, ctx), parameters);
  }
  answerLikeHydra(core, provider);
  return provider.callback();
}

function toConfiguration(core: Core): Configuration {
  return {
    adapter: (model: string) => new ProviderAdapter(core, model),
    jwks: { keys: [core.signer.privateJwk()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    routes: { token: TOKEN_PATH, revocation: REVOCATION_PATH, device_authorization: DEVICE_PATH },
    ttl: { DeviceCode: DEVICE_CODE_LIFESPAN_SECONDS },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true },
      revocation: {
        enabled: true,
        allowedPolicy: (ctx, client, token) => isRevocable(core, ctx, token.clientId === client.clientId),
      },
    },
    // Hydra answers in JSON, whatever `Accept` is.
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    // Hydra ignores `Origin` in these requests; `answerLikeHydra` removes the CORS headers.
    clientBasedCORS: () => true,
    findAccount: () => undefined,
  };
}

async function serve(core: Core, grant: Grant, ctx: KoaContextWithOIDC): Promise<void> {
  const client = requireRegisteredMethod(core, ctx);
  const parameters = readParameters(ctx);
  const usableGrant = grant(core, client, parameters);
  if (core.settings.tokenHook === undefined) {
    ctx.body = usableGrant.issue(null);
    return;
  }
  const { consent, requestedScope, grantedScope, grantedAudience } = usableGrant;
  const grantType = parameters['grant_type'] ?? '';
  const form = ctx.oidc.body ?? {};
  const hookRequest = { client, consent, grantType, requestedScope, grantedScope, grantedAudience, form };
  const claims = await callTokenHook(core, hookRequest);
  // While the hook was called, the code may have been used, the consent revoked or the client deleted.
  ctx.body = grant(core, requireRegisteredMethod(core, ctx), parameters).issue(claims);
}

function isRevocable(core: Core, ctx: KoaContextWithOIDC, isOwn: boolean): boolean {
  requireRegisteredMethod(core, ctx);
  return isOwn;
}

/** The library accepts a secret in the header or the body; Hydra accepts it only in the part that the client's settings require. */
function requireRegisteredMethod(core: Core, ctx: KoaContextWithOIDC): ClientRow {
  const client = core.store.clients.get(ctx.oidc.client?.clientId ?? '');
  if (!client) throw OAuthError.create('invalid_client');
  const method = client.token_endpoint_auth_method;
  const usedMethod = ctx.oidc.params?.['client_secret'] ? 'client_secret_post' : 'client_secret_basic';
  if (method.startsWith('client_secret') && method !== usedMethod) {
    throw OAuthError.create(
      'invalid_client',
      `The OAuth 2.0 Client supports client authentication method '${method}', but method '${usedMethod}' was requested. You must configure the OAuth 2.0 client's 'token_endpoint_auth_method' value to accept '${usedMethod}'.`,
    );
  }
  return client;
}

function readParameters(ctx: KoaContextWithOIDC): TokenParameters {
  const texts = Object.entries(ctx.oidc.params ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}

/**
 * Headers of the library that Hydra does not send, or sends with another value (`Content-Type`). The CORS headers are among them, because
 * Hydra does not enable CORS by default.
 */
const LIBRARY_HEADERS = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Content-Type',
  'Vary',
  'WWW-Authenticate',
];

function answerLikeHydra(core: Core, provider: Provider): void {
  const failures = new WeakMap<object, unknown>();
  const remember = (ctx: KoaContextWithOIDC, error: unknown): void => {
    failures.set(ctx, error);
  };
  provider.on('grant.error', remember);
  provider.on('revocation.error', remember);
  provider.on('device_authorization.error', remember);
  provider.on('server_error', remember);
  // With a listener these errors do not reach the console. A closed connection is not a defect.
  (provider as EventEmitter).on('error', (error: NodeJS.ErrnoException) => {
    if (!/^(ECONNRESET|EPIPE|HPE_.*)$/.test(error.code ?? '')) core.emit({ type: 'defect', error });
  });
  provider.use(async (ctx, next) => {
    await next();
    const oidcContext = ctx as KoaContextWithOIDC;
    if (ctx.path === DEVICE_PATH && ctx.status === 200) startDeviceFlow(core, oidcContext, remember);
    const failure = failures.get(ctx);
    if (failure !== undefined) writeFailure(core, oidcContext, failure);
    const text = ctx.body === undefined || ctx.body === '' ? '' : JSON.stringify(ctx.body);
    ctx.body = text;
    for (const name of LIBRARY_HEADERS) ctx.remove(name);
    if (text !== '') ctx.set('Content-Type', 'application/json;charset=UTF-8');
    ctx.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' });
  });
}

/** Replaces the library's codes, because Hydra's codes have another format. The library has already authenticated the client. */
function startDeviceFlow(
  core: Core,
  ctx: KoaContextWithOIDC,
  onFailure: (ctx: KoaContextWithOIDC, error: unknown) => void,
): void {
  try {
    ctx.body = issueDeviceCode(core, requireRegisteredMethod(core, ctx), ctx.oidc.body ?? {});
  } catch (error) {
    onFailure(ctx, error);
  }
}

function writeFailure(core: Core, ctx: KoaContextWithOIDC, failure: unknown): void {
  if (isUnknownToken(failure)) {
    ctx.status = 200;
    ctx.body = '';
    return;
  }
  const grantType = ctx.path === DEVICE_PATH ? DEVICE_GRANT : (readParameters(ctx)['grant_type'] ?? '');
  const oauthError = translate(failure, {
    grantType,
    isEmpty: Object.keys(ctx.oidc.body ?? {}).length === 0,
    isRevocation: ctx.path === REVOCATION_PATH,
  });
  if (!oauthError) core.emit({ type: 'defect', error: failure });
  const error = oauthError ?? toUnrecognizable(500);
  ctx.status = error.status;
  ctx.body = { error: error.code, error_description: error.description };
}
