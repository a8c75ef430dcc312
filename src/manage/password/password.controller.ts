import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { PasswordFlow } from './password.flow.js';

/** The password rules limit the length in bytes; this limit only bounds the work. */
const MAX_LENGTH = 4096;

class PasswordForm {
  @OptionalText(MAX_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_LENGTH)
  [FIELDS.newPassword]?: string;

  @OptionalText(MAX_LENGTH)
  [FIELDS.newPasswordRepeat]?: string;
}

@InManageSession()
@Controller(PATHS.managePassword)
export class PasswordController {
  constructor(private readonly flow: PasswordFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  submit(@Body() form: PasswordForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    const { password = '', newPassword = '', newPasswordRepeat = '' } = form;
    return this.flow.submit({ password, newPassword, newPasswordRepeat }, request);
  }
}
