import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { CurrentManageRequest, type ManageRequest } from './manage-session.js';
import { SwitchFlow } from './switch.flow.js';

class SwitchForm {
  @OptionalText(100)
  [FIELDS.entry]?: string;
}

@InManageSession()
@Controller(PATHS.manageSwitch)
export class SwitchController {
  constructor(private readonly flow: SwitchFlow) {}

  /** Answers a reload after the form. */
  @Get()
  show(): RedirectOutcome {
    return redirect(PATHS.manage);
  }

  @Post()
  submit(@Body() { entry = '' }: SwitchForm, @CurrentManageRequest() request: ManageRequest): Promise<RedirectOutcome> {
    return this.flow.submit(entry, request);
  }
}
