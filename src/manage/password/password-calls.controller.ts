import { Body, Controller, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { ChangeOwnPassword } from './change-own-password.js';

@CallBody()
class PasswordBody {
  @CallText()
  [FIELDS.password] = '';

  @CallText()
  [FIELDS.newPassword] = '';

  @CallText()
  [FIELDS.newPasswordRepeat] = '';
}

@RpcCall()
@Controller(PATHS.manageRpc)
export class PasswordCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly changePassword: ChangeOwnPassword,
  ) {}

  @Put('password')
  async change(@Body() typedPasswords: PasswordBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.changePassword.change(typedPasswords, await this.pages.loadContext(request));
    return {};
  }
}
