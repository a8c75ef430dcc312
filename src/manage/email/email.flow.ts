/** Changes the e-mail address with a code that is mailed to the new address, for the forms and the RPC calls (EML-1 … 3). */
import { Injectable } from '@nestjs/common';
import { AccountFieldInvalid, EmailElsewhere, EmailTaken } from '../../accounts/account/account.errors.js';
import { ChangeEmail, type EmailOwner } from '../../accounts/changes/change-email.js';
import type { OwnChange } from '../../accounts/account/lock.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { ProvenChange } from '../session/proven-change.js';
import { SealedText } from '../session/sealed-text.js';
import { defined } from '../../config/defined.js';

interface PageParts {
  email?: string;
  recipient?: string;
  failure?: CallFailed | null;
}

@Injectable()
export class EmailFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly provenChange: ProvenChange,
    private readonly emails: ChangeEmail,
    private readonly sealedText: SealedText,
  ) {}

  /** @throws Fault if the installation does not offer the change */
  async loadContext(request: ManageRequest): Promise<ManageContext> {
    this.pages.requireFeature('email');
    return this.pages.loadContext(request);
  }

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.loadContext(request);
    // The address belongs to a source or provider, so the overview offers no change.
    if (await this.emails.isElsewhere(manageContext.account.id)) return redirect(PATHS.manage);
    const newEmail = this.sealedText.find(manageContext);
    await this.forms.requireProof(manageContext, this.sealedText.addTo(PATHS.manageEmail, newEmail, manageContext));
    return this.#buildPage(manageContext, newEmail === null ? {} : { email: newEmail });
  }

  async submit(newEmail: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.loadContext(request);
    const returnPath = this.sealedText.addTo(PATHS.manageEmail, newEmail, manageContext);
    const failure = await this.forms.submit(manageContext, () => this.begin(newEmail, manageContext), returnPath);
    return failure ? this.#buildPage(manageContext, { email: newEmail, failure }) : redirect(PATHS.manageEmailCode);
  }

  async showCode(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.loadContext(request);
    await this.forms.requireProof(manageContext, PATHS.manageEmailCode);
    const recipient = await this.emails.findWaitingAddress(toOwner(manageContext));
    return recipient === null ? redirect(PATHS.manageEmail) : this.#buildPage(manageContext, { recipient });
  }

  async submitCode(code: string, request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.loadContext(request);
    const owner = toOwner(manageContext);
    const previousRecipient = await this.emails.findWaitingAddress(owner);
    const failure = await this.forms.submit(manageContext, () => this.confirm(code, manageContext), PATHS.manageEmailCode);
    if (!failure) return redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=email-success`);
    const recipient = await this.emails.findWaitingAddress(owner);
    return this.#buildPage(manageContext, {
      failure,
      ...(recipient === null ? { email: previousRecipient ?? '' } : { recipient }),
    });
  }

  /** @throws CallFailed */
  async begin(newEmail: string, manageContext: ManageContext): Promise<void> {
    const retryAfterSeconds = await this.#run(manageContext, (ownChange) =>
      this.emails.begin(toOwner(manageContext), newEmail, ownChange),
    );
    if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
  }

  /** @throws CallFailed, AccountDisabled */
  async confirm(code: string, manageContext: ManageContext): Promise<void> {
    const verdict = await this.#run(manageContext, (ownChange) => this.emails.confirm(toOwner(manageContext), code, ownChange));
    if (verdict.kind === 'limited') throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfter });
    if (verdict.kind === 'refused') throw new CallFailed('invalid verification code');
    if (verdict.kind === 'expired') throw new CallFailed('session expired');
  }

  /** @throws CallFailed, and the errors of `change` that the person cannot correct */
  async #run<T>(
    manageContext: ManageContext,
    change: (ownChange: OwnChange & ManageContext['auditContext']) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.provenChange.run(manageContext, (manageSession) =>
        change({ ...manageContext.auditContext, manageSession }),
      );
    } catch (error) {
      if (error instanceof EmailElsewhere) throw new CallFailed('email elsewhere');
      if (error instanceof EmailTaken) throw new CallFailed('email not available');
      if (!(error instanceof AccountFieldInvalid)) throw error;
      throw new CallFailed(error.code === 'missing' ? 'email is empty' : 'email is invalid');
    }
  }

  #buildPage(manageContext: ManageContext, { email, recipient, failure = null }: PageParts): PageOutcome {
    const { account } = manageContext;
    const manage_email = {
      ...toFailureState(failure),
      email: email ?? (account.emailVerified ? '' : (account.email ?? '')),
      current: account.email ?? null,
      ...defined({ sent_to: recipient }),
    };
    const content = { page: 'manage_email' as const, ...this.pages.buildFrame(manageContext), manage_email };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}

function toOwner({ account, session }: ManageContext): EmailOwner {
  return { accountId: account.id, sessionId: session.sessionId };
}
