import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DataFlow } from './data.flow.js';

/** See `WITHDRAW_QUERY`. */
class DataQuery {
  @OptionalText(20)
  decision?: string;
}

class DataForm {
  /** Id of the terms whose acceptance is withdrawn. */
  @OptionalText(40)
  [FIELDS.key]?: string;
}

@InManageSession()
@Controller(PATHS.manageData)
export class DataController {
  constructor(private readonly flow: DataFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  submit(
    @Query() { decision }: DataQuery,
    @Body() { key = '' }: DataForm,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<Outcome> {
    return decision === 'withdraw' ? this.flow.withdraw(key, request) : this.flow.download(request);
  }
}
