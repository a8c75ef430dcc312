/** Attributes and groups of accounts in the operator API, on the command line, in import and export. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, importer, parseLines, operatorSteps } from '../support/operator-story.js';

const SCHEMA = {
  properties: { department: { enum: ['Sales', 'Purchase'] }, floors: { type: 'array', items: { type: 'integer' } } },
};

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);
const { importLines } = importer(() => operator);

beforeAll(async () => {
  operator = await startTestOperator({ config: ({ accounts }) => ({ accounts: { ...accounts, schema: SCHEMA } }) });
});

afterAll(() => operator.close());

const change = (id: string, patch: object) => operator.call('PATCH', `/accounts/${id}`, patch);

describe('[OPR-4] through the operator API', () => {
  it('are stored with a new account, and returned', async () => {
    const attributes = { department: 'Sales', given_name: 'Maria', address: { locality: 'Köln' } };
    const { id } = await createAccount({ group_name: 'Nord', groups: ['Board', 'Nord', 'Board'], attributes });
    const { json } = await operator.call('GET', `/accounts/${id}`);
    expect(json).toMatchObject({ group_name: 'Nord', groups: ['Nord', 'Board'], attributes });
    const list = await operator.call('GET', '/accounts?group_name=Nord');
    expect(list.json).toMatchObject({ accounts: [{ id, attributes }] });
  });

  it('are limited in total, also where each change is within the limits', async () => {
    const { id } = await createAccount({ attributes: { nickname: 'x'.repeat(5000) } });
    const refused = await change(id, { attributes: { website: `https://example.org/${'x'.repeat(5000)}` } });
    expect([refused.status, refused.json['field'], refused.json['pointer']]).toEqual([422, 'attributes', '']);
  });

  it('change one by one: null removes, other attributes stay, and the event contains no value', async () => {
    const { id } = await createAccount({ groups: ['a'], attributes: { department: 'Sales', floors: [1, 2] } });
    const changed = await change(id, { attributes: { department: null, nickname: 'Mia' } });
    expect([changed.status, changed.json]).toMatchObject([
      200,
      { groups: ['a'], attributes: { floors: [1, 2], nickname: 'Mia' } },
    ]);
    expect((await change(id, { groups: ['b', 'c'] })).json).toMatchObject({
      groups: ['b', 'c'],
      attributes: { nickname: 'Mia' },
    });
    expect((await change(id, { groups: [] })).json).toMatchObject({ groups: [] });
    expect((await findKinds(id)).slice(0, 3)).toEqual([
      ['account.changed', { fields: ['groups'] }],
      ['account.changed', { fields: ['groups'] }],
      ['account.changed', { fields: ['attributes'] }],
    ]);
  });

  it.each([
    [{ attributes: { department: 'Board' } }, 422, 'format', 'attributes', '/department'],
    [{ attributes: { floors: [1, 'x'] } }, 422, 'format', 'attributes', '/floors/1'],
    [{ attributes: { shoe_size: 43 } }, 422, 'format', 'attributes', '/shoe_size'],
    [{ attributes: { nickname: 'x'.repeat(9000) } }, 422, 'format', 'attributes', ''],
    [{ groups: ['a', 'b\nc'] }, 422, 'characters', 'groups', undefined],
    [{ groups: 'a' }, 400, 'wrong_type', 'groups', undefined],
    [{ groups: [1] }, 400, 'wrong_type', 'groups', undefined],
    [{ attributes: ['a'] }, 400, 'wrong_type', 'attributes', undefined],
    [{ attributes: null }, 400, 'wrong_type', 'attributes', undefined],
  ])('%j is refused with its path, and nothing changes', async (members, status, error, field, pointer) => {
    const { id } = await createAccount({ groups: ['a'], attributes: { department: 'Sales' } });
    const answer = await change(id, members);
    expectError(answer, status, error, field);
    expect(answer.json['pointer']).toBe(pointer);
    const username = `refused.${Math.random().toString(36).slice(2)}`;
    expect((await operator.call('POST', '/accounts', { username, ...members })).status).toBe(status);
    expect((await operator.call('GET', `/accounts?username=${username}`)).json['accounts']).toEqual([]);
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({
      groups: ['a'],
      attributes: { department: 'Sales' },
    });
  });

  it('are changed by two operators at the same moment without a loss', async () => {
    const { id } = await createAccount();
    const both = [{ department: 'Sales' }, { nickname: 'Mia' }, { floors: [3] }];
    await Promise.all(both.map((attributes) => change(id, { attributes })));
    const account = await operator.services.accounts.find(id);
    expect(account?.attributes).toEqual({ department: 'Sales', nickname: 'Mia', floors: [3] });
  });
});

describe('[OPR-4] on the command line', () => {
  it('are set, replaced and removed', async () => {
    const made = await foyer(
      ['account', 'create', '--username', 'cli.person', '--attributes', '{"department":"Sales"}'].concat(
        ...['Board', 'Choir, men'].map((group) => ['--further-group', group]),
      ),
    );
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toContain('Groups      Board, Choir, men');
    expect(made.out).toContain('Attributes  {"department":"Sales"}');
    const update = (...options: string[]) => foyer(['account', 'update', 'cli.person', ...options, '--json']);
    const changed = await update('--attributes', '{"department":null,"nickname":"Mia"}', '--clear', 'further-group');
    expect(JSON.parse(changed.out)).toMatchObject({ groups: [], attributes: { nickname: 'Mia' } });
    expect((await update('--attributes', 'x')).err).toContain('--attributes requires a JSON object');
    expect((await update('--attributes', '{"department":"Board"}')).err).toContain('/department');
  });
});

describe('[OPR-4] in an import', () => {
  it('are imported, are exported in the same form, and a fault is reported with line and path', async () => {
    const whole = {
      username: 'whole.person',
      group_name: 'Nord',
      groups: ['Board'],
      attributes: { floors: [1], nickname: 'Mia' },
    };
    const results = await importLines([
      whole,
      { username: 'unfit.person', attributes: { floors: ['x'] } },
      { username: 'plain.person' },
    ]);
    expect(results).toMatchObject([
      { line: 1, result: 'created' },
      { line: 2, result: 'invalid', error: 'format', field: 'attributes', pointer: '/floors/0' },
      { line: 3, result: 'created' },
    ]);
    const exported = parseLines((await operator.call('GET', '/exports')).text);
    expect(exported.find(({ username }) => username === 'whole.person')).toMatchObject(whole);
    const plain = exported.find(({ username }) => username === 'plain.person');
    expect(Object.keys(plain ?? {})).not.toEqual(expect.arrayContaining(['attributes']));
  });
});

it('remain valid if they no longer fit the schema, until the attributes change', async () => {
  const { id, username } = await createAccount();
  await operator.database.db
    .updateTable('account')
    .set({ attributes: JSON.stringify({ department: 'Closed', nickname: 'Mia' }) })
    .where('id', '=', id)
    .execute();
  expect(await operator.services.accounts.findByUsername(username)).toMatchObject({ attributes: { department: 'Closed' } });
  expect((await change(id, { display_name: 'Mia' })).status).toBe(200);
  expectError(await change(id, { attributes: { nickname: 'M' } }), 422, 'format', 'attributes');
  expect((await change(id, { attributes: { department: null } })).status).toBe(200);
});

it('cannot be set by the previous version, and remain when it changes the account', async () => {
  const { id } = await createAccount({ group_name: 'Nord', groups: ['Board'], attributes: { nickname: 'Mia' } });
  await operator.database.db.updateTable('account').set({ group_name: 'Süd' }).where('id', '=', id).execute();
  expect(await operator.services.accounts.find(id)).toMatchObject({ groups: ['Süd', 'Board'], attributes: { nickname: 'Mia' } });
});

describe('[CLM-4] the claims of a person for a client', () => {
  it('are shown by scope and token, also on the command line', async () => {
    operator.hydra.addClient(operator.hydra.client({ id: 'portal' }), ['openid', 'profile', 'phone', 'reports']);
    const { id } = await createAccount({ username: 'claimed.person', attributes: { phone_number: '+49 1' } });
    const answer = await operator.call('GET', `/accounts/${id}/claims?client=portal`);
    expect([answer.status, answer.json]).toMatchObject([
      200,
      {
        scopes: [
          { scope: 'openid', claims: [] },
          { scope: 'profile', claims: ['name', 'preferred_username', 'updated_at'] },
          { scope: 'phone', claims: ['phone_number'] },
          { scope: 'reports', claims: [] },
        ],
        id_token: { name: 'claimed.person', phone_number: '+49 1' },
        access_token: {},
        bytes: expect.any(Number),
        most_bytes: 4096,
      },
    ]);
    const { code, out } = await foyer('claims --client portal --account claimed.person');
    expect([code, out]).toEqual([0, expect.stringContaining('phone    phone_number')]);
    for (const client of ['nobody', '%00', 'x'.repeat(1000)])
      expectError(await operator.call('GET', `/accounts/${id}/claims?client=${client}`), 404, 'client_not_found');
    expectError(await operator.call('GET', `/accounts/${id}/claims`), 400, 'missing');
    expect((await foyer('claims --client nobody --account claimed.person')).code).toBe(3);
  });
});
