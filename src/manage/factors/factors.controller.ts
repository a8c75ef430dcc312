/** The overview's addresses: looking at the factors, taking one away, giving a key a name. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { InArea } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentCaller } from '../session/manage-session.js';
import type { Caller } from '../session/manage-session.js';
import { FactorsFlow } from './factors.flow.js';

class KeyForm {
  @OptionalText(100)
  [FIELDS.key]?: string;

  @OptionalText(1000)
  [FIELDS.keyName]?: string;
}

@InArea()
@Controller()
export class FactorsController {
  constructor(private readonly flow: FactorsFlow) {}

  /** The forms' own addresses show the page too: a reload after an error. */
  @Get([PATHS.manageMfa, PATHS.manageRemoveTotp, PATHS.manageRemoveFido2, PATHS.manageRenameFido2])
  show(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.show(caller);
  }

  @Post(PATHS.manageRemoveTotp)
  removeTotp(@CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.removeTotp(caller);
  }

  @Post(PATHS.manageRemoveFido2)
  removeKey(@Body() { key = '' }: KeyForm, @CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.removeKey(key, caller);
  }

  @Post(PATHS.manageRenameFido2)
  renameKey(@Body() { key = '', key_name: name = '' }: KeyForm, @CurrentCaller() caller: Caller): Promise<Outcome> {
    return this.flow.renameKey({ keyId: key, name }, caller);
  }
}
