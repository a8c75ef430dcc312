/** The page for a person whom a provider has proven, but who may not sign in here. */
import type { ProviderRefusal, ServerErrorState } from '../../../../contract/page-state.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { toLoginUrl } from '../../login-url.js';

/** How long to wait if a user source could not be reached. */
const RETRY_SECONDS = 30;

/** @param options page options of the login request */
export function buildRefusalPage(
  code: ProviderRefusal,
  { challenge, requestId, options }: { challenge: string; requestId: string; options: PageOptions },
): PageOutcome {
  const restart_url = toLoginUrl(challenge);
  const isUnavailable = code === 'source_unavailable';
  const status = isUnavailable ? 503 : 403;
  const server_error: ServerErrorState = { status, code, request_id: requestId, restart_url };
  return page(
    { page: 'server_error', server_error },
    {
      ...{ self: restart_url, ...options, status },
      ...(isUnavailable ? { retryAfterSeconds: RETRY_SECONDS } : {}),
    },
  );
}
