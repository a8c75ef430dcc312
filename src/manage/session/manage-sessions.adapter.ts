/** The account area's sessions as the edge needs them. */
import { Injectable } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AreaSessions } from '../../gateway/security/manage-sessions.port.js';
import type { AreaVisitor } from '../../gateway/security/manage-sessions.port.js';
import type { Visit } from '../../gateway/http/request-context.js';

@Injectable()
export class AreaSessionsAdapter extends AreaSessions {
  constructor(private readonly records: AreaSessionRecords) {
    super();
  }

  async findByCookie({ session }: Visit): Promise<AreaVisitor | null> {
    return session === null ? null : this.records.findByCookie(session);
  }

  async admitCall(bearer: string, { address, requestId }: Visit): Promise<{ visitor: AreaVisitor; nextToken: string } | null> {
    const admitted = await this.records.admitCall(bearer, { address, requestId });
    return admitted && { visitor: admitted.session, nextToken: admitted.nextToken };
  }

  findAdmitted(sessionId: string): Promise<AreaVisitor | null> {
    return this.records.findAdmitted(sessionId);
  }
}
