/**
 * The task of proving an e-mail address with a mailed code (`ChangeEmail`). The first form requests the code, for the address of the account
 * or another address; the second form submits the code. As for every change that the owner makes to the address, the second factor or
 * passkey of the account has to be proven first, and the former address is notified.
 */
import { Inject, Injectable } from '@nestjs/common';
import {
  AccountDisabled,
  AccountFieldInvalid,
  EmailElsewhere,
  EmailTaken,
  ProofOutdated,
} from '../../../../accounts/account/account.errors.js';
import { CredentialsFrozen } from '../../../../accounts/account/credential-freeze.js';
import { ChangeEmail } from '../../../../accounts/changes/change-email.js';
import { MAILED_CODE_SECONDS } from '../../../../accounts/secrets/mailed-code.js';
import { SignInRecords } from '../../../../accounts/sessions/sign-in-records.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { defined } from '../../../../config/defined.js';
import type { EmailTaskState } from '../../../../contract/task-state.js';
import { toPerson, type RequestContext } from '../../../../gateway/http/request-context.js';
import { toPasswordRequestUrl, toTaskUrl } from '../../login-url.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { TaskForm } from './task.form.js';

export interface EmailTaskFault {
  error: NonNullable<EmailTaskState['error']>;
  retry_after?: number;
  /** The address that was entered. */
  email?: string;
}

@Injectable()
export class EmailTask {
  constructor(
    private readonly emails: ChangeEmail,
    private readonly signIns: SignInRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mail'>,
  ) {}

  /** @param options `asksAddress`: the form for the address is shown, although a code was mailed */
  async toState(
    signIn: IdentifiedSignIn,
    options: { asksAddress: boolean; trust: string },
  ): Promise<Pick<EmailTaskState, 'kind' | 'email' | 'sent_to' | 'other_url' | 'password_reset_url'>> {
    const { account, challenge } = signIn;
    const sentTo = options.asksAddress ? null : await this.emails.findWaitingAddress(toOwner(signIn));
    const resetUrl = this.config.mail.server ? toPasswordRequestUrl(challenge) : undefined;
    return {
      kind: 'email',
      email: account.email ?? '',
      ...(sentTo === null ? {} : { sent_to: sentTo, other_url: `${toTaskUrl(challenge, options.trust)}&status=ask` }),
      ...defined({ password_reset_url: resetUrl }),
    };
  }

  /**
   * @returns what is wrong with the form; `ended` if the sign-in is over, the account may not sign in any more, or it belongs to a
   * user source, a SCIM source or a provider; null if the code was mailed, or the address is proven
   */
  async complete(signIn: IdentifiedSignIn, form: TaskForm, context: RequestContext): Promise<EmailTaskFault | 'ended' | null> {
    const { email, code } = form;
    try {
      return code === undefined ? await this.#send(signIn, email ?? '', context) : await this.#confirm(signIn, code, context);
    } catch (error) {
      return toFault(error, email);
    }
  }

  async #send(signIn: IdentifiedSignIn, email: string, context: RequestContext): Promise<EmailTaskFault | null> {
    const wait = await this.emails.begin(toOwner(signIn), email, this.#toChange(signIn, context));
    if (wait !== null) return { error: 'too many requests', retry_after: wait, email };
    await this.signIns.extend(signIn.id, MAILED_CODE_SECONDS);
    return null;
  }

  async #confirm(signIn: IdentifiedSignIn, code: string, context: RequestContext): Promise<EmailTaskFault | null> {
    const verdict = await this.emails.confirm(toOwner(signIn), code, this.#toChange(signIn, context));
    if (verdict.kind === 'changed') return null;
    if (verdict.kind === 'limited') return { error: 'too many requests', retry_after: verdict.retryAfter };
    return { error: verdict.kind === 'refused' ? 'invalid verification code' : 'session expired' };
  }

  #toChange({ id, account, proofId, request }: IdentifiedSignIn, context: RequestContext) {
    const manageSession = this.signIns.toSessionCondition({ id, accountId: account.id, proofId });
    return { ...toPerson(context, request.uiLocales), manageSession };
  }
}

/** A code is valid in the sign-in that requested it. */
function toOwner({ id, account }: IdentifiedSignIn) {
  return { accountId: account.id, sessionId: id };
}

/** Rethrows an error that the page does not explain. */
function toFault(error: unknown, email = ''): EmailTaskFault | 'ended' {
  if (error instanceof ProofOutdated || error instanceof AccountDisabled || error instanceof EmailElsewhere) return 'ended';
  if (error instanceof CredentialsFrozen) return { error: 'credentials frozen' };
  if (error instanceof EmailTaken) return { error: 'email not available' };
  if (!(error instanceof AccountFieldInvalid)) throw error;
  return { error: error.code === 'missing' ? 'email is empty' : 'email is invalid', email };
}
