import { Controller, Get, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DataFlow } from './data.flow.js';

@InManageSession()
@Controller(PATHS.manageData)
export class DataController {
  constructor(private readonly flow: DataFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  download(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.download(request);
  }
}
