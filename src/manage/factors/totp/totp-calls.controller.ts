/** Setting an authenticator app up by calls (RPC-3), in the account area and during a sign-in. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import type { FactorAddedAnswer, InitTotpAnswer } from '../../../contract/rpc.js';
import { CallBody } from '../../../gateway/http/body-rules.js';
import { CallFlag, CallText } from '../../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../../gateway/security/access.guard.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { TotpFactor } from '../../../mfa/factors/totp/totp.factor.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { CurrentManageRequest, bindingOf } from '../../session/manage-session.js';
import type { ManageRequest } from '../../session/manage-session.js';

@CallBody('optional')
class InitTotpBody {
  /** The new app takes the place of the one there is. */
  @CallFlag()
  replace = false;
}

@CallBody()
class VerifyTotpBody extends InitTotpBody {
  @CallText()
  [FIELDS.code] = '';
}

@RpcCall('enrolment')
@Controller(PATHS.manageRpc)
export class TotpCallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly totp: TotpFactor,
  ) {}

  @Post('mfa-init-totp')
  @HttpCode(200)
  async init(
    @Body() { replace: replaces }: InitTotpBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<InitTotpAnswer> {
    const { account } = await this.setup.current(request);
    const begun = await this.totp.begin({ account, boundTo: bindingOf(request), replaces });
    if (typeof begun === 'string') throw new CallFailed(begun);
    return begun;
  }

  @Post('mfa-verify-totp')
  @HttpCode(200)
  async verify(
    @Body() { code, replace: replaces }: VerifyTotpBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<FactorAddedAnswer> {
    const current = await this.setup.current(request);
    const added = await this.totp.confirm({ ...this.setup.setUpOf(current), code, replaces });
    return this.setup.answer(added, current, 'otp');
  }
}
