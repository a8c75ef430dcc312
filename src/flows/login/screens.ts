/** The login screen as the steps of this flow answer with it. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { PageOutcome } from '../../gateway/outcome.js';
import type { Visit } from '../../gateway/visit.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { FlowEdge } from '../sign-on/flow-edge.js';
import type { PostedChallenge } from '../sign-on/flow-edge.js';
import type { LoginForm } from './login.form.js';
import { brokenLoginPage, loginPage } from './login.page.js';
import type { LoginProblem } from './login.page.js';

export interface FailedTry {
  form: LoginForm;
  problem: LoginProblem;
  status: number;
  retryAfter?: number;
}

@Injectable()
export class LoginScreens {
  constructor(
    private readonly edge: FlowEdge,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mail'>,
  ) {}

  login(request: LoginRequest, visit: Visit, failed?: FailedTry): PageOutcome {
    const ticket = this.edge.ticket(request);
    return loginPage({
      request,
      ticket,
      xsrfToken: this.edge.xsrfToken(visit),
      config: this.config,
      ...(failed
        ? { typed: { username: failed.form.username ?? '', remember: failed.form.remember === 'true' }, problem: failed.problem }
        : {}),
      options: {
        ...this.edge.pageOptions(request),
        cookies: { resume: ticket },
        ...(failed ? { status: failed.status } : {}),
        ...(failed?.retryAfter === undefined ? {} : { retryAfterSeconds: failed.retryAfter }),
      },
    });
  }

  broken(fault: ChallengeFault, posted: PostedChallenge, visit: Visit): PageOutcome {
    const restartUrl = this.edge.restartUrl(posted, visit);
    return brokenLoginPage({
      fault,
      challenge: posted.challenge,
      restartUrl,
      xsrfToken: this.edge.xsrfToken(visit),
      remember: this.config.login.remember,
    });
  }
}
