/** People whom a directory pushes by SCIM 2.0: what a client may do, and what it must not reach (docs/scim.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ScimUsers } from '../../src/accounts/scim/scim-users.js';
import { ENTERPRISE, GROUP, PATCH, ScimClient, USER, scimSource } from '../support/scim-client.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const ENTRA = scimSource('entra', {
  attributes: { department: `${ENTERPRISE}:department`, job: 'title' },
});
const OTHER = scimSource('other', { onDelete: 'disable', password: true, emailVerified: true });
const SCHEMA = { properties: { department: { type: 'string', maxLength: 20 }, job: { type: 'string' }, nickname: false } };

let operator: TestOperator;
let entra: ScimClient;
let other: ScimClient;
/** How often a change of a person was worked out. */
let evaluations = 0;
let names = 0;
const newName = (): string => `person.${(names += 1)}`;

beforeAll(async () => {
  operator = await startTestOperator({
    config: ({ accounts }) => ({ scim: [ENTRA, OTHER], accounts: { ...accounts, schema: SCHEMA } }),
    instead: { part: ScimUsers, build: countEvaluations },
  });
  entra = new ScimClient(operator, ENTRA.tokens[0]);
  other = new ScimClient(operator, OTHER.tokens[0]);
});
afterAll(() => operator.close());

function countEvaluations(users: ScimUsers): ScimUsers {
  const change = users.change.bind(users);
  users.change = (named, toChanged, hasPassword) =>
    change(
      named,
      (stored) => {
        evaluations += 1;
        return toChanged(stored);
      },
      hasPassword,
    );
  return users;
}

const findAccount = (id: string) => operator.services.accounts.find(id);
const listKinds = async (id: string) => (await operator.services.audit.list(id)).entries.map(({ kind }) => kind);
const faults = async () => {
  const { rows } = await sql<Record<string, unknown>>`select * from scim_fault order by at`.execute(operator.database.db);
  return rows;
};

describe('a token', () => {
  it('of a source is needed, and opens nothing else', async () => {
    const none = await new ScimClient(operator, undefined).call('GET', '/Users');
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(none.json).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' });
    expect((await new ScimClient(operator, operator.token).call('GET', '/Users')).status).toBe(401);
    const headers = { authorization: `Bearer ${ENTRA.tokens[0]}` };
    expect((await operator.call('GET', '/accounts', undefined, headers)).status).toBe(401);
  });

  it('is not needed where no source is set: the path is unknown', async () => {
    const plain = await startTestOperator({ database: operator.database });
    const answer = await new ScimClient(plain, plain.token).call('GET', '/Users');
    expect(answer.status).toBe(404);
    await plain.close();
  });
});

