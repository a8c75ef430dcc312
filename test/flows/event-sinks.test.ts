/** Workers that deliver events to receivers that answer well, wrongly, late, or not at all; several gateways and clocks. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { pino } from 'pino';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { EventDeliveries } from '../../src/accounts/queue/event-deliveries.js';
import { EventSinks } from '../../src/accounts/queue/event-sinks.js';
import type { SinkSettings } from '../../src/config/sink-settings.js';
import type { Database } from '../../src/database/database.js';
import { createTransport } from '../../src/events/create-transport.js';
import { SinkWorker } from '../../src/events/sink-worker.js';
import type { Transport } from '../../src/events/transport.js';
import { TELEMETRY_OFF } from '../../src/telemetry/telemetry.js';
import { openBeside, openTestDatabase, whyNoServer } from '../support/databases.js';
import { EventReceiver } from '../support/event-receiver.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { TestClock } from '../support/test-clock.js';

const TIMEOUT_MS = 180_000;
const log = pino({ level: 'silent' });
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secrets = { crm: newSecret(), siem: newSecret() };

let clock: TestClock;
let database: Database;
let crm: EventReceiver;
let siem: EventReceiver;
let settings: SinkSettings[];
let audit: AuditLog;
const opened: SinkWorker[] = [];

beforeAll(async () => {
  clock = new TestClock();
  database = await openTestDatabase('either', clock);
});
afterAll(() => database.close());

beforeEach(async () => {
  await sql`delete from event_delivery`.execute(database.db);
  await sql`delete from event_sink`.execute(database.db);
  crm = await EventReceiver.start(secrets.crm);
  siem = await EventReceiver.start(secrets.siem);
  const common = { kind: 'webhook', events: ['*'] } as const;
  settings = [
    { ...common, name: 'crm', address: crm.url, secrets: [secrets.crm], person: ['username'] },
    { ...common, name: 'siem', address: siem.url, secrets: [secrets.siem], person: [] },
  ];
  audit = new AuditLog(database);
  await openDeliveries(database, audit).register(['crm', 'siem']);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((worker) => worker.stop()));
  await Promise.all([crm.close(), siem.close()]);
});

function openDeliveries(on: Database, log: AuditLog): EventDeliveries {
  return new EventDeliveries(on, log, { eventSinks: settings });
}

/**
 * The worker of one sink of a gateway. It delivers when it is told to, unless it is started.
 * @param slow what happens before events are set aside
 */
function openWorker(name: 'crm' | 'siem', on: Database = database, slow?: () => Promise<void>): SinkWorker {
  const sink = settings.find((one) => one.name === name);
  if (!sink) throw new Error(name);
  const transport: Transport = createTransport(sink, { source: 'https://login.example.com', now: () => new Date() });
  const deliveries = on === database ? openDeliveries(on, audit) : openDeliveries(on, new AuditLog(on));
  const setAside = deliveries.setAside.bind(deliveries);
  if (slow) deliveries.setAside = (...args) => slow().then(() => setAside(...args));
  const worker = new SinkWorker({ sink, transport, deliveries, log, telemetry: TELEMETRY_OFF });
  opened.push(worker);
  // Long enough that nothing is delivered on its own.
  worker.intervalMs = 3_600_000;
  worker.start();
  return worker;
}

const record = (account: string | null, detail: Record<string, number> = {}): Promise<void> =>
  audit.record({ kind: 'sign-in.ok', actor: 'person', detail, ...(account === null ? {} : { accountId: account }) });
const findSink = async (name: string) => {
  const sinks = new EventSinks(database, audit, openDeliveries(database, audit), { eventSinks: settings });
  return (await sinks.list()).find((sink) => sink.name === name);
};

