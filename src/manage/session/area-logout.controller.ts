/** Leaving the account area: its session ends here and at once, whatever the upstream knows; the upstream's own comes next. */
import { Controller, Get, Inject, Post } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/area-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/access.guard.js';
import { redirect } from '../../gateway/outcome.js';
import type { RedirectOutcome } from '../../gateway/outcome.js';
import { CurrentVisit } from '../../gateway/visit.js';
import type { Visit } from '../../gateway/visit.js';
import { upstreamLogoutUrl } from '../../hydra/upstream-logout.js';

@InArea()
@Controller(PATHS.manageLogout)
export class AreaLogoutController {
  constructor(
    private readonly sessions: AreaSessionRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  /** A reload after the form. */
  @Get()
  show(): RedirectOutcome {
    return redirect(PATHS.manage);
  }

  @Post()
  async leave(@CurrentVisit() visit: Visit): Promise<RedirectOutcome> {
    await this.sessions.endForBrowser(visit);
    return redirect(upstreamLogoutUrl(this.config.hydra), { session: null });
  }
}
