/** Schedules the deletion of an account for its owner, who can cancel it during a wait. The page and the RPC calls use this flow. */
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
    const current = await this.pages.loadContext(request);
    const dueAt = await this.deletions.find(current.account.id);
    if (dueAt === null) await this.forms.requireProof(current);
    return this.#buildPage(current, dueAt, null);
  }

  async submit(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.loadContext(request);
    const failure = await this.forms.submit(current, () => this.begin(current));
    // The overview shows the date and offers to cancel.
    return failure ? this.#buildPage(current, null, failure) : redirect(PATHS.manage);
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

  /** Needs a fresh proof. Changes nothing if a deletion is already scheduled. @throws CallFailed */
  async begin(current: ManageContext): Promise<void> {
    this.pages.requireFeature('deletion');
    const { account, auditContext } = current;
    await this.provenChange.run(current, async (manageSession) => {
      const wait = await this.limits.countOwn('deletion', account.id, auditContext);
      if (wait !== null) throw new CallFailed('too many requests', { retryAfterSeconds: wait });
      await this.deletions.request(account.id, { ...auditContext, manageSession });
    });
  }

  /** Needs no fresh proof, because the person loses nothing. Works without the feature, too, if an operator has scheduled the deletion. */
  async cancel({ account, auditContext }: ManageContext): Promise<void> {
    if (!(await this.deletions.cancel(account.id, auditContext, 'area'))) this.pages.requireFeature('deletion');
  }

  async #buildPage(current: ManageContext, dueAt: Date | null, failure: CallFailed | null): Promise<PageOutcome> {
    const { account } = current;
    const location = await this.passwords.findLocation(account.id);
    const manage_deletion = {
      ...toFailureState(failure),
      due_at: dueAt?.toISOString() ?? null,
      wait_days: this.deletions.waitDays,
      is_mailed: account.email !== undefined,
      // A sign-in creates no account for a person of a SCIM source (`elsewhere`): only the source does.
      ...(location?.at === 'source' || location?.at === 'provider' ? { comes_back: true as const } : {}),
    };
    const content = { page: 'manage_deletion' as const, ...this.pages.frame(current), manage_deletion };
    return this.pages.page(current, content, toFailedOptions(failure));
  }
}
