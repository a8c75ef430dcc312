/** RPC calls that read the e-mail address, and change it with a code that is mailed to the new address. */
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { EmailAnswer } from '../../contract/rpc.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { EmailFlow } from './email.flow.js';

@CallBody()
class EmailBody {
  @CallText()
  [FIELDS.email] = '';
}

@CallBody()
class CodeBody {
  @CallText()
  [FIELDS.code] = '';
}

@Controller(`${PATHS.manageRpc}/email`)
export class EmailCallsController {
  constructor(private readonly flow: EmailFlow) {}

  @Get()
  @RpcCall()
  async show(@CurrentManageRequest() request: ManageRequest): Promise<EmailAnswer> {
    const { account } = await this.flow.loadContext(request);
    return { email: account.email ?? null, email_verified: account.emailVerified };
  }

  @Post('init')
  @HttpCode(200)
  @RpcCall()
  async begin(@Body() { email }: EmailBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.flow.begin(email, await this.flow.loadContext(request));
    return {};
  }

  @Post('verify')
  @HttpCode(200)
  @RpcCall()
  async confirm(@Body() { code }: CodeBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.flow.confirm(code, await this.flow.loadContext(request));
    return {};
  }
}
