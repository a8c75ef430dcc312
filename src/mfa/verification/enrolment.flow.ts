/**
 * Sets up the first factor during a sign-in by plain forms, for browsers without script (MFV-2, GEN-9). With script,
 * the calls of the account area do the same, with a token that permits nothing else.
 */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import type { PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { FIELDS, MANAGE_QUERY } from '../../contract/form-fields.js';
import type { FactorSetupState } from '../../contract/mfa-state.js';
import { PATHS } from '../../contract/paths.js';
import { personOf, type RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { Added, EnrollableFactor, FactorSlot } from '../factor.port.js';
import { FactorRegistry } from '../registry.js';
import { LoginContinuation } from './login-continuation.js';
import { PendingSignIn, type Progress } from './pending-sign-in.js';
import type { VerificationForm } from './verification.form.js';
import { VerificationPages, addressOf, type Shown } from './verification.page.js';

interface Enrolment {
  factor: EnrollableFactor;
  slot: FactorSlot;
  pending: PendingAuthentication;
  /** The set-up ends with it. */
  enrolmentId: string;
  progress: Progress;
  context: RequestContext;
}

@Injectable()
export class EnrolmentFlow {
  constructor(
    private readonly signIn: PendingSignIn,
    private readonly registry: FactorRegistry,
    private readonly continuation: LoginContinuation,
    private readonly pages: VerificationPages,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /** The pending set-up that a plain form began. */
  async begun(pending: PendingAuthentication, name: string | undefined): Promise<FactorSetupState | null> {
    const factor = name === undefined ? undefined : this.registry.findEnrollable(name);
    return factor ? factor.resume(this.signIn.slotOf(pending)) : null;
  }

  /** `POST /mfa/enrol-…`: begins without a code, confirms with one. */
  async submit({ login_challenge: challenge, code, ticket }: VerificationForm, context: RequestContext): Promise<Outcome> {
    const presented = { challenge, ticket };
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.pages.broken(await this.continuation.faultOf(challenge, context), presented, context);
    if (pending.isClosed) return this.pages.closed(presented, pending, context);
    const progress = this.signIn.progress(pending);
    const slot = this.signIn.slotOf(pending);
    const factor = this.registry.getEnrollableByPath(context.path);
    // If a factor exists, it must be proven. More are set up in the account area (docs/security.md D6). A sign-in that
    // began with the proof of a factor has not been checked for a set-up; its page says how to start again.
    const { enrolmentId } = pending;
    const isOfUse = this.registry.isOfferedAtSignIn(factor.kind) && (!progress.onlyKey || factor.kind.amr === 'hwk');
    if (progress.step !== 'enrol' || enrolmentId === null || !isOfUse) {
      return redirect(addressOf(PATHS.mfaVerify, challenge));
    }
    const enrolment = { factor, slot, pending, enrolmentId, progress, context };
    return code === undefined ? this.#begin(challenge, enrolment) : this.#confirm(code, challenge, enrolment);
  }

  async #begin(challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { factor, slot, pending, context } = enrolment;
    const begun = await factor.begin(slot, personOf(context, pending.context.uiLocales));
    if (begun.kind !== 'begun') return this.#answer(begun, challenge, enrolment);
    return redirect(addressOf(PATHS.mfaVerify, challenge, { [MANAGE_QUERY.setup]: factor.kind.name }));
  }

  async #confirm(code: string, challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { factor, slot, enrolmentId, context } = enrolment;
    const setUp = { ...slot, onlyFirst: true, manageSession: this.sessions.enrolling(enrolmentId), by: personOf(context) };
    return this.#answer(await factor.confirm(setUp, { [FIELDS.code]: code }), challenge, enrolment);
  }

  async #answer(added: Added, challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const { kind } = enrolment.factor;
    const show = (shown: Shown): Promise<Outcome> => this.pages.show({ challenge }, enrolment, { setupOf: kind.name, ...shown });
    switch (added.kind) {
      case 'added': {
        const proof = await this.signIn.issueProof(enrolment.pending.id, { amr: kind.amr, methods: added.methods });
        return show({ view: 'codes', codes: added.recoveryCodes ?? [], mfa_token: proof });
      }
      case 'limited':
        return show({ ...(await this.#setup(enrolment)), error: 'limited', retry_after: added.retryAfterSeconds, status: 429 });
      case 'refused':
        if (added.code === kind.codes.registered) return redirect(addressOf(PATHS.mfaVerify, challenge));
        return show({ ...(await this.#setup(enrolment)), error: added.code, status: 422 });
    }
  }

  async #setup({ factor, slot }: Enrolment): Promise<Pick<Shown, 'setup'>> {
    const setup = await factor.resume(slot);
    return setup ? { setup } : {};
  }
}
