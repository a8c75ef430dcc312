/** Recovery codes: shows how many are left, and replaces them. */
import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import type { Outcome, PageOutcome } from '../../../gateway/page/outcome.js';
import { RecoveryCodesFactor } from '../../../mfa/factors/recovery-codes/recovery-codes.factor.js';
import { ManagePages, failedOptions } from '../../session/manage-pages.js';
import { ManageForms } from '../../session/manage-forms.js';
import type { ManageRequest, ManageContext } from '../../session/manage-session.js';
import { ProvenChange } from '../../session/proven-change.js';
import { newCodesPage } from '../new-codes.page.js';

@Injectable()
export class RecoveryCodesFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly change: ProvenChange,
    private readonly recovery: RecoveryCodesFactor,
    private readonly limits: RequestLimits,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    await this.forms.requireProof(current);
    return this.#page(current, null);
  }

  async submit(request: ManageRequest): Promise<Outcome> {
    const current = await this.pages.current(request);
    let codes: string[] = [];
    const failure = await this.forms.submit(current, async () => {
      codes = await this.renew(current);
    });
    return failure ? this.#page(current, failure) : newCodesPage(this.pages, current, codes);
  }

  /** Throws CallFailed if the account has no factor, or after too many requests. */
  async renew(current: ManageContext): Promise<string[]> {
    const { account, by } = current;
    return this.change.run(current, async (manageSession) => {
      const retryAfterSeconds = await this.limits.countOwn('recovery-codes', account.id, by);
      if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
      const codes = await this.recovery.renew({ accountId: account.id, by, manageSession });
      if (codes.length === 0) throw new CallFailed('factor not found');
      return codes;
    });
  }

  async #page(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const left = await this.recovery.left(current.account.id);
    const manage_recovery_codes = { error: failure?.code ?? null, left };
    const content = { page: 'manage_recovery_codes' as const, ...this.pages.frame(current), manage_recovery_codes };
    return this.pages.page(current, content, failedOptions(failure));
  }
}
