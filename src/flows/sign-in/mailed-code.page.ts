/**
 * Builds the pages of a sign-in with a code by mail: the form for the username, the form for the code, and the page after a code that is
 * not enough.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { MailedCodeState } from '../../contract/page-state.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { page, type PageOutcome } from '../../gateway/page/outcome.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { toLoginUrl, toCodeSignInUrl } from './login-url.js';
import { LoginScreens } from './login-screens.js';
import { toClientState } from './waiting-request.js';

type NameState = Extract<MailedCodeState, { status: 'ask' }>;
type CodeState = Extract<MailedCodeState, { status: 'code' }>;

/** What the pages show after a form that was not accepted. */
export interface ShownProblem<Error> {
  error: Error;
  status: number;
  retryAfter?: number;
}

@Injectable()
export class MailedCodePages {
  constructor(
    private readonly screens: LoginScreens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** @param username as typed; absent to show the username of the request */
  buildNameForm(
    request: LoginRequest,
    context: RequestContext,
    { username, problem }: { username?: string | undefined; problem?: ShownProblem<NameState['error']> } = {},
  ): PageOutcome {
    const { error = null, retryAfter } = problem ?? {};
    const state: NameState = {
      ...this.#buildFrame(request, context),
      status: 'ask',
      error,
      username: username ?? request.loginHint ?? '',
      ...(this.config.login.byEmail ? { by_email: true } : {}),
      ...defined({ retry_after: retryAfter }),
    };
    return this.#buildPage(state, request, { context, problem });
  }

  /** @param remember whether "Stay signed in" is checked */
  buildCodeForm(
    request: LoginRequest,
    context: RequestContext,
    { remember = false, problem }: { remember?: boolean; problem?: ShownProblem<CodeState['error']> } = {},
  ): PageOutcome {
    const { error = null, retryAfter } = problem ?? {};
    const state: CodeState = {
      ...this.#buildFrame(request, context),
      status: 'code',
      error,
      remember: this.config.login.remember === 'ask' ? 'ask' : 'fixed',
      remember_checked: remember,
      again_url: toCodeSignInUrl(request.challenge, { [MANAGE_QUERY.status]: 'ask' }),
      ...defined({ retry_after: retryAfter }),
    };
    return this.#buildPage(state, request, { context, problem });
  }

  /** The code was right, but the request requires a stronger proof. */
  buildWeakProofPage(request: LoginRequest, context: RequestContext): PageOutcome {
    const state = { ...this.#buildFrame(request, context), status: 'not-enough' } as const;
    return this.#buildPage(state, request, { context, problem: { error: null, status: 403 } });
  }

  #buildFrame(request: LoginRequest, context: RequestContext) {
    const { xsrfToken, ticket } = this.screens.buildCommonValues(request, context);
    const { challenge } = request;
    return {
      xsrf_token: xsrfToken,
      login_challenge: challenge,
      ticket,
      client: toClientState(request.client),
      login_url: toLoginUrl(challenge),
    };
  }

  #buildPage(
    mailed_code: MailedCodeState,
    request: LoginRequest,
    { context, problem }: { context: RequestContext; problem: ShownProblem<unknown> | undefined },
  ): PageOutcome {
    const { options } = this.screens.buildCommonValues(request, context);
    const { status, retryAfter: retryAfterSeconds } = problem ?? {};
    const self = toCodeSignInUrl(request.challenge);
    return page({ page: 'mailed_code', mailed_code }, { ...options, self, ...defined({ status, retryAfterSeconds }) });
  }
}
