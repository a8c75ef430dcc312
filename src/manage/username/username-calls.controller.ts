import { Body, Controller, Get, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { UsernameFlow } from './username.flow.js';

@CallBody()
class UsernameBody {
  @CallText()
  [FIELDS.username] = '';
}

@Controller(`${PATHS.manageRpc}/username`)
export class UsernameCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: UsernameFlow,
  ) {}

  @Get()
  @RpcCall('enrolment')
  async show(@CurrentManageRequest() request: ManageRequest): Promise<{ username: string }> {
    const { account } = await this.pages.loadContext(request);
    return { username: account.username };
  }

  @Put()
  @RpcCall()
  async change(@Body() { username }: UsernameBody, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.flow.change(username, await this.pages.loadContext(request));
    return {};
  }
}
