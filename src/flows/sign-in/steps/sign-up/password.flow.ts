/** The last step of a sign-up: the password. It creates the account, which is proven by that, and `Dispatch` decides what comes next. */
import { Injectable } from '@nestjs/common';
import { SignUp } from '../../../../accounts/changes/sign-up.js';
import { PASSWORD_ONLY } from '../../../../contract/authentication.js';
import type { RegistrationStepState } from '../../../../contract/registration-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome, type RedirectOutcome } from '../../../../gateway/page/outcome.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import { Factors } from '../../../../mfa/factors.js';
import { bindAnswer } from '../../answers.js';
import { Dispatch } from '../../dispatch.js';
import { loginUrl, toSecondStepUrl, toSignUpUrl } from '../../login-url.js';
import { SignIns, type Proof, type SignIn } from '../../sign-in.js';
import { SignUpProgress, type Progress } from './progress.js';
import { SignUpPages } from './sign-up.pages.js';

export interface TypedPassword {
  challenge: string;
  password: string;
  repetition: string;
}

type PasswordError = Extract<RegistrationStepState, { status: 'password' }>['error'];

@Injectable()
export class SignUpPasswordFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly pages: SignUpPages,
    private readonly progress: SignUpProgress,
    private readonly signUp: SignUp,
    private readonly factors: Factors,
    private readonly dispatch: Dispatch,
  ) {}

  /** `GET /sign-up/password` */
  async show(challenge: string, context: RequestContext): Promise<Outcome> {
    this.pages.requireSignUp();
    const found = await this.signIns.resume(challenge, context);
    if (found.kind !== 'open') return this.pages.answerFound(found, challenge);
    const progress = this.#findProven(challenge, context);
    return progress
      ? this.pages.password({ request: found.signIn.request, progress }, {}, context)
      : redirect(toSignUpUrl(challenge));
  }

  /** `POST /sign-up/password` */
  async submit(typed: TypedPassword, requestContext: RequestContext): Promise<Outcome> {
    this.pages.requireSignUp();
    const { challenge, password, repetition } = typed;
    const context = bindAnswer(requestContext, password);
    // Asks Hydra, because an account is created before the sign-in ends.
    const found = await this.signIns.resumeAtHydra(challenge, context);
    if (found.kind !== 'open') return this.pages.answerFound(found, challenge);
    const { signIn } = found;
    const progress = this.#findProven(challenge, context);
    if (!progress) return redirect(this.#isOver(signIn, context) ? toSecondStepUrl(challenge) : toSignUpUrl(challenge));
    const error = context.form === null ? 'stale' : findFault(password, repetition);
    if (error !== null) return this.pages.password({ request: signIn.request, progress }, { error }, context);
    return this.#sameForms.runOnce([challenge, context.form ?? '', password], () =>
      this.#create(signIn, progress, { password, context }),
    );
  }

  async #create(
    signIn: SignIn,
    progress: Progress,
    { password, context }: { password: string; context: RequestContext },
  ): Promise<Outcome> {
    const { challenge, request } = signIn;
    const { details } = progress;
    const result = await this.signUp.create({ details, password, by: toPerson(context, request.uiLocales) });
    switch (result.kind) {
      case 'weak':
        return this.pages.password({ request, progress }, { error: 'password-strength', reasons: result.reasons }, context);
      case 'limited':
        return this.pages.details(request, { details, error: 'limited', retryAfter: result.retryAfter }, context);
      case 'busy':
        return this.pages.password({ request, progress }, { error: 'busy' }, context);
      case 'fault':
        return this.pages.details(request, { details, faults: [result.fault] }, context);
      case 'exists':
        // The second click of a double click, at another gateway, gets the answer of the first.
        return (await this.signIns.findAnswer(challenge, context)) ?? this.pages.exists(request, context);
      case 'created': {
        const { account, passwordVersion } = result;
        const factors = await this.factors.status(account.id);
        return this.#dispatch(signIn, { account, factors, amr: PASSWORD_ONLY.amr, credential: { passwordVersion } }, context);
      }
    }
  }

  async #dispatch(signIn: SignIn, proof: Proof, context: RequestContext): Promise<Outcome> {
    const browser = { remember: this.dispatch.remembers(undefined), isDeviceStored: false };
    const next = await this.dispatch.afterProof(signIn, { proof, browser }, context);
    // The account exists. The login page explains what is wrong with the request, or asks for the password.
    return endSignUp(next.kind === 'answer' ? next.answer : redirect(loginUrl(signIn.challenge)));
  }

  /** Whether an earlier click of the same form has created the account, which has to prove more: the browser has then forgotten the sign-up. */
  #isOver({ isIdentified }: SignIn, context: RequestContext): boolean {
    return isIdentified && this.progress.open(context) === null;
  }

  /** @returns null unless the address is proven for this request, and the username is free */
  #findProven(challenge: string, context: RequestContext): Progress | null {
    const progress = this.progress.openFor(challenge, context);
    const isProven = progress !== null && progress.provenEmail === progress.details.email;
    return isProven && !progress.isUsernameTaken ? progress : null;
  }
}

function endSignUp({ url, cookies }: RedirectOutcome): RedirectOutcome {
  return redirect(url, { ...cookies, signUp: null });
}

function findFault(password: string, repetition: string): PasswordError {
  if (password === '') return 'empty-password';
  if (repetition === '') return 'empty-password-repeat';
  // The two fields may use different Unicode compositions of the same text (VAL-1: NFC).
  return password.normalize('NFC') === repetition.normalize('NFC') ? null : 'passwords-not-equal';
}
