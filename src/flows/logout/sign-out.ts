/** Ends all sessions of a browser and records the logout in the audit log. */
import { Injectable } from '@nestjs/common';
import { isAccountId } from '../../accounts/account/account.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { BrowserIds } from '../../accounts/sessions/browser-ids.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { SessionBinding, type NamedSession } from '../sign-in/session-binding.js';

export interface Logout {
  /** Subject of the logout request of Hydra, or id of the account that is signed in in this browser. */
  subject: string;
  /** Session at Hydra that the logout ends; absent without a logout request of Hydra. */
  upstreamSessionId?: string;
  /** The client that requested the logout, if any. */
  clientId?: string | undefined;
}

@Injectable()
export class SignOut {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly manageSessions: ManageSessionRecords,
    private readonly browsers: BrowserIds,
    private readonly revocations: RevocationRunner,
    private readonly audit: AuditLog,
    private readonly binding: SessionBinding,
  ) {}

  /** @returns whether the session of the logout, or another session of the same person, belongs to this browser */
  async isOwn(session: NamedSession, context: RequestContext): Promise<boolean> {
    return (await this.sessions.find(context.browser, session.subject)) !== null || this.binding.isOwn(session, context);
  }

  /**
   * @returns id of the account whose account area is open in this browser, or else of the account that is signed in there; null if there
   * is neither
   */
  async findAccountId(context: RequestContext): Promise<string | null> {
    return (await this.findManageAccountId(context)) ?? (await this.sessions.findInBrowser(context.browser))?.accountId ?? null;
  }

  /** @returns id of the account whose account area is open in this browser; null if none is open */
  async findManageAccountId({ manageSession }: RequestContext): Promise<string | null> {
    return manageSession === null ? null : ((await this.manageSessions.findByCookie(manageSession))?.accountId ?? null);
  }

  /**
   * Ends all sessions of this browser, including those of earlier sign-ins, and notifies their apps.
   * @param nextBrowser the new id of the browser
   * @returns whether Hydra has ended all of these sessions, apart from `upstreamSessionId`; false if there was no session to end at Hydra
   */
  async end({ subject, upstreamSessionId, clientId }: Logout, nextBrowser: string, context: RequestContext): Promise<boolean> {
    const [{ accountIds, existsUpstream }, endedManageSessions] = await Promise.all([
      this.sessions.endForBrowser(context.browser, upstreamSessionId),
      this.manageSessions.endForBrowser(context),
    ]);
    if (upstreamSessionId !== undefined) await this.sessions.endForUpstreamSession(upstreamSessionId);
    await this.browsers.move(context.browser, nextBrowser);
    const auditContext = { ...toPerson(context), ...(isAccountId(subject) ? { accountId: subject } : {}) };
    if (endedManageSessions > 0) await this.audit.record({ ...auditContext, kind: 'area.closed' });
    const detail = clientId === undefined ? {} : { detail: { client: clientId } };
    await this.audit.record({ ...auditContext, kind: 'logout.done', ...detail });
    const results = await Promise.all(accountIds.map((accountId) => this.revocations.settle(accountId, context.requestId)));
    const areAllUpstream = upstreamSessionId === undefined ? existsUpstream : accountIds.length === 0 || existsUpstream;
    return areAllUpstream && results.every(Boolean);
  }
}
