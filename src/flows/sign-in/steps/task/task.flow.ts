/**
 * The step between a proof and the app (`tasks.ts`): shows the first outstanding task and completes it. `Dispatch` decides what follows,
 * and never accepts a sign-in with an outstanding task. While a second factor or passkey of the account is not proven, no task is shown
 * or done, also in a trusted browser: the password alone must not be enough to replace the password (decision 0054).
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import type { PresentedChallenge } from '../../../../gateway/page/return-tickets.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import { Dispatch, toShownRefusal } from '../../dispatch.js';
import { LoginScreens } from '../../login-screens.js';
import { toSecondStepUrl } from '../../login-url.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { TaskKinds } from './task-kinds.js';
import type { SubmittedTask, TaskQuery } from './task.form.js';
import { TaskPages, type TaskFault } from './task.page.js';

@Injectable()
export class TaskFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly dispatch: Dispatch,
    private readonly tasks: TaskKinds,
    private readonly pages: TaskPages,
    private readonly screens: LoginScreens,
  ) {}

  /** `GET /login/task`: writes nothing. */
  show(query: TaskQuery, context: RequestContext): Promise<Outcome> {
    return this.#show(query, null, context);
  }

  /** Shows a form with an outdated anti-forgery value again (`AcceptsOutdatedForm`). */
  showStale(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    return this.#show(form, { error: 'stale' }, context);
  }

  async #show(query: TaskQuery & { ticket?: string }, fault: TaskFault | null, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, trust_browser: trust = '', ticket, status } = query;
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.#answerMissing({ challenge, ticket }, context);
    const awaited = this.dispatch.findAwaited(signIn);
    if (awaited.kind === 'prove') return redirect(toSecondStepUrl(challenge));
    const task = awaited.kind === 'task' ? awaited.task : null;
    return this.pages.show({ signIn, trust, context }, { task, fault, asksAddress: status === 'ask' });
  }

  /** `POST /login/task` */
  submit(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    const { password = '', password_repeat: repetition = '', email = '', code = '', proceed = '' } = form;
    const key = [context.browser, context.form ?? '', password, repetition, email, code, proceed, JSON.stringify(form.details)];
    return this.#sameForms.runOnce(key, () => this.#submit(form, context));
  }

  async #submit(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, trust_browser: trust = '', ticket } = form;
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.#answerMissing({ challenge, ticket }, context);
    const awaited = this.dispatch.findAwaited(signIn);
    if (awaited.kind === 'prove') return redirect(toSecondStepUrl(challenge));
    // The task of this form may have been done in another tab, and another one may be outstanding: its page has to be seen first.
    if (awaited.kind === 'task' && awaited.task.kind === form.task) {
      const fault = await this.#complete(signIn, { form, task: awaited.task }, context);
      if (fault === 'ended') return this.#answerMissing({ challenge, ticket }, context);
      if (fault) return this.pages.show({ signIn, trust, context }, { task: awaited.task, fault });
    }
    const next = await this.dispatch.afterTask({ challenge, trust }, context);
    if (next.kind === 'answer') return next.answer;
    return this.screens.pageForFault(toShownRefusal(next.refusal), { challenge, ticket }, context);
  }

  /** A task that is due stays outstanding, whatever the form says (`findTasks`). */
  async #complete(signIn: IdentifiedSignIn, { form, task }: { form: SubmittedTask; task: Task }, context: RequestContext) {
    if (task.kind === 'password') return this.tasks.password.complete(signIn, form, context);
    if (task.kind === 'fields') return this.tasks.fields.complete(signIn, { task, body: form.details }, context);
    if (form.proceed !== 'later') return this.tasks.email.complete(signIn, form, context);
    await this.signIns.postpone(signIn, task.kind);
    return null;
  }

  /** The second of two clicks may arrive after the first has finished, and gets the same answer. */
  async #answerMissing(presentedChallenge: PresentedChallenge, context: RequestContext): Promise<Outcome> {
    const { challenge } = presentedChallenge;
    const answer = challenge === '' ? null : await this.signIns.findAnswer(challenge, context);
    return (
      answer ?? this.screens.pageForFault(await this.signIns.explainMissing(challenge, context), presentedChallenge, context)
    );
  }
}
