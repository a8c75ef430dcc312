import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import { InManageSession } from '../../../gateway/security/access.guard.js';
import { OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { CurrentManageRequest } from '../../session/manage-session.js';
import type { ManageRequest } from '../../session/manage-session.js';
import { TotpFlow } from './totp.flow.js';

class TotpForm {
  @OptionalText(100)
  [FIELDS.code]?: string;
}

@InManageSession()
@Controller()
export class TotpController {
  constructor(private readonly flow: TotpFlow) {}

  @Get([PATHS.manageRegisterTotp, PATHS.manageReplaceTotp])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post([PATHS.manageRegisterTotp, PATHS.manageReplaceTotp])
  submit(@Body() { code }: TotpForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(code, request);
  }
}
