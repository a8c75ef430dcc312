/**
 * The second step of a sign-in: its page and its form (MFV-1 to MFV-8). It verifies factors; `LoginContinuation`
 * decides whether that is enough and what follows.
 */
import { Injectable } from '@nestjs/common';
import type { PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { FIELDS, MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { personOf, type RequestContext } from '../../gateway/http/request-context.js';
import { EnrolmentFlow } from './enrolment.flow.js';
import { LoginContinuation } from './login-continuation.js';
import { PendingSignIn, type TryVerdict } from './pending-sign-in.js';
import type { Factor } from '../factor.port.js';
import { Factors } from '../factors.js';
import { signInBinding } from '../factor-slot.js';
import { isRecovery } from '../held-factors.js';
import { FactorRegistry } from '../registry.js';
import type { PresentedChallenge } from '../../gateway/page/return-tickets.js';
import { SameForms } from '../../gateway/page/same-forms.js';
import type { VerificationForm, VerificationQuery } from './verification.form.js';
import { VerificationPages, addressOf, type Shown } from './verification.page.js';

interface Submission {
  pending: PendingAuthentication;
  form: VerificationForm;
  context: RequestContext;
}

@Injectable()
export class VerificationFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIn: PendingSignIn,
    private readonly registry: FactorRegistry,
    private readonly enrolment: EnrolmentFlow,
    private readonly continuation: LoginContinuation,
    private readonly pages: VerificationPages,
    private readonly factors: Factors,
  ) {}

  /** `GET /mfa/verify`: writes nothing. */
  async show({ login_challenge: challenge, method, setup }: VerificationQuery, context: RequestContext): Promise<Outcome> {
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.pages.broken(await this.continuation.faultOf(challenge, context), { challenge }, context);
    const begun = await this.enrolment.begun(pending, setup);
    return this.#page({ challenge }, { pending, context }, { method, setupOf: setup, ...(begun ? { setup: begun } : {}) });
  }

  /** `POST /mfa/verify`: submits a proof or, without script, the code. */
  submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { mfa_token: proof = '', code = '' } = form;
    return this.#sameForms.once([context.browser, context.form ?? '', proof, code], () => this.#submit(form, context));
  }

  async #submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, mfa_token: proof = '', ticket } = form;
    const presented = { challenge, ticket };
    // Only with the proof of this form, as an earlier one may be of a recovery code. A token is never of one.
    const trustsBrowser = form.trust_browser === 'true';
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.#goOn(presented, { context });
    if (pending.isClosed) return this.pages.closed(presented, pending, context);
    if (proof !== '') {
      // From the page with the recovery codes of a set-up, which sends one of them.
      if (form.code !== undefined) await this.factors.confirmCodesSeen(pending.account.id, form.code);
      const isRight = await this.signIn.consumeProof(pending, proof);
      return this.#goOn(presented, { context, trustsBrowser: trustsBrowser && isRight }, isRight ? pending : undefined);
    }
    const factor = this.#factorOf(form);
    if (form.code === undefined && factor.beginProof) return this.#begin(factor, { pending, form, context });
    const verdict = await this.#tryCode(factor, { pending, form, context });
    if (verdict.kind !== 'proven') return this.#refused(verdict, factor, { pending, form, context });
    const isProven = await this.signIn.prove(pending, { amr: factor.kind.amr, methods: verdict.methods });
    const wishes = { context, trustsBrowser: trustsBrowser && !isRecovery(factor.kind.name) };
    return this.#goOn(presented, wishes, isProven ? pending : undefined);
  }

  /** Factors that a form can prove. An unknown name selects the first one. */
  #factorOf({ method }: VerificationForm): Factor {
    const [first, ...others] = this.registry.all.filter(({ kind }) => kind.provenBy !== 'calls');
    const factor = others.find(({ kind }) => kind.name === method) ?? first;
    if (!factor) throw new Error('No kind of factor is proven by a form.');
    return factor;
  }

  /** A form without a code begins the proof. */
  async #begin(factor: Factor, { pending, form, context }: Submission): Promise<Outcome> {
    this.#requireOfUse(factor, pending);
    const { login_challenge: challenge } = form;
    const method = factor.kind.name;
    const begun = await factor.beginProof?.(this.signIn.slotOf(pending), personOf(context, pending.context.uiLocales));
    if (begun?.kind === 'begun') return redirect(addressOf(PATHS.mfaVerify, challenge, { [MANAGE_QUERY.method]: method }));
    if (begun?.kind === 'refused')
      return this.#page({ challenge }, { pending, context }, { method, error: begun.code, status: 422 });
    return this.#refused(begun ?? { kind: 'missing' }, factor, { pending, form, context });
  }

  async #tryCode(factor: Factor, { pending, form: { code = '' }, context }: Submission): Promise<TryVerdict> {
    this.#requireOfUse(factor, pending);
    const answer = { [FIELDS.code]: code };
    const proof = { accountId: pending.account.id, boundTo: signInBinding(pending.id), answer, by: personOf(context) };
    return this.signIn.try(pending, () => factor.verify(proof));
  }

  #requireOfUse({ kind }: Factor, pending: PendingAuthentication): void {
    const { onlyKey } = this.signIn.progress(pending);
    if (onlyKey && kind.amr !== 'hwk') throw new Fault('forbidden', 'A code where a security key is asked for');
  }

  async #refused(
    verdict: Exclude<TryVerdict, { kind: 'proven' }>,
    { kind: { name: method, codes } }: Factor,
    { pending, form, context }: Submission,
  ): Promise<Outcome> {
    const { login_challenge: challenge, ticket } = form;
    const at = { pending, context };
    const shown = { method, trustsBrowser: form.trust_browser === 'true' };
    switch (verdict.kind) {
      case 'closed':
        return this.pages.closed({ challenge, ticket }, pending, context);
      case 'limited':
        return this.#page({ challenge }, at, { ...shown, error: 'limited', retry_after: verdict.retryAfterSeconds, status: 429 });
      case 'missing':
        return this.#page({ challenge }, at, { ...shown, error: codes.missing, status: 422 });
      // A stopped factor looks like a wrong code: its owner was notified by mail.
      case 'stopped':
      case 'untyped':
      case 'refused':
        return this.#page({ challenge }, at, { ...shown, error: codes.refused, status: 422 });
    }
  }

  /** @param pending sign-in whose factor was just proven */
  async #goOn(
    presented: PresentedChallenge,
    { context, trustsBrowser = false }: { context: RequestContext; trustsBrowser?: boolean },
    pending?: PendingAuthentication,
  ): Promise<Outcome> {
    const next = await this.continuation.continueLogin(presented.challenge, context, { trustsBrowser });
    if (typeof next !== 'string') return next;
    if (next !== 'unproven') return this.pages.broken(next, presented, context);
    if (!pending) throw new Fault('forbidden', 'A second step that was not proven');
    return this.#page(presented, { pending, context }, { status: 422 });
  }

  async #page(
    presented: PresentedChallenge,
    { pending, context }: { pending: PendingAuthentication; context: RequestContext },
    shown: Shown,
  ): Promise<Outcome> {
    if (pending.isClosed) return this.pages.closed(presented, pending, context);
    return this.pages.show(presented, { pending, progress: this.signIn.progress(pending), context }, shown);
  }
}
