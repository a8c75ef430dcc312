/**
 * The step between a proof and the app (`tasks.ts`): shows the first outstanding task and completes it. `Dispatch` decides what follows,
 * and never accepts a sign-in with an outstanding task. While a second factor or passkey of the account is not proven, no new password or
 * address is asked for or set, not even in a trusted browser: the password alone must not be enough to replace the password (decision 0054).
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import type { PresentedChallenge } from '../../../../gateway/page/return-tickets.js';
import { SameForms } from '../../../../gateway/page/same-forms.js';
import { Dispatch, toShownRefusal, type DispatchResult } from '../../dispatch.js';
import { LoginScreens } from '../../login-screens.js';
import { toSecondStepUrl } from '../../login-url.js';
import { SignIns, type IdentifiedSignIn } from '../../sign-in.js';
import { toTaskKey, type Task } from '../../tasks.js';
import { TaskKinds, type TaskFault } from './task-kinds.js';
import type { SubmittedTask, TaskForm, TaskQuery } from './task.form.js';
import { TaskPages } from './task.page.js';

@Injectable()
export class TaskFlow {
  readonly #sameForms = new SameForms<Outcome>();

  constructor(
    private readonly signIns: SignIns,
    private readonly dispatch: Dispatch,
    private readonly kinds: TaskKinds,
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
    const awaitedStep = await this.dispatch.findAwaitedStep(signIn, context);
    if (awaitedStep.kind === 'prove') return redirect(toSecondStepUrl(challenge));
    const task = awaitedStep.kind === 'task' ? awaitedStep.task : null;
    return this.pages.show({ signIn, trust, context }, { task, fault, asksAddress: status === 'ask' });
  }

  /** `POST /login/task` */
  submit(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    const key = [context.browser, context.xsrf ?? '', form.proceed ?? '', JSON.stringify(form.details)];
    return this.#sameForms.runOnce(key, () => this.#submit(form, context));
  }

  async #submit(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, trust_browser: trust = '', ticket } = form;
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.#answerMissing({ challenge, ticket }, context);
    const awaitedStep = await this.dispatch.findAwaitedStep(signIn, context);
    if (awaitedStep.kind === 'prove') return redirect(toSecondStepUrl(challenge));
    // The task of this form may have been done in another tab, and another task may be outstanding: the person has to see its page first.
    if (awaitedStep.kind === 'task' && toTaskKey(awaitedStep.task) === form.task) {
      const fault = await this.#complete(signIn, { form, task: awaitedStep.task }, context);
      if (fault === 'ended') return this.#answerMissing({ challenge, ticket }, context);
      if (fault) return this.pages.show({ signIn, trust, context }, { task: awaitedStep.task, fault });
    }
    return this.#answer(await this.dispatch.afterTask({ challenge, trust }, context), form, context);
  }

  /** A task that is due stays outstanding, even if the form postpones it (`findTasks`). */
  async #complete(
    signIn: IdentifiedSignIn,
    { form, task }: { form: SubmittedTask; task: Task },
    context: RequestContext,
  ): Promise<TaskFault | 'ended' | null> {
    const key = toTaskKey(task);
    if (form.proceed !== 'later' || key === 'password' || key === 'fields')
      return this.kinds.complete(signIn, task, { form, context });
    await this.signIns.postpone(signIn, key);
    return null;
  }

  /** `POST /login/task` with `proceed=cancel`: the app gets `access_denied`, because the person does not accept the terms. */
  cancel(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    return this.#sameForms.runOnce([context.browser, context.xsrf ?? '', 'cancel'], () => this.#cancel(form, context));
  }

  async #cancel(form: SubmittedTask, context: RequestContext): Promise<Outcome> {
    const { login_challenge: challenge, ticket } = form;
    const signIn = await this.signIns.findIdentified(challenge, context);
    if (!signIn) return this.#answerMissing({ challenge, ticket }, context);
    const awaitedStep = await this.dispatch.findAwaitedStep(signIn, context);
    if (awaitedStep.kind !== 'task' || awaitedStep.task.kind !== 'terms') return this.#show(form, null, context);
    return this.#answer(await this.dispatch.decline(signIn, signIn.account, context), form, context);
  }

  #answer(
    decision: DispatchResult,
    { login_challenge: challenge, ticket }: TaskForm,
    context: RequestContext,
  ): Promise<Outcome> | Outcome {
    if (decision.kind === 'answer') return decision.answer;
    return this.screens.buildFaultPage(toShownRefusal(decision.refusal), { challenge, ticket }, context);
  }

  /** The second of two clicks may arrive after the first was answered, and gets the same answer. */
  async #answerMissing(presentedChallenge: PresentedChallenge, context: RequestContext): Promise<Outcome> {
    const { challenge } = presentedChallenge;
    const answer = challenge === '' ? null : await this.signIns.findAnswer(challenge, context);
    return (
      answer ?? this.screens.buildFaultPage(await this.signIns.explainMissing(challenge, context), presentedChallenge, context)
    );
  }
}
