/** Setting an authenticator app up by plain forms (MAN-11, GEN-9): without a code it begins, with one it ends. */
import { Injectable } from '@nestjs/common';
import { AREA_QUERY } from '../../../contract/form-fields.js';
import type { ManageTotpState } from '../../../contract/manage-state.js';
import { PATHS } from '../../../contract/paths.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { redirect } from '../../../gateway/page/outcome.js';
import type { Outcome, PageOutcome } from '../../../gateway/page/outcome.js';
import { TotpFactor } from '../../../mfa/factors/totp/totp.factor.js';
import { AreaEdge, failedOptions } from '../../session/manage-pages.js';
import { requireAdded } from '../../session/factor-answers.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { failureOf } from '../../session/failure.js';
import { FreshProof } from '../../session/fresh-proof.js';
import { bindingOf } from '../../session/manage-session.js';
import type { Caller, Guest } from '../../session/manage-session.js';
import { newCodesPage } from '../../session/new-codes.page.js';

@Injectable()
export class TotpFlow {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly setup: FactorSetup,
    private readonly totp: TotpFactor,
  ) {}

  async show(caller: Caller): Promise<Outcome> {
    const guest = await this.#guest(caller);
    // A reload after the set-up: there is nothing to set up any more, and the overview leads to new recovery codes.
    if (((await this.totp.describe(guest.account.id)) !== null) !== replaces(guest)) return redirect(PATHS.manageMfa);
    // A set-up that waits goes on: what was scanned stays good when a fresh proof came between.
    const setup = await this.totp.resume(placeOf(guest));
    return this.#page(guest, { error: null, ...(setup ? { setup } : {}) });
  }

  async submit(code: string | undefined, caller: Caller): Promise<Outcome> {
    const guest = await this.#guest(caller);
    return code === undefined ? this.#begin(guest) : this.#confirm(code, guest);
  }

  async #guest(caller: Caller): Promise<Guest> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest);
    return guest;
  }

  async #begin(guest: Guest): Promise<Outcome> {
    const begun = await this.totp.begin(placeOf(guest));
    if (typeof begun === 'string') return this.#page(guest, { error: begun }, new CallFailed(begun));
    return this.#page(guest, { error: null, setup: begun });
  }

  async #confirm(code: string, guest: Guest): Promise<Outcome> {
    let codes: string[] | undefined;
    const failure = await failureOf(async () => {
      const wanted = { ...this.setup.setUpOf(guest), code, replaces: replaces(guest) };
      codes = requireAdded(await this.totp.confirm(wanted));
    });
    if (failure) {
      const setup = await this.totp.resume(placeOf(guest));
      return this.#page(guest, { error: failure.code, ...(setup ? { setup } : {}) }, failure);
    }
    return codes ? newCodesPage(this.edge, guest, codes) : redirect(`${PATHS.manage}?${AREA_QUERY.status}=mfa-success`);
  }

  #page(guest: Guest, state: ManageTotpState, failure?: CallFailed): PageOutcome {
    const manage_totp = { ...state, ...(replaces(guest) ? { replaces: true as const } : {}) };
    const content = { page: 'manage_totp' as const, ...this.edge.frame(guest), manage_totp };
    return this.edge.page(guest, content, failure ? failedOptions(failure) : {});
  }
}

/** The address says which of the two it is. */
function replaces({ visit }: Guest): boolean {
  return visit.path === PATHS.manageReplaceTotp;
}

function placeOf(guest: Guest) {
  return { account: guest.account, boundTo: bindingOf(guest), replaces: replaces(guest) };
}
