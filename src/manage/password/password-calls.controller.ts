import { Body, Controller, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { PasswordFlow } from './password.flow.js';

@RpcCall()
@Controller(PATHS.manageRpc)
export class PasswordCallsController {
  constructor(
    private readonly edge: ManagePages,
    private readonly proof: FreshProof,
    private readonly flow: PasswordFlow,
  ) {}

  @Put('password')
  async change(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const given = callBody(body);
    const typed = {
      password: bodyText(given, FIELDS.password),
      newPassword: bodyText(given, FIELDS.newPassword),
      newPasswordRepeat: bodyText(given, FIELDS.newPasswordRepeat),
    };
    await this.proof.requireThawedForCall(request.session.accountId);
    await this.flow.change(typed, await this.edge.current(request));
    return {};
  }
}
