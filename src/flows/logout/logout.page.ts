/** Builds the states of the logout page. */
import { toAccountState } from '../../accounts/account/account-state.js';
import type { Account } from '../../accounts/account/accounts.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { LogoutState } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import type { LogoutRequest } from '../../hydra/hydra.port.js';
import { toClientState } from '../sign-in/waiting-request.js';

export interface LogoutQuestion {
  request: LogoutRequest;
  account: Account | null;
  xsrfToken: string;
  options: PageOptions;
}

export function buildQuestionPage({ request, account, xsrfToken, options }: LogoutQuestion): PageOutcome {
  const logout: LogoutState = {
    status: 'pending',
    logout_challenge: request.challenge,
    xsrf_token: xsrfToken,
    ...(request.client ? { client: toClientState(request.client) } : {}),
    ...(account ? { account: toAccountState(account) } : {}),
  };
  const self = `${PATHS.logout}?${FIELDS.logoutChallenge}=${encodeURIComponent(request.challenge)}`;
  return page({ page: 'logout', logout }, { self, ...options });
}

/** Builds the question for a browser in which a person is signed in, without a logout request of Hydra. */
export function buildLocalQuestionPage(account: Account, xsrfToken: string): PageOutcome {
  const logout: LogoutState = {
    status: 'pending',
    logout_challenge: '',
    local: true,
    xsrf_token: xsrfToken,
    account: toAccountState(account),
  };
  return page({ page: 'logout', logout }, { self: PATHS.logoutCallback });
}

/** Builds the page that reports a logout as done, rejected or failed, or the challenge as invalid (OUT-3). */
export function buildResultPage(
  result: Pick<LogoutState, 'status' | 'apps_notified' | 'nobody'>,
  xsrfToken: string,
  options: PageOptions,
): PageOutcome {
  return page({ page: 'logout', logout: { ...result, logout_challenge: '', xsrf_token: xsrfToken } }, options);
}

/** Builds the page for a browser in which nobody is signed in, whether or not a logout was done. */
export function buildNobodyPage(status: 'accepted' | 'rejected', xsrfToken: string, self: string): PageOutcome {
  return buildResultPage({ status, nobody: true }, xsrfToken, { self });
}