describe('a new person', () => {
  it('gets an account with the values of the source, and nobody is told a secret', async () => {
    const answer = await entra.createUser('Maria.Muster', {
      schemas: [USER, ENTERPRISE],
      externalId: 'e-1',
      name: { givenName: 'Maria', familyName: 'Muster', middleName: '' },
      emails: [
        { value: 'private@example.org', type: 'home' },
        { value: 'maria@example.com', type: 'work', primary: 'True' },
      ],
      phoneNumbers: [{ value: '+49 30 1234', type: 'work' }],
      addresses: [{ locality: 'Berlin', country: 'DE', type: 'work' }],
      title: 'Buyer',
      nickName: 'Mimi',
      preferredLanguage: 'de-AT',
      timezone: 'Europe/Berlin',
      active: true,
      password: 'not kept here',
      [ENTERPRISE]: { department: 'Purchase', manager: 'm-7' },
      unknown: { deep: true },
      groups: [{ value: 'ignored' }],
    });
    expect(answer.status).toBe(201);
    const id = String(answer.json['id']);
    expect(answer.headers['location']).toBe(`${operator.url}/scim/v2/Users/${id}`);
    expect(answer.headers['etag']).toBe('W/"1"');
    expect(answer.json).toMatchObject({
      schemas: [USER, ENTERPRISE],
      userName: 'Maria.Muster',
      externalId: 'e-1',
      active: true,
      nickName: 'Mimi',
      [ENTERPRISE]: { department: 'Purchase', manager: { value: 'm-7' } },
      meta: { resourceType: 'User', version: 'W/"1"' },
    });
    for (const name of ['password', 'unknown', 'groups']) expect(answer.json).not.toHaveProperty(name);
    expect(await findAccount(id)).toMatchObject({
      username: 'Maria.Muster',
      displayName: 'Maria Muster',
      email: 'maria@example.com',
      emailVerified: false,
      language: 'de',
      status: 'active',
      attributes: {
        given_name: 'Maria',
        family_name: 'Muster',
        phone_number: '+49 30 1234',
        address: { locality: 'Berlin', country: 'DE' },
        zoneinfo: 'Europe/Berlin',
        department: 'Purchase',
        job: 'Buyer',
      },
    });
    const events = (await operator.services.audit.list(id)).entries;
    expect(events.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual([
      ['source.connected', 'system', { source: 'scim:entra' }],
      ['account.created', 'system', { source: 'scim:entra' }],
    ]);
    expect((await entra.call('GET', `/Users/${id}`)).json).toEqual(answer.json);
  });

  it.each([
    ['without a name', {}, 'invalidValue', /^userName is missing/],
    ['without schemas', { schemas: undefined, userName: 'nobody' }, 'invalidSyntax', /schemas/],
    ['with a name that no account can have', { userName: 'a b' }, 'invalidValue', /^userName is refused/],
    ['with an invalid address', { userName: 'nobody', emails: [{ value: 'x' }] }, 'invalidValue', /^emails/],
    [
      'that is too long for ACCOUNT_SCHEMA',
      { userName: 'nobody', [ENTERPRISE]: { department: 'x'.repeat(21) } },
      'invalidValue',
      /department/,
    ],
    ['with a wrong type', { userName: 'nobody', name: 'Maria' }, 'invalidValue', /^name must be a JSON object/],
    ['with a name twice', { userName: 'nobody', USERNAME: 'somebody' }, 'invalidSyntax', /twice/],
    ['with NUL', { userName: 'nobody', title: 'a\u0000b' }, 'invalidValue', /^title/],
    ['with half a surrogate pair', { userName: 'nobody', title: '\ud800' }, 'invalidValue', /^title/],
    [
      'with too many values',
      { userName: 'nobody', roles: Array.from({ length: 101 }, (_, n) => `${n}`) },
      'invalidValue',
      /^roles/,
    ],
  ])('is refused %s, and nothing is written', async (_, more, scimType, detail) => {
    const answer = await entra.call('POST', '/Users', { schemas: [USER], ...more });
    expect([answer.status, answer.json['scimType']]).toEqual([400, scimType]);
    expect(answer.json['detail']).toMatch(detail);
    expect(await operator.services.accounts.findByUsername('nobody')).toBeNull();
  });

  it.each([
    ['userName', { userName: 'x'.repeat(256) }],
    ['userName', { userName: '\ufdfa'.repeat(255) }],
    ['externalId', { externalId: 'x'.repeat(256) }],
    ['externalId', { externalId: 'a\nb' }],
    ['emails.value', { emails: [{ value: 'a@x.example', primary: true }, { value: 'x'.repeat(256) }] }],
    ['emails.value', { emails: ['x'.repeat(256)] }],
    ['emails.value', { emails: [{ value: 'a@x.example', primary: true }, { value: 'a\tb' }] }],
  ])('is refused with %s that is too long for an index or has control characters: %j', async (field, more) => {
    const { status, json } = await entra.createUser('nobody', more);
    expect([status, json['scimType']]).toEqual([400, 'invalidValue']);
    expect(json['detail']).toMatch(new RegExp(`^${field} (?:is longer than 255|has control|contains) characters`));
    if (field !== 'externalId') return;
    const group = await entra.call('POST', '/Groups', { schemas: [GROUP], displayName: newName(), ...more });
    expect([group.status, group.json['detail']]).toEqual([400, json['detail']]);
  });

  it('may have an id and further addresses of 255 characters', async () => {
    const longest = Array.from({ length: 255 }, (_, n) => String.fromCodePoint(0x4e_00 + n * 80)).join('');
    const emails = [{ value: 'a@long.example', primary: true }, { value: longest }];
    expect((await entra.createUser(newName(), { externalId: longest, emails })).status).toBe(201);
  });

  it('is refused with a name, id or address that is taken, which is said without a word about whose it is', async () => {
    const here = await operator.services.accounts.create({ username: 'somebody.here' });
    const name = newName();
    await entra.newUser(name, { externalId: `e-${name}` });
    for (const [more, field] of [
      [{ userName: 'SOMEBODY.here' }, 'userName'],
      [{ userName: name }, 'userName'],
      [{ userName: newName(), externalId: `e-${name}` }, 'externalId'],
      [{ userName: newName(), emails: [{ value: 'somebody.here@x.example' }], externalId: 'e-9' }, undefined],
    ] as const) {
      const answer = await entra.createUser(more.userName, more);
      if (field === undefined) {
        expect(answer.status).toBe(201);
        continue;
      }
      expect([answer.status, answer.json['scimType']]).toEqual([409, 'uniqueness']);
      expect(answer.json['detail']).toMatch(new RegExp(`^${field} `));
      expect(JSON.stringify(answer.json)).not.toContain('entra');
    }
    const noted = (await faults()).find(({ subject }) => subject === 'userName:SOMEBODY.here');
    expect(noted).toMatchObject({
      source: 'scim:entra',
      method: 'POST',
      code: 'uniqueness',
      field: 'userName',
      account_id: here.id,
    });
  });

  it('whom two requests create at once gets one account', async () => {
    const name = newName();
    const answers = await Promise.all(Array.from({ length: 5 }, () => entra.createUser(name, { externalId: `x-${name}` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
    const { json } = await entra.call('GET', `/Users?filter=userName eq "${name}"`);
    expect(json).toMatchObject({ totalResults: 1 });
  });

  it('who is not active gets an account that is disabled until the source enables it', async () => {
    const id = await entra.newUser(newName(), { active: 'False' });
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
    expect(await findAccount(id)).toMatchObject({ status: 'active' });
  });

  it('has the password that the client sends only where the source says so, and only a good one', async () => {
    const bad = await other.createUser(newName(), { password: 'short' });
    expect([bad.status, bad.json['detail']]).toEqual([400, expect.stringMatching(/^password does not meet/)]);
    const name = newName();
    const id = await other.newUser(name, { password: 'kupfer linde 4821', emails: [{ value: `${name}@example.com` }] });
    expect(await findAccount(id)).toMatchObject({ emailVerified: true });
    expect(await listKinds(id)).toContain('password.changed');
    expect(JSON.stringify(await other.call('GET', `/Users/${id}`))).not.toContain('kupfer');
  });
});

describe('a person', () => {
  it('of another source, or without one, does not exist', async () => {
    const here = await operator.services.accounts.create({ username: newName() });
    const mine = await other.newUser(newName());
    for (const id of [here.id, mine, 'nobody', "'; --", '00000000-0000-0000-0000-000000000000']) {
      expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
      expect((await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(404);
      expect((await entra.call('PUT', `/Users/${id}`, { schemas: [USER], userName: newName() })).status).toBe(404);
      expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(404);
    }
    expect(await findAccount(here.id)).toMatchObject({ status: 'active' });
    expect((await entra.call('GET', `/Users?filter=id eq "${mine}"`)).json).toMatchObject({ totalResults: 0 });
  });

  it('who is disabled at the source loses all access at once, and gets it back from the source alone', async () => {
    const id = await entra.newUser(newName());
    const disabled = await entra.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect([disabled.status, disabled.json['active']]).toEqual([200, false]);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    const [event] = (await operator.services.audit.list(id)).entries;
    expect(event).toMatchObject({ kind: 'account.disabled', detail: { source: 'scim:entra', state: 'disabled' } });
    await entra.patch(`/Users/${id}`, { op: 'replace', value: { active: true } });
    expect(await findAccount(id)).toMatchObject({ status: 'active' });
  });

  it('whom an operator has disabled stays disabled, whatever the source says', async () => {
    const id = await entra.newUser(newName());
    await operator.call('POST', `/accounts/${id}/disable`);
    for (const active of [true, false, true]) await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: active });
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
  });

  it('whom an operator disables after the source did stays disabled too', async () => {
    for (const isEnabledFirst of [true, false]) {
      const id = await entra.newUser(newName());
      await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
      if (isEnabledFirst) await operator.call('POST', `/accounts/${id}/enable`);
      await operator.call('POST', `/accounts/${id}/disable`);
      await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
      expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    }
  });

  it('is replaced by PUT; what the source no longer has is removed, and what it never had stays', async () => {
    const name = newName();
    const id = await entra.newUser(name, { title: 'Buyer', displayName: 'Before', emails: [{ value: `${name}@example.com` }] });
    await operator.services.accounts.update(id, { attributes: { website: 'https://example.org' } });
    const answer = await entra.call('PUT', `/Users/${id}`, { schemas: [USER], userName: `${name}.new` });
    expect([answer.status, answer.headers['etag']]).toEqual([200, 'W/"2"']);
    const account = await findAccount(id);
    expect(account).toMatchObject({ username: `${name}.new`, displayName: `${name}.new`, status: 'active' });
    expect(account?.attributes).toEqual({ website: 'https://example.org' });
    expect(account).not.toHaveProperty('email');
  });

  it('gets no empty value when a part of a list is set to null', async () => {
    const id = await entra.newUser(newName());
    const setNull = (path: string) => entra.patch(`/Users/${id}`, { op: 'replace', path, value: null });
    expect((await setNull('emails.value')).json).not.toHaveProperty('emails');
    await entra.patch(`/Users/${id}`, {
      op: 'add',
      path: 'phoneNumbers',
      value: [{ value: '+49 1', type: 'work' }, { type: 'home' }],
    });
    expect((await setNull('phoneNumbers.type')).json).toMatchObject({ phoneNumbers: [{ value: '+49 1' }] });
    const { rows } = await sql<{
      resource: object;
    }>`select resource from scim_user where account_id = ${id}::uuid`.execute(operator.database.db);
    expect(rows[0]?.resource).toMatchObject({ phoneNumbers: [{ value: '+49 1' }] });
  });

  it('keeps the primary address that an operation adds again', async () => {
    const own = { value: 'again@primary.example', primary: true };
    const id = await entra.newUser(newName(), { emails: [{ value: 'other@primary.example' }, own] });
    const answer = await entra.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [own] });
    expect(answer.json).toMatchObject({ emails: [{ value: 'other@primary.example' }, own] });
    expect(await findAccount(id)).toMatchObject({ email: 'again@primary.example' });
  });

  it('has one primary address, also if an operation on another address makes that one primary', async () => {
    const emails = [{ value: 'first@one-primary.example', primary: true }, { value: 'second@one-primary.example' }];
    const id = await entra.newUser(newName(), { emails });
    const path = 'emails[value eq "second@one-primary.example"].primary';
    const answer = await entra.patch(`/Users/${id}`, { op: 'replace', path, value: true });
    expect(answer.json).toMatchObject({ emails: [{ primary: false }, { primary: true }] });
    expect(await findAccount(id)).toMatchObject({ email: 'second@one-primary.example' });
  });

  it.each([
    ['the path of the part', 'emails.primary', [false, true, false]],
    ['a filter that matches two', 'emails[type eq "home"].primary', [true, false, false]],
    ['a filter that matches two, one of them primary', 'emails[type eq "work"].primary', [false, true, false]],
  ])('has one primary address, also if an operation makes several primary: %s', async (_case, path, primaries) => {
    const values = [{ type: 'home' }, { type: 'work', primary: true }, {}].map((one, index) => ({
      ...one,
      value: `${index}@several-primary.example`,
    }));
    const emails = [...values.slice(0, 2), { ...values[2], type: path.includes('home') ? 'home' : 'work' }];
    const id = await entra.newUser(newName(), { emails });
    const { json } = await entra.patch(`/Users/${id}`, { op: 'replace', path, value: true });
    expect((json['emails'] as { primary?: boolean }[]).map(({ primary = false }) => primary)).toEqual(primaries);
  });

  it('has an address once that an operation adds again as primary, but once for each type', async () => {
    const [one, other] = ['one', 'other'].map((name) => ({ value: `${name}@twice.example`, type: 'work' }));
    const id = await entra.newUser(newName(), { emails: [{ ...other, primary: true }, one] });
    const add = async (value: object) => (await entra.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [value] })).json;
    expect((await add({ value: one?.value, primary: true }))['emails']).toEqual([
      { ...other, primary: false },
      { ...one, primary: true },
    ]);
    expect((await add({ value: one?.value, type: 'home' }))['emails']).toHaveLength(3);
  });

  it('keeps a part to which an operation adds an empty value', async () => {
    const id = await entra.newUser(newName(), { title: 'Buyer', name: { givenName: 'Nora' } });
    for (const path of ['title', 'name.givenName']) await entra.patch(`/Users/${id}`, { op: 'add', path, value: '' });
    const { json } = await entra.call('GET', `/Users/${id}`);
    expect(json).toMatchObject({ title: 'Buyer', name: { givenName: 'Nora' } });
  });

  it('who is too large is refused, without the name of an attribute', async () => {
    const value = 'x'.repeat(700);
    const parts = { value, display: value };
    const answer = await entra.createUser(newName(), {
      externalId: 'too-large',
      phoneNumbers: Array.from({ length: 60 }, (_, index) => ({ ...parts, type: `${index}` })),
    });
    expect([answer.status, answer.json['detail']]).toEqual([400, 'The resource is larger than 64 kB.']);
    expect((await faults()).filter(({ subject }) => subject === 'externalId:too-large')).toMatchObject([{ field: '' }]);
  });

  it('is changed at most once: the same again makes neither a version nor an event', async () => {
    const id = await entra.newUser(newName(), { title: 'Buyer' });
    const before = await listKinds(id);
    const answer = await entra.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Buyer' });
    expect(answer.headers['etag']).toBe('W/"1"');
    expect(await listKinds(id)).toEqual(before);
  });

  it.each([
    ['without passwords', () => entra, { path: 'password', value: 'kupfer linde 4821' }, 1],
    ['with passwords, of something else', () => other, { path: 'title', value: 'x' }, 1],
    ['with passwords, of a password', () => other, { path: `${USER}:PassWord`, value: 'kupfer linde 4821' }, 2],
    ['with passwords, of a password without a path', () => other, { value: { PASSWORD: 'kupfer linde 4821' } }, 2],
  ])('of a source %s: a change is worked out only as often as it has to be', async (_, client, operation, times) => {
    const id = await client().newUser(newName());
    evaluations = 0;
    expect((await client().patch(`/Users/${id}`, { op: 'replace', ...operation })).status).toBe(200);
    expect(evaluations).toBe(times);
    expect((await listKinds(id)).includes('password.changed')).toBe(times === 2);
  });

  it('keeps each of many changes that come at once', async () => {
    const id = await entra.newUser(newName());
    const paths = ['title', 'displayName', 'userType', 'name.givenName', 'name.familyName', 'timezone', 'nickName', 'externalId'];
    await Promise.all(paths.map((path) => entra.patch(`/Users/${id}`, { op: 'replace', path, value: `new ${path}` })));
    const { json, headers } = await entra.call('GET', `/Users/${id}`);
    expect(json).toMatchObject({
      ...{ title: 'new title', displayName: 'new displayName', userType: 'new userType', timezone: 'new timezone' },
      ...{ name: { givenName: 'new name.givenName', familyName: 'new name.familyName' }, nickName: 'new nickName' },
      externalId: 'new externalId',
    });
    expect(headers['etag']).toBe('W/"9"');
  });

  it('is changed only in the version that the client knows', async () => {
    const id = await entra.newUser(newName());
    const change = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'title', value: 'A' }] };
    expect((await entra.call('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"7"' })).status).toBe(412);
    expect((await entra.call('PATCH', `/Users/${id}`, change, { 'if-match': 'W/"1"' })).status).toBe(200);
    expect((await entra.call('DELETE', `/Users/${id}`, undefined, { 'if-match': 'W/"1"' })).status).toBe(412);
    const readIfChanged = (query: string) => entra.call('GET', `/Users/${id}${query}`, undefined, { 'if-none-match': 'W/"2"' });
    const unchanged = await readIfChanged('?excludedAttributes=groups');
    expect([unchanged.status, unchanged.json]).toEqual([304, {}]);
    // A change of the groups does not change the version.
    await entra.call('POST', '/Groups', { schemas: [GROUP], displayName: newName(), members: [{ value: id }] });
    expect(await readIfChanged('')).toMatchObject({ status: 200, json: { groups: [expect.anything()] } });
  });

  it('whom an operator unlinks stays here, and the source no longer sees the account', async () => {
    const name = newName();
    const id = await entra.newUser(name, { externalId: `e-${name}` });
    expect((await operator.call('DELETE', `/accounts/${id}/source`)).status).toBe(200);
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(404);
    expect((await entra.createUser(name, { externalId: `e-${name}` })).status).toBe(409);
    expect(await findAccount(id)).toMatchObject({ status: 'active' });
  });

  it('loses sessions and grants with the account', async () => {
    const id = await entra.newUser(newName());
    await sql`
      insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at)
      values (${id}::uuid, ${`sid-${id}`}, 'browser', now(), '1', '{pwd}', now() + interval '1 day')`.execute(
      operator.database.db,
    );
    await sql`
      insert into consent_grant (account_id, client_id, scope, granted_at, expires_at)
      values (${id}::uuid, 'portal', 'openid', now(), now() + interval '1 day')`.execute(operator.database.db);
    operator.hydra.fail();
    await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    operator.hydra.fail(null);
    const { rows } = await sql<Record<string, unknown>>`
      select (select count(*)::integer from browser_session where account_id = ${id}::uuid) as sessions,
        (select count(*)::integer from consent_grant where account_id = ${id}::uuid) as grants,
        (select session_ids from revocation_job where account_id = ${id}::uuid) as waiting`.execute(operator.database.db);
    expect(rows).toEqual([{ sessions: 0, grants: 0, waiting: [`sid-${id}`] }]);
  });

  it('is deleted with everything, and a retry finds nobody', async () => {
    const id = await entra.newUser(newName());
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await findAccount(id)).toBeNull();
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(404);
  });

  it('is only disabled where the source says so, and comes back when the source creates the person again', async () => {
    const name = newName();
    const id = await other.newUser(name, { externalId: `o-${name}` });
    expect((await other.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    expect((await other.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await other.call('GET', `/Users?filter=userName eq "${name}"`)).json).toMatchObject({ totalResults: 0 });
    expect(await other.newUser(`${name}.again`, { externalId: `o-${name}` })).toBe(id);
    expect(await findAccount(id)).toMatchObject({ status: 'active', username: `${name}.again` });
  });

  it('who was deleted does not leave the account to somebody who gets the same username later', async () => {
    const name = newName();
    const id = await other.newUser(name, { externalId: `o-${name}` });
    await other.call('DELETE', `/Users/${id}`);
    expect((await other.createUser(name, { externalId: `another-${name}` })).status).toBe(409);
    expect((await other.createUser(name)).status).toBe(409);
    const again = await Promise.all([1, 2, 3].map(() => other.createUser(name, { externalId: `o-${name}` })));
    expect(again.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });
});

describe('an operator', () => {
  const grant = (accountId: string) =>
    operator.services.grants.grant({ accountId, right: 'support', endsAt: null }, { actor: 'operator' });

  it('does not come from the groups or attributes that a source writes', async () => {
    const ruled = await startTestOperator({
      database: operator.database,
      config: ({ operator: own, accounts }) => ({
        scim: [ENTRA],
        accounts: { ...accounts, schema: SCHEMA },
        operator: {
          ...own,
          rules: [
            { attribute: 'department', value: 'IT', right: 'admin' },
            { group: 'IT', right: 'admin' },
          ],
        },
      }),
    });
    const id = await new ScimClient(ruled, ENTRA.tokens[0]).newUser(newName(), { [ENTERPRISE]: { department: 'IT' } });
    const { id: local } = await ruled.services.accounts.create({ username: newName(), attributes: { department: 'IT' } });
    await ruled.services.accounts.update(id, { groups: ['IT'], groupName: 'IT' });
    const { json } = await ruled.call('GET', '/operators');
    expect(JSON.stringify(json)).not.toContain(id);
    expect(await ruled.services.grants.find(id)).toMatchObject({ rights: [] });
    expect(await ruled.services.grants.find(local)).toMatchObject({ rights: [{ right: 'admin' }] });
    await ruled.close();
  });

  it('cannot be renamed, given another address or enabled by a source; it can be disabled', async () => {
    const name = newName();
    const id = await other.newUser(name, { externalId: `o-${name}`, emails: [{ value: `${name}@example.com` }] });
    await grant(id);
    for (const operation of [
      { op: 'replace', path: 'userName', value: newName() },
      { op: 'replace', path: 'externalId', value: 'x' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'thief@example.com' },
      { op: 'replace', path: 'password', value: 'kupfer linde 4821' },
    ]) {
      const answer = await other.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lost' }, operation);
      expect([operation.path, answer.status]).toEqual([operation.path, 403]);
    }
    expect((await other.call('GET', `/Users/${id}`)).json).not.toHaveProperty('title');
    expect((await other.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'New' })).status).toBe(200);
    expect((await other.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled', displayName: 'New' });
    expect((await other.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })).status).toBe(403);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    expect((await faults()).filter(({ account_id }) => account_id === id || account_id === null).length).toBeGreaterThan(0);
  });

  it('is not deleted by a source: the account is disabled, and operators are told', async () => {
    const name = newName();
    const id = await entra.newUser(name, { externalId: `e-${name}` });
    await grant(id);
    expect((await entra.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await faults()).find(({ account_id, code }) => account_id === id && code === 'operator')).toMatchObject({
      method: 'DELETE',
    });
    // Creating the person again does not enable the account.
    expect((await entra.createUser(name, { externalId: `e-${name}` })).status).toBe(403);
    expect(await findAccount(id)).toMatchObject({ status: 'disabled' });
  });
});

