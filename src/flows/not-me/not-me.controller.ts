/** The pages of the "that was not me" link in a notice: the question and the result. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { NotMeFlow } from './not-me.flow.js';

class NotMeForm {
  @OptionalText(1024)
  [FIELDS.linkToken]?: string;
}

class NotMeStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;
}

@Public()
@Controller()
export class NotMeController {
  constructor(private readonly flow: NotMeFlow) {}

  @Get(PATHS.notMe)
  show(@Query() { token = '' }: NotMeForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  /** An outdated form changes nothing: the response is the same as when the link is opened. */
  @Post(PATHS.notMe)
  @AcceptsOutdatedForm()
  submit(@Body() { token = '' }: NotMeForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.show(token, context) : this.flow.submit(token, context);
  }

  @Get(PATHS.notMeStatus)
  showStatus(@Query() { status }: NotMeStatusQuery): Outcome {
    return this.flow.showStatus(status);
  }
}
