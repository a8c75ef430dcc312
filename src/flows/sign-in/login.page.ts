/** Builds the state of the login screen from the login request. */
import type { ChallengeFault, LoginState, ProviderState } from '../../contract/page-state.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { signsInByAddress } from '../../config/source-settings.js';
import { page, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import { toRestartState } from '../../gateway/page/return-tickets.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import type { Hints } from './registration-hints.js';
import { toClientWithPolicyState } from './waiting-request.js';
import { toLoginUrl, toCodeSignInUrl, toPasswordRequestUrl } from './login-url.js';

export interface LoginPageParts {
  request: LoginRequest;
  xsrfToken: string;
  ticket: string;
  config: Pick<Config, 'login' | 'mail' | 'sources'>;
  options: PageOptions;
  providers: ProviderState[];
  /** State of the form if e-mail addresses of some domains lead to a provider; otherwise empty. */
  domains: Pick<LoginState, 'by' | 'by_domain' | 'password_here'>;
  passkey: LoginState['passkey'];
  connect?: LoginState['connect'];
  /** Hints of the request; none unless a registration service is configured. */
  hints: Hints;
  /** Whether people create their accounts on Foyer's pages. */
  canRegister: boolean;
  /** The values to fill in, after a failed attempt. */
  input?: { username: string; remember: boolean };
  problem?: LoginProblem;
}

export type LoginProblem = Pick<LoginState, 'error'> &
  Partial<Pick<LoginState, 'retry_after' | 'limited' | 'missing' | 'provider' | 'request_id'>>;

export function buildLoginPage({
  request,
  xsrfToken,
  ticket,
  config,
  options,
  providers,
  domains,
  connect,
  passkey,
  hints,
  canRegister,
  input,
  problem,
}: LoginPageParts): PageOutcome {
  const { remember } = config.login;
  const login: LoginState = {
    error: null,
    xsrf_token: xsrfToken,
    login_challenge: request.challenge,
    reg_hints: Object.entries(hints).map(([key, value]) => ({ key, value })),
    ...(canRegister ? { can_register: true } : {}),
    ticket,
    client: toClientWithPolicyState(request.client),
    username: input?.username ?? request.loginHint ?? '',
    remember: remember === 'ask' ? 'ask' : 'fixed',
    remember_checked: input?.remember ?? false,
    missing: [],
    ...(config.login.byEmail || config.sources.some(signsInByAddress) ? { by: 'email' } : {}),
    ...domains,
    ...(providers.length > 0 ? { providers } : {}),
    ...(passkey ? { passkey } : {}),
    ...defined({ connect }),
    // Without a mail server, no reset mail can be sent (LOG-3).
    ...(config.mail.server ? { password_reset_url: toPasswordRequestUrl(request.challenge) } : {}),
    ...(offersCodes(config) ? { code_url: toCodeSignInUrl(request.challenge) } : {}),
    ...problem,
  };
  return page({ page: 'login', login }, { self: toLoginUrl(request.challenge), ...options });
}

/** Whether people can sign in with a code by mail. Without a mail server, no code can be sent. */
export function offersCodes({ login, mail }: Pick<Config, 'login' | 'mail'>): boolean {
  return login.codes === 'on' && mail.server !== undefined;
}

export interface LoginFaultParts {
  fault: ChallengeFault;
  challenge: string;
  xsrfToken: string;
  restartUrl: string | null;
  remember: Config['login']['remember'];
  /** Shown for a refusal that is in the audit log. */
  requestId?: string | undefined;
}

/** The screen with a disabled form: the challenge cannot be used in this browser (LOG-5). */
export function buildLoginFaultPage({
  fault,
  challenge,
  xsrfToken,
  restartUrl,
  remember,
  requestId,
}: LoginFaultParts): PageOutcome {
  const login: LoginState = {
    error: 'challenge',
    challenge_fault: fault,
    xsrf_token: xsrfToken,
    login_challenge: '',
    reg_hints: [],
    ticket: '',
    username: '',
    remember: remember === 'ask' ? 'ask' : 'fixed',
    remember_checked: false,
    missing: [],
    ...toRestartState(restartUrl),
    ...defined({ request_id: requestId }),
  };
  return page({ page: 'login', login }, { status: 400, self: toLoginUrl(challenge) });
}
