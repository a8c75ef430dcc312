/** Security keys by calls: setting one up (RPC-4), in the account area and during a sign-in; naming one. */
import { Body, Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { IsObject, ValidateIf } from 'class-validator';
import { PATHS } from '../../../contract/paths.js';
import type { SecurityKeyState } from '../../../contract/manage-state.js';
import type { FactorAddedAnswer, InitFido2Answer } from '../../../contract/rpc.js';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallText } from '../../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../../gateway/security/access.guard.js';
import { CurrentManageSession } from '../../../gateway/security/manage-sessions.port.js';
import type { ManageSession } from '../../../gateway/security/manage-sessions.port.js';
import { WebAuthnFactor } from '../../../mfa/factors/webauthn/webauthn.factor.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { ManagePages } from '../../session/manage-pages.js';
import { FactorRemoval } from '../factor-removal.js';
import { CurrentManageRequest, bindingOf } from '../../session/manage-session.js';
import type { ManageRequest } from '../../session/manage-session.js';

@CallBody()
class NewKeyBody {
  @CallText()
  sessionId = '';

  /** An object, or its JSON. What is in it the factor judges. */
  @ValidateIf((_, value) => typeof value !== 'string')
  @IsObject()
  credentialJson: object | string;

  @CallText()
  name = '';

  @CallText()
  replaces = '';
}

@CallBody()
class KeyNameBody {
  @CallText()
  name = '';
}

@Controller(PATHS.manageRpc)
export class WebAuthnCallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly fido2: WebAuthnFactor,
    private readonly changes: FactorRemoval,
    private readonly pages: ManagePages,
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
  async verify(@Body() body: NewKeyBody, @CurrentManageRequest() request: ManageRequest): Promise<FactorAddedAnswer> {
    const { sessionId, credentialJson: credential, name, replaces } = body;
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
  async rename(
    @Param('id') id: string,
    @Body() { name }: KeyNameBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<object> {
    await this.changes.renameKey({ id, name }, await this.pages.current(request));
    return {};
  }
}
