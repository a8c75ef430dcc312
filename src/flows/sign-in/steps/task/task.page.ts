/** Maps a sign-in and its first outstanding task to the state of the page. */
import { Injectable } from '@nestjs/common';
import { toAccountState } from '../../../../accounts/account/account-state.js';
import { defined } from '../../../../config/defined.js';
import type { TaskState } from '../../../../contract/task-state.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { FlowPages } from '../../flow-pages.js';
import { toTaskUrl } from '../../login-url.js';
import { toClientState } from '../../waiting-request.js';
import { TaskKinds, type TaskSignIn, type ShownTask, type TaskFault } from './task-kinds.js';

const BUSY_SECONDS = 2;

@Injectable()
export class TaskPages {
  constructor(
    private readonly pages: FlowPages,
    private readonly kinds: TaskKinds,
  ) {}

  async show(taskSignIn: TaskSignIn, task: ShownTask): Promise<PageOutcome> {
    const { signIn, trust, context } = taskSignIn;
    const { challenge, account, request } = signIn;
    const cancelUrl = this.pages.authorizationRequest(request)?.href;
    const frame = {
      login_challenge: challenge,
      xsrf_token: this.pages.xsrfToken(context),
      ticket: this.pages.ticket(request),
      account: toAccountState(account),
      client: toClientState(request.client),
      trust_browser: trust,
      ...defined({ cancel_url: cancelUrl }),
    };
    const state: TaskState = { ...frame, ...(await this.kinds.toState(taskSignIn, task)) };
    const self = toTaskUrl(challenge, trust === '' ? undefined : trust);
    return page({ page: 'task', task: state }, { self, ...this.pages.pageOptions(request), ...toOptions(task.fault) });
  }
}

function toOptions(fault: TaskFault | null): PageOptions {
  if (!fault) return {};
  if (fault.error === 'busy') return { status: 503, retryAfterSeconds: BUSY_SECONDS };
  if (fault.error === 'too many requests') return { status: 429, ...defined({ retryAfterSeconds: fault.retry_after }) };
  return { status: fault.error === 'stale' ? 403 : 422 };
}
