/** Schedules the deletion of an account for its owner, who can cancel it during a wait. */
import { Injectable } from '@nestjs/common';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { DeletionAnswer } from '../../contract/manage-data-state.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../gateway/page/outcome.js';
import { ManageForms } from '../session/manage-forms.js';
import { ManagePages, toFailedOptions, toFailureState } from '../session/manage-pages.js';
import type { ManageContext, ManageRequest } from '../session/manage-session.js';
import { ProvenChange } from '../session/proven-change.js';

@Injectable()
export class DeletionFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly provenChange: ProvenChange,
    private readonly deletions: AccountDeletions,
    private readonly passwords: PasswordProof,
    private readonly limits: RequestLimits,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    this.pages.requireFeature('deletion');
    const manageContext = await this.pages.loadContext(request);
    const dueAt = await this.deletions.find(manageContext.account.id);
    if (dueAt === null) await this.forms.requireProof(manageContext, PATHS.manageDeletion);
    return this.#buildPage(manageContext, dueAt, null);
  }

  async submit(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    const failure = await this.forms.submit(manageContext, () => this.begin(manageContext));
    // The overview shows the date and offers to cancel.
    return failure ? this.#buildPage(manageContext, null, failure) : redirect(PATHS.manage);
  }

  async submitCancellation(request: ManageRequest): Promise<Outcome> {
    await this.cancel(await this.pages.loadContext(request));
    return redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=deletion-cancelled`);
  }

  async find({ account }: ManageContext): Promise<DeletionAnswer> {
    this.pages.requireFeature('deletion');
    const dueAt = await this.deletions.find(account.id);
    return { due_at: dueAt?.toISOString() ?? null, wait_days: this.deletions.waitDays };
  }

  /**
   * Needs a fresh proof. Changes nothing if a deletion is already scheduled.
   * @throws CallFailed, AccountDisabled; Fault if the installation does not offer the feature
   */
  async begin(manageContext: ManageContext): Promise<void> {
    this.pages.requireFeature('deletion');
    const { account, auditContext } = manageContext;
    await this.provenChange.run(manageContext, async (manageSession) => {
      // A repeated request sends no mail, so it is not counted.
      if ((await this.deletions.find(account.id)) !== null) return;
      const retryAfterSeconds = await this.limits.countOwn('deletion', account.id, auditContext);
      if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
      await this.deletions.request(account.id, { ...auditContext, manageSession });
    });
  }

  /**
   * Needs no fresh proof, because the person loses nothing. A scheduled deletion is cancelled without the feature, too, because an
   * operator may have scheduled it.
   * @throws Fault if no deletion is scheduled and the installation does not offer the feature
   */
  async cancel({ account, auditContext }: ManageContext): Promise<void> {
    if (!(await this.deletions.cancel(account.id, auditContext, 'area'))) this.pages.requireFeature('deletion');
  }

  async #buildPage(manageContext: ManageContext, dueAt: Date | null, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = manageContext;
    const location = await this.passwords.findLocation(account.id);
    const manage_deletion = {
      ...toFailureState(failure),
      due_at: dueAt?.toISOString() ?? null,
      wait_days: this.deletions.waitDays,
      is_mailed: account.email !== undefined,
      // A sign-in creates no account for a person of a SCIM source (`elsewhere`): only the source does.
      ...(location?.at === 'source' || location?.at === 'provider' ? { comes_back: true as const } : {}),
    };
    const content = { page: 'manage_deletion' as const, ...this.pages.buildFrame(manageContext), manage_deletion };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}
