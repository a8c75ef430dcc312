import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { UsernameFlow } from './username.flow.js';

class UsernameForm {
  @OptionalText(1024)
  [FIELDS.username]?: string;
}

@InManageSession()
@Controller(PATHS.manageUsername)
export class UsernameController {
  constructor(private readonly flow: UsernameFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  submit(@Body() { username = '' }: UsernameForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(username, request);
  }
}
