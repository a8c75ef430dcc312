import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';
import { UsernameFlow } from './username.flow.js';

class UsernameForm {
  @OptionalText(1024)
  [FIELDS.username]?: string;
}

@InArea()
@Controller(PATHS.manageUsername)
export class UsernameController {
  constructor(private readonly flow: UsernameFlow) {}

  @Get()
  show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.show(caller);
  }

  @Post()
  submit(@Body() { username = '' }: UsernameForm, @CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.submit(username, caller);
  }
}
