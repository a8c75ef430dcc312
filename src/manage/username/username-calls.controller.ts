import { Body, Controller, Get, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { AreaCall } from '../../gateway/security/access.guard.js';
import { AreaEdge } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';
import { UsernameFlow } from './username.flow.js';

@Controller(`${PATHS.manageRpc}/username`)
export class UsernameCallsController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly flow: UsernameFlow,
  ) {}

  @Get()
  @AreaCall('enrolment')
  async show(@CurrentCaller() caller: Caller): Promise<{ username: string }> {
    const { account } = await this.edge.guest(caller);
    return { username: account.username };
  }

  @Put()
  @AreaCall()
  async change(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<object> {
    const username = bodyText(callBody(body), FIELDS.username);
    const guest = await this.edge.guest(caller);
    await this.proof.requireForCall(guest);
    await this.flow.change(username, guest);
    return {};
  }
}
