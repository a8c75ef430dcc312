/** The pages that set a security key up, beside or in the place of another (MAN-12). A key speaks to script alone: no form. */
import { Controller, Get } from '@nestjs/common';
import type { ManageFido2State } from '../../../contract/manage-state.js';
import { PATHS } from '../../../contract/paths.js';
import { InManageSession } from '../../../gateway/security/access.guard.js';
import { redirect } from '../../../gateway/page/outcome.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { WebAuthnFactor } from '../../../mfa/factors/webauthn/webauthn.factor.js';
import { ManagePages } from '../../session/manage-pages.js';
import { ManageForms } from '../../session/manage-forms.js';
import { CurrentManageRequest } from '../../session/manage-session.js';
import type { ManageRequest, ManageContext } from '../../session/manage-session.js';

@InManageSession()
@Controller()
export class WebAuthnController {
  constructor(
    private readonly edge: ManagePages,
    private readonly forms: ManageForms,
    private readonly fido2: WebAuthnFactor,
  ) {}

  @Get(PATHS.manageRegisterFido2)
  async show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.#page(await this.#current(request), { error: null });
  }

  /** The only one; where there are several, one of them can be removed. */
  @Get(PATHS.manageReplaceFido2)
  async showReplacing(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    const current = await this.#current(request);
    const [key, another] = await this.fido2.list(current.account.id);
    return key && !another ? this.#page(current, { error: null, replaces: key.id }) : redirect(PATHS.manageMfa);
  }

  async #current(request: ManageRequest): Promise<ManageContext> {
    const current = await this.edge.current(request);
    await this.forms.requireProof(current);
    return current;
  }

  #page(current: ManageContext, manage_fido2: ManageFido2State): Outcome {
    return this.edge.page(current, { page: 'manage_fido2', ...this.edge.frame(current), manage_fido2 });
  }
}
