import { describe, expect, it } from '@jest/globals';
import { buildExample } from '../events-document.js';
import type { SinkEvent } from '../sink-event.js';
import { toOcsf } from './to-ocsf.js';

const PERSON = { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55' };

const map = (event: Partial<SinkEvent> & Pick<SinkEvent, 'kind'>) => toOcsf({ ...buildExample(event.kind), ...event });

describe('an event in OCSF', () => {
  it('describes the person only with the members that the sink receives', () => {
    expect(map({ kind: 'sign-in.ok', account: PERSON })['user']).toEqual({ uid: PERSON.id, type_id: 1, type: 'User' });
    const ocsf = map({ kind: 'sign-in.ok', account: { ...PERSON, username: 'anna', email: 'anna@example.com' } });
    expect(ocsf['user']).toMatchObject({ name: 'anna', email_addr: 'anna@example.com' });
    expect(ocsf['unmapped']).not.toHaveProperty('email');
  });

  it('contains an e-mail address as an unmapped member if it does not match the pattern of the schema', () => {
    const mapped = map({ kind: 'sign-in.ok', account: { ...PERSON, email: 'anna@bücher.example' } });
    expect(mapped['user']).not.toHaveProperty('email_addr');
    expect(mapped['unmapped']).toMatchObject({ email: 'anna@bücher.example' });
  });

  it('distinguishes a person, an operator, a token of the operator API and the product', () => {
    const toActor = (event: Partial<SinkEvent>) => map({ kind: 'account.disabled', account: PERSON, ...event })['actor'];
    expect(toActor({ actor: 'person' })).toMatchObject({ user: { uid: PERSON.id } });
    expect(toActor({ actor: 'person', account: null })).toBeUndefined();
    expect(toActor({ actor: 'operator', operator: 'olga', detail: { operatorAccount: 'o1' } })).toEqual({
      user: { name: 'olga', uid: 'o1', type_id: 2, type: 'Admin' },
    });
    expect(toActor({ actor: 'operator', operator: 'ci', detail: {} })).toEqual({
      user: { name: 'ci', type_id: 4, type: 'Service' },
    });
    expect(toActor({ actor: 'system' })).toEqual({ app_name: 'Foyer', app_uid: 'foyer' });
  });

  it('contains the person and the operator as unmapped members if the class has no attribute for them', () => {
    expect(map({ kind: 'mail.abandoned', account: PERSON })['unmapped']).toMatchObject({ account: PERSON });
    const unknown = { kind: 'later.kind' as SinkEvent['kind'], actor: 'operator', operator: 'olga' } as const;
    const event = { ...buildExample('account.disabled'), ...unknown, detail: { operatorAccount: 'o1' } };
    expect(toOcsf(event)['unmapped']).toMatchObject({ operator: 'olga', operatorAccount: 'o1' });
  });

  it('names the factor of a sign-in with a mailed code', () => {
    expect(map({ kind: 'sign-in.ok', detail: { amr: ['mail'] } })['auth_factors']).toMatchObject([{ factor_type: 'Email' }]);
  });

  it('counts one sign-in as one successful logon, and a refused password as a failed one', () => {
    const isLogon = ({ class_uid, ...event }: ReturnType<typeof toOcsf>) => class_uid === 3002 && event['activity_id'] === 1;
    const signIn = (['password.ok', 'factor.ok', 'sign-in.ok'] as const).map((kind) => map({ kind }));
    expect(signIn.filter(isLogon)).toMatchObject([{ status_id: 1, metadata: { event_code: 'sign-in.ok' } }]);
    expect(map({ kind: 'password.refused', detail: { reason: 'stopped' } })).toMatchObject({
      activity_id: 1,
      status_id: 2,
      status_detail: 'stopped',
    });
  });

  it('reports an unknown outcome of an attempt, and names its action', () => {
    const attempt = map({ kind: 'client.attempted', detail: { client: 'wiki', action: 'delete', fields: ['x'] } });
    expect(attempt).toMatchObject({ class_uid: 3004, activity_id: 4, status_id: 0, entity: { uid: 'wiki', type_id: 99 } });
    expect(map({ kind: 'client.attempted', detail: { client: 'wiki', action: 'constructor' } })['activity_id']).toBe(3);
    expect(attempt['unmapped']).toEqual({ action: 'delete', fields: ['x'] });
  });

  it('contains every member of the detail exactly once', () => {
    const text = JSON.stringify(
      map({ kind: 'consent.granted', detail: { client: 'c1', scopes: ['s1'], asked: false, device: true } }),
    );
    for (const value of ['c1', 's1', 'asked', 'device']) expect(text.split(`"${value}"`)).toHaveLength(2);
  });

  it('maps a kind of a newer version by its name alone, and loses no member', () => {
    const kind = 'constructor' as SinkEvent['kind'];
    const mapped = toOcsf({ ...buildExample('sign-in.ok'), kind, account: PERSON, detail: { reason: 'new' } });
    expect(mapped).toMatchObject({ class_uid: 0, type_uid: 99, message: kind, metadata: { event_code: kind } });
    expect(mapped['unmapped']).toEqual({ account: PERSON, actor: 'person', address: '192.0.2.7', reason: 'new' });
  });

  it('contains an address that is not an IP address as a name', () => {
    expect(map({ kind: 'sign-in.ok', address: '2001:db8::1' })['src_endpoint']).toEqual({ ip: '2001:db8::1' });
    expect(map({ kind: 'sign-in.ok', address: 'proxy.internal' })['src_endpoint']).toEqual({ name: 'proxy.internal' });
    expect(map({ kind: 'sign-in.ok', address: null })['src_endpoint']).toBeUndefined();
  });
});
