/** The pages that set a security key up, beside or in the place of another (MAN-12). A key speaks to script alone: no form. */
import { Controller, Get } from '@nestjs/common';
import type { ManageFido2State } from '../../../contract/manage-state.js';
import { PATHS } from '../../../contract/paths.js';
import { InArea } from '../../../gateway/security/access.guard.js';
import { redirect } from '../../../gateway/page/outcome.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { Fido2Factor } from '../../../mfa/factors/webauthn/webauthn.factor.js';
import { AreaEdge } from '../../session/manage-pages.js';
import { FreshProof } from '../../session/fresh-proof.js';
import { CurrentCaller } from '../../session/manage-session.js';
import type { Caller, Guest } from '../../session/manage-session.js';

@InArea()
@Controller()
export class Fido2Controller {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly fido2: Fido2Factor,
  ) {}

  @Get(PATHS.manageRegisterFido2)
  async show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.#page(await this.#guest(caller), { error: null });
  }

  /** The only one; where there are several, one of them can be removed. */
  @Get(PATHS.manageReplaceFido2)
  async showReplacing(@CurrentCaller() caller: Caller): Promise<Outcome> {
    const guest = await this.#guest(caller);
    const [key, another] = await this.fido2.list(guest.account.id);
    return key && !another ? this.#page(guest, { error: null, replaces: key.id }) : redirect(PATHS.manageMfa);
  }

  async #guest(caller: Caller): Promise<Guest> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest);
    return guest;
  }

  #page(guest: Guest, manage_fido2: ManageFido2State): Outcome {
    return this.edge.page(guest, { page: 'manage_fido2', ...this.edge.frame(guest), manage_fido2 });
  }
}
