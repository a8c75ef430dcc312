/** Where somebody asks for the mail with the link to a new password. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { AREA_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentVisit } from '../../gateway/http/request-context.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { RequestFlow } from './request.flow.js';

const LONGEST_TICKET = 16_384;

class RequestFormQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';

  @OptionalText(LONGEST_TICKET)
  [FIELDS.ticket]?: string;
}

class RequestForm {
  @OptionalText(1024)
  [FIELDS.username]?: string;

  @OptionalText(LONGEST_TICKET)
  [FIELDS.ticket]?: string;
}

class RequestStatusQuery {
  @OptionalText(100)
  [AREA_QUERY.status]?: string;

  @OptionalText(LONGEST_TICKET)
  [FIELDS.ticket]?: string;
}

@Public()
@Controller()
export class RequestController {
  constructor(private readonly flow: RequestFlow) {}

  @Get([PATHS.passwordRequestForm, PATHS.passwordRequest])
  show(@Query() query: RequestFormQuery, @CurrentVisit() visit: Visit): Outcome {
    return this.flow.show({ challenge: query.login_challenge, ticket: query.ticket }, visit);
  }

  @Post(PATHS.passwordRequest)
  submit(@Body() form: RequestForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.submit(form, visit);
  }

  @Get(PATHS.passwordRequestStatus)
  status(@Query() { status, ticket }: RequestStatusQuery): Outcome {
    return this.flow.status(status, ticket);
  }
}
