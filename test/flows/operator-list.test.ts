/** The list of accounts for operators: search, filters, and refusals. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError } from '../support/operator-story.js';

let operator: TestOperator;
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
  const people = [
    { username: 'maria.musterfrau', display_name: 'Maria Musterfrau', email: 'maria@einkauf.example', group_name: 'Einkauf' },
    { username: 'mario.rossi', display_name: 'Mario Rossi', group_name: 'Einkauf' },
    { username: 'zoe', display_name: 'Zoë Märker', email: 'zoe@vertrieb.example', group_name: 'Vertrieb', groups: ['Einkauf'] },
  ];
  for (const person of people) {
    const { json } = await operator.call('POST', '/accounts', person);
    if (person.username === 'mario.rossi') await operator.call('POST', `/accounts/${String(json['id'])}/disable`);
  }
});

afterAll(() => operator.close());

async function searchNames(query: string): Promise<string[]> {
  const { status, json } = await operator.call('GET', `/accounts?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return (json['accounts'] as { username: string }[]).map(({ username }) => username);
}

describe('[OPR-1] GET /accounts', () => {
  it.each([
    ['search=mari', ['maria.musterfrau', 'mario.rossi']],
    ['search=M%C3%84RK', ['zoe']],
    ['search=einkauf.example', ['maria.musterfrau']],
    ['search=mari&status=active', ['maria.musterfrau']],
    ['status=disabled', ['mario.rossi']],
    ['group_name=Einkauf', ['maria.musterfrau', 'mario.rossi']],
    ['group_name=Einkauf&status=disabled&search=rossi', ['mario.rossi']],
    ['group=Einkauf', ['maria.musterfrau', 'mario.rossi', 'zoe']],
    ['group=Vertrieb', ['zoe']],
    ['group=Einkauf&group_name=Vertrieb', ['zoe']],
    ['group=', []],
    ['group_name=', []],
    ['search=nobody', []],
  ])('%s', async (query, usernames) => {
    expect(await searchNames(query)).toEqual(usernames);
  });

  it('continues after a page of a search', async () => {
    const first = (await operator.call('GET', '/accounts?search=mari&limit=1')).json;
    expect((first['accounts'] as unknown[]).length).toBe(1);
    expect(await searchNames(`search=mari&limit=1&cursor=${String(first['next_cursor'])}`)).toEqual(['mario.rossi']);
  });

  it('refuses queries that would find nothing by mistake, with a reason', async () => {
    expectError(await operator.call('GET', '/accounts?search='), 422, 'format', 'search');
    expectError(await operator.call('GET', '/accounts?search=%40.'), 422, 'format', 'search');
    expectError(await operator.call('GET', '/accounts?status=gone'), 400, 'wrong_type', 'status');
    expectError(await operator.call('GET', '/accounts?groups=Einkauf'), 400, 'unknown_member', 'groups');
    expectError(await operator.call('GET', '/accounts?search=a&search=b'), 400, 'wrong_type', 'search');
  });
});

describe('foyer account list', () => {
  it('searches and filters', async () => {
    const listNames = async (...args: string[]) => {
      const { code, out } = await foyer(['account', 'list', '--json', ...args]);
      expect(code).toBe(0);
      return (JSON.parse(out) as { accounts: { username: string }[] }).accounts.map(({ username }) => username);
    };
    expect(await listNames('--search', 'musterfrau maria')).toEqual(['maria.musterfrau']);
    expect(await listNames('--group', 'Einkauf', '--status', 'disabled')).toEqual(['mario.rossi']);
    expect(await listNames('--group', 'Einkauf', '--search', 'zoe')).toEqual(['zoe']);
    const wrong = await foyer(['account', 'list', '--status', 'gone']);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('active or disabled')]);
  });

  it('shows all groups of an account', async () => {
    const { out } = await foyer(['account', 'list', '--username', 'zoe']);
    expect(out).toMatch(/ GROUPS .*\n.* Vertrieb, Einkauf /);
  });
});
