import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountList } from '../../src/accounts/account/account-list.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AUDIT_KINDS } from '../../src/accounts/audit/kinds.js';
import { DatabaseUnavailable } from '../../src/database/database.errors.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const PASSWORD = 'kupfer linde 4821';
const NOBODY = '00000000-0000-4000-8000-000000000000';

let operator: TestOperator;
const { createAccount, findKinds, beginSession } = operatorSteps(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());
afterEach(() => operator.hydra.fail(null));

describe('[OPR-7] the audit log', () => {
  it('has every change, with the operator, the address and the request', async () => {
    const { id } = await createAccount({ password: PASSWORD });
    await beginSession(id, `audit-${id}`);
    await operator.call('PATCH', `/accounts/${id}`, { display_name: 'Anders', group_name: 'G' });
    await operator.call('DELETE', `/accounts/${id}/sessions`);
    await operator.call('POST', `/accounts/${id}/disable`);
    const last = await operator.call('POST', `/accounts/${id}/enable`);
    expect(await findKinds(id)).toEqual([
      'account.enabled',
      ['upstream-sessions.ended', { outcome: 'ended' }],
      'account.disabled',
      ['upstream-sessions.ended', { outcome: 'ended' }],
      ['sessions.ended', { sessions: 1 }],
      ['account.changed', { fields: ['display_name', 'group_name'] }],
      'password.changed',
      'account.created',
    ]);
    const { entries } = (await operator.call('GET', `/accounts/${id}/audit`)).json as { entries: Record<string, unknown>[] };
    expect(entries.map(({ actor, address }) => [actor, address])).toEqual(entries.map(() => ['operator', '127.0.0.1']));
    expect(entries[0]).toMatchObject({ request_id: last.headers['x-request-id'], at: expect.stringMatching(/Z$/) });
  });

  it('continues where a page ended', async () => {
    const { id } = await createAccount();
    for (let change = 0; change < 55; change++)
      await operator.call('PATCH', `/accounts/${id}`, { display_name: `Name ${change}` });
    const first = (await operator.call('GET', `/accounts/${id}/audit`)).json as {
      entries: { id: string }[];
      next_cursor: string;
    };
    const second = (await operator.call('GET', `/accounts/${id}/audit?cursor=${first.next_cursor}`)).json as typeof first;
    expect([first.entries.length, second.entries.length, second.next_cursor]).toEqual([50, 6, undefined]);
    expectError(await operator.call('GET', `/accounts/${id}/audit?cursor=x`), 400, 'wrong_type', 'cursor');
  });

  it('has no change that was refused', async () => {
    const { id } = await createAccount();
    await operator.call('PATCH', `/accounts/${id}`, { email: 'no address' });
    await operator.call('PATCH', `/accounts/${id}`, {});
    expect(await findKinds(id)).toEqual(['account.created']);
  });
});

