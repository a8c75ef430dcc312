/** Leaving the account area: its session ends here and at once, whatever the upstream knows; the upstream's own comes next. */
import { Controller, Get, Inject, Post } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditTrail } from '../../accounts/audit/audit-log.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/security/access.guard.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import { upstreamLogoutUrl } from '../../hydra/upstream-logout.js';
import { CurrentCaller } from './manage-session.js';
import type { Caller } from './manage-session.js';

@InArea()
@Controller(PATHS.manageLogout)
export class AreaLogoutController {
  constructor(
    private readonly sessions: AreaSessionRecords,
    private readonly audit: AuditTrail,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  /** A reload after the form. */
  @Get()
  show(): RedirectOutcome {
    return redirect(PATHS.manage);
  }

  @Post()
  async leave(@CurrentCaller() { visit, visitor }: Caller): Promise<RedirectOutcome> {
    await this.sessions.endForBrowser(visit);
    const { address, requestId } = visit;
    await this.audit.record({ kind: 'area.closed', actor: 'person', accountId: visitor.accountId, address, requestId });
    return redirect(upstreamLogoutUrl(this.config.hydra), { session: null });
  }
}
