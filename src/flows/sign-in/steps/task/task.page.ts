/** Maps a sign-in and its first outstanding task to the state of the page. */
import { Injectable } from '@nestjs/common';
import { accountState } from '../../../../accounts/account/account-state.js';
import { defined } from '../../../../config/defined.js';
import type { TaskState } from '../../../../contract/task-state.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { page, type PageOptions, type PageOutcome } from '../../../../gateway/page/outcome.js';
import { FlowPages } from '../../flow-pages.js';
import { toTaskUrl } from '../../login-url.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import type { Task } from '../../tasks.js';
import { toClientState } from '../../waiting-request.js';
import { TaskKinds, type TaskFault } from './task-kinds.js';

interface ShownTask {
  /** Null if nothing is left to do. */
  task: Task | null;
  fault: TaskFault | null;
}

interface ShownSignIn {
  signIn: IdentifiedSignIn;
  /** Value of `TrustChoice`, or empty. */
  trust: string;
  /** Keys of the postponed tasks. */
  postponed: readonly string[];
  context: RequestContext;
}

const BUSY_SECONDS = 2;

@Injectable()
export class TaskPages {
  constructor(
    private readonly pages: FlowPages,
    private readonly kinds: TaskKinds,
  ) {}

  async show({ signIn, trust, postponed, context }: ShownSignIn, { task, fault }: ShownTask): Promise<PageOutcome> {
    const { challenge, account, request } = signIn;
    const cancelUrl = this.pages.authorizationRequest(request)?.href;
    const frame = {
      login_challenge: challenge,
      xsrf_token: this.pages.xsrfToken(context),
      ticket: this.pages.ticket(request),
      account: accountState(account),
      client: toClientState(request.client),
      trust_browser: trust,
      postponed: postponed.join(' '),
      ...defined({ cancel_url: cancelUrl }),
    };
    const state: TaskState = task
      ? await this.kinds.toState({ signIn, context }, { task, fault }, frame)
      : { ...frame, kind: 'none', error: fault ? 'stale' : null };
    const self = toTaskUrl(challenge, { trust, postponed });
    return page({ page: 'task', task: state }, { self, ...this.pages.pageOptions(request), ...toOptions(fault) });
  }
}

function toOptions(fault: TaskFault | null): PageOptions {
  if (!fault) return {};
  if (fault.error === 'busy') return { status: 503, retryAfterSeconds: BUSY_SECONDS };
  return { status: fault.error === 'stale' ? 403 : 422 };
}
