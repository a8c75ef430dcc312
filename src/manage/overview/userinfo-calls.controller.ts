import { Controller, Get } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { UserInfoAnswer } from '../../contract/rpc.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';

@Controller(PATHS.manageRpc)
export class UserinfoCallsController {
  constructor(private readonly pages: ManagePages) {}

  @Get('userinfo')
  @RpcCall('enrolment')
  async show(@CurrentManageRequest() request: ManageRequest): Promise<UserInfoAnswer> {
    const { account, session } = await this.pages.loadContext(request);
    return {
      user_id: account.id,
      display_name: account.displayName,
      picture: account.picture ?? '',
      return_to_url: session.returnTo?.url ?? '',
    };
  }
}
