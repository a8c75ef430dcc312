/** Event sinks for operators: the list, the deliveries, pause, resume, and events that are sent again, by the API and the commands. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { DeliveryAnswer, SinkAnswer } from '../../src/operator/wire-sinks.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const SECRET = 'whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IQ==';
const SINK = {
  name: 'crm',
  kind: 'webhook',
  address: 'https://crm.example.org/hooks?token=hidden',
  secrets: [SECRET],
  events: ['account.*'],
  person: [],
} as const;

let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ eventSinks: [SINK] }) });
});
afterAll(() => operator.close());
beforeEach(async () => {
  await sql`delete from event_delivery`.execute(operator.database.db);
  await sql`delete from event_sink`.execute(operator.database.db);
});

async function list(): Promise<SinkAnswer[]> {
  const answer = await operator.call('GET', '/sinks');
  expect(api.findAnswerFaults('GET', '/operator/v1/sinks', answer)).toBeNull();
  return answer.json['sinks'] as SinkAnswer[];
}

async function listDeliveries(query = ''): Promise<{ deliveries: DeliveryAnswer[]; next_cursor?: string }> {
  const answer = await operator.call('GET', `/sinks/crm/deliveries${query}`);
  expect(api.findAnswerFaults('GET', '/operator/v1/sinks/{sink}/deliveries', answer)).toBeNull();
  return answer.json as unknown as { deliveries: DeliveryAnswer[]; next_cursor?: string };
}

const markDead = async (): Promise<void> => {
  await sql`update event_delivery set dead_at = now(), tried_at = now(), tries = 18, status = '500', answer = 'down' where delivered_at is null`.execute(
    operator.database.db,
  );
};

describe('[OPR-3] event sinks', () => {
  it('are listed with what waits, without secrets and without the path of the address', async () => {
    await createAccount();
    const sinks = await list();
    expect(sinks).toMatchObject([
      { name: 'crm', state: 'ok', kind: 'webhook', host: 'crm.example.org', events: ['account.*'], waiting: 1, dead: 0 },
    ]);
    const answers = JSON.stringify([sinks, (await operator.call('GET', '/settings')).json]);
    expect(answers).not.toContain(SECRET);
    expect(answers).not.toContain('hidden');
  });

  it('show their deliveries page by page, also only those that were given up', async () => {
    const { id } = await createAccount();
    await markDead();
    await createAccount();
    const page = await listDeliveries('?limit=1');
    const rest = await listDeliveries(`?limit=1&cursor=${page.next_cursor}`);
    expect([page.deliveries, rest.deliveries]).toMatchObject([
      [{ kind: 'account.created', state: 'waiting', tries: 0, status: null }],
      [{ kind: 'account.created', account_id: id, state: 'dead', tries: 18, status: '500', answer: 'down' }],
    ]);
    expect((await listDeliveries('?state=dead')).deliveries.map(({ account_id }) => account_id)).toEqual([id]);
    expectError(await operator.call('GET', '/sinks/crm/deliveries?state=lost'), 400, 'wrong_type');
    expectError(await operator.call('GET', '/sinks/other/deliveries'), 404, 'sink_not_found');
  });

  it('are paused and resumed', async () => {
    expect((await operator.call('POST', '/sinks/crm/pause')).json).toEqual({ changed: true });
    expect((await list())[0]).toMatchObject({ state: 'paused', paused_at: expect.any(String) });
    expect((await operator.call('POST', '/sinks/crm/pause')).json).toEqual({ changed: false });
    expect((await operator.call('POST', '/sinks/crm/resume')).json).toEqual({ changed: true });
    expectError(await operator.call('POST', '/sinks/other/pause'), 404, 'sink_not_found');
  });

  it('that the settings do not name any more are shown while something waits, and cannot be changed', async () => {
    await sql`insert into event_sink (name, configured_at) values ('former', now())`.execute(operator.database.db);
    expect((await list()).map(({ name }) => name)).toEqual(['crm']);
    await sql`insert into event_delivery (sink, event, created_at) values ('former', 1, now())`.execute(operator.database.db);
    expect((await list())[1]).toMatchObject({ name: 'former', state: 'removed', kind: null, host: null, waiting: 1 });
    expectError(await operator.call('POST', '/sinks/former/resume'), 409, 'sink_not_configured');
    expectError(await operator.call('POST', '/sinks/former/replay', { since: '2026-01-01' }), 409, 'sink_not_configured');
  });

  it('get events again: one, or those since a time', async () => {
    await createAccount();
    await markDead();
    const [dead] = (await listDeliveries()).deliveries;
    expect((await operator.call('POST', '/sinks/crm/deliveries/replay', { event: dead?.event })).json).toEqual({ changed: true });
    expect((await listDeliveries()).deliveries).toMatchObject([{ state: 'waiting', tries: 0, status: null, answer: null }]);
    expectError(await operator.call('POST', '/sinks/crm/deliveries/replay', { event: '999999999' }), 404, 'delivery_not_found');
    expectError(await operator.call('POST', '/sinks/crm/deliveries/replay', { event: 'x' }), 404, 'delivery_not_found');
    await markDead();
    const { json } = await operator.call('POST', '/sinks/crm/replay', { since: '2020-01-01' });
    expect(json['queued']).toBeGreaterThan(0);
    expectError(await operator.call('POST', '/sinks/crm/replay', { since: 'yesterday' }), 400, 'wrong_type');
    expectError(await operator.call('POST', '/sinks/crm/replay', {}), 400, 'missing');
  });

  it('are shown on Today when they fail, are paused, or have given events up', async () => {
    const find = async () => {
      const { rows } = (await operator.call('GET', '/today')).json as {
        rows: { kind: string; count: number; names: string[] }[];
      };
      return rows.filter(({ kind }) => kind === 'sinks').map(({ count, names }) => [count, names]);
    };
    await createAccount();
    expect(await find()).toEqual([]);
    await markDead();
    expect(await find()).toEqual([[1, ['crm']]]);
    await sql`delete from event_delivery`.execute(operator.database.db);
    await operator.call('POST', '/sinks/crm/pause');
    expect(await find()).toEqual([[1, ['crm']]]);
    await operator.call('POST', '/sinks/crm/resume');
    await sql`update event_sink set failing_since = now()`.execute(operator.database.db);
    expect(await find()).toEqual([[1, ['crm']]]);
  });

  it('have commands', async () => {
    await createAccount();
    await markDead();
    const [dead] = (await listDeliveries()).deliveries;
    const run = async (...words: string[]) => (await line(words)).out;
    expect(await run('events', 'sinks')).toMatch(/^SINK .*\ncrm +ok +0 .*crm\.example\.org +account\.\*/s);
    expect(await run('events', 'deliveries', 'crm', '--state', 'dead')).toContain('down');
    expect(await run('events', 'pause', 'crm', '--reason', 'moved')).toBe('The sink crm is paused.\n');
    expect(await run('events', 'resume', 'crm')).toBe('The sink crm is resumed.\n');
    expect(await run('events', 'replay', 'crm', '--event', String(dead?.event))).toBe(`Event ${dead?.event} is sent again.\n`);
    expect(await run('events', 'replay', 'crm', '--since', '2020-01-01')).toMatch(/events? (is|are) queued for the sink\.\n$/);
    expect((await line(['events', 'replay', 'crm'])).err).toContain('Pass either --event or --since.');
  });
});
