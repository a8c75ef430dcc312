/** Setting an authenticator app up by calls (RPC-3), in the account area and during a sign-in. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import type { FactorAddedAnswer, InitTotpAnswer } from '../../../contract/rpc.js';
import { AreaCall } from '../../../gateway/security/access.guard.js';
import { CallFailed } from '../../../gateway/http/calls.js';
import { TotpFactor } from '../../../mfa/factors/totp/totp.factor.js';
import { bodyFlag, bodyText, callBody } from '../../session/call-body.js';
import { FactorSetup } from '../../session/factor-setup.js';
import { CurrentCaller, bindingOf } from '../../session/manage-session.js';
import type { Caller } from '../../session/manage-session.js';

/** The new app takes the place of the one there is. */
const REPLACE = 'replace';

@AreaCall('enrolment')
@Controller(PATHS.manageRpc)
export class TotpCallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly totp: TotpFactor,
  ) {}

  @Post('mfa-init-totp')
  @HttpCode(200)
  async init(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<InitTotpAnswer> {
    const replaces = bodyFlag(callBody(body ?? {}), REPLACE);
    const { account } = await this.setup.guest(caller);
    const begun = await this.totp.begin({ account, boundTo: bindingOf(caller), replaces });
    if (typeof begun === 'string') throw new CallFailed(begun);
    return begun;
  }

  @Post('mfa-verify-totp')
  @HttpCode(200)
  async verify(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<FactorAddedAnswer> {
    const given = callBody(body);
    const code = bodyText(given, FIELDS.code);
    const replaces = bodyFlag(given, REPLACE);
    const guest = await this.setup.guest(caller);
    const added = await this.totp.confirm({ ...this.setup.setUpOf(guest), code, replaces });
    return this.setup.answer(added, guest, 'otp');
  }
}
