/** Security keys by calls: setting one up (RPC-4), in the account area and during a sign-in; naming one. */
import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import type { SecurityKeyState } from '../../../contract/manage-state.js';
import type { FactorAddedAnswer, InitFido2Answer } from '../../../contract/rpc.js';
import { RpcCall } from '../../../gateway/security/access.guard.js';
import { CurrentManageSession } from '../../../gateway/security/manage-sessions.port.js';
import type { ManageSession } from '../../../gateway/security/manage-sessions.port.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { WebAuthnFactor } from '../../../mfa/factors/webauthn/webauthn.factor.js';
import { bodyCredential, bodyText, callBody } from '../../session/call-body.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { CurrentManageRequest, bindingOf } from '../../session/manage-session.js';
import type { ManageRequest } from '../../session/manage-session.js';

@Controller(PATHS.manageRpc)
export class WebAuthnCallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly fido2: WebAuthnFactor,
  ) {}

  @Post('mfa-init-fido2')
  @HttpCode(200)
  @RpcCall('enrolment')
  async init(@CurrentManageRequest() request: ManageRequest): Promise<InitFido2Answer> {
    const { account } = await this.setup.current(request);
    return this.fido2.beginRegistration(account, bindingOf(request));
  }

  @Post('mfa-verify-fido2')
  @HttpCode(200)
  @RpcCall('enrolment')
  async verify(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<FactorAddedAnswer> {
    const given = callBody(body);
    const sessionId = bodyText(given, 'sessionId');
    const credential = bodyCredential(given, 'credentialJson');
    const [name, replaces] = [bodyText(given, 'name'), bodyText(given, 'replaces')];
    const current = await this.setup.current(request);
    const wanted = { ...(name === '' ? {} : { name }), ...(replaces === '' ? {} : { replaces }) };
    const added = await this.fido2.finishRegistration({ ...this.setup.setUpOf(current), sessionId, credential, ...wanted });
    return this.setup.answer(added, current, 'hwk');
  }

  @Get('mfa/fido2')
  @RpcCall()
  list(@CurrentManageSession() { accountId }: ManageSession): Promise<SecurityKeyState[]> {
    return this.fido2.list(accountId);
  }

  @Patch('mfa/fido2/:id')
  @RpcCall()
  async rename(@Param('id') id: string, @Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    const name = bodyText(callBody(body), 'name');
    const { account, by } = await this.setup.current(request);
    if (!(await this.fido2.rename({ accountId: account.id, by }, { id, name }))) throw new CallFailed('fido2 not found');
    return {};
  }
}
