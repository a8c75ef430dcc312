/** The page that sets a security key up (MAN-12). The key speaks to the page's script alone, so there is no form. */
import { Controller, Get } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/access.guard.js';
import type { Outcome } from '../../gateway/outcome.js';
import { AreaEdge } from '../session/area-edge.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/guest.js';
import type { Caller } from '../session/guest.js';

@InArea()
@Controller(PATHS.manageRegisterFido2)
export class Fido2Controller {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
  ) {}

  @Get()
  async show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForPage(guest);
    return this.edge.page(guest, { page: 'manage_fido2', ...this.edge.frame(guest), manage_fido2: { error: null } });
  }
}
