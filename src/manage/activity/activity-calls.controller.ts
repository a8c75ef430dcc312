/** The RPC call that lists the last security events of the account. */
import { Controller, Get, Query } from '@nestjs/common';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { ActivityAnswer } from '../../contract/manage-data-state.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { ActivityFlow } from './activity.flow.js';

class ActivityCallQuery {
  @OptionalText(100)
  [MANAGE_QUERY.cursor]?: string;
}

@RpcCall()
@Controller(`${PATHS.manageRpc}/activity`)
export class ActivityCallsController {
  constructor(private readonly flow: ActivityFlow) {}

  @Get()
  list(@Query() { cursor }: ActivityCallQuery, @CurrentManageRequest() request: ManageRequest): Promise<ActivityAnswer> {
    return this.flow.list(cursor, request);
  }
}
