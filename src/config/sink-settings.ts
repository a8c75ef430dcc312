/** Settings of the event sinks (`EVENT_SINKS`, docs/event-sinks.md). */

export interface SinkSettings {
  /** Lower-case letters, digits, hyphens. Deliveries store the name, so another name is another sink. */
  name: string;
  kind: 'webhook' | 'otlp' | 'syslog';
  /** `https://…`, or `http://` on this machine; for `syslog`, `syslog+tls://host:port`. */
  address: string;
  /** For `webhook`, one or two keys in the form of Standard Webhooks, newest first; for `otlp`, up to two values of `authorization`. */
  secrets: readonly string[];
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  /** `*`, a kind of the audit log, or all kinds with the same first part such as `sign-in.*`. */
  events: readonly string[];
  /** The members of the person that are sent in addition to the id. */
  person: readonly ('username' | 'email')[];
}

/** @param kind a kind of the audit log */
export function wantsKind({ events }: Pick<SinkSettings, 'events'>, kind: string): boolean {
  return events.some((pattern) => pattern === '*' || pattern === kind || pattern === kind.replace(/\..*$/, '.*'));
}
