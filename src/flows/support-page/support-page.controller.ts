/** The pages for a person who has called the help desk and cannot sign in: the forms for username and code, and the words of the check. */
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { AcceptsOutdatedForm, Public } from '../../gateway/security/access.guard.js';
import { SupportPageFlow } from './support-page.flow.js';

const MAX_CODE_LENGTH = 200;

class NameForm {
  @OptionalText(1024)
  [FIELDS.username]?: string;
}

class CodeForm {
  @OptionalText(MAX_CODE_LENGTH)
  [FIELDS.code]?: string;
}

@Public()
@Controller()
export class SupportPageController {
  constructor(private readonly flow: SupportPageFlow) {}

  @Get(PATHS.support)
  show(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(context);
  }

  @Post(PATHS.support)
  @AcceptsOutdatedForm()
  ask(@Body() { username = '' }: NameForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.ask(username, context);
  }

  @Get(PATHS.supportCode)
  showCode(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.showCode(context);
  }

  @Post(PATHS.supportCode)
  @AcceptsOutdatedForm()
  enter(@Body() { code = '' }: CodeForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.enter(code, context);
  }

  @Get([PATHS.supportWords, PATHS.supportEnd])
  showWords(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.showWords(context);
  }

  @Post(PATHS.supportEnd)
  @AcceptsOutdatedForm()
  end(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.end(context);
  }
}
