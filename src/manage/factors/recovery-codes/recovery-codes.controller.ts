import { Controller, Get, Post } from '@nestjs/common';
import { PATHS } from '../../../contract/paths.js';
import { InArea } from '../../../gateway/security/access.guard.js';
import type { Outcome } from '../../../gateway/page/outcome.js';
import { CurrentCaller } from '../../session/manage-session.js';
import type { Caller } from '../../session/manage-session.js';
import { RecoveryCodesFlow } from './recovery-codes.flow.js';

@InArea()
@Controller(PATHS.manageRecoveryCodes)
export class RecoveryCodesController {
  constructor(private readonly flow: RecoveryCodesFlow) {}

  @Get()
  show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.show(caller);
  }

  @Post()
  submit(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.submit(caller);
  }
}
