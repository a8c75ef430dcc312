/** One account with very many events that wait for a sink: the events of others are delivered, and a claim does not read more when more events wait. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { EventDeliveries, type ClaimedDelivery } from '../../../src/accounts/queue/event-deliveries.js';
import { EventSinks } from '../../../src/accounts/queue/event-sinks.js';
import type { SinkSettings } from '../../../src/config/sink-settings.js';
import { STATEMENTS, type Statement } from '../../../src/database/statement.js';
import { describeOnSampledDatabases } from '../../support/databases.js';

const WAITING = 100_000;
const OTHERS = 10;
/** The sum over the steps of a plan, of which there are fewer than 20 and each looks at a window of 500 rows at most. */
const MOST_ROWS = 10_000;
const OK = { status: '204', answer: '' };
const FAILED = { status: '500', answer: 'no' };
const BY = { actor: 'operator', operator: 'olga', reason: 'a test' } as const;
const SINK: SinkSettings = {
  name: 'crm',
  kind: 'webhook',
  address: 'https://example.org/',
  secrets: [],
  events: ['*'],
  person: [],
};

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const countRows = (plan: Plan): number =>
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum, part) => sum + countRows(part), 0);

describeOnSampledDatabases('very many waiting events of one account', (test) => {
  let deliveries: EventDeliveries;
  let sinks: EventSinks;
  let account: string;

  beforeEach(async () => {
    await sql`truncate event_delivery`.execute(test.database.db);
    const audit = new AuditLog(test.database);
    deliveries = new EventDeliveries(test.database, audit, { eventSinks: [SINK] });
    sinks = new EventSinks(test.database, audit, deliveries, { eventSinks: [SINK] });
    await deliveries.register(['crm']);
    account = randomUUID();
  });

  const record = (accounts: readonly string[]) =>
    sql`insert into audit_event (at, kind, actor, account_id, sinks)
      select now(), 'sign-in.ok', 'person', id::uuid, array['crm'] from unnest(${accounts}::text[]) with ordinality as given (id, number)
      order by number`.execute(test.database.db);
  const recordMany = (count: number) => record(Array.from({ length: count }, () => account));
  const findDue = async (): Promise<number> =>
    (
      await sql`select from event_delivery where delivered_at is null and dead_at is null and next_try_at < 'infinity'`.execute(
        test.database.db,
      )
    ).rows.length;
  const claimOne = async (): Promise<ClaimedDelivery> => {
    const [first, second] = await deliveries.claim('crm', 8);
    if (!first || second) throw new Error('Not exactly one delivery was claimed.');
    return first;
  };
  const setAllAside = async (): Promise<void> => {
    while (await deliveries.setAside('crm', 1));
  };
  const readMost = async (name: string, values: Record<string, unknown>): Promise<number> => {
    const { sql: text, parameters } = (STATEMENTS.get(name) as unknown as Statement<Record<string, unknown>, unknown>).fill(
      values,
      0,
    );
    return test.database.transaction(async (trx) => {
      const filled = text.replace(/\$(\d+)/g, (_, number: string) => {
        const value = parameters[Number(number) - 1];
        return typeof value === 'number' ? String(value) : `'${String(value)}'`;
      });
      const { rows } = await sql<{
        'QUERY PLAN': [{ Plan: Plan }];
      }>`${sql.raw(`explain (analyze, format json) ${filled}`)}`.execute(trx);
      return countRows(rows[0]!['QUERY PLAN'][0].Plan);
    });
  };

  it('leave room for those of others, and are read in limited numbers', async () => {
    await recordMany(WAITING);
    await record(Array.from({ length: OTHERS }, () => randomUUID()));
    await sql`analyze event_delivery`.execute(test.database.db);
    const claimed: ClaimedDelivery[] = [];
    let statements = 0;
    do {
      claimed.push(...(await deliveries.claim('crm', 8)));
      statements += 2;
      if (statements % 50 === 2) {
        expect(await readMost('event-delivery.set-aside', { sink: 'crm', minDue: 1 })).toBeLessThan(MOST_ROWS);
        expect(await readMost('event_delivery.claim-from', { part: 'crm', max: 0 })).toBeLessThan(MOST_ROWS);
      }
    } while (await deliveries.setAside('crm', 1));
    claimed.push(...(await deliveries.claim('crm', 8)));
    expect(new Set(claimed.map(({ event }) => event?.entry.account_id)).size).toBe(OTHERS + 1);
    expect(statements).toBeLessThan((2 * WAITING) / 500 + 10);
    // What is done makes exactly one event due.
    for (const delivery of claimed) await deliveries.markDelivered(delivery, OK);
    await setAllAside();
    expect(await findDue()).toBe(1);
    expect(await readMost('event_delivery.claim-from', { part: 'crm', max: 8 })).toBeLessThan(50);
  });

  it('become due one by one, whatever ends the one before: that it is delivered, given up or deleted', async () => {
    await recordMany(5);
    const first = await claimOne();
    await setAllAside();
    expect(await findDue()).toBe(1);
    await deliveries.markDelivered(first, OK);
    const second = await claimOne();
    await deliveries.markDead(second, FAILED);
    const third = await claimOne();
    await deliveries.postpone(third, FAILED);
    expect(await deliveries.claim('crm', 8)).toEqual([]);
    await sql`delete from event_delivery where id = ${third.id}`.execute(test.database.db);
    await claimOne();
    expect(await findDue()).toBe(1);
  });

  it('become due for a gateway of an earlier version, too, which sets none aside', async () => {
    await recordMany(3);
    const first = await claimOne();
    await setAllAside();
    // The statement of that gateway.
    await sql`update event_delivery set delivered_at = now(), claimed_until = null where id = ${first.id}`.execute(
      test.database.db,
    );
    await claimOne();
    // At its start, that gateway makes all of them due; only the next one is given out.
    await sql`update event_delivery set next_try_at = now() where next_try_at > now()`.execute(test.database.db);
    expect(await deliveries.claim('crm', 8)).toEqual([]);
    await setAllAside();
    expect(await findDue()).toBe(1);
  });

  it('keep their order and their turn when earlier ones are sent again', async () => {
    await recordMany(3);
    const events: string[] = [];
    const deliverOne = async (): Promise<void> => {
      const delivery = await claimOne();
      await setAllAside();
      await deliveries.markDelivered(delivery, OK);
      events.push(String(delivery.event?.entry.seq));
    };
    await deliverOne();
    await deliverOne();
    for (const event of events.toReversed()) expect(await sinks.replayOne('crm', Number(event), BY)).toBe('changed');
    await setAllAside();
    for (let count = 0; count < 4; count++) await deliverOne();
    const [first, second] = events;
    expect(events.slice(2, 4)).toEqual([first, second]);
    expect(Number(events[4])).toBeGreaterThan(Number(second));
  });

  it('are not made due by mistake, nor forgotten, while several workers set aside and deliver', async () => {
    const accounts = Array.from({ length: 5 }, () => randomUUID());
    await record(Array.from({ length: 200 }, (_, index) => accounts[index % 5]!));
    const seen = new Map<string, number[]>();
    const work = async (): Promise<void> => {
      for (let idle = 0; idle < 20;) {
        const claimed = await deliveries.claim('crm', 3);
        idle = claimed.length === 0 ? idle + 1 : 0;
        for (const delivery of claimed) {
          const { seq, account_id: owner } = delivery.event!.entry;
          seen.set(owner!, [...(seen.get(owner!) ?? []), seq]);
          await deliveries.markDelivered(delivery, OK);
        }
        await deliveries.setAside('crm', 1);
      }
    };
    const write = async (): Promise<void> => {
      for (let count = 0; count < 100; count++) await record([accounts[count % 5]!]);
    };
    await Promise.all([work(), work(), work(), work(), write()]);
    await work();
    expect([...seen.values()].map(({ length }) => length)).toEqual([60, 60, 60, 60, 60]);
    for (const ids of seen.values()) expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  });
});
