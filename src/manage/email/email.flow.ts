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
    const current = await this.loadContext(request);
    // The user source or provider owns the address, so the overview offers no change.
    if (await this.emails.isElsewhere(current.account.id)) return redirect(PATHS.manage);
    const newEmail = this.sealedText.find(current);
    await this.forms.requireProof(current, this.sealedText.addTo(PATHS.manageEmail, newEmail, current));
    return this.#buildPage(current, newEmail === null ? {} : { email: newEmail });
  }

  async submit(newEmail: string, request: ManageRequest): Promise<Outcome> {
    const current = await this.loadContext(request);
    const returnPath = this.sealedText.addTo(PATHS.manageEmail, newEmail, current);
    const failure = await this.forms.submit(current, () => this.begin(newEmail, current), returnPath);
    return failure ? this.#buildPage(current, { email: newEmail, failure }) : redirect(PATHS.manageEmailCode);
  }

  async showCode(request: ManageRequest): Promise<Outcome> {
    const current = await this.loadContext(request);
    await this.forms.requireProof(current, PATHS.manageEmailCode);
    const recipient = await this.emails.findWaitingAddress(toOwner(current));
    return recipient === null ? redirect(PATHS.manageEmail) : this.#buildPage(current, { recipient });
  }

  async submitCode(code: string, request: ManageRequest): Promise<Outcome> {
    const current = await this.loadContext(request);
    const owner = toOwner(current);
    const previousRecipient = await this.emails.findWaitingAddress(owner);
    const failure = await this.forms.submit(current, () => this.confirm(code, current), PATHS.manageEmailCode);
    if (!failure) return redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=email-success`);
    const recipient = await this.emails.findWaitingAddress(owner);
    return this.#buildPage(current, { failure, ...(recipient === null ? { email: previousRecipient ?? '' } : { recipient }) });
  }

  /** @throws CallFailed */
  async begin(newEmail: string, current: ManageContext): Promise<void> {
    const wait = await this.#run(current, (ownChange) => this.emails.begin(toOwner(current), newEmail, ownChange));
    if (wait !== null) throw new CallFailed('too many requests', { retryAfterSeconds: wait });
  }

  /** @throws CallFailed */
  async confirm(code: string, current: ManageContext): Promise<void> {
    const verdict = await this.#run(current, (ownChange) => this.emails.confirm(toOwner(current), code, ownChange));
    if (verdict.kind === 'limited') throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfter });
    if (verdict.kind === 'refused') throw new CallFailed('invalid verification code');
    if (verdict.kind === 'expired') throw new CallFailed('session expired');
  }

  /** @throws CallFailed */
  async #run<T>(
    current: ManageContext,
    change: (ownChange: OwnChange & ManageContext['auditContext']) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.provenChange.run(current, (manageSession) => change({ ...current.auditContext, manageSession }));
    } catch (error) {
      if (error instanceof EmailElsewhere) throw new CallFailed('email elsewhere');
      if (error instanceof EmailTaken) throw new CallFailed('email not available');
      if (!(error instanceof AccountFieldInvalid)) throw error;
      throw new CallFailed(error.code === 'missing' ? 'email is empty' : 'email is invalid');
    }
  }

  #buildPage(current: ManageContext, { email, recipient, failure = null }: PageParts): PageOutcome {
    const { account } = current;
    const manage_email = {
      ...toFailureState(failure),
      email: email ?? (account.emailVerified ? '' : (account.email ?? '')),
      current: account.email ?? null,
      ...defined({ sent_to: recipient }),
    };
    const content = { page: 'manage_email' as const, ...this.pages.frame(current), manage_email };
    return this.pages.page(current, content, toFailedOptions(failure));
  }
}

function toOwner({ account, session }: ManageContext): EmailOwner {
  return { accountId: account.id, sessionId: session.sessionId };
}
