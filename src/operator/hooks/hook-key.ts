/** Admits calls of Hydra to the token hook by a key in a header. The key grants no other right. */
import type { Logger } from 'pino';
import type { FailedTokens } from '../api/failed-tokens.js';
import type { Middleware } from '../api/operator-context.js';
import { OperatorFault } from '../api/operator-fault.js';
import { buildTokenFinder } from '../api/token-finder.js';
import { toPath } from '../console/console-paths.js';

export const TOKEN_HOOK_PATH = '/hooks/token';
/** Name of the header, which the settings of Hydra must contain. */
export const HOOK_KEY_HEADER = 'X-Foyer-Hook-Key';

export interface HookKeyOptions {
  /** If empty, the hook is off and its path does not exist. */
  keys: readonly string[];
  failures: FailedTokens;
  log: Logger;
}

export function admitHook({ keys, failures, log }: HookKeyOptions): Middleware {
  const isKey = buildTokenFinder(keys.map((token) => ({ token, holder: true })));
  return (request, _response, next) => {
    if (keys.length === 0 || toPath(request.url) !== TOKEN_HOOK_PATH) return next();
    const key = request.headers[HOOK_KEY_HEADER.toLowerCase()];
    request.isAdmitted = isKey(typeof key === 'string' ? key : '') === true;
    if (request.isAdmitted) return next();
    const { address, requestId } = request.context;
    const { waitSeconds, isFirstOverLimit } = failures.count(address);
    if (waitSeconds === 0 || isFirstOverLimit) {
      const reason = key === undefined ? 'no key' : 'wrong key';
      log.warn(
        { address, requestId, isLast: isFirstOverLimit },
        `token hook: ${reason}; compare TOKEN_HOOK_KEY with Hydra's settings`,
      );
    }
    next(
      new OperatorFault(401, 'unauthorized', `The token hook requires a key of TOKEN_HOOK_KEY in the header ${HOOK_KEY_HEADER}.`),
    );
  };
}
