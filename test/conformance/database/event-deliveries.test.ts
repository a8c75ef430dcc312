import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import type { AuditKind } from '../../../src/accounts/audit/kinds.js';
import { Cleanup } from '../../../src/accounts/cleanup.js';
import {
  DELIVERY_LEASE_SECONDS,
  EventDeliveries,
  MAX_DELIVERY_TRIES,
  type ClaimedDelivery,
} from '../../../src/accounts/queue/event-deliveries.js';
import { EventSinks } from '../../../src/accounts/queue/event-sinks.js';
import type { SinkSettings } from '../../../src/config/sink-settings.js';
import { STATEMENTS, type Statement } from '../../../src/database/statement.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, newName } from './account-parts.js';

const DAY = 86_400;
const OK = { status: '204', answer: '' };
const FAILED = { status: '500', answer: 'no' };
const BY = { actor: 'operator', operator: 'olga', reason: 'a test' } as const;

const buildSink = (name: string, events: string[]): SinkSettings => ({
  name,
  kind: 'webhook',
  address: 'https://example.org/',
  secrets: [],
  events,
  person: [],
});
const CRM = buildSink('crm', ['account.*']);
const SIEM = buildSink('siem', ['*']);

describeOnSampledDatabases('event deliveries', (test) => {
  let audit: AuditLog;
  let deliveries: EventDeliveries;
  let sinks: EventSinks;

  const openParts = (eventSinks: SinkSettings[]) => {
    audit = new AuditLog(test.database);
    deliveries = new EventDeliveries(test.database, audit, { eventSinks });
    sinks = new EventSinks(test.database, audit, deliveries, { eventSinks });
  };

  beforeEach(async () => {
    await sql`delete from event_delivery`.execute(test.database.db);
    await sql`delete from event_sink`.execute(test.database.db);
    openParts([CRM, SIEM]);
    await deliveries.register(['crm', 'siem']);
  });

  const record = async (kind: AuditKind, accountId?: string): Promise<void> =>
    audit.record({ kind, actor: 'person', ...(accountId === undefined ? {} : { accountId }) });
  const rows = async () =>
    (
      await sql<{ sink: string; kind: string; account_id: string | null }>`
        select d.sink, e.kind, d.account_id from event_delivery d join audit_event e on e.seq = d.event order by d.sink, d.event`.execute(
        test.database.db,
      )
    ).rows;
  const findKinds = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ event }) => event?.entry.kind);
  const getOnly = (claimed: readonly ClaimedDelivery[]): ClaimedDelivery => {
    const [first] = claimed;
    if (!first || claimed.length > 1) throw new Error(`${claimed.length} deliveries were claimed.`);
    return first;
  };

  it('are written with the event for the sinks that want it, and rolled back with it', async () => {
    const account = randomUUID();
    await record('account.disabled', account);
    await record('sign-in.ok', account);
    const undone = test.database.transaction(async (trx) => {
      await audit.record({ kind: 'account.enabled', actor: 'person', accountId: account }, trx);
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    expect(await rows()).toEqual([
      { sink: 'crm', kind: 'account.disabled', account_id: account },
      { sink: 'siem', kind: 'account.disabled', account_id: account },
      { sink: 'siem', kind: 'sign-in.ok', account_id: account },
    ]);
  });

  it('are given out with what happened and with the person as the account is now', async () => {
    const parts = new AccountParts(test.database);
    const { id } = await parts.accounts.create({ username: newName(), email: 'maria@example.org' });
    await sql`delete from event_delivery`.execute(test.database.db);
    await audit.record({
      ...BY,
      kind: 'account.disabled',
      accountId: id,
      address: '192.0.2.1',
      requestId: 'r1',
      detail: { fields: ['x'] },
    });
    const delivery = getOnly(await deliveries.claim('crm', 8));
    expect(delivery).toMatchObject({ sink: 'crm', tries: 1 });
    expect(delivery.event?.entry).toMatchObject({
      seq: expect.any(Number),
      at: expect.any(String),
      kind: 'account.disabled',
      actor: 'operator',
      operator_name: 'olga',
      account_id: id,
      address: '192.0.2.1',
      request_id: 'r1',
      detail: { fields: ['x'], reason: 'a test' },
    });
    expect(delivery.event?.person).toEqual({ username: expect.any(String), email: 'maria@example.org' });
  });

  it('of one account are given out in their order, those of others and without account meanwhile', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await record('account.disabled', one);
    await record('account.enabled', one);
    await record('account.changed', other);
    await record('account.imported');
    await record('account.imported');
    const claimed = await deliveries.claim('crm', 8);
    expect(findKinds(claimed)).toEqual(['account.disabled', 'account.changed', 'account.imported', 'account.imported']);
    expect(await deliveries.claim('crm', 8)).toEqual([]);
    const [first] = claimed;
    if (!first) throw new Error('Nothing was claimed.');
    await deliveries.postpone(first, FAILED);
    expect(await deliveries.claim('crm', 8)).toEqual([]);
    test.clock.advanceSeconds(10);
    const again = getOnly(await deliveries.claim('crm', 8));
    expect([again.id, again.tries]).toEqual([first.id, 2]);
    await deliveries.markDelivered(again, OK);
    expect(findKinds(await deliveries.claim('crm', 8))).toEqual(['account.enabled']);
    // The other sink has not had anything yet.
    expect((await deliveries.claim('siem', 8)).length).toBe(4);
  });

  it('are given to one of several workers, and again when that one has died', async () => {
    for (let count = 0; count < 12; count++) await record('account.changed', randomUUID());
    const claimed = (await Promise.all([1, 2, 3, 4].map(() => deliveries.claim('crm', 5)))).flat();
    const rest = await deliveries.claim('crm', 20);
    const ids = [...claimed, ...rest].map(({ id }) => id);
    expect([new Set(ids).size, ids.length]).toEqual([12, 12]);
    test.clock.advanceSeconds(DELIVERY_LEASE_SECONDS - 5);
    expect(await deliveries.claim('crm', 20)).toEqual([]);
    test.clock.advanceSeconds(6);
    expect((await deliveries.claim('crm', 20)).length).toBe(12);
  });

  it('are tried for three days, with growing delays, and then given up; later ones of the account go on', async () => {
    const account = randomUUID();
    await record('account.disabled', account);
    await record('account.enabled', account);
    const begunAt = test.clock.now().getTime();
    for (let tries = 1; tries <= MAX_DELIVERY_TRIES; tries++) {
      let claimed: ClaimedDelivery[] = [];
      while (claimed.length === 0) {
        claimed = await deliveries.claim('crm', 8);
        if (claimed.length === 0) test.clock.advanceSeconds(tries < 5 ? 5 : 1200);
      }
      const delivery = getOnly(claimed);
      expect([delivery.tries, delivery.event?.entry.kind]).toEqual([tries, 'account.disabled']);
      await (tries < MAX_DELIVERY_TRIES ? deliveries.postpone(delivery, FAILED) : deliveries.markDead(delivery, FAILED));
    }
    const days = (test.clock.now().getTime() - begunAt) / 1000 / DAY;
    expect(days).toBeGreaterThan(2.4);
    expect(days).toBeLessThan(4);
    expect(findKinds(await deliveries.claim('crm', 8))).toEqual(['account.enabled']);
    expect((await sinks.listDeliveries({ sink: 'crm', state: 'dead' }))?.deliveries).toMatchObject([
      { kind: 'account.disabled', accountId: account, state: 'dead', tries: MAX_DELIVERY_TRIES, status: '500', answer: 'no' },
    ]);
  });

  it('wait as long as the receiver asks, but not longer than the longest delay', async () => {
    await record('account.changed', randomUUID());
    await deliveries.postpone(getOnly(await deliveries.claim('crm', 1)), FAILED, 600);
    test.clock.advanceSeconds(590);
    expect(await deliveries.claim('crm', 1)).toEqual([]);
    test.clock.advanceSeconds(20);
    await deliveries.postpone(getOnly(await deliveries.claim('crm', 1)), FAILED, 30 * DAY);
    test.clock.advanceSeconds(DAY);
    expect((await deliveries.claim('crm', 1)).length).toBe(1);
  });

  it('are not held up by a clock that is set back', async () => {
    await record('account.changed', randomUUID());
    test.clock.advanceSeconds(-2 * DAY);
    const delivery = getOnly(await deliveries.claim('crm', 1));
    test.clock.advanceSeconds(-2 * DAY);
    const again = getOnly(await deliveries.claim('crm', 1));
    expect([again.id, again.tries]).toEqual([delivery.id, 2]);
    await deliveries.postpone(again, FAILED);
    test.clock.advanceSeconds(-2 * DAY);
    expect(await deliveries.claim('crm', 1)).toEqual([]);
    await deliveries.register(['crm', 'siem']);
    expect((await deliveries.claim('crm', 1)).length).toBe(1);
    test.clock.advanceSeconds(6 * DAY);
  });

  it('wait while the sink is paused', async () => {
    await record('account.changed', randomUUID());
    expect(await sinks.pause('crm', BY)).toBe('changed');
    expect(await sinks.pause('crm', BY)).toBe('unchanged');
    expect(await deliveries.claim('crm', 1)).toEqual([]);
    expect(await sinks.resume('crm', BY)).toBe('changed');
    expect((await deliveries.claim('crm', 1)).length).toBe(1);
    expect(await sinks.pause('other', BY)).toBe('unknown');
    const { entries } = await audit.search({ kinds: ['sink.paused', 'sink.resumed'] });
    expect(entries.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['sink.resumed', { sink: 'crm', reason: 'a test' }],
      ['sink.paused', { sink: 'crm', reason: 'a test' }],
    ]);
  });

  it('can be sent again, one or all since a time, in the order of the account', async () => {
    const account = randomUUID();
    test.clock.advanceSeconds(60);
    const since = test.clock.now();
    for (const kind of ['account.disabled', 'account.enabled', 'account.changed'] as const) await record(kind, account);
    for (let count = 0; count < 3; count++) {
      const delivery = getOnly(await deliveries.claim('crm', 8));
      await (count === 0 ? deliveries.markDead(delivery, FAILED) : deliveries.markDelivered(delivery, OK));
    }
    const [dead] = (await sinks.listDeliveries({ sink: 'crm', state: 'dead' }))?.deliveries ?? [];
    expect(await sinks.replayOne('crm', Number(dead?.event), BY)).toBe('changed');
    expect(await sinks.replayOne('crm', Number(dead?.event), BY)).toBe('unchanged');
    expect(await sinks.replayOne('crm', 999_999_999, BY)).toBe('unknown-event');
    expect(findKinds(await deliveries.claim('crm', 8))).toEqual(['account.disabled']);
    // The event that waits stays as it is.
    expect(await sinks.replay('crm', { since }, BY)).toEqual({ queued: 2 });
    expect(await deliveries.claim('crm', 8)).toEqual([]);
    await deliveries.markDelivered({ id: (await findId('account.disabled', account)) ?? 0, tries: 1 }, OK);
    expect(findKinds(await deliveries.claim('crm', 8))).toEqual(['account.enabled']);
    expect(await sinks.replay('crm', { since: new Date(since.getTime() + 3_600_000) }, BY)).toEqual({ queued: 0 });
  });

  it('are not sent again from the start when the event of the cursor was deleted, nor from before the time', async () => {
    const since = test.clock.now();
    await record('account.disabled', randomUUID());
    const delivery = getOnly(await deliveries.claim('crm', 8));
    const seq = Number(delivery.event?.entry.seq);
    await deliveries.markDelivered(delivery, OK);
    expect(await sinks.replay('crm', { since, cursor: String(seq + 1_000_000) }, BY)).toEqual({ queued: 0 });
    const later = new Date(since.getTime() + 3_600_000);
    expect(await sinks.replay('crm', { since: later, cursor: String(seq - 1) }, BY)).toEqual({ queued: 0 });
  });

  it('that are sent again are not touched by a worker that is late with an earlier try, and are after what is due', async () => {
    await record('account.disabled', randomUUID());
    const late = getOnly(await deliveries.claim('crm', 8));
    test.clock.advanceSeconds(DELIVERY_LEASE_SECONDS + 1);
    await deliveries.markDelivered(getOnly(await deliveries.claim('crm', 8)), OK);
    expect(await sinks.replayOne('crm', Number(late.event?.entry.seq), BY)).toBe('changed');
    await deliveries.markDelivered(late, OK);
    await record('account.enabled', randomUUID());
    expect(findKinds(await deliveries.claim('crm', 1))).toEqual(['account.enabled']);
    const again = getOnly(await deliveries.claim('crm', 8));
    expect([again.event?.entry.kind, again.tries, late.tries]).toEqual(['account.disabled', 1, 1]);
    for (const store of [() => deliveries.markDead(late, FAILED), () => deliveries.postpone(late, FAILED)]) await store();
    expect((await sinks.listDeliveries({ sink: 'crm', state: 'dead' }))?.deliveries).toEqual([]);
    await deliveries.markDelivered(again, OK);
    expect((await sinks.listDeliveries({ sink: 'crm', state: 'delivered' }))?.deliveries.length).toBe(1);
  });

  const findId = async (kind: string, account: string) =>
    (
      await sql<{ id: number }>`select d.id from event_delivery d join audit_event e on e.seq = d.event
        where d.sink = 'crm' and e.kind = ${kind} and d.account_id = ${account}::uuid`.execute(test.database.db)
    ).rows[0]?.id;

  it('are counted for operators, with the state of the sink', async () => {
    for (let count = 0; count < 3; count++) await record('account.changed', randomUUID());
    test.clock.advanceSeconds(120);
    const [first, second] = await deliveries.claim('crm', 2);
    if (!first || !second) throw new Error('Nothing was claimed.');
    await deliveries.markDead(first, FAILED);
    await deliveries.markDelivered(second, OK);
    await deliveries.noteState('crm', 'fails', FAILED);
    expect((await sinks.list()).find(({ name }) => name === 'crm')).toMatchObject({
      settings: CRM,
      waiting: 1,
      dead: 1,
      pausedAt: null,
      failingSince: expect.any(Date),
      lastStatus: '500',
      lastAnswer: 'no',
    });
    expect((await sinks.list())[0]?.waitingSeconds).toBeGreaterThanOrEqual(119);
    await deliveries.noteState('crm', 'works', OK);
    expect((await sinks.list())[0]).toMatchObject({ failingSince: null, lastStatus: '204' });
    const page = await sinks.listDeliveries({ sink: 'crm', limit: 2 });
    const rest = await sinks.listDeliveries({ sink: 'crm', limit: 2, cursor: page?.nextCursor ?? '' });
    expect([page?.deliveries.length, rest?.deliveries.length, rest?.nextCursor]).toEqual([2, 1, undefined]);
  });

  it('stay when the sink is removed from the settings, are shown, and are deleted after 30 days', async () => {
    await record('account.changed', randomUUID());
    openParts([SIEM]);
    await record('account.changed', randomUUID());
    expect((await sinks.list()).map(({ name, settings, waiting }) => [name, settings === null, waiting])).toEqual([
      ['crm', true, 1],
      ['siem', false, 2],
    ]);
    expect(await sinks.pause('crm', BY)).toBe('removed');
    const cleanup = new Cleanup(test.database, { eventSinks: [] });
    test.clock.advanceSeconds(29 * DAY);
    await deliveries.register(['siem']);
    await cleanup.deleteExpired();
    expect((await sinks.list()).length).toBe(2);
    test.clock.advanceSeconds(2 * DAY);
    await cleanup.deleteExpired();
    expect((await sinks.list()).map(({ name, waiting }) => [name, waiting])).toEqual([['siem', 2]]);
    expect((await sql`select from event_sink where name = 'crm'`.execute(test.database.db)).rows).toEqual([]);
  });

  it('that are done are deleted after 30 days, and those that wait are not', async () => {
    for (let count = 0; count < 3; count++) await record('account.changed', randomUUID());
    const [first, second] = await deliveries.claim('crm', 2);
    if (!first || !second) throw new Error('Nothing was claimed.');
    await deliveries.markDelivered(first, OK);
    await deliveries.markDead(second, FAILED);
    test.clock.advanceSeconds(31 * DAY);
    await deliveries.register(['crm', 'siem']);
    await new Cleanup(test.database, { eventSinks: [] }).deleteExpired();
    expect((await sinks.listDeliveries({ sink: 'crm' }))?.deliveries.map(({ state }) => state)).toEqual(['waiting']);
  });

  it('are not deleted for a sink of the settings when a clock jumps ahead', async () => {
    await record('account.changed', randomUUID());
    test.clock.advanceSeconds(40 * DAY);
    await new Cleanup(test.database, { eventSinks: [CRM] }).deleteExpired();
    const { rows } = await sql<{ name: string }>`select name from event_sink`.execute(test.database.db);
    expect(rows).toEqual([{ name: 'crm' }]);
    expect((await deliveries.claim('crm', 8)).length).toBe(1);
    expect(await deliveries.claim('siem', 8)).toEqual([]);
    test.clock.advanceSeconds(-40 * DAY);
  });

  it('of an event that was deleted meanwhile have no event', async () => {
    await sql`insert into event_delivery (sink, event, created_at) values ('crm', 999999999, now())`.execute(test.database.db);
    expect(getOnly(await deliveries.claim('crm', 1)).event).toBeNull();
  });
});

it('without sinks, statements that record events are what they were; with them, they differ in one column', () => {
  const findSinks = () => ['siem'];
  const recording = [...STATEMENTS.values()].filter(({ text }) => text.includes('into audit_event'));
  expect(recording.length).toBeGreaterThan(10);
  for (const statement of recording as unknown as Statement<Record<string, unknown>, unknown>[]) {
    expect(statement.text).not.toContain('sinks');
    const values = { event: 'sign-in.ok', kind: 'sign-in.ok' };
    const [without, withSinks] = [statement.fill(values, 0), statement.fill(values, 0, findSinks)];
    const normalize = (text: string): string =>
      text.replace(/\$\d+/g, '$').replaceAll(', detail, sinks)', ', detail)').replaceAll(', $::text[]', '');
    expect(normalize(withSinks.sql)).toBe(normalize(without.sql).replaceAll(', $::text[]', ''));
    expect(withSinks.parameters.length).toBeGreaterThan(without.parameters.length);
    expect(withSinks.parameters).toContainEqual(['siem']);
  }
});
