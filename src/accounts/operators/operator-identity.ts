/** Identifies operators in rows: an account by its id, because a token may have the same name; a token by its name. */
import type { AuditContext } from '../audit/audit-log.js';

/** @returns the actor as in the audit log, followed by `:` and the name of the operator or token if there is one */
export function toActorText({ actor, operator }: AuditContext): string {
  return operator === undefined ? actor : `${actor}:${operator}`;
}

/**
 * @returns the key of the data that belongs to an operator or token. The prefix distinguishes the name of a token from an account
 * id.
 */
export function toOwner({ operatorAccount, operator = '' }: AuditContext): string {
  return operatorAccount ?? `token:${operator}`;
}

/**
 * Whether this operator or token requested the operation or the check. Operators are compared by their accounts, because a username may
 * have changed since.
 */
export function isAsker(
  { asked_account, asked_by }: { asked_account: string | null; asked_by: string },
  auditContext: AuditContext,
): boolean {
  const account = auditContext.operatorAccount ?? null;
  return asked_account === account && (account !== null || asked_by === toActorText(auditContext));
}
