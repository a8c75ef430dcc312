/** The page behind the link of an invitation, on which a person without an account creates one. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { INVITATION_PATH } from '../../contract/registration-state.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { AcceptsOutdatedForm, Public } from '../../gateway/security/access.guard.js';
import { InvitationFlow } from './invitation.flow.js';

/** Limits only the work: the check of a new password has a smaller limit (VAL-1). */
const MAX_PASSWORD_LENGTH = 4096;

class InvitationQuery {
  @OptionalText(1024)
  [FIELDS.linkToken]?: string;
}

class InvitationForm extends InvitationQuery {
  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.password]?: string;

  @OptionalText(MAX_PASSWORD_LENGTH)
  [FIELDS.passwordRepeat]?: string;
}

@Public()
@Controller()
export class InvitationController {
  constructor(private readonly flow: InvitationFlow) {}

  @Get(INVITATION_PATH)
  show(@Query() { token }: InvitationQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(token, context);
  }

  @Post(INVITATION_PATH)
  @AcceptsOutdatedForm()
  submit(
    @Body() form: InvitationForm,
    @Body() fields: Record<string, unknown>,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const { token = '', password = '', password_repeat: repetition = '' } = form;
    return this.flow.submit({ token, password, repetition, fields }, context);
  }
}
