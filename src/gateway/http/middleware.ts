/**
 * Express middleware before the routes: limits on the size and type of bodies; headers of every answer; static files;
 * 405 for a known path with another method.
 */
import type { ServerResponse } from 'node:http';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { SERVER_PATHS } from '../../contract/paths.js';
import { CACHED_FOREVER, sendAsset } from '../page/asset-file.js';
import type { Assets } from '../page/assets.js';
import { formParser, hasBody, jsonParser } from './body-parsers.js';
import { isCall } from './calls.js';
import { Fault } from './faults.js';
import type { RouteIndex } from './route-index.js';

/** Fits two challenges of 8 KB and a return ticket (docs/hydra-behaviour.md B.8), and a password of 1024 bytes. */
const BODY_LIMIT = 64 * 1024;

/**
 * `form-action` is omitted on purpose: Chromium applies it to every redirect after a form, and the chain ends at the
 * client (docs/decisions/0003-the-content-security-policy-has-no-form-action.md).
 */
export function securityHeaders(isSecure: boolean): RequestHandler {
  const none = ["'none'"];
  const self = ["'self'"];
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        scriptSrc: self,
        styleSrc: self,
        // Without TLS, the gateway may run on a developer's machine, with a client on that machine that serves its own logo.
        imgSrc: ["'self'", 'data:', 'https:', ...(isSecure ? [] : ['http://localhost:*'])],
        connectSrc: self,
        fontSrc: none,
        objectSrc: none,
        baseUri: none,
        frameAncestors: none,
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Only obsolete browsers and plug-ins read these headers, and headers have to fit into the buffers of proxies.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    strictTransportSecurity: isSecure ? { maxAge: 63_072_000, includeSubDomains: true } : false,
  });
  const headers = toHeaders(setHeaders);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Runs helmet's dozen functions once, because the headers are the same for every answer. */
function toHeaders(setHeaders: ReturnType<typeof helmet>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined,
  } as unknown as ServerResponse;
  setHeaders(response.req, response, (error) => {
    if (error !== undefined) throw error as Error;
  });
  return headers;
}

/** Dynamic answers must not be cached; static files set their own header. */
export function noStore(_request: Request, response: Response, next: NextFunction): void {
  response.setHeader('Cache-Control', 'no-store');
  next();
}

export function staticFiles(assets: Assets): RequestHandler {
  return (request, response, next) => {
    const file = request.path.startsWith(SERVER_PATHS.assets) ? assets.find(request.path) : undefined;
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    response.setHeader('Cache-Control', CACHED_FOREVER);
    sendAsset(file, request, response);
  };
}

/** Parses forms for pages and JSON for calls. Refuses other content types before the body is read. */
export function requestBody(): RequestHandler {
  const form = formParser(BODY_LIMIT);
  const json = jsonParser(BODY_LIMIT);
  return (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    if (isCall(request.path)) {
      if (!hasBody(request)) return next();
      if (!request.is('application/json'))
        return next(new Fault('unsupported', 'The content type of the call is not application/json'));
      return json(request, response, next);
    }
    if (request.method !== 'POST') return next();
    if (!request.is('application/x-www-form-urlencoded')) {
      return next(new Fault('unsupported', 'The content type of the POST is not application/x-www-form-urlencoded'));
    }
    form(request, response, next);
  };
}

/** A GET can have effects (a remembered session continues), so HEAD must not reach the routes, except the health probes. */
export function onlyListedMethods(routes: RouteIndex): RequestHandler {
  return (request, _response, next) => {
    const methods = routes.listMethods(request.path);
    const isHealthProbe = request.method === 'HEAD' && request.path.startsWith('/health/');
    if (methods.length === 0 || methods.includes(request.method) || isHealthProbe) return next();
    next(new Fault('method_not_allowed', `The path does not accept ${request.method}`, { allow: methods.join(', ') }));
  };
}
