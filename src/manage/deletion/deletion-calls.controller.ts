/** RPC calls that show, request and cancel the deletion of the account. */
import { Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { DeletionAnswer } from '../../contract/manage-data-state.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DeletionFlow } from './deletion.flow.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/deletion`)
export class DeletionCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: DeletionFlow,
  ) {}

  @Get()
  async find(@CurrentManageRequest() request: ManageRequest): Promise<DeletionAnswer> {
    return this.flow.find(await this.pages.loadContext(request));
  }

  @Post()
  @HttpCode(200)
  async begin(@CurrentManageRequest() request: ManageRequest): Promise<DeletionAnswer> {
    const manageContext = await this.pages.loadContext(request);
    await this.flow.begin(manageContext);
    return this.flow.find(manageContext);
  }

  @Delete()
  async cancel(@CurrentManageRequest() request: ManageRequest): Promise<object> {
    await this.flow.cancel(await this.pages.loadContext(request));
    return {};
  }
}
