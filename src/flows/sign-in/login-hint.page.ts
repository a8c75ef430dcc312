/** Builds the state of the login hint screen from a remembered session. */
import type { ChallengeFault, LoginHintState } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import { toAccountState } from '../../accounts/account/account-state.js';
import type { Account } from '../../accounts/account/accounts.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { toRestartState } from '../../gateway/page/return-tickets.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { toClientState } from './waiting-request.js';
import { toLoginUrl } from './login-url.js';

export interface LoginHintParts {
  request: LoginRequest;
  account: Account;
  xsrfToken: string;
  ticket: string;
  otherAccountUrl: string;
  options: PageOptions;
}

export function buildLoginHintPage({
  request,
  account,
  xsrfToken,
  ticket,
  otherAccountUrl,
  options,
}: LoginHintParts): PageOutcome {
  const hint: LoginHintState = {
    error: null,
    account: toAccountState(account),
    xsrf_token: xsrfToken,
    login_challenge: request.challenge,
    ticket,
    client: toClientState(request.client),
    other_account_url: otherAccountUrl,
  };
  const self = toLoginUrl(request.challenge);
  return page({ page: 'login_hint', login_hint: hint }, { self, ...options });
}

export interface LoginHintFaultParts {
  fault: ChallengeFault;
  xsrfToken: string;
  restartUrl: string | null;
}

export function buildLoginHintFaultPage({ fault, xsrfToken, restartUrl }: LoginHintFaultParts): PageOutcome {
  const hint: LoginHintState = {
    error: 'challenge',
    challenge_fault: fault,
    xsrf_token: xsrfToken,
    login_challenge: '',
    ticket: '',
    ...toRestartState(restartUrl),
  };
  return page({ page: 'login_hint', login_hint: hint }, { status: 400, self: PATHS.login });
}
