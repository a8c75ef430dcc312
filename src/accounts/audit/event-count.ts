/** Counts audit events as metrics after they are committed. Only `AuditLog.count` uses it. */
import type { Database } from '../../database/database.js';
import type { AttributesOf } from '../../telemetry/catalogue.js';
import type { Telemetry } from '../../telemetry/telemetry.js';

/** The part of an audit event that is counted. */
interface CountedEvent {
  kind: string;
  actor: 'person' | 'operator' | 'system';
  detail?: Readonly<Record<string, unknown>>;
}

type Factor = AttributesOf<'foyer.login.completed'>['foyer.login.factor'];

/** Counts after the commit of the current transaction, if there is one, because an event that is rolled back did not happen. */
export function countEvent(telemetry: Telemetry, database: Database, event: CountedEvent): void {
  if (telemetry.isOn) database.runAfterCommit(() => count(telemetry, event));
}

function count(telemetry: Telemetry, { kind, actor, detail = {} }: CountedEvent): void {
  telemetry.count('foyer.events', { 'foyer.event.kind': kind, 'foyer.actor': actor });
  switch (kind) {
    case 'provider.ok':
    case 'provider.refused':
      return telemetry.count('foyer.login.attempts', {
        'foyer.login.method': 'provider',
        'foyer.login.result': kind === 'provider.ok' ? 'proven' : 'refused',
        'foyer.provider': toText(detail['provider']),
      });
    case 'registration.finished':
      return telemetry.count('foyer.login.attempts', {
        'foyer.login.method': 'registration',
        'foyer.login.result': 'proven',
      });
    case 'sign-in.ok':
      return telemetry.count('foyer.login.completed', toLoginAttributes(detail['amr']));
    case 'sign-in.continued':
      return telemetry.count('foyer.login.completed', { ...toLoginAttributes(detail['amr']), 'foyer.login.method': 'session' });
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
      return telemetry.count('foyer.limits.reached', { 'foyer.limit': toText(detail['request']) });
  }
}

/** @returns the attributes of a sign-in with these `amr` values (RFC 8176) */
function toLoginAttributes(amr: unknown): AttributesOf<'foyer.login.completed'> {
  const amrValues = Array.isArray(amr) ? (amr as unknown[]) : [];
  const knownMethod = (['hwk', 'swk', 'otp'] as const).find((method) => amrValues.includes(method));
  const factor: Factor = knownMethod ?? (amrValues.includes('mfa') ? 'other' : 'none');
  return { 'foyer.login.method': toMethod(amrValues), 'foyer.login.factor': factor };
}

function toMethod(amr: readonly unknown[]): 'password' | 'passkey' | 'code' | 'external' {
  if (amr.includes('pwd')) return 'password';
  if (amr.includes('mail')) return 'code';
  return amr.includes('pop') && !amr.includes('fed') ? 'passkey' : 'external';
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
