import { Body, Controller, Get, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { UsernameFlow } from './username.flow.js';

@Controller(`${PATHS.manageRpc}/username`)
export class UsernameCallsController {
  constructor(
    private readonly edge: ManagePages,
    private readonly proof: FreshProof,
    private readonly flow: UsernameFlow,
  ) {}

  @Get()
  @RpcCall('enrolment')
  async show(@CurrentManageRequest() request: ManageRequest): Promise<{ username: string }> {
    const { account } = await this.edge.current(request);
    return { username: account.username };
  }

  @Put()
  @RpcCall()
  async change(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const username = bodyText(callBody(body), FIELDS.username);
    const current = await this.edge.current(request);
    await this.proof.requireForCall(current);
    await this.flow.change(username, current);
    return {};
  }
}
