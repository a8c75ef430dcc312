import type { AuditKind } from '../accounts/audit/kinds.js';

/** An audit event as it leaves for a sink. What it says about the person depends on the sink's settings. */
export interface SinkEvent {
  /** Id of the audit event; the same in each try. */
  id: string;
  /** Kind of the audit log, such as `sign-in.ok`. */
  kind: AuditKind;
  at: Date;
  actor: 'person' | 'operator' | 'system';
  /** Name of the operator or of the operator's token, if an operator acted. */
  operator: string | null;
  /** The person: the id, and the username and e-mail address only if the sink's settings name them. */
  account: { id: string; username?: string; email?: string } | null;
  /** IP address the request came from. */
  address: string | null;
  requestId: string | null;
  detail: Readonly<Record<string, unknown>>;
}
