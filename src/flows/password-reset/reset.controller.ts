/** The pages of the password reset link: the form for a new password, and the result. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { ResetFlow } from './reset.flow.js';

/** Limits only the work: the check of a new password has a smaller limit (VAL-1). */
const MAX_PASSWORD_LENGTH = 4096;
const MAX_TOKEN_LENGTH = 1024;

class ResetFormQuery {
  @OptionalText(MAX_TOKEN_LENGTH)
  [FIELDS.resetToken]?: string;
}

class ResetForm extends ResetFormQuery {
  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.passwordRepeat]?: string;
}

class ResetStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;

  @OptionalText(16_384)
  [FIELDS.ticket]?: string;
}

@Public()
@Controller()
export class ResetController {
  constructor(private readonly flow: ResetFlow) {}

  @Get([PATHS.passwordResetForm, PATHS.passwordReset])
  show(@Query() { reset_token: token }: ResetFormQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  @Post(PATHS.passwordReset)
  @AcceptsOutdatedForm()
  submit(@Body() form: ResetForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    const { reset_token: token = '', password = '', password_repeat: repetition = '' } = form;
    if (context.xsrf === null) return this.flow.showStaleForm(token, context);
    return this.flow.submit({ token, password, repetition }, context);
  }

  @Get(PATHS.passwordResetStatus)
  showStatus(@Query() { status, ticket }: ResetStatusQuery): Promise<Outcome> {
    return this.flow.showStatus(status, ticket);
  }
}
