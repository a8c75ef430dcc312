/** Groups that a directory pushes by SCIM 2.0, and the groups of accounts that follow them (docs/scim.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { GROUP, ScimClient, scimSource } from '../support/scim-client.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const OKTA = scimSource('okta', { groups: { most: 3, groupName: false } });
const FIRST = scimSource('first', { groups: { most: 100, groupName: true, only: ['Alpha', 'Beta'] } });
const PLAIN = scimSource('plain');
const MANY = 10_000;

let operator: TestOperator;
let okta: ScimClient;
let names = 0;
const newName = (): string => `member.${(names += 1)}`;
const newGroup = async (client: ScimClient, displayName: string, members: readonly string[] = []): Promise<string> => {
  const answer = await client.call('POST', '/Groups', {
    ...{ schemas: [GROUP], displayName },
    members: members.map((value) => ({ value })),
  });
  expect([answer.status, answer.json['detail']]).toEqual([201, undefined]);
  return String(answer.json['id']);
};
const findGroups = async (id: string) => (await operator.services.accounts.find(id))?.groups;

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ scim: [OKTA, FIRST, PLAIN] }) });
  okta = new ScimClient(operator, OKTA.tokens[0]);
});
afterAll(() => operator.close());

describe('a group', () => {
  it('has people of its source, who see it, and whose accounts are in it', async () => {
    const [one, two] = [await okta.newUser(newName()), await okta.newUser(newName())];
    const id = await newGroup(okta, 'Sales', [one]);
    await okta.patch(`/Groups/${id}`, { op: 'Add', path: 'members', value: [{ value: two }, { value: one }] });
    expect((await okta.call('GET', `/Groups/${id}`)).json).toMatchObject({
      ...{ schemas: [GROUP], id, displayName: 'Sales' },
      members: [one, two].toSorted().map((value) => ({ value, $ref: `${operator.url}/scim/v2/Users/${value}`, type: 'User' })),
      meta: { resourceType: 'Group', version: 'W/"2"' },
    });
    expect((await okta.call('GET', `/Users/${one}`)).json).toMatchObject({
      groups: [{ value: id, display: 'Sales', type: 'direct' }],
    });
    expect([await findGroups(one), await findGroups(two)]).toEqual([['Sales'], ['Sales']]);
    const [event] = (await operator.services.audit.list(two)).entries;
    expect(event).toMatchObject({
      kind: 'account.changed',
      actor: 'system',
      detail: { fields: ['groups'], source: 'scim:okta' },
    });

    await okta.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${two}"]` });
    await okta.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: 'Sales Nord' } });
    expect([await findGroups(one), await findGroups(two)]).toEqual([['Sales Nord'], []]);
    expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(204);
    expect(await findGroups(one)).toEqual([]);
    expect((await okta.call('DELETE', `/Groups/${id}`)).status).toBe(404);
  });

  it('is replaced as a whole, and removed from by a list', async () => {
    const people = [await okta.newUser(newName()), await okta.newUser(newName()), await okta.newUser(newName())] as const;
    const id = await newGroup(okta, 'Board', [people[0], people[1]]);
    const body = { schemas: [GROUP], displayName: 'Board', members: [{ value: people[2] }, { value: people[1] }] };
    expect((await okta.call('PUT', `/Groups/${id}`, body)).status).toBe(200);
    expect(await Promise.all(people.map(findGroups))).toEqual([[], ['Board'], ['Board']]);
    await okta.patch(`/Groups/${id}`, { op: 'Remove', path: 'members', value: [{ value: people[1] }, { value: people[0] }] });
    expect(await Promise.all(people.map(findGroups))).toEqual([[], [], ['Board']]);
    await okta.patch(
      `/Groups/${id}`,
      { op: 'remove', path: 'members' },
      { op: 'add', path: 'members', value: [{ value: people[0] }] },
    );
    expect(await Promise.all(people.map(findGroups))).toEqual([['Board'], [], []]);
  });

  it('loses a member who is gone without a fault, and gains nobody who is gone, belongs elsewhere, or is not a person', async () => {
    const [here, gone] = [await okta.newUser(newName()), await okta.newUser(newName())];
    const id = await newGroup(okta, 'Temps', [here, gone]);
    await okta.call('DELETE', `/Users/${gone}`);
    for (const value of [gone, 'nobody'])
      expect((await okta.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${value}"]` })).status).toBe(200);
    const other = await new ScimClient(operator, PLAIN.tokens[0]).newUser(newName());
    const local = await operator.services.accounts.create({ username: newName() });
    for (const value of [gone, other, local.id, 'nobody', id]) {
      const operations = [
        { op: 'replace', path: 'displayName', value: 'Lost' },
        { op: 'add', path: 'members', value: [{ value }] },
      ];
      const answer = await okta.patch(`/Groups/${id}`, ...operations);
      expect([value, answer.status, answer.json['scimType']]).toEqual([value, 400, 'invalidValue']);
    }
    const nested = await okta.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] });
    expect(nested.json['detail']).toMatch(/groups in groups/);
    expect((await okta.call('GET', `/Groups/${id}`)).json).toMatchObject({ displayName: 'Temps', members: [{ value: here }] });
    expect(await findGroups(local.id)).toEqual([]);
  });

  it('of another source does not exist, and its name is free here', async () => {
    const id = await newGroup(new ScimClient(operator, PLAIN.tokens[0]), 'Shared');
    await newGroup(okta, 'Shared');
    const twice = await okta.call('POST', '/Groups', { schemas: [GROUP], displayName: 'SHARED' });
    expect([twice.status, twice.json['scimType']]).toEqual([409, 'uniqueness']);
    for (const method of ['GET', 'DELETE']) expect((await okta.call(method, `/Groups/${id}`)).status).toBe(404);
    expect((await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'x' })).status).toBe(404);
  });

  it('reaches accounts as the settings say: only some groups, at most a number of them, the first one as the group name too, or none', async () => {
    const first = new ScimClient(operator, FIRST.tokens[0]);
    const plain = new ScimClient(operator, PLAIN.tokens[0]);
    const [limited, chosen, untouched] = [
      await okta.newUser(newName()),
      await first.newUser(newName()),
      await plain.newUser(newName()),
    ];
    await operator.services.accounts.update(untouched, { groups: ['Own'] });
    for (const name of ['Delta', 'Beta', 'Gamma', 'Alpha']) {
      await newGroup(okta, name, [limited]);
      await newGroup(first, name, [chosen]);
      await newGroup(plain, name, [untouched]);
    }
    expect(await findGroups(limited)).toEqual(['Alpha', 'Beta', 'Delta']);
    expect(await operator.services.accounts.find(chosen)).toMatchObject({ groupName: 'Alpha', groups: ['Alpha', 'Beta'] });
    expect(await findGroups(untouched)).toEqual(['Own']);
  });

  it.each([
    [{ op: 'add', path: 'owners', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'members[value eq "x"]', value: [] }, 'invalidPath'],
    [{ op: 'remove', path: 'members[value eq "x" and value eq "y"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'members[display eq "x"]' }, 'invalidPath'],
    [{ op: 'remove', path: 'displayName' }, 'mutability'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'displayName', value: 'x'.repeat(129) }, 'invalidValue'],
    [{ op: 'add', path: 'members', value: [7] }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'move', path: 'members' }, 'invalidSyntax'],
  ])('is not changed by %j', async (operation, scimType) => {
    const id = await newGroup(okta, newName());
    const answer = await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: newName() }, operation);
    expect([answer.status, answer.json['scimType']]).toEqual([400, scimType]);
    expect((await okta.call('GET', `/Groups/${id}`)).headers['etag']).toBe('W/"1"');
  });
});

describe('a large group', () => {
  it(`of ${MANY} people is filled in slices, read, renamed and replaced`, async () => {
    const source = 'scim:okta';
    await sql`
      with made as (
        insert into account (username, username_key, display_name, created_at, updated_at)
        select 'many.' || n, 'many.' || n, 'Many', now(), now() from generate_series(1, ${MANY}::integer) n returning id, username
      ), linked as (
        insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
        select id, ${source}, id::text, '', now(), now() from made
      )
      insert into scim_user (account_id, source, user_name_key, emails, active, disabled_here, resource, version, created_at, modified_at)
      select id, ${source}, username, '{}', true, false, jsonb_build_object('userName', username), 1, now(), now() from made`.execute(
      operator.database.db,
    );
    const { rows } = await sql<{ id: string }>`select account_id as id from scim_user where user_name_key like 'many.%'`.execute(
      operator.database.db,
    );
    const ids = rows.map(({ id }) => id);
    const id = await newGroup(okta, 'Everybody');
    for (let start = 0; start < MANY; start += 2500) {
      const value = ids.slice(start, start + 2500).map((one) => ({ value: one }));
      expect((await okta.patch(`/Groups/${id}`, { op: 'add', path: 'members', value })).status).toBe(204);
    }
    expect((await okta.call('GET', `/Groups/${id}`)).json['members']).toHaveLength(MANY);
    expect((await okta.call('GET', `/Groups/${id}?excludedAttributes=members`)).json).not.toHaveProperty('members');
    expect((await okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: 'Everyone' })).status).toBe(204);
    expect(await findGroups(ids[MANY - 1] ?? '')).toEqual(['Everyone']);
    const whole = { schemas: [GROUP], displayName: 'Everyone', members: ids.slice(0, 3).map((value) => ({ value })) };
    expect((await okta.call('PUT', `/Groups/${id}`, whole)).json['members']).toHaveLength(3);
    expect(await findGroups(ids[MANY - 1] ?? '')).toEqual([]);
  }, 120_000);
});

describe('concurrent changes of groups', () => {
  it('of the same people, and their deletion, all end', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => okta.newUser(newName())));
    const groups = await Promise.all(Array.from({ length: 4 }, () => newGroup(okta, newName())));
    const add = (list: readonly string[]) => ({ op: 'add', path: 'members', value: list.map((value) => ({ value })) });
    const remaining = people.slice(0, 6);
    const answers = await Promise.all([
      ...groups.map((id, index) => okta.patch(`/Groups/${id}`, add(index % 2 === 0 ? remaining : remaining.toReversed()))),
      ...groups.map((id) => okta.patch(`/Groups/${id}`, { op: 'replace', path: 'displayName', value: newName() })),
      ...people.slice(6).map((id) => okta.call('DELETE', `/Users/${id}`)),
      ...remaining.map((id) => okta.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'x' })),
    ]);
    expect([...new Set(answers.map(({ status }) => status))].toSorted()).toEqual([200, 204]);
    for (const id of groups) expect((await okta.call('GET', `/Groups/${id}`)).json['members']).toHaveLength(6);
  });
});
