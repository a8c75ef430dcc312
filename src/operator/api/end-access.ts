/**
 * Takes a person's access away: here first, then at the upstream. The own records decide on every replica whether a
 * remembered login goes on, so an upstream that cannot be reached changes nothing about that; the caller is told, and it is
 * tried again until it is done.
 */
import { Injectable } from '@nestjs/common';
import { AccountSessions } from '../../accounts/sessions/account-sessions.js';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { RevocationJobs } from '../../accounts/queue/revocation-jobs.js';
import { Revocations } from '../../hydra/revocations.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import type { UpstreamOutcome } from '../wire.js';

@Injectable()
export class EndAccess {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly sessionsOfAccount: AccountSessions,
    private readonly audit: AuditLog,
    private readonly revocations: RevocationJobs,
    private readonly upstream: Revocations,
  ) {}

  /** The person may sign in again. Tokens that apps hold live on until they expire. */
  async endSessions({ id }: Account, by: OperatorContext): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const ended = await this.sessions.endForAccount(id, by);
    return { ended, upstream: await this.#settle(id, by) };
  }

  /** Of one browser, or of the account area alone. @throws OperatorFault */
  async endSession({ id }: Account, session: string, by: OperatorContext): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const over = await this.sessionsOfAccount.end(id, session, by);
    if (!over) throw new OperatorFault(404, 'session_not_found', 'The account has no such session.');
    const { ended, upstreamSessionId } = over;
    // The account area is ours alone.
    if (upstreamSessionId === null) return { ended, upstream: 'ended' };
    return { ended, upstream: await this.#settle(id, by) };
  }

  /** Apps lose their tokens too: a refresh token would outlive everything else (ASVS 7.4.2). May be repeated. */
  async disable(account: Account, by: OperatorContext): Promise<{ account: Account; upstream: UpstreamOutcome }> {
    const { id } = account;
    const again = account.status === 'disabled';
    const disabled = again ? account : await this.accounts.setStatus(id, 'disabled', by);
    if (again) await this.revocations.queue({ accountId: id, kind: 'everything', sessionIds: [] });
    return { account: disabled, upstream: await this.#settle(id, by) };
  }

  async #settle(accountId: string, by: OperatorContext): Promise<UpstreamOutcome> {
    const outcome: UpstreamOutcome = (await this.upstream.settle(accountId, by.requestId)) ? 'ended' : 'unavailable';
    await this.audit.record({ ...by, kind: 'upstream-sessions.ended', accountId, detail: { outcome } });
    return outcome;
  }
}
