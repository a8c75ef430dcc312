/** `/manage`: enters the account area with an access token; otherwise shows the question of `SwitchFlow`, or the overview. */
import { Controller, Get, Query } from '@nestjs/common';
import { MANAGE_QUERY, SERVER_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { ManageSessions } from '../../gateway/security/manage-sessions.port.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { EntryFlow } from '../session/entry.flow.js';
import { SwitchFlow } from '../session/switch.flow.js';
import { OverviewFlow } from './overview.flow.js';

/** Parameter with the address for "back to the app" (GEN-6). */
const RETURN_PARAMETER = 'return_to_url';

@Public()
@Controller()
export class OverviewController {
  constructor(
    private readonly entry: EntryFlow,
    private readonly switchFlow: SwitchFlow,
    private readonly sessions: ManageSessions,
    private readonly overview: OverviewFlow,
  ) {}

  @Get(PATHS.manage)
  async show(@Query() query: Record<string, unknown>, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    const session = await this.sessions.findByCookie(context);
    const { [SERVER_QUERY.token]: token, [RETURN_PARAMETER]: returnTo, [MANAGE_QUERY.entry]: entry } = query;
    if (SERVER_QUERY.token in query) {
      return session ? this.switchFlow.enter(token, returnTo, { session, context }) : this.entry.enter(token, returnTo, context);
    }
    if (!session) return redirect(`${PATHS.manageError}unauthorized`);
    const question = typeof entry === 'string' ? await this.switchFlow.show(entry, { session, context }) : null;
    return question ?? this.overview.show({ session, context });
  }
}
