/** The login screen as the steps of this flow answer with it. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { PageOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { providerState } from '../sign-in/waiting-request.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import type { PresentedChallenge } from '../sign-in/flow-pages.js';
import { requestedHints } from '../sign-in/registration-hints.js';
import type { LoginForm } from './login.form.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { accountsPage } from '../providers/accounts.page.js';
import type { AccountsPageParts } from '../providers/accounts.page.js';
import { brokenLoginPage, loginPage } from './login.page.js';
import type { LoginProblem } from './login.page.js';

export interface FailedTry {
  /** Absent where nothing was typed. */
  form?: LoginForm;
  problem: LoginProblem;
  status: number;
  retryAfter?: number;
}

@Injectable()
export class LoginScreens {
  constructor(
    private readonly edge: FlowPages,
    private readonly providers: IdentityProviders,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mail' | 'registration'>,
  ) {}

  login(request: LoginRequest, context: RequestContext, failed?: FailedTry): PageOutcome {
    const ticket = this.edge.ticket(request);
    const { service, hintNames } = this.config.registration;
    return loginPage({
      request,
      ticket,
      xsrfToken: this.edge.xsrfToken(context),
      config: this.config,
      providers: this.providers.list().map(providerState),
      hints: service ? requestedHints(this.edge.asked(request), hintNames) : {},
      ...(failed?.form ? { typed: { username: failed.form.username ?? '', remember: failed.form.remember === 'true' } } : {}),
      ...(failed ? { problem: failed.problem } : {}),
      options: {
        ...this.edge.pageOptions(request),
        cookies: { resume: ticket },
        ...(failed ? { status: failed.status } : {}),
        ...(failed?.retryAfter === undefined ? {} : { retryAfterSeconds: failed.retryAfter }),
      },
    });
  }

  accounts(
    request: LoginRequest,
    offer: Pick<AccountsPageParts, 'provider' | 'token' | 'accounts'>,
    context: RequestContext,
  ): PageOutcome {
    const ticket = this.edge.ticket(request);
    const options = { ...this.edge.pageOptions(request), cookies: { resume: ticket } };
    return accountsPage({ ...offer, challenge: request.challenge, ticket, xsrfToken: this.edge.xsrfToken(context), options });
  }

  /** A way back into a request that is not known any more: the one that this browser began last. */
  lost(restartUrl: string | null, context: RequestContext): PageOutcome {
    const { remember } = this.config.login;
    return brokenLoginPage({ fault: 'expired', challenge: '', restartUrl, xsrfToken: this.edge.xsrfToken(context), remember });
  }

  broken(fault: ChallengeFault, posted: PresentedChallenge, context: RequestContext): PageOutcome {
    const restartUrl = this.edge.restartUrl(posted, context);
    return brokenLoginPage({
      fault,
      challenge: posted.challenge,
      restartUrl,
      xsrfToken: this.edge.xsrfToken(context),
      remember: this.config.login.remember,
    });
  }
}
