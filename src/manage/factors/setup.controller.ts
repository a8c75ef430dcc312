/** Pages that add or replace a factor (MAN-4), for every kind. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import type { FactorKind } from '../../mfa/factor.port.js';
import { buildPaths } from '../../mfa/registry.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { SetupFlow } from './setup.flow.js';

class SetupForm {
  @OptionalText(100)
  [FIELDS.code]?: string;
}

const toPagePaths = (isIncluded: (kind: FactorKind) => boolean): string[] => [
  ...buildPaths(FACTOR_PATHS.register, isIncluded),
  ...buildPaths(FACTOR_PATHS.replace, isIncluded),
];

@InManageSession()
@Controller()
export class SetupController {
  constructor(private readonly flow: SetupFlow) {}

  @Get(toPagePaths(() => true))
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(toPagePaths(({ setUpBy }) => setUpBy === 'forms'))
  submit(@Body() { code }: SetupForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.submit(code, request);
  }
}
