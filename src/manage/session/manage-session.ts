/** A request in the account area: its manage session and account. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { toProofBinding, toSessionBinding, toSignInBinding, type FactorSlot } from '../../mfa/factor-slot.js';
import type { AuditContext } from '../../accounts/audit/audit-log.js';
import type { ManageHttpRequest, ManageSession } from '../../gateway/security/manage-sessions.port.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export interface ManageRequest {
  session: ManageSession;
  context: RequestContext;
}

export interface ManageContext extends ManageRequest {
  account: Account;
  /** The person and the request, for the audit log. */
  auditContext: AuditContext & { address: string; requestId: string };
}

/** For routes whose protection includes a manage session. */
export const CurrentManageRequest = createParamDecorator((_: unknown, execution: ExecutionContext): ManageRequest => {
  const { session, context } = execution.switchToHttp().getRequest<ManageHttpRequest>();
  if (!session) throw new Error('This route has no guard that provides a manage session');
  return { session, context };
});

/** Binds a factor set-up to its session or sign-in, so that another session or sign-in cannot finish it. */
export function toBinding({ session }: ManageRequest): string {
  return session.signInId === null ? toSessionBinding(session.sessionId) : toSignInBinding(session.signInId);
}

/** The slot of a fresh proof. It differs from the slot of a set-up, so that an answer to one is not accepted for the other. */
export function toProofSlot(manageContext: ManageContext): FactorSlot {
  return { account: manageContext.account, boundTo: toProofBinding(toBinding(manageContext)) };
}
