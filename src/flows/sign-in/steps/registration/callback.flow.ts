/**
 * The callback of the registration service (REG-3): its answer names or creates an account, and the waiting request signs the person
 * in to that account. If nobody can be signed in, a page shows the result with the way back to the app. After a cancelled
 * registration, the login page is shown; errors that the person can correct lead back to the service.
 */
import { Injectable } from '@nestjs/common';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { SignIns } from '../../sign-in.js';
import { AnswerVerification } from './answer-verification.js';
import { toLoginUrl } from '../../login-url.js';
import { RegistrationSignIn } from './registration-sign-in.js';
import { RegistrationScreens } from './screens.js';

@Injectable()
export class RegistrationCallbackFlow {
  constructor(
    private readonly answers: AnswerVerification,
    private readonly signIns: SignIns,
    private readonly registrationSignIn: RegistrationSignIn,
    private readonly screens: RegistrationScreens,
  ) {}

  async take(answer: unknown, context: RequestContext): Promise<Outcome> {
    const verdict = await this.answers.take(answer, context);
    const showExpired = (): Outcome => this.screens.redirectToStatus('error-token', verdict.ticket?.requestUrl ?? null, context);
    if (!verdict.answer) return showExpired();
    const { ticket, key } = verdict;
    if (verdict.answer.kind === 'cancelled') return redirect(toLoginUrl(ticket.challenge));
    // The ticket replaces the anti-forgery value: however often the answer arrives, the sign-in has one result.
    const answerContext: RequestContext = { ...context, submission: key.handle };
    const foundSignIn = await this.signIns.resumeAtHydra(ticket.challenge, answerContext);
    if (foundSignIn.kind === 'repeated') return foundSignIn.answer;
    if (foundSignIn.kind !== 'open') return showExpired();
    const outcome = await this.registrationSignIn.signIn(foundSignIn.signIn, verdict, answerContext);
    return typeof outcome === 'string' ? this.screens.redirectToStatus(outcome, ticket.requestUrl, context) : outcome;
  }
}
