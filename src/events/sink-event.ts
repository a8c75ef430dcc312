/** Converts events of the audit log for a sink, with those members of the person that the sink's settings list. */
import { PERSONAL_MEMBERS } from '../accounts/audit/catalogue.js';
import type { AuditKind } from '../accounts/audit/kinds.js';
import type { RecordedEvent } from '../accounts/queue/event-deliveries.js';
import { defined } from '../config/defined.js';
import type { SinkSettings } from '../config/sink-settings.js';

/** An audit event that is sent to a sink. Its members about the person depend on the sink's settings. */
export interface SinkEvent {
  /** Id of the audit event; the same for each try. */
  id: string;
  /** Kind of the audit log, such as `sign-in.ok`. */
  kind: AuditKind;
  at: Date;
  actor: 'person' | 'operator' | 'system';
  /** Username of the operator, or name of the operator token; null for the token of OPERATOR_TOKEN, and for other actors. */
  operator: string | null;
  /** The person: the id, and the username and e-mail address only if the sink's settings list them. */
  account: { id: string; username?: string; email?: string } | null;
  /** IP address from which the request came. */
  address: string | null;
  requestId: string | null;
  detail: Readonly<Record<string, unknown>>;
}

/** @param members the members of the person that the sink's settings list @returns an event without other members of the person */
export function toSinkEvent({ entry, person }: RecordedEvent, members: SinkSettings['person']): SinkEvent {
  const hasUsername = members.includes('username');
  const personMembers = defined({
    username: hasUsername ? person?.username : undefined,
    email: members.includes('email') ? (person?.email ?? undefined) : undefined,
  });
  const detail = Object.entries(entry.detail ?? {}).filter(([name]) => hasUsername || !PERSONAL_MEMBERS.has(name));
  return {
    id: String(entry.seq),
    // Only `insertEvent` writes these columns.
    kind: entry.kind as AuditKind,
    at: new Date(entry.at),
    actor: entry.actor as SinkEvent['actor'],
    operator: entry.operator_name,
    account: entry.account_id === null ? null : { id: entry.account_id, ...personMembers },
    address: entry.address,
    requestId: entry.request_id,
    detail: Object.fromEntries(detail),
  };
}
