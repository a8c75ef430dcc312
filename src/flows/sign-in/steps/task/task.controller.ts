/** The page and the form for what a person has to do between a proof and the app. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../../../contract/paths.js';
import { CurrentRequestContext, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { AcceptsOutdatedForm, Public } from '../../../../gateway/security/access.guard.js';
import { SignIns } from '../../sign-in.js';
import { TaskFlow } from './task.flow.js';
import { TaskForm, TaskQuery, type SubmittedTask } from './task.form.js';

@Public()
@Controller(PATHS.loginTask)
export class TaskController {
  constructor(
    private readonly signIns: SignIns,
    private readonly flow: TaskFlow,
  ) {}

  @Get()
  show(@Query() query: TaskQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(query, context);
  }

  /** A form that was made for an earlier id of this browser is accepted (`restoreForm`). */
  @Post()
  @AcceptsOutdatedForm()
  async submit(
    @Body() body: TaskForm,
    @Body() details: Record<string, unknown>,
    @CurrentRequestContext() requestContext: RequestContext,
  ): Promise<Outcome> {
    const form: SubmittedTask = Object.assign(body, { details });
    const context = await this.signIns.restoreForm(form.login_challenge, requestContext);
    if (context.xsrf === null) return this.flow.showStale(form, context);
    return form.proceed === 'cancel' ? this.flow.cancel(form, context) : this.flow.submit(form, context);
  }
}
