/** The RPC call that lists the last security events of the account. */
import { Controller, Get, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { ActivityAnswer } from '../../contract/manage-data-state.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { ActivityQuery } from './activity.controller.js';
import { ActivityFlow } from './activity.flow.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/activity`)
export class ActivityCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: ActivityFlow,
  ) {}

  @Get()
  async list(@Query() query: ActivityQuery, @CurrentManageRequest() request: ManageRequest): Promise<ActivityAnswer> {
    return this.flow.list(query, await this.pages.loadContext(request));
  }
}
