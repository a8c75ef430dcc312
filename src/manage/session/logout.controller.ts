/**
 * "Log out" in the account area: redirects to Hydra's logout, which asks for confirmation and then also ends the manage session.
 * Without a session at Hydra, the page after the logout asks for confirmation.
 */
import { Controller, Get, Inject, Post } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { buildUpstreamLogoutUrl } from '../../hydra/upstream-url.js';

@InManageSession()
@Controller(PATHS.manageLogout)
export class ManageLogoutController {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>) {}

  /** Answers a reload after the form. */
  @Get()
  show(): RedirectOutcome {
    return redirect(PATHS.manage);
  }

  @Post()
  logout(): RedirectOutcome {
    return redirect(buildUpstreamLogoutUrl(this.config.hydra));
  }
}
