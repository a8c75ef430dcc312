import { Controller, Get, Query } from '@nestjs/common';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { ActivityFlow } from './activity.flow.js';

export class ActivityQuery {
  @OptionalText(100)
  [MANAGE_QUERY.cursor]?: string;

  @OptionalText(100)
  [MANAGE_QUERY.show]?: string;
}

@InManageSession()
@Controller(PATHS.manageActivity)
export class ActivityController {
  constructor(private readonly flow: ActivityFlow) {}

  @Get()
  show(@Query() query: ActivityQuery, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(query, request);
  }
}
