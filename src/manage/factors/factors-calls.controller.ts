/** RPC calls that count factors (RPC-2), and that list, remove (RPC-10) and rename them, for every kind. */
import { Body, Controller, Delete, Get, Param, Patch } from '@nestjs/common';
import { FACTOR_CALLS } from '../../contract/factor-paths.js';
import { toSpecifiedCounts } from '../../contract/mfa-fields.js';
import type { FactorEntryState } from '../../contract/mfa-state.js';
import { PATHS } from '../../contract/paths.js';
import type { MfaRegistrationStatusAnswer } from '../../contract/rpc.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallText } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { CurrentManageSession, type ManageSession } from '../../gateway/security/manage-sessions.port.js';
import type { Factor } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { FactorRegistry, toNamedCounts, buildPaths } from '../../mfa/registry.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { FactorRemoval } from './factor-removal.js';

const SINGLE_PATHS = buildPaths(FACTOR_CALLS.entries, ({ isSingle }) => isSingle);
const LIST_PATHS = buildPaths(FACTOR_CALLS.entries, ({ isSingle }) => !isSingle);
const ENTRY_PATHS = LIST_PATHS.map((path) => `${path}/:id`);

@CallBody()
class NameBody {
  @CallText()
  name = '';
}

@Controller(PATHS.manageRpc)
export class FactorsCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly factors: Factors,
    private readonly registry: FactorRegistry,
    private readonly removal: FactorRemoval,
  ) {}

  @Get('mfa-registration-status')
  @RpcCall('enrolment')
  async status(@CurrentManageSession() { accountId }: ManageSession): Promise<MfaRegistrationStatusAnswer> {
    return toSpecifiedCounts(toNamedCounts(await this.factors.readCounts(accountId)));
  }

  @Get(LIST_PATHS)
  @RpcCall()
  list(@CurrentManageRequest() { session, context }: ManageRequest): Promise<FactorEntryState[]> {
    return this.registry.getByPath(context.path).list(session.accountId);
  }

  @Delete(SINGLE_PATHS)
  @RpcCall()
  async remove(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    const factor = this.registry.getByPath(request.context.path);
    await this.removal.remove(factor, '', await this.pages.loadContext(request));
    return {};
  }

  @Delete(ENTRY_PATHS)
  @RpcCall()
  async removeEntry(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.removal.remove(this.#getFactor(request), id, await this.pages.loadContext(request));
    return {};
  }

  @Patch(ENTRY_PATHS)
  @RpcCall()
  async rename(
    @Param('id') id: string,
    @Body() { name }: NameBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<object> {
    await this.removal.rename(this.#getFactor(request), { id, name }, await this.pages.loadContext(request));
    return {};
  }

  #getFactor({ context: { path } }: ManageRequest): Factor {
    return this.registry.getByPath(path.slice(0, path.lastIndexOf('/')));
  }
}
