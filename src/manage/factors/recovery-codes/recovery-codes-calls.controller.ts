/** Recovery codes by calls. */
import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import type { RecoveryCodesAnswer } from '../../../contract/rpc.js';
import { AreaCall } from '../../../gateway/security/access.guard.js';
import { CurrentVisitor } from '../../../gateway/security/manage-sessions.port.js';
import type { AreaVisitor } from '../../../gateway/security/manage-sessions.port.js';
import { RecoveryFactor } from '../../../mfa/factors/recovery-codes/recovery-codes.factor.js';
import { AreaEdge } from '../../session/manage-pages.js';
import { FreshProof } from '../../session/fresh-proof.js';
import { CurrentCaller } from '../../session/manage-session.js';
import type { Caller } from '../../session/manage-session.js';
import { RecoveryCodesFlow } from './recovery-codes.flow.js';

@AreaCall()
@Controller(`${PATHS.manageRpc}/mfa-recovery-codes`)
export class RecoveryCodesCallsController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly flow: RecoveryCodesFlow,
    private readonly recovery: RecoveryFactor,
  ) {}

  @Get()
  async left(@CurrentVisitor() { accountId }: AreaVisitor): Promise<{ left: number }> {
    return { left: await this.recovery.left(accountId) };
  }

  @Post()
  @HttpCode(200)
  async renew(@CurrentCaller() caller: Caller): Promise<RecoveryCodesAnswer> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForCall(guest);
    return { codes: await this.flow.renew(guest) };
  }
}
