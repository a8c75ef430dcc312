/** The pages of the link in the mail about a change that somebody requested from the help desk: the question and the result. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { StopChangeFlow } from './stop-change.flow.js';

class StopChangeForm {
  @OptionalText(1024)
  [FIELDS.linkToken]?: string;
}

class StopChangeStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;
}

@Public()
@Controller()
export class StopChangeController {
  constructor(private readonly flow: StopChangeFlow) {}

  @Get(PATHS.stopChange)
  show(@Query() { token = '' }: StopChangeForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  /** An outdated form changes nothing: the question is shown again. */
  @Post(PATHS.stopChange)
  @AcceptsOutdatedForm()
  submit(@Body() { token = '' }: StopChangeForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.show(token, context) : this.flow.submit(token, context);
  }

  @Get(PATHS.stopChangeStatus)
  showStatus(@Query() { status }: StopChangeStatusQuery): Outcome {
    return this.flow.showStatus(status);
  }
}
