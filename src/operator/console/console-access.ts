/**
 * Admits calls of the console to the operator API by the cookie of a session. The cookie is accepted only together with the header
 * `X-Foyer-Console`, which a page of another origin cannot send: that requires a CORS permission that this server never grants.
 * `Sec-Fetch-Site` and `Origin` are checked too if the browser sends them.
 */
import { Inject, Injectable } from '@nestjs/common';
import { OperatorSessions, type OperatorSession } from '../../accounts/operators/operator-sessions.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { OPERATOR_API } from '../wire.js';
import { OperatorFault } from '../api/operator-fault.js';
import type { Middleware, OperatorRequest } from '../api/operator-context.js';
import { ConsoleCookies } from './console-cookies.js';
import { isConsoleRoute, toPath } from './console-paths.js';

/** Calls that the page makes on its own, such as polling, do not keep an idle session alive. */
const BACKGROUND_CALL = 'background';

/**
 * All tabs of a browser share the cookie, so a tab may still show the console of an operator who signed in earlier.
 * @param shownAccountId account id of the operator whom the page shows; a call may omit it
 * @throws OperatorFault 409
 */
function requireSameOperator(shownAccountId: unknown, accountId: string): void {
  if (shownAccountId === undefined || shownAccountId === accountId) return;
  const message =
    'Another operator has signed in to the console in this browser since this page was opened: load the page again.';
  throw new OperatorFault(409, 'other_operator', message);
}

@Injectable()
export class ConsoleAccess {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'console'>,
    private readonly cookies: ConsoleCookies,
    private readonly sessions: OperatorSessions,
  ) {}

  /** Admits calls of the console, and its routes that need no token. All other requests are left to the token check. */
  middleware(): Middleware {
    return (request, _response, next) => {
      const { headers, url } = request;
      const path = toPath(url);
      request.isAdmitted = isConsoleRoute(path);
      // Only the operator API requires rights; the metrics have their own token.
      const isApi = path.startsWith(`${OPERATOR_API}/`);
      const isCall = isApi && headers['x-foyer-console'] !== undefined && headers.authorization === undefined;
      if (request.isAdmitted || !isCall) return next();
      this.#admit(request).then(() => next(), next);
    };
  }

  /** @throws OperatorFault 401, 403, 409 */
  async #admit(request: OperatorRequest): Promise<void> {
    const { account, rights, isFresh } = await this.require(request);
    requireSameOperator(request.headers['x-foyer-operator'], account.id);
    request.isAdmitted = true;
    request.rights = rights;
    request.session = { accountId: account.id, isFresh };
    request.context = { ...request.context, operator: account.username, operatorAccount: account.id };
  }

  /** @throws OperatorFault 401 signed_out, 403 forbidden for a call of another origin */
  async require(request: OperatorRequest): Promise<OperatorSession> {
    this.requireOwnOrigin(request);
    const secret = this.cookies.readSession(request.headers.cookie);
    const isActivity = request.headers['x-foyer-console'] !== BACKGROUND_CALL;
    const session = secret === null ? null : await this.sessions.find(secret, isActivity);
    if (session !== null) return session;
    throw new OperatorFault(401, 'signed_out', 'You are not signed in to the console, or your session has ended: sign in again.');
  }

  /** @throws OperatorFault 403 */
  requireOwnOrigin({ headers }: OperatorRequest): void {
    const site = headers['sec-fetch-site'];
    const isOwn =
      headers['x-foyer-console'] !== undefined &&
      (site === undefined || site === 'same-origin') &&
      (headers.origin === undefined || headers.origin === this.config.console?.url);
    if (!isOwn)
      throw new OperatorFault(403, 'forbidden', 'Calls with the cookie of the console must come from the pages of the console.');
  }
}
