/**
 * Ends a person's access, first here and then at Hydra. Every replica checks in Foyer's database whether a remembered login may
 * continue, so access ends even if Hydra does not answer. The answer of the call then contains `unavailable`, and the revocation is
 * retried until it succeeds.
 */
import { Injectable } from '@nestjs/common';
import { AccountSessions } from '../../accounts/sessions/account-sessions.js';
import { Accounts, type Account, type SourceState } from '../../accounts/account/accounts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { RevocationJobs } from '../../accounts/queue/revocation-jobs.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import type { UpstreamOutcome } from '../wire.js';

@Injectable()
export class EndAccess {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly accountSessions: AccountSessions,
    private readonly audit: AuditLog,
    private readonly jobs: RevocationJobs,
    private readonly revocations: RevocationRunner,
  ) {}

  /** Ends all sessions. The person may sign in again, and access tokens of apps stay valid until they expire. */
  async endSessions({ id }: Account, auditContext: OperatorContext): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const ended = await this.sessions.endForAccount(id, auditContext);
    return { ended, upstream: await this.settle(id, auditContext) };
  }

  /** Ends one session or manage session. A session ends with the manage sessions of its browser. @throws OperatorFault */
  async endSession(
    { id }: Account,
    session: string,
    auditContext: OperatorContext,
  ): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const endedSession = await this.accountSessions.end(id, session, auditContext);
    if (!endedSession) throw new OperatorFault(404, 'session_not_found', 'The account has no such session.');
    const { endedCount, upstreamSessionId } = endedSession;
    // A manage session has no session at Hydra.
    if (upstreamSessionId === null) return { ended: endedCount, upstream: 'ended' };
    return { ended: endedCount, upstream: await this.settle(id, auditContext) };
  }

  /**
   * Disables an account and revokes its tokens: a refresh token would stay valid otherwise (ASVS 7.4.2). Idempotent.
   * @param sourceState the source that refuses the person, and the state of the person there; null if no source does
   */
  async disable(
    account: Account,
    auditContext: OperatorContext,
    sourceState: SourceState | null = null,
  ): Promise<{ account: Account; upstream: UpstreamOutcome }> {
    const { id } = account;
    const wasDisabled = account.status === 'disabled';
    const disabledAccount = wasDisabled
      ? account
      : await this.accounts.setStatus(id, 'disabled', { ...auditContext, sourceState });
    if (wasDisabled) {
      await this.accounts.keepDisabled(id);
      await this.jobs.queue({ accountId: id, kind: 'everything', sessionIds: [] });
    }
    return { account: disabledAccount, upstream: await this.settle(id, auditContext) };
  }

  /** Ends at Hydra the access that has ended here, and records whether Hydra answered. */
  async settle(accountId: string, auditContext: OperatorContext): Promise<UpstreamOutcome> {
    const outcome: UpstreamOutcome = (await this.revocations.settle(accountId, auditContext.requestId)) ? 'ended' : 'unavailable';
    await this.audit.record({ ...auditContext, kind: 'upstream-sessions.ended', accountId, detail: { outcome } });
    return outcome;
  }
}
