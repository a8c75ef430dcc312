/** The pages of the link in the mail about a deletion: the question and the result. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { KeepAccountFlow } from './keep-account.flow.js';

class KeepAccountForm {
  @OptionalText(1024)
  [FIELDS.linkToken]?: string;
}

class KeepAccountStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;
}

@Public()
@Controller()
export class KeepAccountController {
  constructor(private readonly flow: KeepAccountFlow) {}

  @Get(PATHS.keepAccount)
  show(@Query() { token = '' }: KeepAccountForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  /** An outdated form changes nothing: the question is shown again. */
  @Post(PATHS.keepAccount)
  @AcceptsOutdatedForm()
  submit(@Body() { token = '' }: KeepAccountForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.show(token, context) : this.flow.submit(token, context);
  }

  @Get(PATHS.keepAccountStatus)
  showStatus(@Query() { status }: KeepAccountStatusQuery): Outcome {
    return this.flow.showStatus(status);
  }
}
