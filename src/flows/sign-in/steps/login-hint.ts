/** The form of the login hint page, with which a person confirms the session of this browser (HNT-3 to HNT-5). */
import { Body, Controller, Injectable, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import type { ChallengeFault } from '../../../contract/page-state.js';
import { PATHS } from '../../../contract/paths.js';
import { Challenge, OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import { Fault } from '../../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../../gateway/http/request-context.js';
import { Public, AcceptsOutdatedForm } from '../../../gateway/security/access.guard.js';
import { FlowPages, type PresentedChallenge } from '../flow-pages.js';
import { buildLoginHintFaultPage } from '../login-hint.page.js';
import { Dispatch } from '../dispatch.js';
import { SignIns } from '../sign-in.js';
import { toShownFault } from '../waiting-request.js';
import { RememberedLogin, RememberedSession } from './remembered-session.js';
import { toLoginUrl } from '../login-url.js';

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
    private readonly signIns: SignIns,
    private readonly sessions: RememberedSession,
    private readonly rememberedLogin: RememberedLogin,
    private readonly pages: FlowPages,
    private readonly dispatch: Dispatch,
  ) {}

  /** `POST /login/proceed` */
  async proceed({ login_challenge: challenge, user, ticket }: ProceedForm, context: RequestContext): Promise<Outcome> {
    const presentedChallenge = { challenge, ticket };
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return this.#buildFaultPage(request, presentedChallenge, context);
    // Without a session the id in the form would be the only proof, so the person has to sign in (S-15).
    if (!request.skip) return redirect(toLoginUrl(challenge));
    const foundSession = await this.sessions.find(request, context);
    if (foundSession.state !== 'usable') return this.rememberedLogin.answer(request, context);
    if (user !== request.subject) throw new Fault('forbidden', 'The form names a different account than the session');
    const claim = await this.signIns.claim(request, context);
    if (claim.kind === 'repeated') return claim.answer;
    if (claim.kind === 'fault') return this.#buildFaultPage(claim.fault, presentedChallenge, context);
    // Hydra would reject the login until `select_account` is fulfilled.
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (authorizationRequest?.hasPrompt('select_account')) return redirect(authorizationRequest.withAccountSelected());
    const result = await this.dispatch.afterConfirmation(claim.signIn, foundSession.session, context);
    if (result.kind === 'answer') return result.answer;
    // The account was disabled or its sessions ended after the session was found.
    if (result.refusal === 'ended') return this.rememberedLogin.answer(request, context);
    return this.#buildFaultPage(result.refusal, presentedChallenge, context);
  }

  #buildFaultPage(fault: ChallengeFault, presentedChallenge: PresentedChallenge, context: RequestContext): Outcome {
    const restartUrl = this.pages.restartUrl(presentedChallenge, context);
    return buildLoginHintFaultPage({ fault: toShownFault(fault, context), restartUrl, xsrfToken: this.pages.xsrfToken(context) });
  }
}

@Public()
@Controller()
export class LoginHintController {
  constructor(private readonly flow: LoginHintFlow) {}

  /** An outdated form confirms nothing: the request is opened again. */
  @Post(PATHS.loginProceed)
  @AcceptsOutdatedForm()
  async proceed(@Body() form: ProceedForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? redirect(toLoginUrl(form.login_challenge)) : this.flow.proceed(form, context);
  }
}
