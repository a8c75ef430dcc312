import { Body, Controller, Put } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { AreaCall } from '../../gateway/security/access.guard.js';
import { AreaEdge } from '../session/manage-pages.js';
import { bodyText, callBody } from '../session/call-body.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';
import { PasswordFlow } from './password.flow.js';

@AreaCall()
@Controller(PATHS.manageRpc)
export class PasswordCallsController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly flow: PasswordFlow,
  ) {}

  @Put('password')
  async change(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<object> {
    const given = callBody(body);
    const typed = {
      password: bodyText(given, FIELDS.password),
      newPassword: bodyText(given, FIELDS.newPassword),
      newPasswordRepeat: bodyText(given, FIELDS.newPasswordRepeat),
    };
    await this.proof.requireThawedForCall(caller.visitor.accountId);
    await this.flow.change(typed, await this.edge.guest(caller));
    return {};
  }
}
