/**
 * Requires a bearer token (RFC 6750) for every call of the operator API that the console, the token hook or SCIM has not admitted
 * (`isAdmitted`). The token is checked before the path, so that nobody without a token learns which paths and accounts exist.
 * `rights.guard.ts` checks for each route what a token may do.
 */
import type { Logger } from 'pino';
import type { OperatorToken } from '../../config/config.js';
import { readBearer } from '../../gateway/http/bearer.js';
import type { OperatorContext, Middleware } from './operator-context.js';
import type { FailedTokens } from './failed-tokens.js';
import { asksForMetrics } from './metrics-page.js';
import { OperatorFault } from './operator-fault.js';
import { buildTokenFinder } from './token-finder.js';

/** Matches every token that a setting may contain. */
const BEARER = /^Bearer ([\x21-\x7e]{1,1024})$/i;

/** A token without a name is the token of OPERATOR_TOKEN. */
export type AcceptedToken = Omit<OperatorToken, 'name'> & Partial<Pick<OperatorToken, 'name'>>;

export interface BearerOptions {
  tokens: readonly AcceptedToken[];
  /** Grants access only to the metrics, so that a metrics collector cannot use the rest of the operator API. */
  metricsToken?: string;
  failures: FailedTokens;
  log: Logger;
}

export function requireBearer({ tokens, metricsToken, failures, log }: BearerOptions): Middleware {
  const findHolder = buildTokenFinder(tokens.map(({ token, ...holder }) => ({ token, holder })));
  const opensMetrics = buildTokenFinder(metricsToken === undefined ? [] : [{ token: metricsToken, holder: true }]);
  return (request, _response, next) => {
    if (request.isAdmitted === true) return next();
    const bearer = readBearer(request, BEARER);
    const holder = bearer === null ? undefined : findHolder(bearer);
    if (holder) {
      const { name: operator, rights } = holder;
      if (operator !== undefined) request.context = { ...request.context, operator };
      request.rights = [rights];
      return next();
    }
    if (bearer !== null && asksForMetrics(request) && opensMetrics(bearer)) return next();
    next(buildRefusal(request.context, bearer !== null));
  };

  function buildRefusal({ address, requestId }: OperatorContext, isWrong: boolean): OperatorFault {
    const { waitSeconds, isFirstOverLimit } = failures.count(address);
    if (waitSeconds === 0) {
      log.warn({ address, requestId }, isWrong ? 'operator API: wrong token' : 'operator API: no token');
      const message = isWrong
        ? 'The operator API does not accept this token: compare it with OPERATOR_TOKEN and OPERATOR_TOKENS.'
        : 'The operator API requires a bearer token in the header Authorization.';
      return new OperatorFault(401, 'unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
    }
    if (isFirstOverLimit)
      log.warn(
        { address, requestId },
        'operator API: too many calls without an accepted token; further ones from this network are not logged for now',
      );
    return new OperatorFault(
      429,
      'limited',
      `Too many calls were made without an accepted token: try again in ${waitSeconds} s.`,
      {
        headers: { 'Retry-After': String(waitSeconds) },
      },
    );
  }
}
