/** The end of a sign-up: the new account counts as proven, and `Dispatch` decides what comes next; or a page states what is wrong. */
import { Injectable } from '@nestjs/common';
import type { SignUpOutcome } from '../../../../accounts/changes/sign-up.js';
import type { Amr } from '../../../../contract/authentication.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome, type RedirectOutcome } from '../../../../gateway/page/outcome.js';
import { Factors } from '../../../../mfa/factors.js';
import { Dispatch } from '../../dispatch.js';
import { toLoginUrl } from '../../login-url.js';
import { SignIns, type Proof, type SignIn } from '../../sign-in.js';
import type { Progress } from './progress.js';
import { SignUpPages } from './sign-up.pages.js';

export interface EndedSignUp {
  signIn: SignIn;
  progress: Progress;
  result: SignUpOutcome;
  /** What the new credential proves. */
  amr: readonly Amr[];
}

@Injectable()
export class SignUpEnd {
  constructor(
    private readonly signIns: SignIns,
    private readonly pages: SignUpPages,
    private readonly factors: Factors,
    private readonly dispatch: Dispatch,
  ) {}

  async answer({ signIn, progress, result, amr }: EndedSignUp, context: RequestContext): Promise<Outcome> {
    const { challenge, request } = signIn;
    const { details } = progress;
    switch (result.kind) {
      case 'weak':
        return this.pages.password({ request, progress }, { error: 'password-strength', reasons: result.reasons }, context);
      case 'limited':
        return this.pages.details(request, { details, error: 'limited', retryAfter: result.retryAfter }, context);
      case 'busy':
        return this.pages.password({ request, progress }, { error: 'busy' }, context);
      case 'taken':
        return this.pages.password({ request, progress }, { error: 'passkey' }, context);
      case 'fault':
        return this.pages.details(request, { details, faults: [result.fault] }, context);
      case 'exists':
        // The second click of a double click, at another gateway, gets the answer of the first.
        return (await this.signIns.findAnswer(challenge, context)) ?? this.pages.showExistingAccount(request, context);
      case 'created': {
        const { account, credential } = result;
        const factors = await this.factors.readCounts(account.id);
        return this.#dispatch(signIn, { account, factors, amr, credential }, context);
      }
    }
  }

  async #dispatch(signIn: SignIn, proof: Proof, context: RequestContext): Promise<Outcome> {
    const browser = { remember: this.dispatch.remembers(undefined), isDeviceStored: false };
    const decision = await this.dispatch.afterProof(signIn, { proof, browser }, context);
    // The account exists. The login page explains what is wrong with the request, or the person signs in there.
    return endSignUp(decision.kind === 'answer' ? decision.answer : redirect(toLoginUrl(signIn.challenge)));
  }
}

function endSignUp({ url, cookies }: RedirectOutcome): RedirectOutcome {
  return redirect(url, { ...cookies, signUp: null });
}
