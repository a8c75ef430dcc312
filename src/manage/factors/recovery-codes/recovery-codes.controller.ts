import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import { OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import { InManageSession } from '../../../gateway/security/access.guard.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { CurrentManageRequest, type ManageRequest } from '../../session/manage-session.js';
import { RecoveryCodesFlow } from './recovery-codes.flow.js';

class SeenForm {
  @OptionalText(64)
  [FIELDS.code] = '';

  @OptionalText(20)
  [FIELDS.method]?: string;
}

@InManageSession()
@Controller()
export class RecoveryCodesController {
  constructor(private readonly flow: RecoveryCodesFlow) {}

  @Get([PATHS.manageRecoveryCodes, PATHS.manageRecoveryCodesSeen])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageRecoveryCodes)
  submit(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(request);
  }

  @Post(PATHS.manageRecoveryCodesSeen)
  confirmSeen(@Body() { code, method: setUp }: SeenForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.confirmSeen(request, { code, setUp });
  }
}
