/** Routes that list, remove and rename factors, and end the trust in browsers. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { buildPaths } from '../../mfa/registry.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { FactorsFlow } from './factors.flow.js';

class EntryForm {
  @OptionalText(100)
  [FIELDS.key]?: string;

  @OptionalText(1000)
  [FIELDS.keyName]?: string;
}

const REMOVE = buildPaths(FACTOR_PATHS.remove);
const RENAME = buildPaths(FACTOR_PATHS.rename, ({ isSingle }) => !isSingle);

@InManageSession()
@Controller()
export class FactorsController {
  constructor(private readonly flow: FactorsFlow) {}

  /** The form addresses also show the page, for a reload after an error. */
  @Get([PATHS.manageMfa, PATHS.manageTrustedBrowsers, ...REMOVE, ...RENAME])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(REMOVE)
  remove(@Body() { key = '' }: EntryForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.remove(key, request);
  }

  @Post(PATHS.manageTrustedBrowsers)
  endTrust(@Body() { key = '' }: EntryForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.endTrust(key, request);
  }

  @Post(RENAME)
  rename(@Body() { key = '', key_name: name = '' }: EntryForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.rename({ id: key, name }, request);
  }
}
