/**
 * Sets up the first factor during a sign-in by plain forms, for browsers without script (MFV-2, GEN-9). With script,
 * the calls of the account area do the same, with a token that permits nothing else.
 */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../../../accounts/sessions/manage-sessions.js';
import { FIELDS, MANAGE_QUERY } from '../../../../contract/form-fields.js';
import type { FactorSetupState } from '../../../../contract/mfa-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import type { SetUpResult, Factor, FactorSlot } from '../../../../mfa/factor.port.js';
import { FactorRegistry } from '../../../../mfa/registry.js';
import { Dispatch, type Requirement } from '../../dispatch.js';
import { toSecondStepUrl } from '../../login-url.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';
import { SecondFactor } from './second-factor.js';
import type { VerificationForm } from './verification.form.js';
import { VerificationPages, type ShownState } from './verification.page.js';

interface Enrolment {
  factor: Factor;
  slot: FactorSlot;
  signIn: IdentifiedSignIn;
  /** Id of the session that allows this set-up and nothing else. */
  enrolmentId: string;
  requirement: Requirement;
  context: RequestContext;
}

@Injectable()
export class EnrolmentFlow {
  /** Both clicks of a double click get the page with the recovery codes, which is shown once. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly secondFactor: SecondFactor,
    private readonly dispatch: Dispatch,
    private readonly registry: FactorRegistry,
    private readonly pages: VerificationPages,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** @returns the pending set-up of this factor in this sign-in; null if there is none */
  async findSetup(signIn: IdentifiedSignIn, name: string | undefined): Promise<FactorSetupState | null> {
    const factor = name === undefined ? undefined : this.registry.find(name);
    return factor ? factor.resume(this.secondFactor.toSlot(signIn)) : null;
  }

  /** `POST /mfa/enrol-…`: a form without a code begins the set-up; a form with a code confirms it. */
  submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { code } = form;
    const key = [context.browser, context.xsrf ?? '', context.path, ...(code === undefined ? [] : [code])];
    return this.#sameForms.runOnce(key, () => this.#submit(form, context));
  }

  async #submit({ login_challenge: challenge, code, ticket }: VerificationForm, context: RequestContext): Promise<Outcome> {
    const presentedChallenge = { challenge, ticket };
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn)
      return this.pages.buildFaultPage(await this.signIns.explainMissing(challenge, context), presentedChallenge, context);
    const requirement = this.dispatch.toRequirement(signIn);
    if (signIn.isClosed) return this.pages.buildClosedPage({ signIn, requirement, context });
    const slot = this.secondFactor.toSlot(signIn);
    const factor = this.registry.getByPath(context.path);
    // If a factor exists, it must be proven. Further factors are set up in the account area (docs/security.md D6). A sign-in that
    // did not begin with a set-up was never checked for one, so it has no `enrolmentId`; its page explains how to start again.
    const { enrolmentId } = signIn;
    const isUsable = this.registry.isOfferedAtSignIn(factor.kind) && (!requirement.onlyKey || factor.kind.amr === 'hwk');
    if (requirement.step !== 'enrol' || enrolmentId === null || !isUsable) {
      return redirect(toSecondStepUrl(challenge));
    }
    const enrolment = { factor, slot, signIn, enrolmentId, requirement, context };
    return code === undefined ? this.#begin(challenge, enrolment) : this.#confirm(code, challenge, enrolment);
  }

  async #begin(challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { factor, slot, signIn, context } = enrolment;
    const result = await factor.begin(slot, toPerson(context, signIn.request.uiLocales));
    if (result.kind !== 'begun') return this.#answer(result, challenge, enrolment);
    return redirect(toSecondStepUrl(challenge, { [MANAGE_QUERY.setup]: factor.kind.name }));
  }

  async #confirm(code: string, challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { factor, slot, enrolmentId, context } = enrolment;
    const setUp = {
      ...slot,
      onlyFirst: true,
      manageSession: this.sessions.toEnrollingSession(enrolmentId),
      auditContext: toPerson(context),
    };
    return this.#answer(await factor.confirm(setUp, { [FIELDS.code]: code }), challenge, enrolment);
  }

  async #answer(result: SetUpResult, challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { kind } = enrolment.factor;
    const show = (shownState: ShownState): Promise<Outcome> =>
      this.pages.show(enrolment, { factorToSetUp: kind.name, ...shownState });
    switch (result.kind) {
      case 'added': {
        const token = await this.secondFactor.issueFactorToken(enrolment.signIn, { amr: kind.amr, methods: result.methods });
        return show({ view: 'codes', codes: result.recoveryCodes ?? [], mfa_token: token });
      }
      case 'limited':
        return show({
          ...(await this.#findPending(enrolment)),
          error: 'limited',
          retry_after: result.retryAfterSeconds,
          status: 429,
        });
      case 'refused':
        if (result.code === kind.codes.registered) return redirect(toSecondStepUrl(challenge));
        return show({ ...(await this.#findPending(enrolment)), error: result.code, status: 422 });
    }
  }

  async #findPending({ factor, slot }: Enrolment): Promise<Pick<ShownState, 'setup'>> {
    const setup = await factor.resume(slot);
    return setup ? { setup } : {};
  }
}
