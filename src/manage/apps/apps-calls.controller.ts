/** RPC calls that list what has access to the account, and take it away. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import type { ManagedAppState } from '../../contract/manage-state.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { AppsFlow } from './apps.flow.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/apps`)
export class AppsCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: AppsFlow,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<ManagedAppState[]> {
    return (await this.flow.list(request)).apps;
  }

  @Delete()
  async removeAll(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.flow.takeAway(null, await this.pages.current(request));
    return {};
  }

  @Delete(':id')
  async remove(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    if ((await this.flow.takeAway(id, await this.pages.current(request))) === 0) throw new CallFailed('page_not_found');
    return {};
  }
}
