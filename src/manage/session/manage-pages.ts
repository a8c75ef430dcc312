/** What every page and call of the account area needs of the edge: the person, the frame of a page, the way back. */
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import type { AreaFrame, UserState } from '../../contract/manage-state.js';
import type { PageContent } from '../../contract/page-state.js';
import { PATHS } from '../../contract/paths.js';
import { Detour, page, redirect } from '../../gateway/page/outcome.js';
import type { PageOptions, PageOutcome } from '../../gateway/page/outcome.js';
import type { CallFailed } from '../../gateway/http/calls.js';
import { Xsrf } from '../../gateway/security/xsrf.js';
import type { Caller, Guest } from './manage-session.js';

const WAITING_STATUSES: readonly number[] = [429, 503];

@Injectable()
export class AreaEdge {
  constructor(
    private readonly sessions: AreaSessionRecords,
    private readonly accounts: Accounts,
    private readonly xsrf: Xsrf,
  ) {}

  async guest(caller: Caller): Promise<Guest> {
    const account = await this.accounts.find(caller.visitor.accountId);
    // Deleted between the look at the session and now.
    if (!account) throw new Detour(redirect(`${PATHS.manageError}unauthorized`));
    const { address, requestId } = caller.visit;
    return { ...caller, account, by: { actor: 'person', address, requestId } };
  }

  frame({ account, visitor, visit }: Guest): AreaFrame {
    return {
      api: { token: this.sessions.firstToken(visitor.sessionId) },
      user: userState(account),
      area: { xsrf_token: this.xsrf.issue(visit.browser) },
    };
  }

  page({ visitor }: Guest, content: PageContent, options: PageOptions = {}): PageOutcome {
    return page(content, { ...(visitor.returnTo ? { returnTo: visitor.returnTo } : {}), ...options });
  }
}

/** A form that failed is shown again: 422, or the status that says when to come again. */
export function failedOptions({ status, hints: { retryAfterSeconds } }: CallFailed): PageOptions {
  return {
    status: WAITING_STATUSES.includes(status) ? status : 422,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

function userState({ id, username, displayName, picture }: Account): UserState {
  return { id, username, display_name: displayName, ...(picture === undefined ? {} : { picture }) };
}
