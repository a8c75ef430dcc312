/** RPC calls that list the apps with access to the account, and revoke all or a part of the access. */
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import type { ManagedAppState } from '../../contract/manage-state.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { CallBody } from '../../gateway/http/body-rules.js';
import { CallScopes } from '../../gateway/http/form-fields.decorators.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { OwnApps } from './own-apps.js';

@CallBody()
class AppScopesBody {
  /** Scopes that the app keeps. */
  @CallScopes()
  [FIELDS.scopes]!: string[];
}

@RpcCall()
@Controller(`${PATHS.manageRpc}/apps`)
export class AppsCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly apps: OwnApps,
  ) {}

  @Get()
  async list(@CurrentManageRequest() request: ManageRequest): Promise<ManagedAppState[]> {
    return (await this.apps.list(await this.pages.loadContext(request))).apps;
  }

  @Delete()
  async removeAll(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.apps.revoke(null, await this.pages.loadContext(request));
    return {};
  }

  @Delete(':id')
  async remove(@Param('id') id: string, @CurrentManageRequest() request: ManageRequest): Promise<object> {
    if (!(await this.apps.revoke(id, await this.pages.loadContext(request)))) throw new CallFailed('page_not_found');
    return {};
  }

  @Put(':id/scopes')
  async narrow(
    @Param('id') id: string,
    @Body() { scopes }: AppScopesBody,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<object> {
    const result = await this.apps.narrow(id, scopes, await this.pages.loadContext(request));
    if (result === 'unknown') throw new CallFailed('page_not_found');
    if (result === 'trusted') throw new CallFailed('forbidden');
    return {};
  }
}
