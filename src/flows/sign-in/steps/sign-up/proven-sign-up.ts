/**
 * A sign-up whose address is proven, for the page and the forms of its last step. Before the account is created or applied for, the details
 * are checked again: the settings may have changed since, so that an address or an attribute is no longer allowed.
 */
import { Injectable } from '@nestjs/common';
import { SignUp } from '../../../../accounts/changes/sign-up.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { toSecondStepUrl, toSignUpUrl } from '../../login-url.js';
import { SignIns, type SignIn } from '../../sign-in.js';
import { SignUpProgress, type Progress } from './progress.js';
import { findDetailFaults, keepRequestedFields } from './sign-up.form.js';
import { SignUpPages } from './sign-up.pages.js';

export interface ProvenSignUp {
  signIn: SignIn;
  progress: Progress;
}

@Injectable()
export class ProvenSignUps {
  constructor(
    private readonly signIns: SignIns,
    private readonly pages: SignUpPages,
    private readonly progress: SignUpProgress,
    private readonly signUp: SignUp,
  ) {}

  /** `GET /register/password` */
  async show(challenge: string, context: RequestContext): Promise<Outcome> {
    this.pages.requireSignUp();
    const foundSignIn = await this.signIns.resume(challenge, context);
    if (foundSignIn.kind !== 'open') return this.pages.answerFoundSignIn(foundSignIn, challenge);
    const { request } = foundSignIn.signIn;
    const progress = this.progress.findProven(challenge, context);
    return progress ? this.pages.password({ request, progress }, {}, context) : redirect(toSignUpUrl(challenge));
  }

  /**
   * Answers a form of the last step.
   * @returns the answer of `submit`; another answer if the sign-in is not open, or not at this step, or if the details have a fault by now
   */
  async run(
    challenge: string,
    context: RequestContext,
    submit: (provenSignUp: ProvenSignUp) => Promise<Outcome>,
  ): Promise<Outcome> {
    const { settings } = this.pages;
    // Asks Hydra, because an account is created before the sign-in ends.
    const foundSignIn = await this.signIns.resumeAtHydra(challenge, context);
    if (foundSignIn.kind !== 'open') return this.pages.answerFoundSignIn(foundSignIn, challenge);
    const { signIn } = foundSignIn;
    const progress = this.progress.findProven(challenge, context);
    if (!progress) return redirect(this.#isOver(signIn, context) ? toSecondStepUrl(challenge) : toSignUpUrl(challenge));
    const details = keepRequestedFields(settings.fields, progress.details);
    const faults = findDetailFaults(details, settings, this.signUp);
    if (faults.length > 0) return this.pages.details(signIn.request, { details, faults }, context);
    return submit({ signIn, progress: { ...progress, details } });
  }

  /**
   * Whether an earlier click on the same form has created the account and deleted the cookie, and a second factor or a task is
   * outstanding.
   */
  #isOver({ isIdentified }: SignIn, context: RequestContext): boolean {
    return isIdentified && this.progress.open(context) === null;
  }
}
