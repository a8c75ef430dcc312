/** Implements the gateway's port with the session records of accounts. */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { ManageSessions } from '../../gateway/security/manage-sessions.port.js';
import type { ManageSession } from '../../gateway/security/manage-sessions.port.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

@Injectable()
export class ManageSessionsAdapter extends ManageSessions {
  constructor(private readonly records: ManageSessionRecords) {
    super();
  }

  async findByCookie({ session }: RequestContext): Promise<ManageSession | null> {
    return session === null ? null : this.records.findByCookie(session);
  }

  async admitCall(
    bearer: string,
    { address, requestId }: RequestContext,
  ): Promise<{ session: ManageSession; nextToken: string } | null> {
    const admitted = await this.records.admitCall(bearer, { address, requestId });
    return admitted && { session: admitted.session, nextToken: admitted.nextToken };
  }

  findAdmitted(sessionId: string): Promise<ManageSession | null> {
    return this.records.findAdmitted(sessionId);
  }
}
