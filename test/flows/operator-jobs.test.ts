/** Jobs on many accounts: counted, confirmed, run once for each account, stopped, and bound by the rights of whoever started them. */
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { AccountJobs } from '../../src/accounts/jobs/account-jobs.js';
import type { OperatorRights } from '../../src/config/config.js';
import { randomToken } from '../../src/config/keys.js';
import { DatabaseUnavailable } from '../../src/database/database.errors.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const HELPDESK = randomToken();
let operator: TestOperator;
/** The session of the next calls, as the console would set it; null: they are calls with a token. */
let session: { rights: readonly OperatorRights[]; accountId: string; username: string } | null = null;
const { createAccount } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  const tokens = ['helpdesk', 'night.shift'].map((name) => {
    return { name, rights: 'support' as const, token: name === 'helpdesk' ? HELPDESK : randomToken() };
  });
  operator = await startTestOperator({
    config: (config) => ({ operator: { ...config.operator, tokens } }),
    onRequest: (request: IncomingMessage) => {
      if (session === null) return;
      const { rights, accountId, username } = session;
      let context = {};
      Object.defineProperty(request, 'rights', { get: () => rights, set() {} });
      Object.defineProperty(request, 'context', {
        get: () => context,
        set: (given: object) => {
          context = { ...given, operator: username, operatorAccount: accountId };
        },
      });
      Object.assign(request, { session: { accountId, isFresh: true } });
    },
  });
});

afterAll(() => operator.close());
afterEach(() => void (session = null));

const asHelpdesk = { authorization: `Bearer ${HELPDESK}`, 'x-foyer-reason': 'ticket%204711' };
const start = (body: object, headers: Record<string, string> = { 'x-foyer-reason': 'left' }) =>
  operator.call('POST', '/jobs', body, headers);

let groups = 0;
async function createGroup(size: number, more: object = {}): Promise<{ group: string; ids: string[] }> {
  const group = `Job ${(groups += 1)}`;
  const ids: string[] = [];
  for (let count = 0; count < size; count++) ids.push((await createAccount({ group_name: group, ...more })).id);
  return { group, ids };
}

async function waitForEnd(id: unknown): Promise<Record<string, unknown>> {
  const end = performance.now() + 60_000;
  for (;;) {
    const { json } = await operator.call('GET', `/jobs/${String(id)}`);
    if (json['state'] !== 'running') return json;
    if (performance.now() > end) throw new Error('The job does not end.');
    operator.clock.advanceSeconds(2);
    await operator.runJobs();
  }
}

const findEvents = async (id: string, kind: string) => {
  const { json } = await operator.call('GET', `/accounts/${id}/audit?kind=${kind}`);
  return json['entries'] as { actor: string; detail: Record<string, unknown> }[];
};

