import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../../contract/form-fields.js';
import { PATHS } from '../../../contract/paths.js';
import { InArea } from '../../../gateway/security/access.guard.js';
import { OptionalText } from '../../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { CurrentCaller } from '../../session/manage-session.js';
import type { Caller } from '../../session/manage-session.js';
import { TotpFlow } from './totp.flow.js';

class TotpForm {
  @OptionalText(100)
  [FIELDS.code]?: string;
}

@InArea()
@Controller()
export class TotpController {
  constructor(private readonly flow: TotpFlow) {}

  @Get([PATHS.manageRegisterTotp, PATHS.manageReplaceTotp])
  show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.show(caller);
  }

  @Post([PATHS.manageRegisterTotp, PATHS.manageReplaceTotp])
  submit(@Body() { code }: TotpForm, @CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.submit(code, caller);
  }
}
