/** The form that requests a mail with a password reset link. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { RequestFlow } from './request.flow.js';

const MAX_TICKET_LENGTH = 16_384;

class RequestFormQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(MAX_TICKET_LENGTH)
  [FIELDS.ticket]?: string;
}

class RequestForm {
  @OptionalText(1024)
  [FIELDS.username]?: string;

  @OptionalText(MAX_TICKET_LENGTH)
  [FIELDS.ticket]?: string;
}

class RequestStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;

  @OptionalText(MAX_TICKET_LENGTH)
  [FIELDS.ticket]?: string;
}

@Public()
@Controller()
export class RequestController {
  constructor(private readonly flow: RequestFlow) {}

  @Get([PATHS.passwordRequestForm, PATHS.passwordRequest])
  show(@Query() query: RequestFormQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show({ challenge: query.login_challenge, ticket: query.ticket }, context);
  }

  @Post(PATHS.passwordRequest)
  @AcceptsOutdatedForm()
  submit(@Body() form: RequestForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.showStaleForm(form, context) : this.flow.submit(form, context);
  }

  @Get(PATHS.passwordRequestStatus)
  showStatus(@Query() { status, ticket }: RequestStatusQuery): Promise<Outcome> {
    return this.flow.showStatus(status, ticket);
  }
}
