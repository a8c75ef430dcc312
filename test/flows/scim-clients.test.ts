/** What Microsoft Entra ID and Okta send, with values of our own, and the faults of a directory that sends it again (docs/scim.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ENTERPRISE, GROUP, PATCH, ScimClient, USER, scimSource } from '../support/scim-client.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const ENTRA = scimSource('entra', {
  attributes: { department: `${ENTERPRISE}:department` },
  groups: { most: 100, groupName: false },
});
const OKTA = scimSource('okta', { groups: { most: 100, groupName: false } });
const SCHEMA = { properties: { department: { type: 'string' } } };
const change = (operator: TestOperator) => ({ accounts: { ...operator.config.accounts, schema: SCHEMA } });

let operator: TestOperator;
let entra: ScimClient;
let okta: ScimClient;

beforeAll(async () => {
  operator = await startTestOperator({
    config: ({ accounts }) => ({ scim: [ENTRA, OKTA], accounts: { ...accounts, schema: SCHEMA } }),
  });
  entra = new ScimClient(operator, ENTRA.tokens[0]);
  okta = new ScimClient(operator, OKTA.tokens[0]);
});
afterAll(() => operator.close());

const patch = (client: ScimClient, path: string, Operations: object[]) =>
  client.call('PATCH', path, { schemas: [PATCH], Operations });

describe('Microsoft Entra ID', () => {
  let id = '';

  it('looks for a person, creates the person, and reads back', async () => {
    const none = await entra.call('GET', '/Users?filter=externalId eq "0f6d-17"');
    expect(none.json).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      Resources: [],
    });
    const answer = await entra.call('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0f6d-17',
      userName: 'karla.kolumna@neustadt.example',
      active: true,
      addresses: [{ type: 'work', formatted: null, streetAddress: 'Markt 1', locality: 'Neustadt', primary: false }],
      displayName: 'Karla Kolumna',
      emails: [{ type: 'work', value: 'karla.kolumna@neustadt.example', primary: true }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Karla Kolumna', familyName: 'Kolumna', givenName: 'Karla' },
      phoneNumbers: [{ type: 'mobile', value: '+49 170 5551' }],
      preferredLanguage: 'de-DE',
      roles: [],
      title: 'Reporter',
      [ENTERPRISE]: { employeeNumber: '4711', department: 'News' },
    });
    expect(answer.status).toBe(201);
    id = String(answer.json['id']);
    expect((await entra.call('GET', `/Users/${id}`)).json).toMatchObject({ id, addresses: [{ type: 'work', primary: false }] });
    expect(await operator.services.accounts.find(id)).toMatchObject({
      ...{ username: 'karla.kolumna@neustadt.example', displayName: 'Karla Kolumna', language: 'de' },
      attributes: { department: 'News', phone_number: '+49 170 5551' },
    });
  });

  it('changes several attributes, by paths and without one', async () => {
    const answer = await patch(entra, `/Users/${id}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'karla@neustadt.example' },
      { op: 'Replace', path: 'name.familyName', value: 'Blitz' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'a-manager' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+49 30 5550' },
      {
        op: 'Replace',
        value: {
          displayName: 'Karla Blitz',
          'name.givenName': 'Karoline',
          [`${ENTERPRISE}:department`]: 'Sport',
          [`${ENTERPRISE}:employeeNumber`]: '4712',
        },
      },
    ]);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      displayName: 'Karla Blitz',
      name: { formatted: 'Karla Kolumna', familyName: 'Blitz', givenName: 'Karoline' },
      emails: [{ type: 'work', value: 'karla@neustadt.example', primary: true }],
      phoneNumbers: [{ type: 'mobile' }, { type: 'work', value: '+49 30 5550' }],
      [ENTERPRISE]: { employeeNumber: '4712', department: 'Sport', manager: { value: 'a-manager' } },
    });
    expect(await operator.services.accounts.find(id)).toMatchObject({
      ...{ displayName: 'Karla Blitz', email: 'karla@neustadt.example' },
      attributes: { given_name: 'Karoline', family_name: 'Blitz', department: 'Sport', phone_number: '+49 30 5550' },
    });
  });

  it('replaces the address of somebody who has none, and removes what is gone', async () => {
    const bare = await entra.newUser('bare.person');
    await patch(entra, `/Users/${bare}`, [
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'bare@neustadt.example' },
    ]);
    expect((await entra.call('GET', `/Users/${bare}`)).json).toMatchObject({
      emails: [{ type: 'work', value: 'bare@neustadt.example' }],
    });
    await patch(entra, `/Users/${bare}`, [
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'writer' },
      { op: 'Remove', path: 'emails[type eq "work"].value' },
      { op: 'Remove', path: `${ENTERPRISE}:manager` },
    ]);
    const { json } = await entra.call('GET', `/Users/${bare}`);
    expect(json).toMatchObject({ roles: [{ primary: true, value: 'writer' }] });
    expect(await operator.services.accounts.find(bare)).not.toHaveProperty('email');
  });

  it('disables with a text, in capitals or not', async () => {
    for (const [value, status] of [
      ['False', 'disabled'],
      ['True', 'active'],
      ['false', 'disabled'],
    ]) {
      await patch(entra, `/Users/${id}`, [{ op: 'Replace', path: 'active', value }]);
      expect(await operator.services.accounts.find(id)).toMatchObject({ status });
    }
  });

  it('fills groups in slices, and removes members one by one', async () => {
    const people = [await entra.newUser('slice.one'), await entra.newUser('slice.two')];
    const found = await entra.call('GET', '/Groups?excludedAttributes=members&filter=displayName eq "Press"');
    expect(found.json).toMatchObject({ totalResults: 0 });
    const made = await entra.call('POST', '/Groups', {
      schemas: [GROUP],
      externalId: 'g-1',
      displayName: 'Press',
      meta: { resourceType: 'Group' },
    });
    const group = String(made.json['id']);
    for (const value of people) await patch(entra, `/Groups/${group}`, [{ op: 'Add', path: 'members', value: [{ value }] }]);
    await patch(entra, `/Groups/${group}`, [{ op: 'Remove', path: 'members', value: [{ value: people[0] }] }]);
    const { json } = await entra.call('GET', `/Groups/${group}`);
    expect(json['members']).toMatchObject([{ value: people[1] }]);
  });
});

describe('Okta', () => {
  const person = (more: object) => ({
    ...{
      schemas: [USER],
      userName: 'otto@okta-neustadt.example',
      name: { givenName: 'Otto', familyName: 'Fall' },
      locale: 'en-US',
    },
    ...{
      emails: [{ primary: true, value: 'otto@okta-neustadt.example', type: 'work' }],
      displayName: 'Otto Fall',
      externalId: '00u7',
    },
    ...{ groups: [], active: true, ...more },
  });
  let id = '';

  it('asks by name before it creates, and sends a password that is not kept', async () => {
    const none = await okta.call('GET', '/Users?filter=userName eq "otto@okta-neustadt.example"&startIndex=1&count=100');
    expect(none.json).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0 });
    const answer = await okta.call('POST', '/Users', person({ password: 'Rd6WYq1z' }));
    expect(answer.status).toBe(201);
    id = String(answer.json['id']);
    expect(await operator.services.accounts.find(id)).toMatchObject({ displayName: 'Otto Fall', language: 'en' });
  });

  it('replaces the whole person', async () => {
    const answer = await okta.call('PUT', `/Users/${id}`, person({ id, nickName: 'Otti', meta: { resourceType: 'User' } }));
    expect([answer.status, answer.json['nickName']]).toEqual([200, 'Otti']);
  });

  it('deactivates and activates without a path', async () => {
    for (const active of [false, true]) {
      await patch(okta, `/Users/${id}`, [{ op: 'replace', value: { active } }]);
      expect(await operator.services.accounts.find(id)).toMatchObject({ status: active ? 'active' : 'disabled' });
    }
  });

  it('renames a group with its id beside the name, and sets all members', async () => {
    const made = await okta.call('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Team',
      members: [{ value: id, display: 'otto' }],
    });
    const group = String(made.json['id']);
    await patch(okta, `/Groups/${group}`, [{ op: 'replace', value: { id: group, displayName: 'Team Nord' } }]);
    await patch(okta, `/Groups/${group}`, [{ op: 'replace', path: 'members', value: [{ value: id, display: 'otto' }] }]);
    expect((await okta.call('GET', `/Groups/${group}`)).json).toMatchObject({
      displayName: 'Team Nord',
      members: [{ value: id }],
    });
    expect(await operator.services.accounts.find(id)).toMatchObject({ groups: ['Team Nord'] });
  });
});

describe('a PATCH of a list', () => {
  const ims = Array.from({ length: 99 }, (_, n) => ({ value: `${n}`, display: 'x'.repeat(560) }));
  const repeated = Array.from({ length: 100 }, () => ({ type: 'chat', value: 'z' }));

  it('adds a value once, and not if it is there already, whatever the order of its members', async () => {
    const id = await entra.newUser('values.once', { ims });
    const add = { op: 'add', path: 'ims', value: repeated };
    const answer = await patch(entra, `/Users/${id}`, [add, add]);
    expect([answer.status, answer.headers['etag'], answer.json['ims']]).toEqual([200, 'W/"2"', expect.arrayContaining(ims)]);
    expect(answer.json['ims']).toHaveLength(100);
    const again = await patch(entra, `/Users/${id}`, [{ ...add, value: [{ value: 'z', type: 'chat' }] }]);
    expect([again.status, again.headers['etag']]).toEqual([200, 'W/"2"']);
  });

  it('removes those that it names, by their value or by all their members', async () => {
    const [one, two] = [
      { type: 'work', locality: 'Neustadt' },
      { type: 'home', locality: 'Altstadt' },
    ];
    const id = await entra.newUser('values.removed', {
      ims: [{ value: 'a' }, { value: 'b', type: 'chat' }],
      addresses: [one, two],
    });
    const answer = await patch(entra, `/Users/${id}`, [
      { op: 'remove', path: 'ims', value: [{ value: 'b' }, { value: 'unknown' }] },
      { op: 'remove', path: 'addresses', value: [{ locality: 'Neustadt', type: 'work' }] },
    ]);
    expect(answer.json).toMatchObject({ ims: [{ value: 'a' }], addresses: [two] });
  });
});

describe('a PATCH that cannot be understood', () => {
  it.each([
    [{ op: 'replace', path: 'shoeSize', value: 42 }, 'invalidPath'],
    [{ op: 'replace', path: 'name.shoeSize', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'title[type eq "x"]', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq', value: 'x' }, 'invalidPath'],
    [{ op: 'remove', path: 'emails[value eq "a\nb"]' }, 'invalidPath'],
    [{ op: 'remove', path: `emails[${Array.from({ length: 11 }, () => 'type eq "x"').join(' or ')}]` }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type co "x"].value', value: 'a@example.com' }, 'noTarget'],
    [{ op: 'replace', path: '__proto__', value: { polluted: true } }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'name.__proto__', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[__proto__ eq "x"].value', value: 'a@example.com' }, 'noTarget'],
    [{ op: 'replace', path: 'constructor.prototype.polluted', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: { a: 1 } }, 'invalidValue'],
    [{ op: 'replace', value: 'x' }, 'invalidValue'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'mutability'],
    [{ op: 'remove', path: 'active' }, 'mutability'],
    [{ op: 'replace', path: 'userName', value: '' }, 'mutability'],
    [{ op: 'copy', path: 'title' }, 'invalidSyntax'],
    ['x', 'invalidSyntax'],
  ])('such as %j changes nothing', async (operation, scimType) => {
    const id = await entra.newUser(`patched.${Math.random().toString(36).slice(2)}`, { title: 'Before' });
    const answer = await patch(entra, `/Users/${id}`, [{ op: 'replace', path: 'title', value: 'After' }, operation as object]);
    expect([answer.status, answer.json['scimType']]).toEqual([400, scimType]);
    expect((await entra.call('GET', `/Users/${id}`)).json).toMatchObject({ title: 'Before', meta: { version: 'W/"1"' } });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('such as one with too many operations changes nothing', async () => {
    const id = await entra.newUser('many.operations');
    const toOperations = (length: number) => Array.from({ length }, () => ({ op: 'replace', path: 'title', value: 'x' }));
    const withoutPath = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`emails[type eq "${n}"].display`, 'x']));
    for (const operations of [toOperations(1001), toOperations(101), [{ op: 'add', value: withoutPath }]]) {
      const answer = await patch(entra, `/Users/${id}`, operations);
      expect([answer.status, answer.json['scimType']]).toEqual([400, 'tooMany']);
    }
    expect((await entra.call('GET', `/Users/${id}`)).headers['etag']).toBe('W/"1"');
    expect((await patch(entra, `/Users/${id}`, toOperations(100))).status).toBe(200);
    expect((await patch(entra, `/Users/${id}`, [])).status).toBe(400);
    expect((await entra.call('PATCH', `/Users/${id}`, { Operations: [] })).status).toBe(400);
  });
});

describe('a directory that did not see the answer', () => {
  it('creates nobody twice, disables nobody twice, and finds out by asking', async () => {
    await entra.newUser('retry.person', { externalId: 'retry-1' });
    const again = await entra.createUser('retry.person', { externalId: 'retry-1' });
    expect([again.status, again.json['scimType']]).toEqual([409, 'uniqueness']);
    const { json } = await entra.call('GET', '/Users?filter=externalId eq "retry-1"');
    const [{ id } = { id: '' }] = json['Resources'] as { id: string }[];
    for (let tries = 0; tries < 3; tries += 1)
      expect((await patch(entra, `/Users/${id}`, [{ op: 'replace', path: 'active', value: false }])).status).toBe(200);
    const kinds = (await operator.services.audit.list(id)).entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'account.disabled')).toHaveLength(1);
  });

  it('meets another gateway that knows the same', async () => {
    const second = await startTestOperator({
      database: operator.database,
      config: () => ({ scim: [ENTRA], ...change(operator) }),
    });
    const there = new ScimClient(second, ENTRA.tokens[0]);
    const names = Array.from({ length: 6 }, (_, index) => `two.gateways.${index}`);
    const answers = await Promise.all(names.flatMap((name) => [entra.createUser(name), there.createUser(name)]));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...names.map(() => 201), ...names.map(() => 409)]);
    await second.close();
  });

  it('gets its answer while Hydra is down, and the end at Hydra is not forgotten', async () => {
    const id = await entra.newUser('hydra.down');
    operator.hydra.fail();
    const answer = await patch(entra, `/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
    expect([answer.status, await operator.services.accounts.find(id)]).toMatchObject([200, { status: 'disabled' }]);
    const { rows } = await sql`select kind from revocation_job where account_id = ${id}::uuid`.execute(operator.database.db);
    expect(rows).toEqual([{ kind: 'everything' }]);
    operator.hydra.fail(null);
  });

  it('uses a new token beside the old one', async () => {
    const rotated = await startTestOperator({
      database: operator.database,
      config: () => ({ scim: [{ ...ENTRA, tokens: ['n'.repeat(40), ...ENTRA.tokens] }] }),
    });
    for (const token of ['n'.repeat(40), ENTRA.tokens[0]])
      expect((await new ScimClient(rotated, token).call('GET', '/Users?count=0')).status).toBe(200);
    await rotated.close();
  });
});
