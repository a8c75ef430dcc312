import { Controller, Get } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { UserInfoAnswer } from '../../contract/rpc.js';
import { AreaCall } from '../../gateway/security/access.guard.js';
import { AreaEdge } from '../session/manage-pages.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';

@Controller(PATHS.manageRpc)
export class UserinfoCallsController {
  constructor(private readonly edge: AreaEdge) {}

  @Get('userinfo')
  @AreaCall('enrolment')
  async userinfo(@CurrentCaller() caller: Caller): Promise<UserInfoAnswer> {
    const { account, visitor } = await this.edge.guest(caller);
    return {
      user_id: account.id,
      display_name: account.displayName,
      picture: account.picture ?? '',
      return_to_url: visitor.returnTo?.url ?? '',
    };
  }
}
