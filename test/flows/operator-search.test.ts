/** The search for anything, and the events of a request. */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createRequestId, findRequestTime } from '../../src/config/request-id.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

let operator: TestOperator;
const { createAccount, beginSession } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
  operator.hydra.addClient(operator.hydra.client({ id: 'portal', name: 'Beispielportal' }));
});

afterAll(() => operator.close());
afterEach(() => operator.hydra.fail(null));

async function find(text: string) {
  const { status, json } = await operator.call('GET', `/search?${new URLSearchParams({ q: text }).toString()}`);
  expect([text, status]).toEqual([text, 200]);
  const { accounts, ...rest } = json as {
    accounts: { id: string }[];
    more_accounts: boolean;
    events: { kind: string }[];
    clients: unknown;
  };
  return { ids: accounts.map(({ id }) => id), ...rest };
}

describe('[OPR-1] the search', () => {
  it('finds an account by everything that is known of it', async () => {
    const { id, username } = await createAccount({ display_name: 'Zoë Märker', email: 'zoe.search@example.org' });
    await beginSession(id, 'upstream-session-of-zoe');
    const texts = [
      id,
      id.toUpperCase(),
      username,
      username.toUpperCase(),
      ` ${username} `,
      'zoe.search@example.org',
      'ZOE.SEARCH@EXAMPLE.ORG',
      'Märker',
      'MÄRKER zoë',
      'zoe.search',
      'upstream-session-of-zoe',
    ];
    for (const text of texts) expect([text, (await find(text)).ids]).toEqual([text, [id]]);
  });

  it('puts the exact match first, and says that there are more than it lists', async () => {
    for (let number = 0; number < 11; number += 1) await createAccount({ display_name: `Vielfach ${number}` });
    const { id } = await createAccount({ username: 'vielfach' });
    const found = await find('vielfach');
    expect(found.ids[0]).toBe(id);
    expect([found.ids.length, found]).toEqual([10, expect.objectContaining({ more_accounts: true })]);
  });

  it('says that there are more than it lists if an exact match takes the place of the last one', async () => {
    for (let number = 0; number < 10; number += 1) await createAccount({ display_name: `Zehnfach ${number}` });
    expect((await find('zehnfach')).more_accounts).toBe(false);
    const { id } = await createAccount();
    await beginSession(id, 'zehnfach');
    const found = await find('zehnfach');
    expect([found.ids[0], found.ids.length, found.more_accounts]).toEqual([id, 10, true]);
  });

  it('finds a client, also while it finds people, and people while Hydra does not answer', async () => {
    expect(await find('portal')).toMatchObject({ ids: [], clients: [{ id: 'portal', name: 'Beispielportal' }] });
    for (const text of ['beispiel', 'BEISPIELPORTAL', ' beispielp '])
      expect([text, (await find(text)).clients]).toEqual([text, [{ id: 'portal', name: 'Beispielportal' }]]);
    expect((await find('ispiel')).clients).toEqual([]);
    const { id, username } = await createAccount();
    operator.hydra.fail();
    expect(await find(username)).toMatchObject({ ids: [id], clients: [] });
  });

  it('finds a client by an id with other characters than those of words, and by a long one', async () => {
    for (const id of ['urn:app:a=b&c%2f', 'x'.repeat(150), '(1)']) {
      operator.hydra.addRegistered({ client_id: id, client_name: 'Other' });
      expect((await find(id)).clients).toEqual([{ id, name: 'Other' }]);
    }
  });

  it('[S-41] does not send a pasted address to Hydra, whose log could keep the token in it', async () => {
    const getClient = jest.spyOn(operator.hydra, 'getClient');
    try {
      const texts = ['https://login.example.org/reset?token=secret', 'reset?token=secret', 'keep/secret', '#token=secret'];
      for (const text of texts) await find(text);
      expect(getClient).not.toHaveBeenCalled();
    } finally {
      getClient.mockRestore();
    }
  });

  it.each(['%', "'", '"', "' or true --", '\\', '_', '..', '<script>', '\u202e', 'x'.repeat(200), '\u0000'])(
    'finds nobody for %j',
    async (text) => {
      expect(await find(text)).toEqual({ ids: [], more_accounts: false, events: [], clients: [] });
    },
  );

  it('refuses no text, a long one, and two', async () => {
    expectError(await operator.call('GET', '/search'), 400, 'missing', 'q');
    expectError(await operator.call('GET', `/search?q=${'x'.repeat(201)}`), 400, 'wrong_type', 'q');
    expectError(await operator.call('GET', `/search?q=${'x'.repeat(10_000)}`), 400, 'wrong_type', 'q');
    expectError(await operator.call('GET', '/search?q=a&q=b'), 400, 'wrong_type', 'q');
  });
});

describe('[OPR-7] the events of a request', () => {
  it('are found by its id: by the search, by the audit log, and by explain, oldest first', async () => {
    const { id } = await createAccount();
    const { headers } = await operator.call('PATCH', `/accounts/${id}`, { display_name: 'Anders' });
    const request = String(headers['x-request-id']);
    expect((await find(request)).events.map(({ kind }) => kind)).toEqual(['account.changed']);
    expect((await find(request.toUpperCase())).events).toHaveLength(1);
    const { json } = await operator.call('GET', `/audit?request=${request}`);
    expect(json['entries']).toEqual([expect.objectContaining({ request_id: request, account_id: id })]);
    const { code, out } = await foyer(`explain ${request}`);
    expect([code, out]).toEqual([0, expect.stringContaining('account.changed')]);
  });

  it('are all shown by explain if they take several pages of the audit log', async () => {
    const { id } = await createAccount();
    const requestId = createRequestId(operator.clock);
    const record = (kind: 'account.disabled' | 'limits.cleared') =>
      operator.services.audit.record({ kind, actor: 'operator', accountId: id, requestId });
    await record('account.disabled');
    for (let number = 0; number < 210; number += 1) await record('limits.cleared');
    const { code, out } = await foyer(`explain ${requestId} --json`);
    const { entries } = JSON.parse(out) as { entries: { kind: string }[] };
    expect([code, entries.length, entries[0]?.kind]).toEqual([0, 211, 'account.disabled']);
  });

  it('are found however the clock of the gateway differs from that of the database, by less than a minute and a half', async () => {
    const { id } = await createAccount();
    const at = operator.clock.now().getTime();
    const ids = [-80_000, 80_000].map((difference) => createRequestId({ now: () => new Date(at + difference) }));
    for (const requestId of ids) {
      await operator.services.audit.record({ kind: 'limits.cleared', actor: 'operator', accountId: id, requestId });
      expect((await find(requestId)).events).toHaveLength(1);
    }
  });

  it('of an unknown request do not exist, and explain says where to look', async () => {
    const unknown = createRequestId(operator.clock);
    expect((await find(unknown)).events).toEqual([]);
    const { code, err } = await foyer(`explain ${unknown}`);
    expect([code, err]).toEqual([3, expect.stringContaining('No event of this request was found')]);
    expect((await foyer('explain nonsense')).code).toBe(1);
    expectError(await operator.call('GET', '/audit?request=nonsense'), 400, 'wrong_type', 'request');
  });
});

describe('an id of a request', () => {
  it('is a UUID of version 7 with its time', () => {
    const now = new Date('2026-03-01T08:00:00.123Z');
    const ids = Array.from({ length: 200 }, () => createRequestId({ now: () => now }));
    expect(new Set(ids).size).toBe(200);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(findRequestTime(id)).toEqual(now);
    }
    expect(findRequestTime('4f6c1c58-0d7e-4c0e-9d60-0a5b7a0d9a01')).toBeNull();
  });
});
