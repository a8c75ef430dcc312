/** The two pages of a change of the e-mail address: for the new address, and for the code that is mailed to it. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { EmailFlow } from './email.flow.js';

class EmailForm {
  @OptionalText(1024)
  [FIELDS.email]?: string;
}

class CodeForm {
  @OptionalText(100)
  [FIELDS.code]?: string;
}

@InManageSession()
@Controller()
export class EmailController {
  constructor(private readonly flow: EmailFlow) {}

  @Get(PATHS.manageEmail)
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageEmail)
  submit(@Body() { email = '' }: EmailForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(email, request);
  }

  @Get(PATHS.manageEmailCode)
  showCode(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.showCode(request);
  }

  @Post(PATHS.manageEmailCode)
  submitCode(@Body() { code = '' }: CodeForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submitCode(code, request);
  }
}
