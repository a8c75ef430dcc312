/** Maps a sign-in and its first outstanding task to the state of the page. */
import { Injectable } from '@nestjs/common';
import { accountState } from '../../../../accounts/account/account-state.js';
import { defined } from '../../../../config/defined.js';
import type { TaskFrame, TaskState } from '../../../../contract/task-state.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { FlowPages } from '../../flow-pages.js';
import { toTaskUrl } from '../../login-url.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { toClientState } from '../../waiting-request.js';
import type { EmailTaskFault } from './email-task.js';
import type { FieldsTaskFault } from './fields-task.js';
import type { PasswordTaskFault } from './password-task.js';
import { TaskKinds } from './task-kinds.js';

export type TaskFault = PasswordTaskFault | EmailTaskFault | FieldsTaskFault;

interface ShownTask {
  /** Null if nothing is left to do. */
  task: Task | null;
  fault: TaskFault | null;
  /** Whether the form for the address is shown, although a code was mailed. */
  asksAddress?: boolean;
}

interface ShownSignIn {
  signIn: IdentifiedSignIn;
  /** Value of `TrustChoice`, or empty. */
  trust: string;
  context: RequestContext;
}

/** The members that only one kind of task has. */
type OwnState<State> = State extends TaskState ? Omit<State, keyof TaskFrame> : never;

const BUSY_SECONDS = 2;

@Injectable()
export class TaskPages {
  constructor(
    private readonly pages: FlowPages,
    private readonly tasks: TaskKinds,
  ) {}

  async show({ signIn, trust, context }: ShownSignIn, { task, fault, asksAddress = false }: ShownTask): Promise<PageOutcome> {
    const { challenge, account, request } = signIn;
    const cancelUrl = this.pages.authorizationRequest(request)?.href;
    const frame = {
      login_challenge: challenge,
      xsrf_token: this.pages.xsrfToken(context),
      ticket: this.pages.ticket(request),
      account: accountState(account),
      client: toClientState(request.client),
      trust_browser: trust,
      ...defined({ cancel_url: cancelUrl }),
    };
    const state: TaskState = { ...frame, ...(await this.#toTaskState(signIn, { trust, task, fault, asksAddress })) };
    const self = toTaskUrl(challenge, trust === '' ? undefined : trust);
    return page({ page: 'task', task: state }, { self, ...this.pages.pageOptions(request), ...toOptions(fault) });
  }

  /** A fault belongs to the task that is shown. */
  async #toTaskState(
    signIn: IdentifiedSignIn,
    { trust, task, fault, asksAddress = false }: ShownTask & { trust: string },
  ): Promise<OwnState<TaskState>> {
    switch (task?.kind) {
      case 'password':
        return { ...(await this.tasks.password.toState(signIn, task)), error: null, ...(fault as PasswordTaskFault | null) };
      case 'email': {
        const state = await this.tasks.email.toState(signIn, { asksAddress, trust });
        return {
          ...state,
          ...defined({ later_until: task.laterUntil?.toISOString() }),
          error: null,
          ...(fault as EmailTaskFault | null),
        };
      }
      case 'fields': {
        const { faults, details } = (fault as FieldsTaskFault | null) ?? {};
        return {
          ...this.tasks.fields.toState(task, { faults, details }),
          error: fault ? (fault as FieldsTaskFault).error : null,
        };
      }
      case undefined:
        return { kind: 'none', error: fault ? 'stale' : null };
    }
  }
}

function toOptions(fault: TaskFault | null): PageOptions {
  if (!fault) return {};
  if (fault.error === 'busy') return { status: 503, retryAfterSeconds: BUSY_SECONDS };
  if (fault.error === 'too many requests') return { status: 429, ...defined({ retryAfterSeconds: fault.retry_after }) };
  return { status: fault.error === 'stale' ? 403 : 422 };
}
