import { describe, expect, it } from '@jest/globals';
import { CATALOGUE } from '../accounts/audit/catalogue.js';
import type { AuditKind } from '../accounts/audit/kinds.js';
import { buildExample } from './events-document.js';
import { toSinkEvent } from './sink-event.js';

const ID = '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55';
const PERSON = { username: 'maria', email: 'maria@example.org' };

function buildRecordedEvent(
  kind: string,
  detail: Record<string, string | number | boolean | string[]>,
  accountId: string | null = ID,
) {
  const entry = { seq: 1, at: '2026-11-28T09:30:00+00:00', kind, actor: 'person', operator_name: null, account_id: accountId };
  return { entry: { ...entry, address: null, request_id: null, detail }, person: accountId === null ? null : PERSON };
}

describe('an event for a sink', () => {
  it('contains the members of the person that the settings list', () => {
    const recordedEvent = buildRecordedEvent('sign-in.ok', { client: 'portal' });
    expect(toSinkEvent(recordedEvent, []).account).toEqual({ id: ID });
    expect(toSinkEvent(recordedEvent, ['username']).account).toEqual({ id: ID, username: 'maria' });
    expect(toSinkEvent(recordedEvent, ['email']).account).toEqual({ id: ID, email: 'maria@example.org' });
    expect(toSinkEvent(recordedEvent, [])).toMatchObject({ id: '1', kind: 'sign-in.ok', detail: { client: 'portal' } });
  });

  it.each(['account.deleted', 'source.refused', 'provider.refused', 'a-kind.of-another-version'])(
    'of the kind %s contains names of the person in its detail only with the username',
    (kind) => {
      const recordedEvent = buildRecordedEvent(kind, { subject: 'uid=anna,ou=people', sessions: 2 });
      expect(toSinkEvent(recordedEvent, []).detail).toEqual({ sessions: 2 });
      expect(toSinkEvent(recordedEvent, ['email']).detail).toEqual({ sessions: 2 });
      expect(toSinkEvent(recordedEvent, ['username']).detail).toEqual({ subject: 'uid=anna,ou=people', sessions: 2 });
      expect(toSinkEvent(buildRecordedEvent(kind, { subject: 'anna' }, null), [])).toMatchObject({ account: null, detail: {} });
    },
  );

  it('has no example that looks like a name but is not marked as personal', () => {
    const kinds = Object.keys(CATALOGUE) as AuditKind[];
    const suspects = kinds.flatMap((kind) => {
      const { detail } = toSinkEvent(buildRecordedEvent(kind, buildExample(kind).detail as Record<string, string>), []);
      const text = JSON.stringify(detail);
      return /@|anna|maria|uid=|legacy-4711|248289761001/.test(text) ? [`${kind}: ${text}`] : [];
    });
    expect(suspects).toEqual([]);
  });
});
