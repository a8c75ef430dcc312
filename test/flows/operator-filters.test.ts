/** Saved filters: each operator and token has its own, checked and bounded. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomToken } from '../../src/config/keys.js';
import { SavedFilters } from '../../src/accounts/operators/saved-filters.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const OTHER = randomToken();
let operator: TestOperator;
const { createAccount } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  const tokens = [{ name: 'revision', rights: 'auditor' as const, token: OTHER }];
  operator = await startTestOperator({ config: (config) => ({ operator: { ...config.operator, tokens } }) });
});

afterAll(() => operator.close());

const save = (body: object) => operator.call('POST', '/filters', body);
const list = async (headers = {}) => (await operator.call('GET', '/filters', undefined, headers)).json['filters'];

describe('saved filters', () => {
  it('are kept under a name, replaced, seen by their owner only, and removed', async () => {
    const body = { page: 'people', name: 'Old', filter: { status: 'disabled', signed_in_before: '2026-01-31' } };
    const { status, json } = await save(body);
    expect([status, json]).toEqual([200, { ...body, id: json['id'], saved_at: json['saved_at'] }]);
    const replaced = (await save({ ...body, name: ' Old ', filter: { local: 'true' } })).json;
    expect(replaced).toMatchObject({ id: json['id'], name: 'Old', filter: { local: 'true' } });
    await save({ page: 'activity', name: 'Old', filter: { kind: 'password', actor: 'operator:olga' } });
    expect(await list()).toMatchObject([{ page: 'activity' }, { page: 'people' }]);
    const other = { authorization: `Bearer ${OTHER}` };
    expect(await list(other)).toEqual([]);
    expectError(await operator.call('DELETE', `/filters/${String(json['id'])}`, undefined, other), 404, 'filter_not_found');
    expect((await operator.call('DELETE', `/filters/${String(json['id'])}`)).json).toEqual({ removed: 1 });
    expectError(await operator.call('DELETE', '/filters/nonsense'), 404, 'filter_not_found');
    expect(await list()).toMatchObject([{ page: 'activity' }]);
  });

  it('are stored without characters that the database cannot store', async () => {
    const { status, json } = await save({ page: 'people', name: 'Pasted', filter: { search: 'a\u0000n\ud83dna' } });
    expect([status, json['filter']]).toEqual([200, { search: 'an\ufffdna' }]);
    expect((await operator.call('DELETE', `/filters/${String(json['id'])}`)).status).toBe(200);
  });

  it.each([
    [{ page: 'apps', name: 'x', filter: {} }, 400, 'wrong_type', 'page'],
    [{ page: 'people', name: ' ', filter: {} }, 400, 'wrong_type', 'name'],
    [{ page: 'people', name: 'a\u202eb', filter: {} }, 400, 'wrong_type', 'name'],
    [{ page: 'people', name: 'x'.repeat(61), filter: {} }, 400, 'wrong_type', 'name'],
    [{ page: 'people', name: 'x' }, 400, 'missing', 'filter'],
    [{ page: 'people', name: 'x', filter: [] }, 400, 'wrong_type', 'filter'],
    [{ page: 'people', name: 'x', filter: { status: 'gone' } }, 400, 'wrong_type', 'status'],
    [{ page: 'people', name: 'x', filter: { status: { a: 1 } } }, 400, 'wrong_type', 'status'],
    [{ page: 'people', name: 'x', filter: { kind: 'password' } }, 400, 'unknown_member', 'kind'],
    [{ page: 'people', name: 'x', filter: { cursor: '1' } }, 400, 'unknown_member', 'cursor'],
    [{ page: 'activity', name: 'x', filter: { actor: 'root' } }, 400, 'wrong_type', 'actor'],
    [{ page: 'people', name: 'x', filter: { search: 'x'.repeat(3000) } }, 422, 'too_long', 'filter'],
  ])('are refused if they make no sense: %j', async (body, status, error, field) => {
    expectError(await save(body), status, error, field);
  });

  it('are at most fifty, also of calls at the same time, and go with the account', async () => {
    const { id, username } = await createAccount();
    const auditContext = { actor: 'operator', operator: username, operatorAccount: id } as const;
    const filters = new SavedFilters(operator.database);
    const saved = await Promise.all(
      Array.from({ length: 55 }, (_, n) => filters.save({ page: 'people', name: `Filter ${n}`, filter: {} }, auditContext)),
    );
    expect(saved.filter((one) => one === null)).toHaveLength(5);
    expect(await filters.list(auditContext)).toHaveLength(50);
    expect((await operator.call('DELETE', `/accounts/${id}`)).status).toBe(200);
    expect(await filters.list(auditContext)).toEqual([]);
  });

  it('have commands', async () => {
    const { code, out } = await foyer('filter save people idle --filter never_signed_in=true --filter status=active');
    expect([code, out]).toEqual([0, expect.stringContaining('The filter idle is saved')]);
    const listed = await foyer('filter list');
    expect(listed.out).toContain('status=active&never_signed_in=true');
    const id = /[0-9a-f-]{36}/.exec(out)?.[0] ?? '';
    expect((await foyer(`filter remove ${id}`)).code).toBe(0);
    expect((await foyer('filter save people idle --filter nonsense')).code).toBe(2);
  });
});
