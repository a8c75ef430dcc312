/** Security keys by calls: setting one up (RPC-4), in the account area and during a sign-in; naming one. */
import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import type { SecurityKeyState } from '../../../contract/manage-state.js';
import type { FactorAddedAnswer, InitFido2Answer } from '../../../contract/rpc.js';
import { AreaCall } from '../../../gateway/security/access.guard.js';
import { CurrentVisitor } from '../../../gateway/security/manage-sessions.port.js';
import type { AreaVisitor } from '../../../gateway/security/manage-sessions.port.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { Fido2Factor } from '../../../mfa/factors/webauthn/webauthn.factor.js';
import { bodyCredential, bodyText, callBody } from '../../session/call-body.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { CurrentCaller, bindingOf } from '../../session/manage-session.js';
import type { Caller } from '../../session/manage-session.js';

@Controller(PATHS.manageRpc)
export class Fido2CallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly fido2: Fido2Factor,
  ) {}

  @Post('mfa-init-fido2')
  @HttpCode(200)
  @AreaCall('enrolment')
  async init(@CurrentCaller() caller: Caller): Promise<InitFido2Answer> {
    const { account } = await this.setup.guest(caller);
    return this.fido2.beginRegistration(account, bindingOf(caller));
  }

  @Post('mfa-verify-fido2')
  @HttpCode(200)
  @AreaCall('enrolment')
  async verify(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<FactorAddedAnswer> {
    const given = callBody(body);
    const sessionId = bodyText(given, 'sessionId');
    const credential = bodyCredential(given, 'credentialJson');
    const [name, replaces] = [bodyText(given, 'name'), bodyText(given, 'replaces')];
    const guest = await this.setup.guest(caller);
    const wanted = { ...(name === '' ? {} : { name }), ...(replaces === '' ? {} : { replaces }) };
    const added = await this.fido2.finishRegistration({ ...this.setup.setUpOf(guest), sessionId, credential, ...wanted });
    return this.setup.answer(added, guest, 'hwk');
  }

  @Get('mfa/fido2')
  @AreaCall()
  list(@CurrentVisitor() { accountId }: AreaVisitor): Promise<SecurityKeyState[]> {
    return this.fido2.list(accountId);
  }

  @Patch('mfa/fido2/:id')
  @AreaCall()
  async rename(@Param('id') id: string, @Body() body: unknown, @CurrentCaller() caller: Caller): Promise<object> {
    const name = bodyText(callBody(body), 'name');
    const { account, by } = await this.setup.guest(caller);
    if (!(await this.fido2.rename({ accountId: account.id, by }, { id, name }))) throw new CallFailed('fido2 not found');
    return {};
  }
}