describe('a sink', () => {
  it('gets each event once, and of the person what its settings name', async () => {
    const id = randomUUID();
    await sql`insert into account (id, username, username_key, looked_username, display_name, email, email_key, created_at, updated_at)
      values (${id}, 'maria', 'maria', 'maria', 'M', 'm@example.org', 'm@example.org', now(), now())`.execute(database.db);
    await record(id, { step: 1 });
    await record(null);
    await openWorker('crm').deliver();
    await openWorker('siem').deliver();
    expect(crm.events.map(({ subject, data }) => [subject, data.account, data.detail])).toEqual(
      expect.arrayContaining([
        [id, { id, username: 'maria' }, { step: 1 }],
        [undefined, null, {}],
      ]),
    );
    expect(siem.events.map(({ data }) => data.account)).toEqual(expect.arrayContaining([{ id }, null]));
    await openWorker('crm').deliver();
    expect([crm.events.length, siem.events.length, crm.refused]).toEqual([2, 2, 0]);
    expect(await findSink('crm')).toMatchObject({ waiting: 0, dead: 0, lastStatus: '204', failingSince: null });
  });

  it('that fails keeps its events in their order, is seen to fail, and uses few tries of them', async () => {
    const account = randomUUID();
    for (let step = 0; step < 3; step++) await record(account, { step });
    for (let count = 0; count < 20; count++) await record(randomUUID());
    crm.answer = (_, response) => void response.writeHead(500).end('down');
    const worker = openWorker('crm');
    for (let round = 0; round < 4; round++) {
      await worker.deliver();
      clock.advanceSeconds(60);
    }
    // Eight at once in the first round, two more until three have failed, and one in each further round.
    expect(crm.events.length).toBeLessThanOrEqual(13);
    expect(await findSink('crm')).toMatchObject({
      waiting: 23,
      lastStatus: '500',
      lastAnswer: 'down',
      failingSince: expect.any(Date),
    });
    crm.events.length = 0;
    crm.accept();
    for (let round = 0; round < 3; round++) {
      await worker.deliver();
      clock.advanceSeconds(3600);
    }
    expect(crm.events.length).toBe(23);
    const steps = crm.events.filter(({ subject }) => subject === account).map(({ data }) => data.detail['step']);
    expect(steps).toEqual([0, 1, 2]);
    expect(await findSink('crm')).toMatchObject({ waiting: 0, failingSince: null });
  });

  it('that refuses some events takes the others at once, and is seen to fail only while it takes none', async () => {
    const refused = new Set<string>(Array.from({ length: 12 }, () => randomUUID()));
    for (const account of refused) await record(account);
    crm.answer = ({ subject = '' }, response) => void response.writeHead(refused.has(subject) ? 422 : 204).end();
    const worker = openWorker('crm');
    await worker.deliver();
    // Each was tried once, without a rest.
    expect(crm.events.length).toBe(12);
    expect(await findSink('crm')).toMatchObject({ waiting: 12, lastStatus: '422', failingSince: expect.any(Date) });
    for (let count = 0; count < 10; count++) await record(randomUUID());
    await worker.deliver();
    expect(crm.accepted.length).toBe(10);
    expect(await findSink('crm')).toMatchObject({ waiting: 12, failingSince: null });
  });

  it('that does not answer delays no other sink, and no writer', async () => {
    const hanging: (() => void)[] = [];
    crm.answer = (_, response) => void hanging.push(() => response.writeHead(204).end());
    for (let count = 0; count < 20; count++) await record(randomUUID());
    const slow = openWorker('crm').deliver();
    await waitUntil(TIMEOUT_MS, () => Promise.resolve(hanging.length === 8));
    await openWorker('siem').deliver();
    await record(randomUUID());
    await openWorker('siem').deliver();
    expect([siem.events.length, hanging.length]).toEqual([21, 8]);
    crm.accept();
    for (const end of hanging) end();
    await slow;
    expect(crm.events.length).toBe(21);
  });

  it('gets all events although the first ones end while others are set aside', async () => {
    for (let count = 0; count < 10; count++) await record(randomUUID());
    const hasEight = async () => (await findSink('crm'))?.waiting === 2 && (await findSink('crm'))?.lastStatus === '204';
    let isFirst = true;
    const worker = openWorker('crm', database, async () => {
      if (isFirst) await waitUntil(TIMEOUT_MS, hasEight);
      isFirst = false;
    });
    await worker.deliver();
    expect(crm.events.length).toBe(10);
  });

  it('is woken for an event that was recorded in this process', async () => {
    const worker = openWorker('crm');
    openDeliveries(database, audit).onWritten((sinks) => {
      if (sinks.includes('crm')) worker.wakeSoon();
    });
    await database.transaction(async (trx) => {
      await audit.record({ kind: 'account.disabled', actor: 'operator', accountId: randomUUID() }, trx);
    });
    await waitUntil(TIMEOUT_MS, () => Promise.resolve(crm.events.length === 1));
  });

  it('gets an event again when the gateway dies after it was delivered and before that was stored', async () => {
    await record(randomUUID());
    const deliveries = openDeliveries(database, audit);
    // What a killed gateway leaves: the row is claimed, and nothing else happens.
    expect((await deliveries.claim('crm', 8)).length).toBe(1);
    await openWorker('crm').deliver();
    expect(crm.events.length).toBe(0);
    clock.advanceSeconds(31);
    await openWorker('crm').deliver();
    expect(crm.events.length).toBe(1);
  });

  it('gets what waited when a clock was set back or forward', async () => {
    await record(randomUUID());
    clock.advanceSeconds(-10 * 86_400);
    await openWorker('crm').deliver();
    await record(randomUUID());
    clock.advanceSeconds(20 * 86_400);
    await openWorker('crm').deliver();
    expect(crm.events.length).toBe(2);
  });
});

(whyNoServer() === null ? describe : describe.skip)('two gateways with one queue', () => {
  it('deliver every event, in the order of its account, while the receiver fails now and then', async () => {
    const beside = await openBeside(database, clock);
    const accounts = Array.from({ length: 20 }, () => randomUUID());
    const perAccount = 15;
    let answers = 0;
    crm.answer = (_, response) => void response.writeHead((answers += 1) % 11 === 0 ? 503 : 204).end();
    const workers = [openWorker('crm'), openWorker('crm', beside)];
    const write = async (account: string): Promise<void> => {
      for (let step = 0; step < perAccount; step++) await record(account, { step });
    };
    const written = Promise.all(accounts.map(write));
    let isWritten = false;
    void written.then(() => (isWritten = true));
    const isDone = () => new Set(crm.events.map(({ id }) => id)).size >= accounts.length * perAccount && isWritten;
    while (!isDone() || ((await findSink('crm'))?.waiting ?? 0) > 0) {
      await Promise.all(workers.map((worker) => worker.deliver()));
      // Past the delay of those that failed.
      clock.advanceSeconds(20);
    }
    await written;
    for (const account of accounts) {
      const ids = crm.findIds(account);
      expect(ids).toHaveLength(perAccount);
      expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    }
    await Promise.all(opened.splice(0).map((worker) => worker.stop()));
    await beside.close();
  });
});
