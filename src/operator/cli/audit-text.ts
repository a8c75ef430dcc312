/** Formats audit events for a terminal, and defines the options that filter them. */
import type { AuditAnswer, AuditEntryAnswer } from '../wire.js';
import { timeText } from './account-text.js';
import type { Call, GivenOptions, Option } from './command.js';
import { table, type Column } from './table.js';

export const AUDIT_OPTIONS: Readonly<Record<string, Option>> = {
  kind: { value: 'KIND', about: 'only this kind of event, like sign-in.ok, or a group of kinds, like factor' },
  actor: { value: 'WHO', about: 'only actions of person, operator, operator:NAME (a token) or system' },
  since: { value: 'TIME', about: 'from this day or time on, like 2026-01-31 or 2026-01-31T12:00Z' },
  until: { value: 'TIME', about: 'before this day or time' },
  limit: { value: 'NUMBER', about: 'maximum number, up to 200; default: 50' },
  cursor: { value: 'CURSOR', about: 'continue after the previous page' },
};

export const AUDIT_COLUMNS: readonly Column<AuditEntryAnswer>[] = [
  { title: 'TIME', value: ({ at }) => timeText(at), whole: true },
  { title: 'EVENT', value: ({ kind }) => kind, whole: true },
  { title: 'BY', value: ({ actor }) => actor, whole: true },
  { title: 'ADDRESS', value: ({ address }) => address ?? '' },
  { title: 'DETAIL', value: ({ detail }) => detailText(detail) },
];

export function auditQuery(options: GivenOptions): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(AUDIT_OPTIONS).map((name) => [name, options.text(name)]));
}

export function printAuditLog(page: AuditAnswer, columns: typeof AUDIT_COLUMNS, { terminal, print, warn }: Call): void {
  print(page, () => (page.entries.length === 0 ? '' : table(columns, page.entries, terminal)));
  if (page.entries.length === 0) warn('There is no event.');
  if (page.next_cursor !== undefined) warn(`More results: --cursor ${page.next_cursor}`);
}

function detailText(detail: AuditEntryAnswer['detail']): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
}
