/** RPC calls that set up a factor (RPC-3, RPC-4), for every kind, in the account area and during a sign-in. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FACTOR_CALLS } from '../../contract/factor-paths.js';
import type { FactorSetupState } from '../../contract/mfa-state.js';
import { PATHS } from '../../contract/paths.js';
import type { FactorAddedAnswer } from '../../contract/rpc.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { readFactorBody } from '../../mfa/factor-body.js';
import { FactorRegistry, buildPaths } from '../../mfa/registry.js';
import { requireBegun } from '../../mfa/require-proven.js';
import { CurrentManageRequest, toBinding, type ManageRequest } from '../session/manage-session.js';
import { FactorSetup } from './factor-setup.js';

const INIT = buildPaths(FACTOR_CALLS.init);
const VERIFY = buildPaths(FACTOR_CALLS.verify);

@RpcCall('enrolment')
@Controller(PATHS.manageRpc)
export class SetupCallsController {
  constructor(
    private readonly setup: FactorSetup,
    private readonly registry: FactorRegistry,
  ) {}

  @Post(INIT)
  @HttpCode(200)
  async init(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<FactorSetupState> {
    const factor = this.registry.getByPath(request.context.path);
    const fields = await readFactorBody(factor.bodies.begin, body);
    const { account, auditContext } = await this.setup.requireAllowed(request, factor.kind);
    return requireBegun(
      await factor.begin({ account, boundTo: toBinding(request) }, auditContext, fields),
      factor.kind.codes.missing,
    );
  }

  @Post(VERIFY)
  @HttpCode(200)
  async verify(@Body() body: unknown, @CurrentManageRequest() request: ManageRequest): Promise<FactorAddedAnswer> {
    const factor = this.registry.getByPath(request.context.path);
    const answer = await readFactorBody(factor.bodies.confirm, body);
    const manageContext = await this.setup.requireAllowed(request, factor.kind);
    const result = await this.setup.confirm(factor, answer, manageContext);
    return this.setup.answer(result, manageContext, factor.kind);
  }
}
