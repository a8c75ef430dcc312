/**
 * Counts the events of the audit log once they are committed, so that nobody else has to count outcomes. Events that a
 * statement writes beside its own work are counted by whoever runs it.
 */
import type { Database } from '../../database/database.js';
import type { AttributesOf } from '../../telemetry/catalogue.js';
import type { Telemetry } from '../../telemetry/telemetry.js';

/** As much of an event as is counted; its kind is one of the audit log's. */
interface CountedEvent {
  kind: string;
  actor: 'person' | 'operator' | 'system';
  detail?: Readonly<Record<string, unknown>>;
}

type Factor = AttributesOf<'foyer.login.completed'>['foyer.login.factor'];

/** After the commit of the transaction that is open, if there is one: what was taken back has not happened. */
export function countEvent(telemetry: Telemetry, database: Database, event: CountedEvent): void {
  if (telemetry.isOn) database.whenCommitted(() => count(telemetry, event));
}

function count(telemetry: Telemetry, { kind, actor, detail = {} }: CountedEvent): void {
  telemetry.count('foyer.events', { 'foyer.event.kind': kind, 'foyer.actor': actor });
  switch (kind) {
    case 'provider.ok':
    case 'provider.refused':
      return telemetry.count('foyer.login.attempts', {
        'foyer.login.method': 'provider',
        'foyer.login.result': kind === 'provider.ok' ? 'proven' : 'refused',
        'foyer.provider': wordOf(detail['provider']),
      });
    case 'registration.finished':
      return telemetry.count('foyer.login.attempts', {
        'foyer.login.method': 'registration',
        'foyer.login.result': 'proven',
      });
    case 'sign-in.ok':
      return telemetry.count('foyer.login.completed', completed(detail['amr']));
    case 'sign-in.continued':
      return telemetry.count('foyer.login.completed', { ...completed(detail['amr']), 'foyer.login.method': 'session' });
    case 'consent.granted':
    case 'consent.refused':
      return telemetry.count('foyer.consent.decisions', {
        'foyer.consent.result': kind === 'consent.granted' ? 'granted' : 'refused',
        'foyer.consent.asked': detail['asked'] !== false,
      });
    case 'password.limited':
    case 'factor.limited':
      return telemetry.count('foyer.limits.reached', { 'foyer.limit': kind === 'password.limited' ? 'password' : 'factor' });
    case 'request.limited':
      return telemetry.count('foyer.limits.reached', { 'foyer.limit': wordOf(detail['request']) });
  }
}

/** Of the methods of RFC 8176 that the product tells. */
function completed(amr: unknown): AttributesOf<'foyer.login.completed'> {
  const amrValues = Array.isArray(amr) ? (amr as unknown[]) : [];
  const factor: Factor = amrValues.includes('hwk')
    ? 'hwk'
    : amrValues.includes('otp')
      ? 'otp'
      : amrValues.includes('mfa')
        ? 'other'
        : 'none';
  return { 'foyer.login.method': amrValues.includes('pwd') ? 'password' : 'external', 'foyer.login.factor': factor };
}

function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
