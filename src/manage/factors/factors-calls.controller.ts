/** What factors there are (RPC-2), and taking one away (RPC-10). */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import { PATHS } from '../../contract/paths.js';
import type { MfaRegistrationStatusAnswer } from '../../contract/rpc.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { CurrentManageSession } from '../../gateway/security/manage-sessions.port.js';
import type { ManageSession } from '../../gateway/security/manage-sessions.port.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

@Controller(PATHS.manageRpc)
export class FactorsCallsController {
  constructor(
    private readonly edge: ManagePages,
    private readonly factors: Factors,
    private readonly removal: FactorRemoval,
  ) {}

  @Get('mfa-registration-status')
  @RpcCall('enrolment')
  async status(@CurrentManageSession() { accountId }: ManageSession): Promise<MfaRegistrationStatusAnswer> {
    const { totp, keys } = await this.factors.status(accountId);
    return { totp_registered: totp, count_registered_fido2_devices: keys };
  }

  @Delete('mfa/totp')
  @RpcCall()
  async removeTotp(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.removal.removeTotp(await this.edge.current(request));
    return {};
  }

  @Delete('mfa/fido2/:id')
  @RpcCall()
  async removeKey(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.removal.removeKey(id, await this.edge.current(request));
    return {};
  }
}
