/** Operators: rights by grant and by setting, their end, the list, the audit log, and the command line. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountRights, rightsFields, type RightsFields } from '../../src/accounts/operators/account-rights.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

interface ListedOperator {
  account_id: string;
  username: string;
  rights: { right: string; by: string; ends_at: string | null; granted_by: string | null; reason: string | null }[];
}

const SCHEMA = { properties: { role: { type: 'string' }, teams: { type: 'array', items: { type: 'string' } } } };
const HOUR_MS = 3_600_000;

let operator: TestOperator;
let accountRights: AccountRights;
const { createAccount } = operatorSteps(() => operator);
const line = commandLine(() => operator);
const api = loadApi();

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      accounts: { ...config.accounts, schema: SCHEMA },
      operator: {
        ...config.operator,
        rules: [
          { group: 'Helpdesk', right: 'support' },
          { group: 'Audit', right: 'auditor' },
          { attribute: 'role', value: 'it', right: 'read' },
          { attribute: 'teams', value: 'platform', right: 'admin' },
          { attribute: 'constructor', value: 'it', right: 'admin' },
        ],
      },
    }),
  });
  accountRights = new AccountRights(operator.database, { operator: operator.config.operator });
});

afterAll(() => operator.close());

const grant = (id: string, body: object, headers: Record<string, string> = {}) =>
  operator.call('POST', `/accounts/${id}/operator-rights`, body, headers);
const revoke = (id: string, right: string) => operator.call('DELETE', `/accounts/${id}/operator-rights/${right}`);
const oneHourAhead = (): string => new Date(operator.clock.now().getTime() + HOUR_MS).toISOString();

async function listAll(limit = 200): Promise<ListedOperator[]> {
  const operators: ListedOperator[] = [];
  let cursor = '';
  do {
    const answer = await operator.call('GET', `/operators?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(api.findAnswerFaults('GET', '/operator/v1/operators', answer)).toBeNull();
    const page = answer.json as { operators: ListedOperator[]; next_cursor?: string };
    operators.push(...page.operators);
    cursor = page.next_cursor ?? '';
    if (operators.length > 1000) throw new Error('The pages of the list do not end.');
  } while (cursor !== '');
  return operators;
}

async function findListed(id: string): Promise<ListedOperator | undefined> {
  return (await listAll()).find(({ account_id }) => account_id === id);
}

async function findEvents(id: string): Promise<unknown[]> {
  const { json } = await operator.call('GET', `/accounts/${id}/audit?kind=operator`);
  return (json['entries'] as { kind: string; actor: string; detail: object }[]).map(({ kind, detail }) => [kind, detail]);
}

describe('[OPR-3] a right that is granted', () => {
  it('is in the answer, in the list and in the audit log, with its end and its reason', async () => {
    const { id, username } = await createAccount();
    const ends_at = oneHourAhead();
    const answer = await grant(id, { right: 'support', ends_at }, { 'x-foyer-reason': 'help%20desk%20%C3%84' });
    expect(api.findAnswerFaults('POST', `/operator/v1/accounts/${id}/operator-rights`, answer)).toBeNull();
    const right = { right: 'support', by: 'grant', granted_by: 'operator', ends_at, reason: 'help desk Ä' };
    expect(answer.json).toMatchObject({ account_id: id, username, status: 'active', rights: [right] });
    expect(await findListed(id)).toEqual(answer.json);
    expect(await accountRights.findRights(id)).toEqual(['support']);
    expect(await findEvents(id)).toEqual([['operator.granted', { right: 'support', until: ends_at, reason: 'help desk Ä' }]]);
  });

  it('gets another end, or none, when it is granted again', async () => {
    const { id } = await createAccount();
    await grant(id, { right: 'read', ends_at: oneHourAhead() }, { 'x-foyer-reason': 'first' });
    expect((await grant(id, { right: 'read' })).json['rights']).toMatchObject([{ ends_at: null, reason: null }]);
    expect((await grant(id, { right: 'read', ends_at: null })).status).toBe(200);
    const ends_at = oneHourAhead();
    expect((await grant(id, { right: 'read', ends_at })).json['rights']).toMatchObject([{ ends_at }]);
    expect((await findEvents(id)).length).toBe(4);
  });

  it('ends by the time of the database, and is not listed, protected or revoked any more', async () => {
    const { id } = await createAccount();
    await grant(id, { right: 'admin', ends_at: oneHourAhead() });
    await grant(id, { right: 'auditor' });
    expect(await accountRights.findRights(id)).toEqual(['auditor', 'admin']);
    operator.clock.advanceSeconds(3601);
    expect(await accountRights.findRights(id)).toEqual(['auditor']);
    expect((await findListed(id))?.rights).toMatchObject([{ right: 'auditor' }]);
    expectError(await revoke(id, 'admin'), 404, 'right_not_found');
    expect((await revoke(id, 'auditor')).json).toMatchObject({ account_id: id, rights: [] });
    expect([await accountRights.isOperator(id), await findListed(id)]).toEqual([false, undefined]);
    expect((await grant(id, { right: 'admin' })).json['rights']).toMatchObject([{ right: 'admin', ends_at: null }]);
  });

  it('is revoked once, with an event', async () => {
    const { id } = await createAccount();
    const ends_at = oneHourAhead();
    await grant(id, { right: 'support', ends_at });
    const answer = await revoke(id, 'support');
    expect(api.findAnswerFaults('DELETE', `/operator/v1/accounts/${id}/operator-rights/support`, answer)).toBeNull();
    expect(answer.json).toMatchObject({ account_id: id, rights: [] });
    expect(await accountRights.findRights(id)).toEqual([]);
    for (const right of ['support', 'read', 'root', 'toString']) expectError(await revoke(id, right), 404, 'right_not_found');
    expect((await findEvents(id))[0]).toEqual(['operator.revoked', { right: 'support', until: ends_at }]);
  });

  it('does not count while the account is disabled, and ends with the account', async () => {
    const { id } = await createAccount();
    await grant(id, { right: 'admin' });
    await operator.call('POST', `/accounts/${id}/disable`);
    expect([await accountRights.findRights(id), await accountRights.isOperator(id)]).toEqual([[], true]);
    expect(await findListed(id)).toMatchObject({ status: 'disabled', rights: [{ right: 'admin' }] });
    expectError(await grant(id, { right: 'read' }), 409, 'account_disabled');
    await operator.call('DELETE', `/accounts/${id}`);
    expect(await accountRights.isOperator(id)).toBe(false);
    expect(await operator.database.db.selectFrom('operator_grant').selectAll().where('account_id', '=', id).execute()).toEqual(
      [],
    );
  });

  it('is read by other statements too, together with what they read', async () => {
    const { id } = await createAccount({ group_name: 'Helpdesk' });
    await grant(id, { right: 'auditor' });
    await grant(id, { right: 'admin', ends_at: oneHourAhead() });
    operator.clock.advanceSeconds(3601);
    const { database } = operator;
    const fields = rightsFields('owner', database.now());
    const { rows } = await sql<RightsFields>`select ${fields} from account owner where owner.id = ${id}`.execute(database.db);
    expect(rows.map((row) => accountRights.toRights(row))).toEqual([['auditor', 'support']]);
  });

  it.each([
    [{}, 400, 'missing', 'right'],
    [{ right: 7 }, 400, 'wrong_type', 'right'],
    [{ right: 'read', until: '2030-01-01' }, 400, 'unknown_member', 'until'],
    [{ right: 'read', ends_at: 'tomorrow' }, 400, 'wrong_type', 'ends_at'],
    [{ right: 'read', ends_at: '2030-02-31' }, 400, 'wrong_type', 'ends_at'],
    [{ right: 'read', ends_at: 5 }, 400, 'wrong_type', 'ends_at'],
    [{ right: 'read', ends_at: '2001-01-01' }, 422, 'past', 'ends_at'],
    [{ right: 'root' }, 422, 'unknown_right', 'right'],
    [{ right: 'Admin' }, 422, 'unknown_right', 'right'],
    [{ right: 'constructor' }, 422, 'unknown_right', 'right'],
  ])('is refused as %j', async (body, status, error, field) => {
    const { id } = await createAccount();
    expectError(await grant(id, body), status, error, field);
    expect([await accountRights.isOperator(id), await findEvents(id)]).toEqual([false, []]);
  });

  it('needs an account', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '%00'])
      expectError(await grant(id, { right: 'read' }), 404, 'account_not_found');
    expectError(await revoke('x', 'read'), 404, 'account_not_found');
  });

  it('is granted once by simultaneous calls, and never half', async () => {
    const { id } = await createAccount();
    const calls = ['read', 'read', 'support', 'auditor', 'read'].map((right) => grant(id, { right }));
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await accountRights.findRights(id)).toEqual(['read', 'auditor', 'support']);
    expect((await findEvents(id)).length).toBe(5);
  });
});

describe('[OPR-3] a right by OPERATORS', () => {
  it.each([
    [{ group_name: 'Helpdesk' }, ['support']],
    [{ groups: ['Sales', 'Helpdesk', 'Audit'] }, ['auditor', 'support']],
    [{ attributes: { role: 'it' } }, ['read']],
    [{ attributes: { teams: ['sales', 'platform'] } }, ['admin']],
    [{ group_name: 'helpdesk', attributes: { role: 'IT', teams: ['platform '] } }, []],
    [{ attributes: { role: 'platform', teams: ['it'] } }, []],
  ])('belongs to an account with %j', async (more, rights) => {
    const { id } = await createAccount(more);
    expect([await accountRights.findRights(id), await accountRights.isOperator(id)]).toEqual([rights, rights.length > 0]);
    await operator.call('POST', `/accounts/${id}/disable`);
    expect([await accountRights.findRights(id), await accountRights.isOperator(id)]).toEqual([[], rights.length > 0]);
  });

  it('ends with the group, and adds to a right that was granted', async () => {
    const { id } = await createAccount({ group_name: 'Helpdesk' });
    await grant(id, { right: 'support' });
    expect((await findListed(id))?.rights.map(({ right, by }) => [right, by])).toEqual([
      ['support', 'grant'],
      ['support', 'setting'],
    ]);
    expect((await revoke(id, 'support')).json['rights']).toMatchObject([{ right: 'support', by: 'setting', granted_by: null }]);
    const { json } = await revoke(id, 'support');
    expect([json['error'], json['message']]).toEqual(['right_not_found', expect.stringContaining('OPERATORS')]);
    await operator.call('PATCH', `/accounts/${id}`, { group_name: null });
    expect(await accountRights.findRights(id)).toEqual([]);
  });

  it('shows for an attribute once the account is listed for another reason', async () => {
    const { id } = await createAccount({ attributes: { role: 'it' } });
    expect(await findListed(id)).toBeUndefined();
    await grant(id, { right: 'auditor' });
    expect((await findListed(id))?.rights.map(({ right, by }) => [right, by])).toEqual([
      ['read', 'setting'],
      ['auditor', 'grant'],
    ]);
  });
});

describe('[OPR-3] the list of operators', () => {
  it('has every operator once, by username, page by page', async () => {
    for (const username of ['zoe.operator', 'Änne.operator', 'anna.operator', 'Ben.operator'])
      await createAccount({ username, groups: ['Helpdesk'] });
    const all = await listAll();
    const names = all.map(({ username }) => username);
    expect(names).toEqual(expect.arrayContaining(['zoe.operator', 'Änne.operator', 'anna.operator', 'Ben.operator']));
    expect(names.indexOf('anna.operator')).toBeLessThan(names.indexOf('Ben.operator'));
    expect(new Set(all.map(({ account_id }) => account_id)).size).toBe(all.length);
    for (const limit of [1, 2, 3]) expect(await listAll(limit)).toEqual(all);
  });

  it('refuses a cursor that it has not given', async () => {
    for (const cursor of ['%00', 'AA', 'a%20b', 'x'.repeat(1100), '_w'])
      expectError(await operator.call('GET', `/operators?cursor=${cursor}`), 400, 'wrong_type', 'cursor');
  });
});

describe('[OPR-2] the command line', () => {
  it('grants, lists and revokes rights', async () => {
    const { id, username } = await createAccount({ username: 'otto.operator' });
    const until = oneHourAhead();
    const given = await line(['operator', 'grant', username, 'support', '--until', until, '--reason', 'first line, äöü']);
    expect(given).toEqual({
      code: 0,
      out: expect.stringMatching(/^otto.operator now has the right support until 20.*Z\.\n$/),
      err: '',
    });
    expect(await findEvents(id)).toEqual([['operator.granted', { right: 'support', until, reason: 'first line, äöü' }]]);
    const listed = await line('operator list --limit 200');
    expect(listed.out).toMatch(/otto\.operator +support +20.*operator +first line, äöü +active/);
    const asJson = JSON.parse((await line('operator list --json --limit 200')).out) as { operators: ListedOperator[] };
    expect(asJson.operators.find(({ account_id }) => account_id === id)?.rights).toHaveLength(1);
    expect(await line('operator revoke otto.operator support')).toEqual({
      code: 0,
      out: 'The right support of otto.operator is revoked.\n',
      err: '',
    });
    expect((await line('operator revoke otto.operator support')).code).toBe(3);
  });

  it('shows the rights of one account, also those by a group, and says if it has none', async () => {
    await createAccount({ username: 'gina.operator', group_name: 'Helpdesk' });
    await line('operator grant gina.operator read');
    const shown = await line('operator show gina.operator');
    expect(shown.out).toMatch(/gina\.operator +read +.* operator .*\n.*gina\.operator +support +.* setting /s);
    await createAccount({ username: 'nils.nobody' });
    expect(await line('operator show nils.nobody')).toEqual({
      code: 0,
      out: '',
      err: 'nils.nobody has no operator rights.\n',
    });
  });

  it('says what is wrong, and shows pages', async () => {
    await createAccount({ username: 'paul.operator', group_name: 'Helpdesk' });
    await line('operator grant paul.operator support');
    const revoked = await line('operator revoke paul.operator support');
    expect([revoked.code, revoked.err]).toEqual([0, expect.stringContaining('still has the right support through a group')]);
    const wrong = await line('operator grant paul.operator root');
    expect([wrong.code, wrong.err]).toEqual([
      1,
      'foyer: There is no such right; the rights are read, auditor, support, admin.\n',
    ]);
    expect((await line('operator grant paul.operator read --until 2001-01-01')).err).toContain('must be in the future');
    expect((await line('operator grant nobody.at.all read')).code).toBe(3);
    const page = await line('operator list --limit 1');
    expect(page.err).toMatch(/^More operators: --cursor [\w-]+\n$/);
    const next = await line(`operator list --limit 1 ${page.err.replace('More operators: ', '').trim()}`);
    expect([next.code, next.out === page.out]).toEqual([0, false]);
  });
});
