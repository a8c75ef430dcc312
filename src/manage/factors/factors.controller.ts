/** The overview's addresses: looking at the factors, taking one away, giving a key a name. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentManageRequest } from '../session/manage-session.js';
import type { ManageRequest } from '../session/manage-session.js';
import { FactorsFlow } from './factors.flow.js';

class KeyForm {
  @OptionalText(100)
  [FIELDS.key]?: string;

  @OptionalText(1000)
  [FIELDS.keyName]?: string;
}

@InManageSession()
@Controller()
export class FactorsController {
  constructor(private readonly flow: FactorsFlow) {}

  /** The forms' own addresses show the page too: a reload after an error. */
  @Get([PATHS.manageMfa, PATHS.manageRemoveTotp, PATHS.manageRemoveFido2, PATHS.manageRenameFido2])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageRemoveTotp)
  removeTotp(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.removeTotp(request);
  }

  @Post(PATHS.manageRemoveFido2)
  removeKey(@Body() { key = '' }: KeyForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.removeKey(key, request);
  }

  @Post(PATHS.manageRenameFido2)
  renameKey(
    @Body() { key = '', key_name: name = '' }: KeyForm,
    @CurrentManageRequest() request: ManageRequest,
  ): Promise<Outcome> {
    return this.flow.renameKey({ keyId: key, name }, request);
  }
}
