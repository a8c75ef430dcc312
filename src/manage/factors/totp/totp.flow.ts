/** Setting an authenticator app up by plain forms (MAN-11, GEN-9): without a code it begins, with one it ends. */
import { Injectable } from '@nestjs/common';
import { MANAGE_QUERY } from '../../../contract/form-fields.js';
import type { ManageTotpState } from '../../../contract/manage-state.js';
import { PATHS } from '../../../contract/paths.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { redirect } from '../../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../../gateway/page/outcome.js';
import { TotpFactor } from '../../../mfa/factors/totp/totp.factor.js';
import { ManagePages, failedOptions } from '../../session/manage-pages.js';
import { requireAdded } from '../../session/factor-answers.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { ManageForms } from '../../session/manage-forms.js';
import { bindingOf } from '../../session/manage-session.js';
import type { ManageRequest, ManageContext } from '../../session/manage-session.js';
import { newCodesPage } from '../../session/new-codes.page.js';

@Injectable()
export class TotpFlow {
  constructor(
    private readonly edge: ManagePages,
    private readonly forms: ManageForms,
    private readonly setup: FactorSetup,
    private readonly totp: TotpFactor,
  ) {}

  async show(request: ManageRequest): Promise<Outcome> {
    const current = await this.#current(request);
    // A reload after the set-up: there is nothing to set up any more, and the overview leads to new recovery codes.
    if (((await this.totp.describe(current.account.id)) !== null) !== replaces(current)) return redirect(PATHS.manageMfa);
    // A set-up that waits goes on: what was scanned stays good when a fresh proof came between.
    const setup = await this.totp.resume(placeOf(current));
    return this.#page(current, { error: null, ...(setup ? { setup } : {}) });
  }

  async submit(code: string | undefined, request: ManageRequest): Promise<Outcome> {
    const current = await this.#current(request);
    return code === undefined ? this.#begin(current) : this.#confirm(code, current);
  }

  async #current(request: ManageRequest): Promise<ManageContext> {
    const current = await this.edge.current(request);
    await this.forms.requireProof(current);
    return current;
  }

  async #begin(current: ManageContext): Promise<Outcome> {
    const begun = await this.totp.begin(placeOf(current));
    if (typeof begun === 'string') return this.#page(current, { error: begun }, new CallFailed(begun));
    return this.#page(current, { error: null, setup: begun });
  }

  async #confirm(code: string, current: ManageContext): Promise<Outcome> {
    let codes: string[] | undefined;
    const failure = await this.forms.submit(current, async () => {
      const wanted = { ...this.setup.setUpOf(current), code, replaces: replaces(current) };
      codes = requireAdded(await this.totp.confirm(wanted));
    });
    if (failure) {
      const setup = await this.totp.resume(placeOf(current));
      return this.#page(current, { error: failure.code, ...(setup ? { setup } : {}) }, failure);
    }
    return codes ? newCodesPage(this.edge, current, codes) : redirect(`${PATHS.manage}?${MANAGE_QUERY.status}=mfa-success`);
  }

  #page(current: ManageContext, state: ManageTotpState, failure?: CallFailed): PageOutcome {
    const manage_totp = { ...state, ...(replaces(current) ? { replaces: true as const } : {}) };
    const content = { page: 'manage_totp' as const, ...this.edge.frame(current), manage_totp };
    return this.edge.page(current, content, failure ? failedOptions(failure) : {});
  }
}

/** The address says which of the two it is. */
function replaces({ context }: ManageContext): boolean {
  return context.path === PATHS.manageReplaceTotp;
}

function placeOf(current: ManageContext) {
  return { account: current.account, boundTo: bindingOf(current), replaces: replaces(current) };
}
