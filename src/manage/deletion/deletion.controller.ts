import { Controller, Get, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { DeletionFlow } from './deletion.flow.js';

@InManageSession()
@Controller()
export class DeletionController {
  constructor(private readonly flow: DeletionFlow) {}

  @Get([PATHS.manageDeletion, PATHS.manageDeletionCancel])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageDeletion)
  submit(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(request);
  }

  @Post(PATHS.manageDeletionCancel)
  cancel(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submitCancellation(request);
  }
}
