/** "You are logged in as ...": the answer to its Proceed button (HNT-3 to HNT-5). */
import { Injectable } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { FlowEdge } from '../sign-in/flow-pages.js';
import type { PostedChallenge } from '../sign-in/flow-pages.js';
import { brokenLoginHintPage } from '../sign-in/login-hint.page.js';
import { RememberedLogin } from '../sign-in/remembered-login.js';
import { SignOn } from '../sign-in/sign-in.js';
import { challengeFault } from '../sign-in/waiting-request.js';

export class ProceedForm {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(100)
  [FIELDS.user]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

@Injectable()
export class LoginHintFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signOn: SignOn,
    private readonly remembered: RememberedLogin,
    private readonly edge: FlowEdge,
  ) {}

  /** `POST /login/proceed` */
  async proceed({ login_challenge: challenge, user, ticket }: ProceedForm, visit: Visit): Promise<Outcome> {
    const posted = { challenge, ticket };
    if (challenge === '') return this.#broken('missing', posted, visit);
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.#broken(request, posted, visit);
    // Without a session the id in the form would be the only proof: the password is asked instead (S-15).
    if (!request.skip) return redirect(`${PATHS.login}?${FIELDS.loginChallenge}=${encodeURIComponent(challenge)}`);
    if (user !== request.subject) throw new Fault('forbidden', 'The account of the form is not the one of the session');
    const claim = await this.signOn.claim(challenge, visit);
    if (claim.state === 'foreign' || claim.state === 'stepped') return this.#broken('foreign', posted, visit);
    if (claim.state === 'done') {
      return this.signOn.repeat(claim.result, visit) ?? this.#broken('used', posted, visit);
    }
    const found = await this.remembered.find(request);
    if (!found) return this.remembered.answer(request, visit);
    return (await this.remembered.proceed(request, found, visit)) ?? this.#broken('used', posted, visit);
  }

  #broken(fault: ChallengeFault, posted: PostedChallenge, visit: Visit): Outcome {
    const restartUrl = this.edge.restartUrl(posted, visit);
    return brokenLoginHintPage({ fault, restartUrl, xsrfToken: this.edge.xsrfToken(visit) });
  }
}
