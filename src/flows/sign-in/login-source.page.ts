/**
 * The page after a password, passkey or mailed code that may be right, if the user source does not let the person sign in or does not
 * answer.
 */
import type { SourceProblem } from '../../accounts/password/source-sign-in.js';
import type { ServerErrorState, SourceRefusal } from '../../contract/page-state.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { toLoginUrl } from './login-url.js';

const RETRY_SECONDS = 30;

const CODES: Readonly<Record<SourceProblem['problem'], SourceRefusal>> = {
  unavailable: 'source_unavailable',
  'password-change': 'password_change',
  'not-allowed': 'not_allowed',
};

/** @param options page options of the login request */
export function buildLoginSourcePage(
  { problem, passwordUrl }: SourceProblem,
  { challenge }: LoginRequest,
  { options, requestId }: { options: PageOptions } & Pick<RequestContext, 'requestId'>,
): PageOutcome {
  const restart_url = toLoginUrl(challenge);
  const isUnavailable = problem === 'unavailable';
  const status = isUnavailable ? 503 : 403;
  const server_error: ServerErrorState = {
    status,
    code: CODES[problem],
    request_id: requestId,
    restart_url,
    ...(problem === 'password-change' && passwordUrl !== undefined ? { password_url: passwordUrl } : {}),
  };
  const retry = isUnavailable ? { retryAfterSeconds: RETRY_SECONDS } : {};
  return page({ page: 'server_error', server_error }, { self: restart_url, ...options, status, ...retry });
}
