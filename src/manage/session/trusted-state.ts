import type { TrustedBrowser } from '../../accounts/sessions/trusted-browsers.js';
import type { TrustedBrowserState } from '../../contract/manage-state.js';

/** For the pages and the calls. */
export function trustedState({ id, browser, since, lastUsedAt, expiresAt, isThis }: TrustedBrowser): TrustedBrowserState {
  return {
    id,
    name: browser ?? null,
    is_this: isThis,
    created_at: since.toISOString(),
    last_used_at: lastUsedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
