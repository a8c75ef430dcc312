/**
 * "Keep my account": the owner of a mailbox cancels the deletion of their account. A GET changes nothing, because mail scanners
 * follow every link (S-39). The link does not sign the person in; it only keeps the account.
 */
import { Injectable } from '@nestjs/common';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { KeepAccountState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { page, redirect, type Outcome } from '../../gateway/page/outcome.js';
import { FlowPages } from '../sign-in/flow-pages.js';

type KeepAccountStatus = Exclude<KeepAccountState['status'], 'ask'>;

const STATUSES: readonly (string | undefined)[] = ['success', 'error-token'] satisfies KeepAccountStatus[];

@Injectable()
export class KeepAccountFlow {
  constructor(
    private readonly pages: FlowPages,
    private readonly deletions: AccountDeletions,
    private readonly limits: RequestLimits,
  ) {}

  async show(token: string, context: RequestContext): Promise<Outcome> {
    const accountId = await this.deletions.findAccountId(token);
    if (accountId === null) return redirectToStatus('error-token');
    const dueAt = await this.deletions.find(accountId);
    if (dueAt === null) return this.#confirmExistence(token);
    const question = { status: 'ask', token, xsrf_token: this.pages.xsrfToken(context), due_at: dueAt.toISOString() } as const;
    return page({ page: 'keep_account', keep_account: question });
  }

  async submit(token: string, context: RequestContext): Promise<Outcome> {
    const accountId = await this.deletions.findAccountId(token);
    if (accountId === null) return this.#countUnknownToken(context);
    const isCancelled = await this.deletions.cancel(accountId, toPerson(context), 'mail');
    return isCancelled ? redirectToStatus('success') : this.#confirmExistence(token);
  }

  showStatus(parameter: string | undefined): Outcome {
    const status: KeepAccountStatus = STATUSES.includes(parameter) ? (parameter as KeepAccountStatus) : 'error';
    return page({ page: 'keep_account', keep_account: { status } });
  }

  /** No deletion is pending: either it was cancelled before, or the account has been deleted since the link was checked. */
  async #confirmExistence(token: string): Promise<Outcome> {
    return redirectToStatus((await this.deletions.findAccountId(token)) === null ? 'error-token' : 'success');
  }

  async #countUnknownToken(context: RequestContext): Promise<Outcome> {
    const retryAfterSeconds = await this.limits.count('keep-account', context);
    if (retryAfterSeconds !== null)
      throw new Fault('limited', 'Too many forms with an invalid token were submitted', { retryAfterSeconds });
    return redirectToStatus('error-token');
  }
}

function redirectToStatus(status: KeepAccountStatus): Outcome {
  return redirect(`${PATHS.keepAccountStatus}?${MANAGE_QUERY.status}=${status}`);
}
