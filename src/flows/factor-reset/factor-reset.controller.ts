/** The pages of the factor reset link from a contact person: the form and the result. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { MANAGE_QUERY, FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { FactorResetFlow } from './factor-reset.flow.js';

class FactorResetQuery {
  @OptionalText(1024)
  [FIELDS.resetToken]?: string;
}

class FactorResetForm extends FactorResetQuery {
  @OptionalText(4096)
  [FIELDS.password]?: string;
}

class FactorResetStatusQuery {
  @OptionalText(100)
  [MANAGE_QUERY.status]?: string;
}

@Public()
@Controller()
export class FactorResetController {
  constructor(private readonly flow: FactorResetFlow) {}

  @Get([PATHS.mfaResetForm, PATHS.mfaReset])
  show(@Query() { reset_token: token }: FactorResetQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  @Post(PATHS.mfaReset)
  @AcceptsOutdatedForm()
  submit(@Body() form: FactorResetForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    const { reset_token: token = '', password = '' } = form;
    return context.xsrf === null ? this.flow.showStaleForm(token, context) : this.flow.submit({ token, password }, context);
  }

  @Get(PATHS.mfaResetStatus)
  showStatus(@Query() { status }: FactorResetStatusQuery): Outcome {
    return this.flow.showStatus(status);
  }
}
