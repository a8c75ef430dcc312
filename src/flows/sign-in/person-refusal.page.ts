/**
 * The page for a person whose proof is right, or may be, but who cannot sign in: a user source or this installation does not let the person
 * in, or a user source does not answer.
 */
import type { SourceProblem } from '../../accounts/password/source-sign-in.js';
import { defined } from '../../config/defined.js';
import type { ProviderRefusal, ServerErrorState, SourceRefusal } from '../../contract/page-state.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { toLoginUrl } from './login-url.js';

const RETRY_SECONDS = 30;

export const SOURCE_REFUSALS: Readonly<Record<SourceProblem['problem'], SourceRefusal>> = {
  unavailable: 'source_unavailable',
  'password-change': 'password_change',
  'not-allowed': 'not_allowed',
};

export interface PersonRefusal {
  code: SourceRefusal | ProviderRefusal;
  /** Where the person can change the password; shown with `password_change`. */
  passwordUrl?: string | undefined;
}

/** @param options page options of the login request */
export function buildPersonRefusalPage(
  { code, passwordUrl }: PersonRefusal,
  { challenge }: LoginRequest,
  { options, requestId }: { options: PageOptions } & Pick<RequestContext, 'requestId'>,
): PageOutcome {
  const restart_url = toLoginUrl(challenge);
  const isUnavailable = code === 'source_unavailable';
  const status = isUnavailable ? 503 : 403;
  const server_error: ServerErrorState = {
    status,
    code,
    request_id: requestId,
    restart_url,
    ...(code === 'password_change' ? defined({ password_url: passwordUrl }) : {}),
  };
  const retry = isUnavailable ? { retryAfterSeconds: RETRY_SECONDS } : {};
  return page({ page: 'server_error', server_error }, { self: restart_url, ...options, status, ...retry });
}
