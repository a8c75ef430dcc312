/** Leaves the account area: its session ends here at once; the logout at Hydra follows. */
import { Controller, Get, Inject, Post } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import { upstreamLogoutUrl } from '../../hydra/upstream-logout.js';
import { CurrentManageRequest } from './manage-session.js';
import type { ManageRequest } from './manage-session.js';

@InManageSession()
@Controller(PATHS.manageLogout)
export class ManageLogoutController {
  constructor(
    private readonly sessions: ManageSessionRecords,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'hydra'>,
  ) {}

  /** A reload after the form. */
  @Get()
  show(): RedirectOutcome {
    return redirect(PATHS.manage);
  }

  @Post()
  async logout(@CurrentManageRequest() { context, session }: ManageRequest): Promise<RedirectOutcome> {
    await this.sessions.endForBrowser(context);
    const { address, requestId } = context;
    await this.audit.record({ kind: 'area.closed', actor: 'person', accountId: session.accountId, address, requestId });
    return redirect(upstreamLogoutUrl(this.config.hydra), { session: null });
  }
}
