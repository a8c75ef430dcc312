/** Leaves the page state and the form of a task to the class of its kind. */
import { Injectable } from '@nestjs/common';
import { defined } from '../../../../config/defined.js';
import type { TaskFrame, TaskState } from '../../../../contract/task-state.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { EmailTask, type EmailTaskFault } from './email-task.js';
import { FieldsTask, type FieldsTaskFault } from './fields-task.js';
import { PasswordTask, type PasswordTaskFault } from './password-task.js';
import type { SubmittedTask } from './task.form.js';
import { TermsTask, type TermsTaskFault } from './terms-task.js';

export type TaskFault = PasswordTaskFault | TermsTaskFault | EmailTaskFault | FieldsTaskFault;

export interface ShownTask {
  /** Null if nothing is left to do. */
  task: Task | null;
  fault: TaskFault | null;
  /** Whether the form for the address is shown, although a code was mailed. */
  asksAddress?: boolean;
}

export interface TaskSignIn {
  signIn: IdentifiedSignIn;
  /** Value of `TrustChoice`, or empty. */
  trust: string;
  context: RequestContext;
}

/** The members of a state besides those of `TaskFrame`. */
type OwnState<State> = State extends TaskState ? Omit<State, keyof TaskFrame> : never;

@Injectable()
export class TaskKinds {
  constructor(
    private readonly password: PasswordTask,
    private readonly terms: TermsTask,
    private readonly email: EmailTask,
    private readonly fields: FieldsTask,
  ) {}

  /** A fault belongs to the task that is shown. */
  async toState(
    { signIn, trust, context }: TaskSignIn,
    { task, fault, asksAddress = false }: ShownTask,
  ): Promise<OwnState<TaskState>> {
    switch (task?.kind) {
      case 'terms':
        return { ...this.terms.toState(signIn, task, context), error: null, ...(fault as TermsTaskFault | null) };
      case 'password':
        return { ...(await this.password.toState(signIn, task)), error: null, ...(fault as PasswordTaskFault | null) };
      case 'email':
        return {
          ...(await this.email.toState(signIn, { asksAddress, trust })),
          ...defined({ later_until: task.laterUntil?.toISOString() }),
          error: null,
          ...(fault as EmailTaskFault | null),
        };
      case 'fields': {
        const { error = null, ...enteredForm } = (fault as FieldsTaskFault | null) ?? {};
        return { ...this.fields.toState(task, enteredForm), error };
      }
      case undefined:
        return { kind: 'none', error: fault ? 'stale' : null };
    }
  }

  /**
   * @returns what is wrong with the form; `ended` if the task cannot be done in this sign-in any more; null if the task is done or
   * left out, or its next form is shown
   */
  complete(
    signIn: IdentifiedSignIn,
    task: Task,
    { form, context }: { form: SubmittedTask; context: RequestContext },
  ): Promise<TaskFault | 'ended' | null> {
    switch (task.kind) {
      case 'terms':
        return this.terms.complete(signIn, task, { form, context });
      case 'password':
        return this.password.complete(signIn, form, context);
      case 'email':
        return this.email.complete(signIn, form, context);
      case 'fields':
        return this.fields.complete(signIn, { task, body: form.details }, context);
    }
  }
}
