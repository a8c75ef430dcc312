/** What factors there are (RPC-2), and taking one away (RPC-10). */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import { PATHS } from '../../contract/paths.js';
import type { MfaRegistrationStatusAnswer } from '../../contract/rpc.js';
import { AreaCall } from '../../gateway/security/access.guard.js';
import { CurrentVisitor } from '../../gateway/security/manage-sessions.port.js';
import type { AreaVisitor } from '../../gateway/security/manage-sessions.port.js';
import { AreaEdge } from '../session/manage-pages.js';
import { FreshProof } from '../session/fresh-proof.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller, Guest } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

@Controller(PATHS.manageRpc)
export class FactorsCallsController {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly factors: Factors,
    private readonly removal: FactorRemoval,
  ) {}

  @Get('mfa-registration-status')
  @AreaCall('enrolment')
  async status(@CurrentVisitor() { accountId }: AreaVisitor): Promise<MfaRegistrationStatusAnswer> {
    const { totp, keys } = await this.factors.status(accountId);
    return { totp_registered: totp, count_registered_fido2_devices: keys };
  }

  @Delete('mfa/totp')
  @AreaCall()
  async removeTotp(@CurrentCaller() caller: Caller): Promise<object> {
    await this.removal.removeTotp(await this.#guest(caller));
    return {};
  }

  @Delete('mfa/fido2/:id')
  @AreaCall()
  async removeKey(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<object> {
    await this.removal.removeKey(id, await this.#guest(caller));
    return {};
  }

  async #guest(caller: Caller): Promise<Guest> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForCall(guest);
    return guest;
  }
}
