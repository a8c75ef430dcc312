/**
 * The second step of a sign-in: its page and its form (MFV-1 to MFV-8). It verifies factors; `Dispatch` decides whether that is
 * enough and what follows.
 */
import { Injectable } from '@nestjs/common';
import { defined } from '../../../../config/defined.js';
import { FIELDS, MANAGE_QUERY } from '../../../../contract/form-fields.js';
import { Fault } from '../../../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { EnrolmentFlow } from './enrolment.flow.js';
import { Dispatch, toShownRefusal } from '../../dispatch.js';
import { toSecondStepUrl, toTaskUrl } from '../../login-url.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';
import { SecondFactor, type SecondFactorVerdict } from './second-factor.js';
import type { Provable } from '../../../../mfa/factor.port.js';
import { toSignInBinding } from '../../../../mfa/factor-slot.js';
import { isRecovery, MAILED_FACTORS } from '../../../../mfa/held-factors.js';
import { FactorRegistry } from '../../../../mfa/registry.js';
import type { PresentedChallenge } from '../../../../gateway/page/return-tickets.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import type { VerificationForm, VerificationQuery } from './verification.form.js';
import { VerificationPages, type ShownState } from './verification.page.js';

interface Submission {
  signIn: IdentifiedSignIn;
  form: VerificationForm;
  context: RequestContext;
}

