/**
 * Setting up a first authenticator app during a sign-in by plain forms, for browsers without script (MFV-2, GEN-9). With
 * script the calls of the account area do the same, under a token that is good for nothing else.
 */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import type { TotpSetupState } from '../../contract/mfa-state.js';
import { PATHS } from '../../contract/paths.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { Added } from '../factor.js';
import { LoginContinuation } from './login-continuation.js';
import { PendingSignIn, bindingOf, personOf } from './pending-sign-in.js';
import type { Progress } from './pending-sign-in.js';
import { TotpFactor } from '../factors/totp/totp.factor.js';
import type { VerificationForm } from './verification.form.js';
import { VerificationPages, addressOf } from './verification.page.js';
import type { Shown } from './verification.page.js';

interface Enrolment {
  pending: PendingAuthentication;
  progress: Progress;
  context: RequestContext;
}

@Injectable()
export class EnrolmentFlow {
  constructor(
    private readonly signIn: PendingSignIn,
    private readonly totp: TotpFactor,
    private readonly accounts: Accounts,
    private readonly continuation: LoginContinuation,
    private readonly pages: VerificationPages,
  ) {}

  /** The set-up that a plain form began, to be shown again. */
  async begun(pending: PendingAuthentication): Promise<TotpSetupState | null> {
    const account = await this.accounts.find(pending.accountId);
    return account && this.totp.resume({ account, boundTo: bindingOf(pending) });
  }

  /** `POST /mfa/enrol-totp`: begins without a code, ends with one. */
  async submitTotp({ login_challenge: challenge, code, ticket }: VerificationForm, context: RequestContext): Promise<Outcome> {
    const brought = { challenge, ticket };
    const pending = await this.signIn.find(challenge, context);
    if (!pending) return this.pages.broken(await this.continuation.faultOf(challenge, context), brought, context);
    if (pending.isClosed) return this.pages.closed(brought, pending, context);
    const progress = await this.signIn.progress(pending);
    const account = await this.accounts.find(pending.accountId);
    // Somebody who has a factor proves it; a second one is set up in the account area (security decision D6).
    if (progress.step !== 'enrol' || !account) return redirect(addressOf(PATHS.mfaVerify, challenge));
    const boundTo = bindingOf(pending);
    if (code === undefined) {
      await this.totp.begin({ account, boundTo });
      return redirect(addressOf(PATHS.mfaVerify, challenge, { [MANAGE_QUERY.setup]: 'totp' }));
    }
    const manageSession = pending.enrolmentId ?? undefined;
    const added = await this.totp.confirm({ account, boundTo, code, onlyFirst: true, manageSession, by: personOf(context) });
    return this.#answer(added, challenge, { pending, progress, context });
  }

  async #answer(added: Added, challenge: string, enrolment: Enrolment): Promise<Outcome> {
    const show = (shown: Shown): Outcome => this.pages.show({ challenge }, enrolment, { setupOf: 'totp', ...shown });
    switch (added.kind) {
      case 'added': {
        const proof = await this.signIn.proveByEnrolment(enrolment.pending.id, 'otp');
        return show({ view: 'codes', codes: added.recoveryCodes ?? [], mfa_token: proof });
      }
      case 'limited':
        return show({ ...(await this.#setup(enrolment)), error: 'limited', retry_after: added.retryAfterSeconds, status: 429 });
      case 'refused':
        if (added.code === 'totp already registered') return redirect(addressOf(PATHS.mfaVerify, challenge));
        return show({ ...(await this.#setup(enrolment)), error: added.code, status: 422 });
    }
  }

  async #setup({ pending }: Enrolment): Promise<Pick<Shown, 'setup'>> {
    const setup = await this.begun(pending);
    return setup ? { setup } : {};
  }
}
