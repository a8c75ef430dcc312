/** Recovery codes: shows how many are left, replaces them, and stores that the person has seen them. */
import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../../accounts/limits/request-limits.js';
import { MANAGE_QUERY } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { redirect, type Outcome, type PageOutcome } from '../../../gateway/page/outcome.js';
import { SameForms } from '../../../gateway/page/same-forms.js';
import { Factors } from '../../../mfa/factors.js';
import { FactorRegistry } from '../../../mfa/registry.js';
import { toFactorChangedUrl } from '../../session/last-change.js';
import { ManagePages, toFailedOptions } from '../../session/manage-pages.js';
import { ManageForms } from '../../session/manage-forms.js';
import type { ManageRequest, ManageContext } from '../../session/manage-session.js';
import { ProvenChange } from '../../session/proven-change.js';
import { buildNewCodesPage } from '../new-codes.page.js';

const RENEWED_URL = `${PATHS.manage}?${MANAGE_QUERY.status}=recovery-codes-success`;

@Injectable()
export class RecoveryCodesFlow {
  /** Both clicks of a double click get the same codes: otherwise the page could show codes that the other click has replaced. */
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly pages: ManagePages,
    private readonly forms: ManageForms,
    private readonly provenChange: ProvenChange,
    private readonly factors: Factors,
    private readonly limits: RequestLimits,
    private readonly registry: FactorRegistry,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    await this.forms.requireProof(manageContext, PATHS.manageRecoveryCodes);
    return this.#buildPage(manageContext, null);
  }

  submit(request: ManageRequest): Promise<Outcome> {
    const { session, context } = request;
    return this.#sameForms.runOnce([session.sessionId, context.xsrf ?? ''], () => this.#submit(request));
  }

  async #submit(request: ManageRequest): Promise<Outcome> {
    const manageContext = await this.pages.loadContext(request);
    let codes: string[] = [];
    const failure = await this.forms.submit(manageContext, async () => {
      codes = await this.renew(manageContext);
    });
    return failure ? this.#buildPage(manageContext, failure) : buildNewCodesPage(this.pages, manageContext, codes);
  }

  /** @param setUp name of the kind whose set-up created the codes; absent if they were renewed */
  async confirmSeen(request: ManageRequest, { code, setUp }: { code: string; setUp?: string | undefined }): Promise<Outcome> {
    await this.factors.recoveryCodes.confirmSeen(request.session.accountId, code);
    const factor = setUp === undefined ? undefined : this.registry.find(setUp);
    return redirect(factor ? toFactorChangedUrl('mfa-success', factor.kind.name) : RENEWED_URL);
  }

  /** @throws CallFailed */
  async renew(manageContext: ManageContext): Promise<string[]> {
    const { account, auditContext } = manageContext;
    return this.provenChange.run(manageContext, async (manageSession) => {
      const retryAfterSeconds = await this.limits.countOwn('recovery-codes', account.id, auditContext);
      if (retryAfterSeconds !== null) throw new CallFailed('too many requests', { retryAfterSeconds });
      const codes = await this.factors.renewRecoveryCodes({ accountId: account.id, auditContext, manageSession });
      if (codes.length === 0) throw new CallFailed('factor not found');
      return codes;
    });
  }

  async #buildPage(manageContext: ManageContext, failure: CallFailed | null): Promise<PageOutcome> {
    const { left, unseen } = await this.factors.recoveryCodes.countLeft(manageContext.account.id);
    const manage_recovery_codes = { error: failure?.code ?? null, left, ...(unseen ? { unseen } : {}) };
    const content = { page: 'manage_recovery_codes' as const, ...this.pages.buildFrame(manageContext), manage_recovery_codes };
    return this.pages.buildPage(manageContext, content, toFailedOptions(failure));
  }
}
