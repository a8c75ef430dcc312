/**
 * The callback of the registration service (REG-3): its answer names or creates an account, which is signed in to the
 * waiting request. All other cases show a page with the way back to the app; nobody is signed in and nothing is
 * created.
 */
import { Injectable } from '@nestjs/common';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { SignIn } from '../sign-in/sign-in.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import { AnswerVerification } from './answer-verification.js';
import { loginUrl } from '../sign-in/login-url.js';
import { RegistrationSignIn } from './registration-sign-in.js';
import { RegistrationScreens } from './screens.js';

@Injectable()
export class RegistrationCallbackFlow {
  constructor(
    private readonly answers: AnswerVerification,
    private readonly hydra: HydraPort,
    private readonly signIn: SignIn,
    private readonly registrationSignIn: RegistrationSignIn,
    private readonly screens: RegistrationScreens,
  ) {}

  async take(answer: unknown, context: RequestContext): Promise<Outcome> {
    const taken = await this.answers.take(answer, context);
    const ticketExpired = (): Outcome => this.screens.ended('error-token', taken.ticket?.requestUrl ?? null, context);
    if (!taken.answer) return ticketExpired();
    const { ticket, key } = taken;
    if (taken.answer.kind === 'cancelled') return redirect(loginUrl(ticket.challenge));
    const request = await this.hydra.getLogin(ticket.challenge).catch(challengeFault);
    if (typeof request === 'string') return ticketExpired();
    // The ticket replaces the anti-forgery value: however often the answer arrives, the sign-in has one result.
    const same: RequestContext = { ...context, form: key.handle };
    const claim = await this.signIn.claim(ticket.challenge, context);
    if (claim.state === 'foreign') return ticketExpired();
    if (claim.state === 'done' || claim.state === 'stepped') return this.signIn.repeat(claim.result, same) ?? ticketExpired();
    const outcome = await this.registrationSignIn.signIn(request, taken, same);
    return typeof outcome === 'string' ? this.screens.ended(outcome, ticket.requestUrl, context) : outcome;
  }
}
