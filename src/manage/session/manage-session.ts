/** Who is in the account area in this request: what the edge knows of it, and the person. */
import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import type { AuditContext } from '../../accounts/audit/audit-log.js';
import type { AreaRequest, AreaVisitor } from '../../gateway/security/manage-sessions.port.js';
import type { Visit } from '../../gateway/http/request-context.js';

export interface Caller {
  visitor: AreaVisitor;
  visit: Visit;
}

export interface Guest extends Caller {
  account: Account;
  by: AuditContext & { address: string; requestId: string };
}

/** For routes whose protection knows a visitor. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { visitor, visit } = context.switchToHttp().getRequest<AreaRequest>();
  if (!visitor) throw new Error('This route states no protection that knows a visitor');
  return { visitor, visit };
});

/** What a set-up of a factor is bound to: nobody finishes elsewhere what was begun here. */
export function bindingOf({ visitor }: Caller): string {
  return visitor.pendingId === null ? `area:${visitor.sessionId}` : `pending:${visitor.pendingId}`;
}
