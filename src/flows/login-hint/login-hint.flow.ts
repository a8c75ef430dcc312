/** "You are logged in as ...": handles the Proceed button (HNT-3 to HNT-5). */
import { Injectable } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { FlowPages, type PresentedChallenge } from '../sign-in/flow-pages.js';
import { brokenLoginHintPage } from '../sign-in/login-hint.page.js';
import { RememberedLogin } from '../sign-in/remembered-login.js';
import { SignIn } from '../sign-in/sign-in.js';
import { challengeFault, faultShown } from '../sign-in/waiting-request.js';
import { loginUrl } from '../sign-in/login-url.js';

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
    private readonly signIn: SignIn,
    private readonly remembered: RememberedLogin,
    private readonly pages: FlowPages,
  ) {}

  /** `POST /login/proceed` */
  async proceed({ login_challenge: challenge, user, ticket }: ProceedForm, context: RequestContext): Promise<Outcome> {
    const presented = { challenge, ticket };
    if (challenge === '') return this.#broken('missing', presented, context);
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return this.#broken(request, presented, context);
    // Without a session the id in the form would be the only proof, so the password is required (S-15).
    if (!request.skip) return redirect(loginUrl(challenge));
    const found = await this.remembered.find(request, context);
    if (found.state !== 'usable') return this.remembered.answer(request, context);
    if (user !== request.subject) throw new Fault('forbidden', 'The account of the form is not the one of the session');
    const claim = await this.signIn.claim(challenge, context);
    if (claim.state === 'foreign' || claim.state === 'stepped') return this.#broken('foreign', presented, context);
    if (claim.state === 'done') {
      return this.signIn.repeat(claim.result, context) ?? this.#broken('used', presented, context);
    }
    return (await this.remembered.proceed(request, found, context)) ?? this.#broken('used', presented, context);
  }

  #broken(fault: ChallengeFault, presented: PresentedChallenge, context: RequestContext): Outcome {
    const restartUrl = this.pages.restartUrl(presented, context);
    return brokenLoginHintPage({ fault: faultShown(fault, context), restartUrl, xsrfToken: this.pages.xsrfToken(context) });
  }
}
