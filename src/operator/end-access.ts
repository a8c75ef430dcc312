/**
 * Takes a person's access away: here first, then at the upstream. The own records decide on every replica whether a
 * remembered login goes on, so an upstream that cannot be reached changes nothing about that; it is told to the caller,
 * who may repeat the call, and it does not make the call fail, because what was asked for has happened.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccountSessions } from '../accounts/account-sessions.js';
import { Accounts } from '../accounts/accounts.js';
import type { Account } from '../accounts/accounts.js';
import { AuditTrail } from '../accounts/audit-trail.js';
import { BrowserSessions } from '../accounts/browser-sessions.js';
import { LOG } from '../gateway/log.js';
import { UpstreamError } from '../hydra/hydra.errors.js';
import { HydraPort } from '../hydra/hydra.port.js';
import type { Caller } from './caller.js';
import { OperatorFault } from './operator-fault.js';
import type { UpstreamOutcome } from './wire.js';

@Injectable()
export class EndAccess {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly living: AccountSessions,
    private readonly audit: AuditTrail,
    private readonly hydra: HydraPort,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** The person may sign in again. Tokens that apps hold live on until they expire. */
  async endSessions({ id }: Account, by: Caller): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const ended = await this.sessions.endForAccount(id, by);
    return { ended, upstream: await this.#endUpstream(id, by, () => this.hydra.endLoginSessions(id)) };
  }

  /** Of one browser, or of the account area alone. @throws OperatorFault */
  async endSession({ id }: Account, session: string, by: Caller): Promise<{ ended: number; upstream: UpstreamOutcome }> {
    const over = await this.living.end(id, session, by);
    if (!over) throw new OperatorFault(404, 'session_not_found', 'The account has no such session.');
    const { ended, upstreamSessionId } = over;
    // The account area is ours alone.
    if (upstreamSessionId === null) return { ended, upstream: 'ended' };
    return { ended, upstream: await this.#endUpstream(id, by, () => this.hydra.endLoginSession(upstreamSessionId)) };
  }

  /** Apps lose their tokens too: a refresh token would outlive everything else (ASVS 7.4.2). May be repeated. */
  async disable(account: Account, by: Caller): Promise<{ account: Account; upstream: UpstreamOutcome }> {
    const { id } = account;
    const disabled = account.status === 'disabled' ? account : await this.accounts.setStatus(id, 'disabled', by);
    const upstream = await this.#endUpstream(id, by, async () => {
      await this.hydra.endLoginSessions(id);
      await this.hydra.revokeConsents(id);
    });
    return { account: disabled, upstream };
  }

  async #endUpstream(accountId: string, by: Caller, end: () => Promise<void>): Promise<UpstreamOutcome> {
    let upstream: UpstreamOutcome = 'ended';
    try {
      await end();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.log.warn({ requestId: by.requestId, reason: error.message }, 'operator API: the upstream ended nothing');
      upstream = 'unavailable';
    }
    await this.audit.record({ ...by, kind: 'upstream-sessions.ended', accountId, detail: { outcome: upstream } });
    return upstream;
  }
}
