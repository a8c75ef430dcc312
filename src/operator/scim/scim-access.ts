/**
 * Admits calls of SCIM clients by the bearer token of their source (docs/scim.md). The token determines which people a client sees, and
 * grants no other right; tokens of operators are not accepted here.
 */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Logger } from 'pino';
import type { AuditContext } from '../../accounts/audit/audit-log.js';
import { toScimSource } from '../../config/stored-sources.js';
import type { ScimRequests } from '../../accounts/scim/scim-requests.js';
import { notFound } from '../../accounts/scim/scim-refused.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { readBearer } from '../../gateway/http/bearer.js';
import type { FailedTokens } from '../api/failed-tokens.js';
import type { Middleware, OperatorRequest } from '../api/operator-context.js';
import { OperatorFault } from '../api/operator-fault.js';
import { buildTokenFinder } from '../api/token-finder.js';
import { toPath } from '../console/console-paths.js';

export const SCIM_PATH = '/scim/v2';

const BEARER = /^Bearer ([\x21-\x7e]{1,1024})$/i;

/** Whether a path belongs to SCIM. */
export function isScimPath(url: string | undefined): boolean {
  const path = toPath(url);
  return path === SCIM_PATH || path.startsWith(`${SCIM_PATH}/`);
}

export interface ScimAccessOptions {
  sources: readonly ScimSettings[];
  requests: ScimRequests;
  failures: FailedTokens;
  log: Logger;
}

/** A request to a SCIM route. */
export interface ScimRequest extends OperatorRequest {
  /** The source whose token the request has; absent without such a token. */
  scim?: ScimSettings;
  /** Set by Express; a trusted proxy may forward it. */
  protocol?: string;
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
}

export function admitScim({ sources, requests, failures, log }: ScimAccessOptions): Middleware {
  const findSource = buildTokenFinder(sources.flatMap((source) => source.tokens.map((token) => ({ token, holder: source }))));
  return (request, _response, next) => {
    if (sources.length === 0 || !isScimPath(request.url)) return next();
    const token = readBearer(request, BEARER);
    const source = findSource(token ?? '');
    if (source) {
      (request as ScimRequest).scim = source;
      request.isAdmitted = true;
      requests
        .note(toScimSource(source.id))
        .catch((error: unknown) => log.warn({ error }, 'SCIM: the time of the request could not be stored'));
      return next();
    }
    const { address, requestId } = request.context;
    const { waitSeconds, isFirstOverLimit } = failures.count(address);
    const reason = token === null ? 'no token' : 'wrong token';
    if (waitSeconds === 0 || isFirstOverLimit)
      log.warn(
        { address, requestId, isLast: isFirstOverLimit },
        `SCIM: ${reason}; compare the token in USER_SOURCES with the token of the client`,
      );
    if (waitSeconds > 0)
      return next(
        new OperatorFault(429, 'limited', `Too many calls were made without an accepted token: try again in ${waitSeconds} s.`, {
          headers: { 'Retry-After': String(waitSeconds) },
        }),
      );
    const message = 'SCIM requires the bearer token of a source in USER_SOURCES in the header Authorization.';
    next(new OperatorFault(401, 'unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } }));
  };
}

/** A call of a client. */
export interface ScimCall {
  source: ScimSettings;
  auditContext: AuditContext;
  /** Address under which the client reaches this listener, with `/scim/v2`. */
  baseUrl: string;
  method: string;
  /** The id in the path; empty if the path has no id. */
  id: string;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  ifMatch: string | undefined;
  ifNoneMatch: string | undefined;
}

/** Injects the call. @throws ScimRefused 404 without the token of a SCIM source, even with a token of the operator API */
export const CurrentScimCall = createParamDecorator((_: unknown, context: ExecutionContext): ScimCall => {
  const request = context.switchToHttp().getRequest<ScimRequest>();
  const { scim: source, context: auditContext, protocol = 'http', headers, method = '', params, query, body } = request;
  if (!source) throw notFound();
  return {
    source,
    auditContext: {
      actor: 'system',
      source: toScimSource(source.id),
      address: auditContext.address,
      requestId: auditContext.requestId,
    },
    // The host name can be trusted, because `host-check.ts` has checked it.
    baseUrl: `${protocol}://${headers.host ?? ''}${SCIM_PATH}`,
    method,
    id: params?.['id'] ?? '',
    query: query ?? {},
    body,
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
  };
});
