/** Lists, filters, orders, projections and the description of the server (RFC 7644, sections 3.4.2, 3.9 and 4). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ENTERPRISE, GROUP, ScimClient, USER, scimSource } from '../support/scim-client.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const SOURCE = scimSource('entra');
const OTHER = scimSource('other', { password: true });
const NAMES = ['anna', 'bert', 'cora', 'dora', 'emil'];

let operator: TestOperator;
let client: ScimClient;
const ids = new Map<string, string>();
let group = '';

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ scim: [SOURCE, OTHER] }) });
  client = new ScimClient(operator, SOURCE.tokens[0]);
  for (const [index, name] of NAMES.entries()) {
    const emails = [
      { value: `${name}@Example.com`, type: 'work', primary: true },
      { value: `${name}@home.example`, type: 'home' },
    ];
    ids.set(name, await client.newUser(name, { externalId: `x${9 - index}`, emails, [ENTERPRISE]: { department: 'IT' } }));
  }
  const made = await client.call('POST', '/Groups', {
    schemas: [GROUP],
    displayName: 'IT',
    members: [{ value: ids.get('bert') }],
  });
  group = String(made.json['id']);
});
afterAll(() => operator.close());

const list = async (query: string, path = '/Users') => (await client.call('GET', `${path}?${query}`)).json;
const toNames = (json: Record<string, unknown>) =>
  (json['Resources'] as Record<string, string>[]).map(({ userName }) => userName);

describe('a filter', () => {
  it.each([
    ['userName eq "BERT"', ['bert']],
    [`${USER}:userName eq "bert"`, ['bert']],
    ['externalId eq "x9"', ['anna']],
    ['externalId eq "X9"', []],
    ['emails eq "cora@example.COM"', ['cora']],
    ['emails.value eq "cora@home.example"', ['cora']],
    ['emails[type eq "work"].value eq "cora@example.com"', ['cora']],
    ['emails[type eq "home"].value eq "cora@example.com"', []],
    ['emails[type eq "home" and value eq "cora@home.example"]', ['cora']],
    ['userName eq "bert" and externalId eq "x8"', ['bert']],
    ['userName eq "bert" and externalId eq "x9"', []],
    ['meta.lastModified gt "2020-01-01T00:00:00Z" and userName eq "dora"', ['dora']],
    ['meta.lastModified lt "2020-01-01T00:00:00Z"', []],
    ['userName eq "a\\"b"', []],
  ])('%s finds %j', async (filter, expected) => {
    const json = await list(`filter=${filter}`);
    expect([toNames(json), json['totalResults'], json['itemsPerPage']]).toEqual([expected, expected.length, expected.length]);
  });

  it('by id finds one, and groups by name and member', async () => {
    expect(toNames(await list(`filter=id eq "${ids.get('emil')}"`))).toEqual(['emil']);
    for (const filter of [
      'displayName eq "it"',
      `members.value eq "${ids.get('bert')}"`,
      `members[value eq "${ids.get('bert')}"]`,
    ])
      expect(await list(`filter=${filter}`, '/Groups')).toMatchObject({ totalResults: 1, Resources: [{ id: group }] });
    expect(await list(`filter=members eq "${ids.get('anna')}"`, '/Groups')).toMatchObject({ totalResults: 0 });
  });

  it.each([
    'userName co "a"',
    'title eq "x"',
    'userName eq "a" or userName eq "b"',
    'not (userName eq "a")',
    'userName pr',
    'emails[type eq "work"]',
    'emails[type eq "work" and type eq "home" and value eq "x"]',
    'emails[type eq "work" and value eq "x"] and emails[type eq "home"]',
    'userName eq 7',
    'userName eq',
    '((((',
    '('.repeat(900),
    'x'.repeat(1001),
    'meta.lastModified gt "yesterday"',
    '__proto__ eq "x"',
  ])('%s is refused, in words that name what there is', async (filter) => {
    const { status, json } = await client.call('GET', `/Users?filter=${filter}`);
    expect([status, json['scimType']]).toEqual([400, 'invalidFilter']);
  });

  // The parser takes twice the time for each line break within quotes, and before it all of them are refused.
  it.each([
    [`userName eq "${'\n'.repeat(10)}`, /control characters/],
    [`userName eq "a\r\n"`, /control characters/],
    ['emails[type eq "\u0000" and value eq "x"]', /control characters/],
    [`userName eq "${'\\'.repeat(980)}`, /cannot be read/],
    [`userName eq "${'\\"'.repeat(490)}`, /cannot be read/],
    [`userName eq ${'1'.repeat(980)}:`, /cannot be read/],
    [Array.from({ length: 11 }, () => 'id eq "a"').join(' and '), /at most 10 comparisons/],
  ])('%j is refused before it costs anything', async (filter, detail) => {
    for (const resource of ['Users', 'Groups']) {
      const { status, json } = await client.call('POST', `/${resource}/.search`, { filter });
      expect([status, json['scimType'], json['detail']]).toEqual([400, 'invalidFilter', expect.stringMatching(detail)]);
    }
  });
});

describe('names of attributes', () => {
  const search = (more: object) => client.call('POST', '/Users/.search', { count: 1, ...more });
  const toList = (length: number) => Array.from({ length }, (_, n) => `emails.x${n}`);

  it.each(['attributes', 'excludedAttributes'])('in %s are at most a hundred', async (name) => {
    expect((await search({ [name]: toList(100) })).status).toBe(200);
    for (const given of [toList(101), toList(101).join(',')])
      expect(await search({ [name]: given })).toMatchObject({
        status: 400,
        json: { scimType: 'invalidValue', detail: `${name} has more than 100 names.` },
      });
    expect((await search({ [name]: [['title']] })).status).toBe(400);
  });

  it('count once, however often they are given', async () => {
    const attributes = Array.from({ length: 70_000 }, () => 'emails.type').join(',');
    const { status, json } = await search({ attributes, filter: 'userName eq "anna"' });
    expect([status, json['Resources']]).toMatchObject([200, [{ emails: [{ type: 'work' }, { type: 'home' }] }]]);
  });

  it('of parts that a text does not have leave it as it is', async () => {
    const { json } = await search({ excludedAttributes: 'userName.x', filter: 'userName eq "anna"' });
    expect(json['Resources']).toMatchObject([{ userName: 'anna' }]);
  });
});

describe('a list', () => {
  it('is sorted and cut in pages', async () => {
    expect(toNames(await list('sortBy=userName&sortOrder=descending&count=2'))).toEqual(['emil', 'dora']);
    expect(toNames(await list('sortBy=externalId'))).toEqual([...NAMES].toReversed());
    expect(toNames(await list('sortBy=meta.created&startIndex=4&count=10'))).toEqual(['dora', 'emil']);
    expect(await list('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] });
    expect(await list('startIndex=0&count=-3')).toMatchObject({ startIndex: 1, Resources: [] });
    expect(await list('startIndex=99999')).toMatchObject({ totalResults: 5, Resources: [] });
    for (const query of ['sortBy=title', 'sortBy=__proto__', 'sortOrder=up', 'count=x', 'startIndex=1.5', 'filter=a&filter=b'])
      expect((await client.call('GET', `/Users?${query}`)).status).toBe(400);
  });

  it('can be asked for by POST', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const body = { schemas, filter: 'userName eq "anna"', attributes: ['userName'], startIndex: 1, count: 5 };
    const { json } = await client.call('POST', '/Users/.search', body);
    expect(json).toMatchObject({
      totalResults: 1,
      Resources: [{ id: ids.get('anna'), userName: 'anna', schemas: [USER, ENTERPRISE] }],
    });
    expect(await client.call('POST', '/Groups/.search', { schemas })).toMatchObject({ status: 200, json: { totalResults: 1 } });
    const searchAll = async (more: object) => (await client.call('POST', '/.search', { schemas, ...more })).json;
    expect(await searchAll({ startIndex: 5, count: 2 })).toMatchObject({
      totalResults: 6,
      itemsPerPage: 2,
      Resources: [{}, { id: group }],
    });
    expect(await searchAll({ filter: 'userName eq "anna"' })).toMatchObject({ totalResults: 1 });
    expect(await searchAll({ filter: 'displayName eq "IT"' })).toMatchObject({ totalResults: 1, Resources: [{ id: group }] });
    expect(await searchAll({ filter: 'title eq "x"' })).toMatchObject({ scimType: 'invalidFilter' });
  });
});

describe('a projection', () => {
  const read = async (query: string) => (await client.call('GET', `/Users/${ids.get('bert')}?${query}`)).json;

  it('keeps what is named, and always id and schemas', async () => {
    const named = await read(`attributes=username,emails.VALUE,${ENTERPRISE}:department`);
    expect(named).toEqual({
      ...{ schemas: [USER, ENTERPRISE], id: ids.get('bert'), userName: 'bert' },
      emails: [{ value: 'bert@Example.com' }, { value: 'bert@home.example' }],
      [ENTERPRISE]: { department: 'IT' },
    });
    expect(Object.keys(await read('excludedAttributes=id,emails,groups,meta.version')).toSorted()).toEqual(
      ['schemas', 'id', 'userName', 'externalId', 'active', 'meta', ENTERPRISE].toSorted(),
    );
    const twice = 'attributes=title&excludedAttributes=title';
    const refused = await client.call('POST', `/Users?${twice}`, { schemas: [USER], userName: 'not.made' });
    expect([refused.status, (await list('filter=userName eq "not.made"'))['totalResults']]).toEqual([400, 0]);
    expect(await read('attributes=password')).toEqual({ schemas: [USER, ENTERPRISE], id: ids.get('bert') });
  });
});

describe('the description of the server', () => {
  it('says what there is', async () => {
    const config = (await client.call('GET', '/ServiceProviderConfig')).json;
    expect(config).toMatchObject({
      ...{ patch: { supported: true }, bulk: { supported: false }, filter: { supported: true, maxResults: 200 } },
      ...{ sort: { supported: true }, etag: { supported: true }, authenticationSchemes: [{ type: 'oauthbearertoken' }] },
    });
    expect((await client.call('GET', '/ResourceTypes')).json).toMatchObject({ totalResults: 2 });
    expect((await client.call('GET', '/ResourceTypes/User')).json).toMatchObject({ schema: USER, endpoint: '/Users' });
    const schemas = (await client.call('GET', '/Schemas')).json['Resources'] as { id: string }[];
    expect(schemas.map(({ id }) => id)).toEqual([USER, ENTERPRISE, GROUP]);
    expect((await client.call('GET', `/Schemas/${ENTERPRISE}`)).json).toMatchObject({ id: ENTERPRISE });
  });

  it('says that passwords can be changed only to a source whose people have one here', async () => {
    for (const [{ tokens }, supported] of [
      [SOURCE, false],
      [OTHER, true],
    ] as const) {
      const { json } = await new ScimClient(operator, tokens[0]).call('GET', '/ServiceProviderConfig');
      expect(json['changePassword']).toEqual({ supported });
    }
  });

  it('and what there is not', async () => {
    for (const [method, path, status] of [
      ['POST', '/Bulk', 501],
      ['GET', '/Me', 501],
      ['GET', '/Nothing', 404],
      ['GET', '/Schemas/nothing', 404],
      ['GET', '/Schemas?filter=id eq "x"', 403],
      ['PUT', '/Users', 405],
      ['DELETE', '/ServiceProviderConfig', 405],
    ] as const) {
      const answer = await client.call(method, path);
      expect([method, path, answer.status, answer.json['status']]).toEqual([method, path, status, String(status)]);
    }
  });
});

describe('a body', () => {
  it('is JSON of at most 1 MB, of a type of JSON', async () => {
    const name = (title: string) => JSON.stringify({ schemas: [USER], userName: 'zora', title });
    const post = async (body: string, type = 'application/scim+json') =>
      (await client.call('POST', '/Users', body, { 'content-type': type })).status;
    expect(await post(name('x'.repeat(1024 * 1024)))).toBe(413);
    expect(await post(name('x'), 'text/plain')).toBe(415);
    expect(await post('{')).toBe(400);
    expect(await post('[]')).toBe(400);
    expect(await post('['.repeat(500_000))).toBe(400);
    expect(await post(`{"schemas":["${USER}"],"userName":"zora","title":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)).toBe(400);
    expect(
      await post(`{"schemas":["${USER}"],"userName":"zora","__proto__":{"active":false},"constructor":{"prototype":{}}}`),
    ).toBe(201);
    expect(({} as Record<string, unknown>)['active']).toBeUndefined();
  });
});
