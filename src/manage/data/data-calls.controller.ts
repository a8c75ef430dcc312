import { Controller, Get } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { OwnDataAnswer } from '../../contract/own-data.js';
import { RpcCall } from '../../gateway/security/access.guard.js';
import { ManagePages } from '../session/manage-pages.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DataFlow } from './data.flow.js';

@RpcCall()
@Controller(`${PATHS.manageRpc}/data`)
export class DataCallsController {
  constructor(
    private readonly pages: ManagePages,
    private readonly flow: DataFlow,
  ) {}

  @Get()
  async copy(@CurrentManageRequest() request: ManageRequest): Promise<OwnDataAnswer> {
    return this.flow.copy(await this.pages.loadContext(request));
  }
}
