/** RPC calls about recovery codes. */
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import type { RecoveryCodesAnswer } from '../../../contract/rpc.js';
import { RpcCall } from '../../../gateway/security/access.guard.js';
import { CurrentManageSession, type ManageSession } from '../../../gateway/security/manage-sessions.port.js';
import { RecoveryCodes } from '../../../mfa/recovery-codes/recovery-codes.js';
import { ManagePages } from '../../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../../session/manage-session.js';
import { RecoveryCodesFlow } from './recovery-codes.flow.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/mfa-recovery-codes`)
export class RecoveryCodesCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: RecoveryCodesFlow,
    private readonly recovery: RecoveryCodes,
  ) {}

  @Get()
  async countLeft(@CurrentManageSession() { accountId }: ManageSession): Promise<{ left: number }> {
    const { left } = await this.recovery.countLeft(accountId);
    return { left };
  }

  @Post()
  @HttpCode(200)
  async renew(@CurrentManageRequest() request: ManageRequest): Promise<RecoveryCodesAnswer> {
    return { codes: await this.flow.renew(await this.pages.loadContext(request)) };
  }
}