describe('[OPR-7] the audit log of all accounts', () => {
  const answerTo = async (query: string) =>
    (await operator.call('GET', `/audit${query}`)).json as { entries: Record<string, unknown>[]; next_cursor?: string };

  it('is filtered by account, kind and time, and continues at its cursor', async () => {
    const one = await createAccount({ password: PASSWORD });
    const other = await createAccount();
    const both = await answerTo('?limit=3');
    expect(both.entries.map(({ kind, account_id }) => [kind, account_id])).toEqual([
      ['account.created', other.id],
      ['password.changed', one.id],
      ['account.created', one.id],
    ]);
    const next = await answerTo(`?limit=1&cursor=${String(both.entries[0]?.['id'])}`);
    expect(next.entries).toEqual([both.entries[1]]);
    expect((await answerTo(`?account=${one.id}&kind=password`)).entries).toEqual([both.entries[1]]);
    expect((await answerTo(`?account=${one.id}&actor=system`)).entries).toEqual([]);
    const time = String(both.entries[1]?.['at']);
    expect((await answerTo(`?account=${one.id}&kind=password.changed&since=${time}`)).entries).toHaveLength(1);
    expect((await answerTo(`?account=${one.id}&until=2026-01-31`)).entries).toEqual([]);
    const { entries } = (await operator.call('GET', `/accounts/${one.id}/audit?kind=account`)).json as typeof both;
    expect(entries).toEqual([both.entries[2]]);
  });

  it('is filtered by the app that events name, beside every other filter', async () => {
    const { id: accountId } = await createAccount();
    const record = (kind: 'sign-in.ok' | 'consent.granted', client: string) =>
      operator.services.audit.record({ kind, actor: 'person', accountId, detail: { client } });
    await record('sign-in.ok', 'one/app');
    await record('consent.granted', 'one/app');
    await record('sign-in.ok', 'other-app');
    const findMatching = async (query: string) => (await answerTo(query)).entries.map(({ kind }) => kind);
    expect(await findMatching('?client=one%2Fapp')).toEqual(['consent.granted', 'sign-in.ok']);
    expect(await findMatching(`?client=one%2Fapp&kind=sign-in&account=${accountId}`)).toEqual(['sign-in.ok']);
    expect(await findMatching('?client=one%2Fapp&kind=sign-in')).toEqual(['sign-in.ok']);
    expect(await findMatching('?client=one')).toEqual([]);
    expect(await findMatching('?client=%00%27')).toEqual([]);
    expectError(await operator.call('GET', `/audit?client=${'x'.repeat(256)}`), 400, 'wrong_type', 'client');
  });

  it('is filtered by every kind', async () => {
    for (const kind of Object.keys(AUDIT_KINDS)) {
      expect([kind, (await operator.call('GET', `/audit?kind=${kind}&limit=1`)).status]).toEqual([kind, 200]);
    }
  });

  it('refuses an invalid kind, time or cursor', async () => {
    expectError(await operator.call('GET', '/audit?kind=nonsense'), 400, 'unknown_kind', 'kind');
    expectError(await operator.call('GET', '/audit?kind=%25'), 400, 'wrong_type', 'kind');
    expectError(await operator.call('GET', '/audit?since=yesterday'), 400, 'wrong_type', 'since');
    for (const day of ['2026-02-31', '2026-02-29T12:00Z', '2026-13-01']) {
      expectError(await operator.call('GET', `/audit?since=${day}`), 400, 'wrong_type', 'since');
    }
    expectError(await operator.call('GET', '/audit?until=2026-99-99'), 400, 'wrong_type', 'until');
    expectError(await operator.call('GET', '/audit?limit=0'), 400, 'wrong_type', 'limit');
    expectError(await operator.call('GET', '/audit?actor=root'), 400, 'wrong_type', 'actor');
  });

  it('is printed by the command line', async () => {
    const { id, username } = await createAccount();
    const foyer = commandLine(() => operator);
    const { code, out } = await foyer(`audit --account ${username} --kind account`);
    expect(code).toBe(0);
    expect(out).toMatch(/^TIME +EVENT +ACCOUNT +BY +ADDRESS +DETAIL\n/);
    expect(out).toContain(username);
    expect(JSON.parse((await foyer(`audit --account ${id} --json`)).out)).toMatchObject({ entries: [{ account_id: id }] });
    expect((await foyer('audit --kind nonsense')).code).toBe(1);
  });
});

describe('[INS-4] health', () => {
  it('checks the database and the upstream', async () => {
    expect((await operator.call('GET', '/health')).json).toEqual({
      status: 'ok',
      ready: true,
      parts: { database: 'ok', clock: 'ok', upstream: 'ok' },
    });
    operator.hydra.fail();
    const answer = await operator.call('GET', '/health');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      status: 'unavailable',
      ready: true,
      parts: { database: 'ok', clock: 'ok', upstream: 'unavailable' },
    });
  });

  it('is reported by health --ready as the readiness of the gateway, which an outage of the upstream does not end', async () => {
    const ready = await startTestOperator();
    const foyer = commandLine(() => ready);
    try {
      ready.hydra.fail();
      expect((await foyer('health --ready')).code).toBe(1);
      ready.hydra.fail(null);
      expect((await foyer('health --ready')).code).toBe(0);
      ready.hydra.fail();
      expect((await foyer('health --ready')).code).toBe(0);
      expect((await foyer('health')).code).toBe(1);
    } finally {
      await ready.close();
    }
  });

  it('is 503, like every other call, during an outage of the database', async () => {
    const away = await startTestOperator({
      database: operator.database,
      instead: [
        {
          part: AccountList,
          build: () => ({
            page: () => Promise.reject(new DatabaseUnavailable('The database is not available (57P01): try again later.')),
          }),
        },
        { part: Accounts, build: () => ({ find: () => Promise.reject(new TypeError('secret detail')) }) },
      ],
    });
    try {
      const answer = await away.call('GET', '/accounts');
      expectError(answer, 503, 'unavailable');
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.text).not.toContain('57P01');
      const broken = await away.call('GET', `/accounts/${NOBODY}`);
      expectError(broken, 500, 'internal');
      expect(broken.text).not.toMatch(/secret detail|at |\.ts/);
      const requestId = broken.headers['x-request-id'];
      expect(away.logLines).toContainEqual(expect.objectContaining({ level: 50, code: 'internal', requestId }));
    } finally {
      await away.close();
    }
  });
});
