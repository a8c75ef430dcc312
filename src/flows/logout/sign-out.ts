/** Ends all sessions of a browser and records the logout in the audit log. */
import { Injectable } from '@nestjs/common';
import { isAccountId } from '../../accounts/account/account.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export interface LoggedOut {
  /** Account id from the OAuth server or the account area. */
  subject: string;
  /** Absent if there is no session at the OAuth server. */
  upstreamSessionId?: string;
  /** The client that requested the logout, if any. */
  clientId?: string | undefined;
}

@Injectable()
export class SignOut {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly manageSessions: ManageSessionRecords,
    private readonly audit: AuditLog,
  ) {}

  async isOwn(subject: string, { browser }: RequestContext): Promise<boolean> {
    return (await this.sessions.find(browser, subject)) !== null;
  }

  async end({ subject, upstreamSessionId, clientId }: LoggedOut, context: RequestContext): Promise<void> {
    await Promise.all([
      this.sessions.endForBrowser(context.browser),
      ...(upstreamSessionId === undefined ? [] : [this.sessions.endForUpstreamSession(upstreamSessionId)]),
      this.manageSessions.endForBrowser(context),
    ]);
    const { address, requestId } = context;
    await this.audit.record({
      kind: 'logout.done',
      actor: 'person',
      address,
      requestId,
      ...(isAccountId(subject) ? { accountId: subject } : {}),
      ...(clientId === undefined ? {} : { detail: { client: clientId } }),
    });
  }
}
