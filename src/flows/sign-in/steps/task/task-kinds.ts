/** Shows and completes each kind of task with the file of its kind. */
import { Injectable } from '@nestjs/common';
import type { DoneTaskState, TaskState } from '../../../../contract/task-state.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { PasswordTask, type PasswordTaskFault } from './password-task.js';
import type { TaskForm } from './task.form.js';
import { TermsTask, type TermsTaskFault } from './terms-task.js';

export type TaskFault = PasswordTaskFault | TermsTaskFault;

/** The members that every task has. */
type Frame = Omit<DoneTaskState, 'kind' | 'error'>;

@Injectable()
export class TaskKinds {
  constructor(
    private readonly password: PasswordTask,
    private readonly terms: TermsTask,
  ) {}

  async toState(
    { signIn, context }: { signIn: IdentifiedSignIn; context: RequestContext },
    { task, fault }: { task: Task; fault: TaskFault | null },
    frame: Frame,
  ): Promise<TaskState> {
    switch (task.kind) {
      case 'terms':
        return { ...frame, ...this.terms.toState(signIn, task, context), error: null, ...(fault as TermsTaskFault | null) };
      case 'password':
        return { ...frame, ...(await this.password.toState(signIn, task)), error: null, ...(fault as PasswordTaskFault | null) };
    }
  }

  /** @returns what is wrong with the form; `ended` if the sign-in is over; null if the task is done */
  async complete(
    signIn: IdentifiedSignIn,
    task: Task,
    submitted: { form: TaskForm; context: RequestContext },
  ): Promise<TaskFault | 'ended' | null> {
    switch (task.kind) {
      case 'terms':
        return this.terms.complete(signIn, task, submitted);
      case 'password':
        return this.password.complete(signIn, submitted.form, submitted.context);
    }
  }
}
