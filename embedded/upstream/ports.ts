/**
 * The request handlers of the two ports: their routes, and the answers to unknown paths, refused requests and errors. An error is
 * answered or, if an answer has already begun, ends the connection; it does not end the process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildClientRoutes } from './admin/clients.js';
import { buildConsentRequestRoutes } from './admin/consent-requests.js';
import { buildDeviceRequestRoutes } from './admin/device-requests.js';
import { buildLoginRequestRoutes } from './admin/login-requests.js';
import { buildLogoutRequestRoutes } from './admin/logout-requests.js';
import { isForeignBrowser } from './admin/foreign-browser.js';
import { buildSessionRoutes } from './admin/sessions.js';
import { buildTokenRoutes } from './admin/tokens.js';
import { authorize } from './authorize/authorize-endpoint.js';
import type { Core } from './core.js';
import { buildDiscoveryDocument } from './discovery.js';
import { VERIFY_PATH, verifyDevice } from './device/verify-endpoint.js';
import { buildHealthRoutes, buildVersionRoutes } from './health.js';
import { BodyTooLarge, Exchange } from './http/exchange.js';
import type { RequestHandler } from './http/listener.js';
import { Router, type Handler, type Route } from './http/router.js';
import { answerLogout } from './logout/logout-endpoint.js';
import { OAuthError, toUnrecognizable } from './oauth-error.js';
import { DEVICE_PATH, REVOCATION_PATH, TOKEN_PATH, type TokenEndpoint } from './tokens/token-endpoint.js';
import { answerUserinfo } from './userinfo.js';

const NO_STORE = 'private, no-cache, no-store, must-revalidate';
const FOREIGN_BROWSER =
  'The admin API refuses requests from web pages, and requests to a loopback address with another host name.';
const NOT_FOUND_PAGE =
  '<!doctype html><html lang="en"><title>404 - Route not found</title><h1>404 - Route not found</h1></html>\n';

export function createPublicHandler(core: Core, tokenEndpoint: TokenEndpoint): RequestHandler {
  const router = new Router([...buildPublicRoutes(core, tokenEndpoint), ...buildHealthRoutes(core)]);
  return toRequestHandler(core, async (exchange) => {
    const match = router.match(exchange.method, dropTrailingSlash(exchange.path));
    if (match === 'malformed') return exchange.send(400, 'text/plain; charset=utf-8', '400 Bad Request');
    if (match !== 'none' && exchange.method === 'OPTIONS') return exchange.sendEmpty(200);
    if (match === 'none' || 'allowedMethods' in match) return exchange.send(404, 'text/html; charset=utf-8', NOT_FOUND_PAGE);
    await match.handle(exchange, match.parameters);
  });
}

function buildPublicRoutes(core: Core, tokenEndpoint: TokenEndpoint): Route[] {
  const buildGetAndPost = (path: string, handle: Handler): Route[] => [
    { method: 'GET', path, handle },
    { method: 'POST', path, handle },
  ];
  const forwardToProvider: Handler = (exchange) => tokenEndpoint(exchange.req, exchange.res);
  const discovery: Handler = (exchange) => exchange.json(buildDiscoveryDocument(core.settings));
  return [
    ...buildGetAndPost('/oauth2/auth', (exchange) => authorize(core, exchange)),
    ...buildGetAndPost('/oauth2/sessions/logout', (exchange) => answerLogout(core, exchange)),
    ...buildGetAndPost('/userinfo', (exchange) => answerUserinfo(core, exchange)),
    { method: 'GET', path: VERIFY_PATH, handle: (exchange) => verifyDevice(core, exchange) },
    { method: 'POST', path: TOKEN_PATH, handle: forwardToProvider },
    { method: 'POST', path: REVOCATION_PATH, handle: forwardToProvider },
    { method: 'POST', path: DEVICE_PATH, handle: forwardToProvider },
    { method: 'GET', path: '/.well-known/openid-configuration', handle: discovery },
    { method: 'GET', path: '/.well-known/oauth-authorization-server', handle: discovery },
    { method: 'GET', path: '/.well-known/jwks.json', handle: (exchange) => exchange.json(core.signer.publicJwks()) },
  ];
}

export function createAdminHandler(core: Core): RequestHandler {
  const router = new Router([
    ...buildLoginRequestRoutes(core),
    ...buildConsentRequestRoutes(core),
    ...buildLogoutRequestRoutes(core),
    ...buildDeviceRequestRoutes(core),
    ...buildSessionRoutes(core),
    ...buildClientRoutes(core),
    ...buildTokenRoutes(core),
    ...buildHealthRoutes(core),
    ...buildVersionRoutes(core),
  ]);
  return toRequestHandler(core, async (exchange) => {
    if (isForeignBrowser(exchange.req)) throw OAuthError.create('request_forbidden', FOREIGN_BROWSER);
    const match = router.match(exchange.method, dropTrailingSlash(exchange.path.replace(/^\/admin(?=\/)/, '')));
    if (match === 'malformed') return exchange.send(400, 'text/plain; charset=utf-8', '400 Bad Request');
    if (match === 'none') return sendPlain(exchange, 404, '404 page not found\n');
    if ('allowedMethods' in match) {
      exchange.res.setHeader('Allow', match.allowedMethods.join(', '));
      return sendPlain(exchange, 405, 'Method Not Allowed\n');
    }
    await match.handle(exchange, match.parameters);
  });
}

function sendPlain(exchange: Exchange, status: number, text: string): void {
  exchange.res.setHeader('X-Content-Type-Options', 'nosniff');
  exchange.send(status, 'text/plain; charset=utf-8', text);
}

function dropTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function toRequestHandler(core: Core, handle: (exchange: Exchange) => Promise<void>): RequestHandler {
  return (req: IncomingMessage, res: ServerResponse) => {
    const exchange = new Exchange(req, res);
    if (exchange.method === 'GET') res.setHeader('Cache-Control', NO_STORE);
    handle(exchange).catch((error: unknown) => answerFailure(core, exchange, error));
  };
}

function answerFailure(core: Core, exchange: Exchange, error: unknown): void {
  const { res } = exchange;
  if (exchange.isAbandoned) return;
  const isKnown = error instanceof OAuthError || error instanceof BodyTooLarge;
  if (!isKnown) core.emit({ type: 'defect', error });
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const oauthError = toOAuthError(error);
  exchange.json({ error: oauthError.code, error_description: oauthError.description }, oauthError.status, 'application/json');
}

function toOAuthError(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (!(error instanceof BodyTooLarge)) return toUnrecognizable(500);
  return new OAuthError({ code: 'invalid_request', status: 413, summary: 'The request body is too large.', hint: '' });
}
