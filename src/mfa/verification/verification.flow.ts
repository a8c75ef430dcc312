/**
 * The second step of a sign-in: its page and its form (MFV-1 to MFV-8). It proves factors; whether that is enough, and
 * what comes then, is the continuation's to say.
 */
import { Injectable } from '@nestjs/common';
import type { PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { Fault } from '../../gateway/http/faults.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { EnrolmentFlow } from './enrolment.flow.js';
import { LoginContinuation } from './login-continuation.js';
import { PendingSignIn, personOf } from './pending-sign-in.js';
import type { TryVerdict } from './pending-sign-in.js';
import { RecoveryCodesFactor } from '../factors/recovery-codes/recovery-codes.factor.js';
import { SameForms } from './same-forms.js';
import { TotpFactor } from '../factors/totp/totp.factor.js';
import type { VerificationForm, VerificationQuery } from './verification.form.js';
import { VerificationPages } from './verification.page.js';
import type { PresentedChallenge, Shown } from './verification.page.js';

const WRONG = 'invalid verification code';

@Injectable()
export class VerificationFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIn: PendingSignIn,
    private readonly totp: TotpFactor,
    private readonly recovery: RecoveryCodesFactor,
    private readonly enrolment: EnrolmentFlow,
    private readonly continuation: LoginContinuation,
    private readonly pages: VerificationPages,
  ) {}

  /** `GET /mfa/verify`: writes nothing. */
  async show({ login_challenge: challenge, method, setup }: VerificationQuery, context: RequestContext): Promise<Outcome> {
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.pages.broken(await this.continuation.faultOf(challenge, context), { challenge }, context);
    const begun = setup === 'totp' ? await this.enrolment.begun(pending) : null;
    return this.#page({ challenge }, { pending, context }, { method, setupOf: setup, ...(begun ? { setup: begun } : {}) });
  }

  /** `POST /mfa/verify`: hands in a proof, or with script off the code itself. */
  submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { mfa_token: proof = '', code = '' } = form;
    return this.#sameForms.once([context.browser, context.form ?? '', proof, code], () => this.#submit(form, context));
  }

  async #submit(form: VerificationForm, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, mfa_token: proof = '', ticket } = form;
    const brought = { challenge, ticket };
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.#goOn(brought, context);
    if (pending.isClosed) return this.pages.closed(brought, pending, context);
    if (proof !== '') {
      const isRight = await this.signIn.consumeProof(pending, proof);
      return this.#goOn(brought, context, isRight ? pending : undefined);
    }
    const verdict = await this.#tryCode(pending, form, context);
    if (verdict.kind !== 'proven') return this.#refused(verdict, { pending, form, context });
    await this.signIn.consumeProof(pending, await this.signIn.issueProof(pending.id, 'otp'));
    return this.#goOn(brought, context, pending);
  }

  async #tryCode(
    pending: PendingAuthentication,
    { code = '', method }: VerificationForm,
    context: RequestContext,
  ): Promise<TryVerdict> {
    const { onlyKey } = await this.signIn.progress(pending);
    if (onlyKey) throw new Fault('forbidden', 'A code where a security key is asked for');
    // Not a guess: nothing was typed.
    if (code.trim() === '') return { kind: 'refused' };
    const factor = method === 'recovery' ? this.recovery : this.totp;
    return this.signIn.try(pending, () => factor.verify({ accountId: pending.accountId, code, by: personOf(context) }));
  }

  async #refused(
    verdict: Exclude<TryVerdict, { kind: 'proven' }>,
    { pending, form, context }: { pending: PendingAuthentication; form: VerificationForm; context: RequestContext },
  ): Promise<Outcome> {
    const { login_challenge: challenge, method = 'totp', ticket } = form;
    const at = { pending, context };
    switch (verdict.kind) {
      case 'closed':
        return this.pages.closed({ challenge, ticket }, pending, context);
      case 'limited':
        return this.#page({ challenge }, at, { method, error: 'limited', retry_after: verdict.retryAfterSeconds, status: 429 });
      case 'missing':
        return this.#page({ challenge }, at, { method, error: method === 'recovery' ? WRONG : 'totp not found', status: 422 });
      // A factor that was stopped for good looks like a wrong code: its owner has been told by mail.
      case 'stopped':
      case 'refused':
        return this.#page({ challenge }, at, { method, error: WRONG, status: 422 });
    }
  }

  /** @param pending of somebody who has just proven a factor */
  async #goOn(brought: PresentedChallenge, context: RequestContext, pending?: PendingAuthentication): Promise<Outcome> {
    const next = await this.continuation.continueLogin(brought.challenge, context);
    if (typeof next !== 'string') return next;
    if (next !== 'unproven') return this.pages.broken(next, brought, context);
    if (!pending) throw new Fault('forbidden', 'A second step that was not proven');
    return this.#page(brought, { pending, context }, { status: 422 });
  }

  async #page(
    brought: PresentedChallenge,
    { pending, context }: { pending: PendingAuthentication; context: RequestContext },
    shown: Shown,
  ): Promise<Outcome> {
    if (pending.isClosed) return this.pages.closed(brought, pending, context);
    return this.pages.show(brought, { pending, progress: await this.signIn.progress(pending), context }, shown);
  }
}
