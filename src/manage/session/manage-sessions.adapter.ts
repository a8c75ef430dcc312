/** Implements the gateway's port of manage sessions with the records of `accounts`. */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { RpcChanges } from '../../accounts/sessions/rpc-changes.js';
import {
  ManageSessions,
  type ClaimedChange,
  type ManageChange,
  type ManageSession,
} from '../../gateway/security/manage-sessions.port.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

@Injectable()
export class ManageSessionsAdapter extends ManageSessions {
  constructor(
    private readonly records: ManageSessionRecords,
    private readonly changes: RpcChanges,
  ) {
    super();
  }

  async findByCookie({ manageSession }: RequestContext): Promise<ManageSession | null> {
    return manageSession === null ? null : this.records.findByCookie(manageSession);
  }

  async admitCall(
    bearer: string,
    { address, requestId, browser, manageSession, fetchSite }: RequestContext,
  ): Promise<{ session: ManageSession; nextToken: string } | null> {
    // The guard refuses calls from other sites.
    const byBrowser = fetchSite === 'same-origin' || fetchSite === 'none';
    const admission = await this.records.admitCall(bearer, { address, requestId, browser, manageSession, byBrowser });
    return admission && { session: admission.session, nextToken: admission.nextToken };
  }

  claimChange(change: ManageChange): Promise<ClaimedChange> {
    return this.changes.claim(change);
  }

  storeChange(change: ManageChange, answer: object | null): Promise<void> {
    return this.changes.store(change, answer);
  }

  findAdmitted(sessionId: string): Promise<ManageSession | null> {
    return this.records.findAdmitted(sessionId);
  }
}