describe('a job on many accounts', () => {
  it('is counted, does every account once, and leaves an event with its reason and id at each', async () => {
    const { group, ids } = await createGroup(25);
    const body = { action: 'disable', filter: { group } };
    const counted = await operator.call('POST', '/jobs/count', body, asHelpdesk);
    expect(counted.json).toEqual({ count: 25, most: 100_000, is_too_large: false });
    const { status, json } = await start({ ...body, count: 25 }, asHelpdesk);
    expect([status, json]).toEqual([
      200,
      expect.objectContaining({ state: 'running', total: 25, started_by: 'operator:helpdesk' }),
    ]);
    // It does not match any more, and is done all the same; what matches later is not.
    const late = await createAccount({ group_name: group });
    const ended = await waitForEnd(json['id']);
    expect(ended).toMatchObject({ state: 'done', done: 25, failed: 0, left: 0, reason: 'ticket 4711', stop_cause: null });
    for (const id of ids) {
      const events = await findEvents(id, 'account.disabled');
      expect(events).toMatchObject([{ actor: 'operator:helpdesk', detail: { reason: 'ticket 4711', job: Number(json['id']) } }]);
    }
    expect((await operator.call('GET', `/accounts/${late.id}`)).json['status']).toBe('active');
    const all = (await operator.call('GET', '/audit?kind=job')).json['entries'] as { kind: string; detail: object }[];
    expect(all.slice(0, 2)).toMatchObject([
      { kind: 'job.ended', detail: { accounts: 25, failed: 0, left: 0, state: 'done' } },
      { kind: 'job.started', detail: { action: 'disable', accounts: 25 } },
    ]);
  });

  it('runs to its end without a pause', async () => {
    const { group } = await createGroup(45);
    const { json } = await start({ action: 'end_sessions', filter: { group }, count: 45 });
    await operator.runJobs();
    expect((await operator.call('GET', `/jobs/${String(json['id'])}`)).json).toMatchObject({ state: 'done', done: 45 });
  });

  it('starts only for the number of accounts that was confirmed, and one at a time for each operator', async () => {
    const { group } = await createGroup(2);
    const body = { action: 'end_sessions', filter: { group } };
    expectError(await start({ ...body, count: 3 }), 409, 'count_changed', 'count');
    const jobs = new AccountJobs(operator.database, operator.services.audit);
    const auditContext = { actor: 'operator', operator: 'busy', address: '192.0.2.1', requestId: 'r' } as const;
    const wanted = { action: 'end_sessions', days: null, filter: { group }, query: { group }, count: 2 };
    const started = await Promise.all([
      jobs.start(wanted, auditContext),
      jobs.start(wanted, auditContext),
      jobs.start(wanted, auditContext),
    ]);
    expect(started.map(({ kind }) => kind).toSorted()).toEqual(['running', 'running', 'started']);
    await operator.runJobs();
  });

  it('says which accounts it could not change, and why, page by page', async () => {
    const { group, ids } = await createGroup(3);
    const { json } = await start({ action: 'mail_reset', filter: { group }, count: 3 });
    await operator.call('DELETE', `/accounts/${ids[1]}`);
    const ended = await waitForEnd(json['id']);
    expect(ended).toMatchObject({ state: 'done', done: 0, failed: 3 });
    const path = `/jobs/${String(json['id'])}/failures`;
    const first = (await operator.call('GET', `${path}?limit=2`)).json;
    expect(first['failures']).toHaveLength(2);
    const second = (await operator.call('GET', `${path}?cursor=${String(first['next_cursor'])}`)).json;
    expect([...(first['failures'] as object[]), ...(second['failures'] as object[])]).toEqual([
      { account_id: ids[0], username: expect.any(String), error: 'no_address' },
      expect.objectContaining({ account_id: ids[1] }),
      { account_id: ids[2], username: expect.any(String), error: 'no_address' },
    ]);
    expect((await operator.call('GET', `${path}?cursor=${'9'.repeat(15)}`)).json).toEqual({ failures: [] });
  });

  it('gives the error of the call for one account if the database refuses a change', async () => {
    const { group, ids } = await createGroup(1);
    await operator.call('POST', `/accounts/${ids[0]}/disable`);
    const { accounts } = operator.services;
    const setStatus = jest.spyOn(accounts, 'setStatus').mockRejectedValue(new DatabaseUnavailable('A lock was not granted.'));
    try {
      expectError(await operator.call('POST', `/accounts/${ids[0]}/enable`), 503, 'unavailable');
      const { json } = await start({ action: 'enable', filter: { group }, count: 1 });
      await operator.runJobs();
      const { failures } = (await operator.call('GET', `/jobs/${String(json['id'])}/failures`)).json;
      expect(failures).toMatchObject([{ account_id: ids[0], error: 'unavailable' }]);
    } finally {
      setStatus.mockRestore();
    }
  });

  it('neither counts nor changes the operator’s own account, and without "admin" fails for the accounts of operators', async () => {
    const { group, ids } = await createGroup(3);
    const [own = '', colleague = '', person = ''] = ids;
    await operator.call('POST', `/accounts/${own}/operator-rights`, { right: 'support' });
    await operator.call('POST', `/accounts/${colleague}/operator-rights`, { right: 'read' });
    session = { rights: ['support'], accountId: own, username: 'own' };
    const body = { action: 'disable', filter: { group } };
    expect((await operator.call('POST', '/jobs/count', body)).json).toMatchObject({ count: 2 });
    const { json } = await start({ ...body, count: 2 });
    session = null;
    expect(await waitForEnd(json['id'])).toMatchObject({ total: 2, done: 1, failed: 1 });
    const { failures } = (await operator.call('GET', `/jobs/${String(json['id'])}/failures`)).json;
    expect(failures).toMatchObject([{ account_id: colleague, error: 'operator_account' }]);
    expect((await operator.call('GET', `/accounts/${own}`)).json['status']).toBe('active');
    expect((await operator.call('GET', `/accounts/${person}`)).json['status']).toBe('disabled');
  });

  it('stops when its operator loses the rights', async () => {
    const { group } = await createGroup(2);
    const { id, username } = await createAccount();
    await operator.call('POST', `/accounts/${id}/operator-rights`, { right: 'support' });
    session = { rights: ['support'], accountId: id, username };
    const jobs = new AccountJobs(operator.database, operator.services.audit);
    const auditContext = {
      actor: 'operator',
      operator: username,
      operatorAccount: id,
      address: '192.0.2.1',
      requestId: 'r',
    } as const;
    session = null;
    await operator.call('DELETE', `/accounts/${id}/operator-rights/support`);
    const started = await jobs.start(
      { action: 'disable', days: null, filter: { group }, query: { group }, count: 2 },
      auditContext,
    );
    const job = started.kind === 'started' ? started.job.id : 0;
    expect(await waitForEnd(job)).toMatchObject({ state: 'stopped', stop_cause: 'rights', done: 0, left: 2 });
  });

  it('stops when its operator is deleted, also if a token has the same name', async () => {
    const { group } = await createGroup(2);
    const { id } = await createAccount({ username: 'night.shift' });
    await operator.call('POST', `/accounts/${id}/operator-rights`, { right: 'support' });
    const jobs = new AccountJobs(operator.database, operator.services.audit);
    const auditContext = {
      actor: 'operator',
      operator: 'night.shift',
      operatorAccount: id,
      address: '192.0.2.1',
      requestId: 'r',
    } as const;
    const started = await jobs.start(
      { action: 'disable', days: null, filter: { group }, query: { group }, count: 2 },
      auditContext,
    );
    const job = started.kind === 'started' ? started.job.id : 0;
    await operator.call('DELETE', `/accounts/${id}`);
    expect(await waitForEnd(job)).toMatchObject({ state: 'stopped', stop_cause: 'rights', done: 0, left: 2 });
  });

  it('is stopped by its operator or by "admin", and not by others', async () => {
    const { group } = await createGroup(2);
    const jobs = new AccountJobs(operator.database, operator.services.audit);
    const auditContext = { actor: 'operator', operator: 'somebody', address: '192.0.2.1', requestId: 'r' } as const;
    const started = await jobs.start(
      { action: 'disable', days: null, filter: { group }, query: { group }, count: 2 },
      auditContext,
    );
    const job = started.kind === 'started' ? started.job.id : 0;
    expectError(await operator.call('POST', `/jobs/${job}/stop`, undefined, asHelpdesk), 403, 'forbidden');
    const begun = await jobs.beginItem(job);
    const { json } = await operator.call('POST', `/jobs/${job}/stop`);
    expect(json).toMatchObject({ state: 'stopped', stop_cause: 'operator' });
    // The account in progress is still finished, so only the other one is left.
    const { entries } = (await operator.call('GET', '/audit?kind=job.ended')).json as { entries: { detail: object }[] };
    expect(entries[0]?.detail).toMatchObject({ accounts: 0, failed: 0, left: 1, state: 'operator', job });
    await jobs.finishItem(job, begun?.ordinal ?? 0, null);
    expect((await operator.call('GET', `/jobs/${job}`)).json).toMatchObject({ done: 1, left: 1 });
    expect((await operator.call('POST', `/jobs/${job}/stop`)).json).toEqual({ ...json, done: 1, left: 1 });
    expect(await jobs.beginItem(job)).toBeNull();
  });

  it('does not repeat an account of a worker that died, and another worker continues', async () => {
    const { group, ids } = await createGroup(3);
    const jobs = new AccountJobs(operator.database, operator.services.audit);
    const auditContext = { actor: 'operator', address: '192.0.2.1', requestId: 'r' } as const;
    const started = await jobs.start(
      { action: 'disable', days: null, filter: { group }, query: { group }, count: 3 },
      auditContext,
    );
    const job = started.kind === 'started' ? started.job.id : 0;
    expect((await jobs.claim())?.id).toBe(job);
    expect(await jobs.beginItem(job)).toEqual({ ordinal: 1, accountId: ids[0] });
    expect(await jobs.claim()).toBeNull();
    operator.clock.advanceSeconds(200);
    expect(await waitForEnd(job)).toMatchObject({ state: 'done', done: 2, failed: 1 });
    const { failures } = (await operator.call('GET', `/jobs/${job}/failures`)).json;
    expect(failures).toMatchObject([{ account_id: ids[0], error: 'interrupted' }]);
    // The dead worker comes back.
    await jobs.finishItem(job, 1, null);
    expect((await operator.call('GET', `/jobs/${job}`)).json).toMatchObject({ done: 2, failed: 1 });
  });

  it('is listed and shown with the name of its action also if only another version of Foyer knows this action', async () => {
    const { group } = await createGroup(1);
    const { json } = await start({ action: 'enable', filter: { group }, count: 1 });
    await waitForEnd(json['id']);
    const job = operator.database.db.updateTable('account_job').set({ action: 'rename' });
    await job.where('id', '=', Number(json['id'])).execute();
    const { status, json: list } = await operator.call('GET', '/jobs?limit=1');
    expect([status, list['jobs']]).toEqual([200, [expect.objectContaining({ id: json['id'], action: 'rename' })]]);
    expect((await operator.call('GET', `/jobs/${String(json['id'])}`)).json).toMatchObject({ action: 'rename', done: 1 });
    expect((await foyer('job list')).out).toContain('rename');
  });

  it('has commands, which only count without the number', async () => {
    const { group } = await createGroup(2);
    const args = ['job', 'start', 'disable', '--filter', `group=${group}`, '--filter', 'status=active'];
    const counted = await foyer(args);
    expect([counted.code, counted.out, counted.err]).toEqual([0, '2 accounts\n', expect.stringContaining('--count 2')]);
    const { code, out } = await foyer([...args, '--count', '2', '--reason', 'left']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^The job \d+ has started: 2 accounts/)]);
    const id = /\d+/.exec(out)?.[0] ?? '';
    await waitForEnd(id);
    expect((await foyer(`job show ${id}`)).out).toMatch(/Done +2/);
    expect((await foyer('job list --limit 1')).out).toContain('2 of 2');
    expect((await foyer(`job failures ${id}`)).err).toContain('Nothing failed');
    expect((await foyer(`job stop ${id}`)).out).toMatch(/State +done/);
    expect((await foyer('job start disable')).code).toBe(2);
    for (const days of ['0', '91', 'many']) {
      const { code, err } = await foyer(`job start schedule_deletion --all --count 1 --days ${days}`);
      expect([code, err]).toEqual([2, expect.stringContaining(`--days must be a whole number from 1 to 90, not ${days}.`)]);
    }
    expect((await foyer('job show 0')).code).toBe(3);
  });

  it('refuses what makes no sense, and actions for which the rights are missing', async () => {
    const filter = { status: 'active' };
    expectError(await start({ action: 'delete', filter, count: 1 }), 422, 'unknown_action', 'action');
    expectError(await start({ action: 'constructor', filter, count: 1 }), 422, 'unknown_action', 'action');
    expectError(await start({ action: 'disable', filter: { kind: 'x' }, count: 1 }), 400, 'unknown_member', 'kind');
    expectError(await start({ action: 'disable', filter: { limit: '1' }, count: 1 }), 400, 'unknown_member', 'limit');
    expectError(await start({ action: 'disable', filter: { search: '%' }, count: 1 }), 422, 'format', 'search');
    expectError(await start({ action: 'disable', filter, count: 'all' }), 400, 'wrong_type', 'count');
    for (const count of [-1, 3e9]) expectError(await start({ action: 'disable', filter, count }), 400, 'wrong_type', 'count');
    expectError(await start({ action: 'schedule_deletion', filter, count: 1 }), 400, 'missing', 'days');
    expectError(await start({ action: 'schedule_deletion', filter, count: 1, days: 91 }), 400, 'wrong_type', 'days');
    for (const action of ['enable', 'schedule_deletion'])
      expectError(await start({ action, filter, count: 1, days: 3 }, asHelpdesk), 403, 'forbidden');
    for (const id of ['0', 'x', '-1', '9'.repeat(16)])
      expectError(await operator.call('GET', `/jobs/${id}`), 404, 'job_not_found');
  });
});
