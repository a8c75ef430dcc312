/** The page of the apps with access to the account, and the forms that revoke the access. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText, Scopes } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { InManageSession } from '../../gateway/security/access.guard.js';
import { CurrentManageRequest, type ManageRequest } from '../session/manage-session.js';
import { AppsFlow } from './apps.flow.js';

class AppForm {
  /** The id of a client. */
  @OptionalText(255)
  [FIELDS.key]?: string;
}

class AppScopesForm extends AppForm {
  /** Scopes that the app keeps. */
  @Scopes()
  [FIELDS.scopes]: string[] = [];
}

@InManageSession()
@Controller()
export class AppsController {
  constructor(private readonly flow: AppsFlow) {}

  @Get([PATHS.manageApps, PATHS.manageAppScopes])
  show(@CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.show(request);
  }

  @Post(PATHS.manageApps)
  remove(@Body() { key = '' }: AppForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.remove(key, request);
  }

  @Post(PATHS.manageAppScopes)
  narrow(@Body() { key = '', scopes }: AppScopesForm, @CurrentManageRequest() request: ManageRequest): Promise<Outcome> {
    return this.flow.narrow(key, scopes, request);
  }
}
