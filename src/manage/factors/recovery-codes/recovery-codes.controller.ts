import { Controller, Get, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import { InManageSession } from '../../../gateway/security/access.guard.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { CurrentManageRequest } from '../../session/manage-session.js';
import type { ManageRequest } from '../../session/manage-session.js';
import { RecoveryCodesFlow } from './recovery-codes.flow.js';

@InManageSession()
@Controller(PATHS.manageRecoveryCodes)
export class RecoveryCodesController {
  constructor(private readonly flow: RecoveryCodesFlow) {}

  @Get()
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post()
  submit(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(request);
  }
}
