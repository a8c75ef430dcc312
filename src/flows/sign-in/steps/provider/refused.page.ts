/** A provider has proven somebody who may not sign in here. */
import type { ProviderRefusal, ServerErrorState } from '../../../../contract/page-state.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { loginUrl } from '../../login-url.js';

/** A user source could not say whether a name is its own; another try may succeed. */
const RETRY_SECONDS = 30;

/** @param options of the pages of the request */
export function refusedPage(
  code: ProviderRefusal,
  { challenge, requestId, options }: { challenge: string; requestId: string; options: PageOptions },
): PageOutcome {
  const restart_url = loginUrl(challenge);
  const isLater = code === 'source_unavailable';
  const status = isLater ? 503 : 403;
  const server_error: ServerErrorState = { status, code, request_id: requestId, restart_url };
  return page(
    { page: 'server_error', server_error },
    {
      ...{ self: restart_url, ...options, status },
      ...(isLater ? { retryAfterSeconds: RETRY_SECONDS } : {}),
    },
  );
}
