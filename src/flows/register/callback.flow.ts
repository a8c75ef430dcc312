/**
 * Back from the registration service (REG-3): its answer names or makes an account, which then signs on to the request
 * that waits. Whatever else comes ends on a screen with the way back to the app; nothing is made and nobody signed in.
 */
import { Injectable } from '@nestjs/common';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { SignOn } from '../sign-in/sign-in.js';
import { challengeFault } from '../sign-in/waiting-request.js';
import { AnswerDesk } from './answer-verification.js';
import { loginUrl } from './start.flow.js';
import { Newcomer } from './registered-account.js';
import { RegistrationScreens } from './screens.js';

@Injectable()
export class ReturnFlow {
  constructor(
    private readonly desk: AnswerDesk,
    private readonly hydra: HydraPort,
    private readonly signOn: SignOn,
    private readonly newcomer: Newcomer,
    private readonly screens: RegistrationScreens,
  ) {}

  async take(answer: unknown, visit: Visit): Promise<Outcome> {
    const taken = await this.desk.take(answer, visit);
    const over = (): Outcome => this.screens.ended('error-token', taken.handover?.requestUrl ?? null);
    if (!taken.answer) return over();
    const { handover, key } = taken;
    if (taken.answer.kind === 'cancelled') return redirect(loginUrl(handover.challenge));
    const request = await this.hydra.getLogin(handover.challenge).catch(challengeFault);
    if (typeof request === 'string') return over();
    // The hand-over takes the place of a form: however often its answer comes, the sign-in has one outcome.
    const same: Visit = { ...visit, form: key.handle };
    const claim = await this.signOn.claim(handover.challenge, visit);
    if (claim.state === 'foreign') return over();
    if (claim.state === 'done' || claim.state === 'stepped') return this.signOn.repeat(claim.result, same) ?? over();
    const outcome = await this.newcomer.signOn(request, taken, same);
    return typeof outcome === 'string' ? this.screens.ended(outcome, handover.requestUrl) : outcome;
  }
}
