/** Recovery codes: shows how many are left, and replaces them. */
import { Injectable } from '@nestjs/common';
import { ChangeRefused } from '../../../accounts/account/account.errors.js';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import { ManageSessionRecords } from '../../../accounts/sessions/manage-sessions.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import type { Outcome, PageOutcome } from '../../../gateway/page/outcome.js';
import { RecoveryCodesFactor } from '../../../mfa/factors/recovery-codes/recovery-codes.factor.js';
import { ManagePages, failedOptions } from '../../session/manage-pages.js';
import { FreshProof } from '../../session/fresh-proof.js';
import { ManageForms } from '../../session/manage-forms.js';
import type { ManageRequest, ManageContext } from '../../session/manage-session.js';
import { newCodesPage } from '../new-codes.page.js';

@Injectable()
export class RecoveryCodesFlow {
  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly proof: FreshProof,
    private readonly recovery: RecoveryCodesFactor,
    private readonly limits: RequestLimits,
    private readonly sessions: ManageSessionRecords,
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
    await this.proof.require(current);
    const { account, session, by } = current;
    const retryAfterSeconds = await this.limits.countOwn('recovery-codes', account.id, by);
    if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
    const renewal = { accountId: account.id, by, manageSession: this.sessions.changing(session.sessionId) };
    const codes = await this.recovery.renew(renewal).catch((error: unknown) => {
      if (error instanceof ChangeRefused) return this.proof.refused(error, current);
      throw error;
    });
    if (codes.length === 0) throw new CallFailed('factor not found');
    return codes;
  }

  async #page(current: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const left = await this.recovery.left(current.account.id);
    const manage_recovery_codes = { error: failure?.code ?? null, left };
    const content = { page: 'manage_recovery_codes' as const, ...this.pages.frame(current), manage_recovery_codes };
    return this.pages.page(current, content, failedOptions(failure));
  }
}
