/** A provider has proven somebody who may not sign in here. */
import type { ProviderRefusal, ServerErrorState } from '../../contract/page-state.js';
import { page } from '../../gateway/page/outcome.js';
import type { PageOptions, PageOutcome } from '../../gateway/page/outcome.js';
import { loginUrl } from '../sign-in/login-url.js';

const STATUS = 403;

/** @param options of the pages of the request */
export function refusedPage(
  code: ProviderRefusal,
  { challenge, requestId, options }: { challenge: string; requestId: string; options: PageOptions },
): PageOutcome {
  const restart_url = loginUrl(challenge);
  const server_error: ServerErrorState = { status: STATUS, code, request_id: requestId, restart_url };
  return page({ page: 'server_error', server_error }, { self: restart_url, ...options, status: STATUS });
}