describe('a refused call', () => {
  it('is one row however often it is tried, and is forgotten when it succeeds', async () => {
    const name = newName();
    const { id } = await operator.services.accounts.create({ username: name });
    for (let tries = 0; tries < 3; tries += 1) await entra.createUser(name);
    const find = async () => (await faults()).filter(({ subject }) => subject === `userName:${name}`);
    expect(await find()).toMatchObject([{ times: 3, code: 'uniqueness' }]);
    await operator.services.accounts.update(id, { username: newName() });
    await entra.newUser(name);
    expect(await find()).toEqual([]);
  });

  it('of a change of an operator is not forgotten by a call that succeeds, and is in the log', async () => {
    const name = newName();
    const id = await other.newUser(name, { emails: [{ value: `${name}@example.com` }] });
    await operator.services.grants.grant({ accountId: id, right: 'support', endsAt: null }, { actor: 'operator' });
    const steal = { op: 'replace', path: 'emails', value: [{ value: 'thief@example.com' }] };
    expect((await other.patch(`/Users/${id}`, steal)).status).toBe(403);
    expect((await other.patch(`/Users/${id}`, { op: 'replace', path: 'shoeSize', value: 1 })).status).toBe(400);
    expect((await other.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'harmless' })).status).toBe(200);
    expect((await faults()).filter(({ account_id }) => account_id === id)).toMatchObject([{ code: '403', field: 'emails' }]);
    const warning = { level: 40, source: 'scim:other', account: id, method: 'PATCH', field: 'emails' };
    expect(operator.logLines.filter(({ account }) => account === id)).toMatchObject([warning]);
    expect(JSON.stringify(operator.logLines)).not.toContain('thief@example.com');
  });

  it('of a password that is frozen is not a change of an operator, and is forgotten when it succeeds', async () => {
    const id = await other.newUser(newName());
    const account = operator.database.db.updateTable('account').where('id', '=', id);
    await account.set({ credentials_frozen_until: new Date(operator.clock.now().getTime() + 60_000) }).execute();
    const setPassword = () => other.patch(`/Users/${id}`, { op: 'replace', path: 'password', value: 'kupfer linde 4821' });
    const find = async () => (await faults()).filter(({ account_id }) => account_id === id);
    expect((await setPassword()).status).toBe(403);
    expect(await find()).toMatchObject([{ code: 'mutability', field: 'password' }]);
    expect(operator.logLines.filter((line) => line['account'] === id)).toEqual([]);
    await account.set({ credentials_frozen_until: null }).execute();
    expect((await setPassword()).status).toBe(200);
    expect(await find()).toEqual([]);
  });

  it('is not shown with an account that does not belong to the source', async () => {
    const { id: here } = await operator.services.accounts.create({ username: newName() });
    const [foreign, own] = [await other.newUser(newName()), await entra.newUser(newName())];
    for (const id of [here, foreign, own]) expect((await entra.patch(`/Users/${id}`, { op: 'x' })).status).toBe(400);
    const rows = (await faults()).filter(({ subject }) => [here, foreign, own].some((id) => subject === `id:${id}`));
    expect(rows.map(({ account_id }) => account_id)).toEqual([null, null, own]);
  });
});
