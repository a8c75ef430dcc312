/** After a password that a source of people did not let in, though it may be right. */
import type { SourceProblem } from '../../accounts/password/source-sign-in.js';
import { page } from '../../gateway/page/outcome.js';
import type { PageOptions, PageOutcome } from '../../gateway/page/outcome.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { loginUrl } from '../sign-in/login-url.js';

const RETRY_SECONDS = 30;

export function loginSourcePage(
  { challenge }: LoginRequest,
  { problem: error, passwordUrl }: SourceProblem,
  { options }: { options: PageOptions },
): PageOutcome {
  const retry_url = loginUrl(challenge);
  const login_source = { error, retry_url, ...(passwordUrl === undefined ? {} : { password_url: passwordUrl }) };
  const status = error === 'unavailable' ? { status: 503, retryAfterSeconds: RETRY_SECONDS } : { status: 403 };
  return page({ page: 'login_source', login_source }, { self: retry_url, ...options, ...status });
}