@Injectable()
export class VerificationFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly secondFactor: SecondFactor,
    private readonly dispatch: Dispatch,
    private readonly registry: FactorRegistry,
    private readonly enrolment: EnrolmentFlow,
    private readonly pages: VerificationPages,
  ) {}

  /** `GET /mfa/verify`: writes nothing. */
  async show({ login_challenge: challenge, method, setup }: VerificationQuery, context: RequestContext): Promise<Outcome> {
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.pages.buildFaultPage(await this.signIns.explainMissing(challenge, context), { challenge }, context);
    if (await this.#awaitsTask(signIn, context)) return redirect(toTaskUrl(challenge));
    const setupState = await this.enrolment.findSetup(signIn, setup);
    return this.#buildPage({ signIn, context }, { method, factorToSetUp: setup, ...(setupState ? { setup: setupState } : {}) });
  }

  /**
   * `POST /mfa/verify`: submits a factor token or, without script, the code; without either, begins the proof of the factor.
   * `proceed=later` postpones the set-up.
   */
  submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { mfa_token: token = '', code = '', proceed = '' } = form;
    const key = [context.browser, context.xsrf ?? '', token, code, proceed];
    return this.#sameForms.runOnce(key, () => this.#submit(form, context));
  }

  async #submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, mfa_token: token = '', ticket } = form;
    const presentedChallenge = { challenge, ticket };
    // The browser is trusted only if this form proves the factor: an earlier form may have proven a recovery code, for which no factor token
    // is issued.
    const trustsBrowser = form.trust_browser === 'true';
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.#answerMissing(presentedChallenge, context);
    if (signIn.isClosed) return this.#buildPage({ signIn, context }, {});
    if (form.proceed === 'later') return this.#postpone(presentedChallenge, { signIn, context });
    if (token !== '') {
      // The page that shows the recovery codes of a set-up sends one of them.
      if (form.code !== undefined) await this.secondFactor.confirmCodesSeen(signIn, form.code);
      // Another click may have used the token, so `#continueSignIn` reads from the database what was proven.
      const isRight = await this.secondFactor.consumeFactorToken(signIn, token);
      return this.#continueSignIn(presentedChallenge, {
        signIn,
        context,
        trustsBrowser: trustsBrowser && isRight,
        isProven: isRight,
      });
    }
    // An earlier click of the same form may have proven the factor.
    if (await this.#awaitsTask(signIn, context)) return redirect(toTaskUrl(challenge));
    const factor = this.#getFactor(form);
    if (form.code === undefined && factor.kind.proofBegins) return this.#begin(factor, { signIn, form, context });
    const verdict = await this.#tryCode(factor, { signIn, form, context });
    if (verdict.kind !== 'proven') return this.#showRefusal(verdict, factor, { signIn, form, context });
    const isProven = await this.secondFactor.prove(signIn, { amr: factor.kind.amr, methods: verdict.methods });
    const trusts = trustsBrowser && !isRecovery(factor.kind.name);
    return this.#continueSignIn(presentedChallenge, { signIn, context, trustsBrowser: trusts, isProven, isRecorded: isProven });
  }

  /** Has no effect from the day on which a factor is required: the page is then shown again. */
  async #postpone(
    presentedChallenge: PresentedChallenge,
    submission: { signIn: IdentifiedSignIn; context: RequestContext },
  ): Promise<Outcome> {
    await this.signIns.postpone(submission.signIn, 'factor');
    return this.#continueSignIn(presentedChallenge, { ...submission, trustsBrowser: false, isProven: true });
  }

  /** Whether nothing more has to be proven, and a task is outstanding. */
  async #awaitsTask(signIn: IdentifiedSignIn, context: RequestContext): Promise<boolean> {
    return this.dispatch.hasTask(signIn) && (await this.dispatch.findAwaitedStep(signIn, context)).kind === 'task';
  }

  /** @returns the factor that the form proves. An unknown name selects the first factor that a form can prove. */
  #getFactor({ method }: VerificationForm): Provable {
    const [firstFactor, ...otherFactors] = this.registry.provableFactors.filter(({ kind }) => kind.provenBy !== 'calls');
    const factor = otherFactors.find(({ kind }) => kind.name === method) ?? firstFactor;
    if (!factor) throw new Error('No kind of factor is proven by a form.');
    return factor;
  }

  async #begin(factor: Provable, { signIn, form, context }: Submission): Promise<Outcome> {
    this.#requireUsable(factor, signIn);
    const { login_challenge: challenge } = form;
    const method = factor.kind.name;
    const result = await factor.beginProof(this.secondFactor.toSlot(signIn), toPerson(context, signIn.request.uiLocales));
    if (result?.kind === 'begun') return redirect(toSecondStepUrl(challenge, { [MANAGE_QUERY.method]: method }));
    if (result?.kind === 'refused') return this.#buildPage({ signIn, context }, { method, error: result.code, status: 422 });
    return this.#showRefusal(result ?? { kind: 'missing' }, factor, { signIn, form, context });
  }

  async #tryCode(factor: Provable, { signIn, form: { code = '' }, context }: Submission): Promise<SecondFactorVerdict> {
    this.#requireUsable(factor, signIn);
    const answer = { [FIELDS.code]: code };
    const proof = { accountId: signIn.account.id, boundTo: toSignInBinding(signIn.id), answer, auditContext: toPerson(context) };
    return this.secondFactor.try(signIn, () => factor.verify(proof));
  }

  #requireUsable({ kind }: Provable, signIn: IdentifiedSignIn): void {
    const { onlyKey, acceptsMailedCode } = this.dispatch.toRequirement(signIn);
    if (onlyKey && kind.amr !== 'hwk') throw new Fault('forbidden', 'Only a security key is accepted, not a code');
    if (!acceptsMailedCode && MAILED_FACTORS.includes(kind.folder))
      throw new Fault('forbidden', 'A mailed code cannot be the second factor of a sign-in with a mailed code');
  }

  async #showRefusal(
    verdict: Exclude<SecondFactorVerdict, { kind: 'proven' }>,
    { kind: { name: method, codes } }: Provable,
    { signIn, form, context }: Submission,
  ): Promise<Outcome> {
    const shownSignIn = { signIn, context };
    const shownState = { method, trustsBrowser: form.trust_browser === 'true' };
    switch (verdict.kind) {
      case 'closed':
        return this.pages.buildClosedPage({ ...shownSignIn, requirement: this.dispatch.toRequirement(signIn) });
      case 'limited':
        return this.#buildPage(shownSignIn, {
          ...shownState,
          error: 'limited',
          retry_after: verdict.retryAfterSeconds,
          status: 429,
        });
      case 'missing':
        return this.#buildPage(shownSignIn, { ...shownState, error: codes.missing, status: 422 });
      // A stopped factor looks like a wrong code: its owner was notified by mail.
      case 'stopped':
      case 'untyped':
      case 'refused':
        return this.#buildPage(shownSignIn, { ...shownState, error: codes.refused, status: 422 });
    }
  }

  /**
   * Answers a form whose sign-in was not found. The second of two clicks may arrive after the first was answered, and gets the same answer.
   */
  async #answerMissing(presentedChallenge: PresentedChallenge, context: RequestContext): Promise<Outcome> {
    const { challenge } = presentedChallenge;
    const answer = challenge === '' ? null : await this.signIns.findAnswer(challenge, context);
    return (
      answer ?? this.pages.buildFaultPage(await this.signIns.explainMissing(challenge, context), presentedChallenge, context)
    );
  }

  /**
   * @param submission `isProven`: this form has proven a factor, or postponed the set-up of one; `isRecorded`: the audit log has an event of
   * this form
   */
  async #continueSignIn(
    presentedChallenge: PresentedChallenge,
    submission: Pick<Submission, 'signIn' | 'context'> & { trustsBrowser: boolean; isProven: boolean; isRecorded?: boolean },
  ): Promise<Outcome> {
    const { signIn, context, trustsBrowser, isProven, isRecorded } = submission;
    const decision = await this.dispatch.afterSecondFactor(signIn, { trustsBrowser }, context);
    if (decision.kind === 'answer') return decision.answer;
    if (decision.kind === 'refused')
      return this.pages.buildFaultPage(
        toShownRefusal(decision.refusal),
        { ...presentedChallenge, ...defined({ isRecorded }) },
        context,
      );
    if (!isProven) throw new Fault('forbidden', 'The form has not proven a second factor');
    const currentSignIn = await this.signIns.findIdentified(presentedChallenge.challenge, context);
    return this.#buildPage({ signIn: currentSignIn ?? signIn, context }, { status: 422 });
  }

  async #buildPage(
    { signIn, context }: { signIn: IdentifiedSignIn; context: RequestContext },
    shownState: ShownState,
  ): Promise<Outcome> {
    const shownSignIn = { signIn, requirement: this.dispatch.toRequirement(signIn), context };
    return signIn.isClosed ? this.pages.buildClosedPage(shownSignIn) : this.pages.show(shownSignIn, shownState);
  }
}
