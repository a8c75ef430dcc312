import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { AppsFlow } from './apps.flow.js';

class AppForm {
  /** The id of a client. */
  @OptionalText(255)
  [FIELDS.key]?: string;
}

@InManageSession()
@Controller(PATHS.manageApps)
export class AppsController {
  constructor(private readonly flow: AppsFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  remove(@Body() { key = '' }: AppForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.remove(key, request);
  }
}
