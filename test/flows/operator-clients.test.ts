/** The clients of Hydra in the operator API and the command line: what is registered, refused, recorded, and never revealed. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { CLIENT_PRESETS } from '../../src/operator/clients/client-presets.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

const CALLBACK = 'https://shop.example.org/callback';

let operator: TestOperator;
let count = 0;
const foyer = commandLine(() => operator);
const { createAccount, findKinds } = operatorSteps(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());
afterEach(() => operator.hydra.fail(null));

interface Client {
  client_id: string;
  version: string;
  [member: string]: unknown;
}

async function create(more: object = {}): Promise<{ client: Client; client_secret: string | null }> {
  const body = { preset: 'server', client_id: `shop-${(count += 1)}`, client_name: 'Shop', redirect_uris: [CALLBACK], ...more };
  const answer = await operator.call('POST', '/clients', body);
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.json as { client: Client; client_secret: string | null };
}

async function show(id: string): Promise<Client> {
  return (await operator.call('GET', `/clients/${encodeURIComponent(id)}`)).json as Client;
}

async function findEvents(id: string): Promise<unknown[]> {
  const { json } = await operator.call('GET', '/audit?kind=client&limit=200');
  const entries = json['entries'] as { kind: string; detail: Record<string, unknown> }[];
  return entries.filter(({ detail }) => detail['client'] === id).map(({ kind, detail: { client: _, ...rest } }) => [kind, rest]);
}

describe('registering a client', () => {
  it.each(CLIENT_PRESETS.map(({ name }) => name))('of the kind %s gives it what the kind needs', async (preset) => {
    const { members, requires } = CLIENT_PRESETS.find(({ name }) => name === preset) ?? {};
    const scope = requires?.includes('scope') === true ? { scope: 'orders.read' } : {};
    const addresses = requires?.includes('redirect_uris') === true ? {} : { redirect_uris: [] };
    const { client, client_secret } = await create({ preset, ...addresses, ...scope });
    expect(client).toMatchObject({ ...members, ...scope });
    expect(client_secret === null).toBe(members?.token_endpoint_auth_method === 'none');
    if (client_secret !== null) expect(operator.hydra.findRegistration(client.client_id)?.['client_secret']).toBe(client_secret);
  });

  it('shows the secret this once, and no other secret ever', async () => {
    const { client, client_secret } = await create();
    operator.hydra.addRegistered({
      client_id: 'chatty',
      client_secret: 'secret-of-a-chatty-hydra',
      registration_access_token: 'token-of-a-chatty-hydra',
      metadata: { vault: 'other-secret', foyer: { mfa: 'required' } },
    });
    const texts = await Promise.all(
      ['/clients', '/clients/chatty', `/clients/${client.client_id}`].map((path) => operator.call('GET', path)),
    );
    const said = texts.map(({ text }) => text).join('') + JSON.stringify(operator.logLines);
    for (const hidden of [String(client_secret), 'chatty-hydra', 'other-secret']) expect(said).not.toContain(hidden);
    expect(await show('chatty')).toMatchObject({ foyer: { mfa: 'required' } });
  });

  it('generates an id if none is given', async () => {
    const { client } = await create({ client_id: undefined });
    expect(client.client_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['http://shop.example.org/cb', 'must use https'],
    ['https://shop.example.org/cb#part', 'fragment'],
    ['https://*.example.org/cb', 'wildcard'],
    ['https://olga:pw@shop.example.org/cb', 'username or password'],
    ['javascript:alert(1)', 'scheme that is not allowed'],
    ['myapp://callback', 'scheme that is not allowed'],
    ['data:text/html,x', 'scheme that is not allowed'],
    ['/callback', 'not a complete address'],
    ['https:shop', 'not a complete address'],
    ['https:///shop.example.org/cb', 'not a complete address'],
    ['https://%65lsewhere.example.org/cb', 'host without % or @'],
    ['https://%2a.example.org/cb', 'host without % or @'],
    ['https://@shop.example.org/cb', 'host without % or @'],
    ['https://shop.example.org/a b', 'not allowed in an address'],
    ['https://shop.example.org/\u202Egpj', 'not allowed in an address'],
    [`https://shop.example.org/${'x'.repeat(10_000)}`, 'more than 2000'],
  ])('refuses the address %s by its name', async (address, fault) => {
    const body = { preset: 'server', client_id: 'refused', client_name: 'Shop', redirect_uris: [CALLBACK, address] };
    const answer = await operator.call('POST', '/clients', body);
    expectError(answer, 422, 'client_invalid', 'redirect_uris');
    expect(answer.json['message']).toContain(fault);
    expect(answer.json['message']).toContain(JSON.stringify(address.slice(0, 200)).slice(1, 15));
    expect(operator.hydra.findRegistration('refused')).toBeUndefined();
    expect(await findEvents('refused')).toEqual([]);
  });

  it.each(['http://localhost:5555/cb', 'http://127.0.0.1/cb', 'http://[::1]:1/cb', 'org.example.shop:/callback'])(
    'accepts the address %s',
    async (address) => expect((await create({ redirect_uris: [address] })).client['redirect_uris']).toEqual([address]),
  );

  it('names every fault at once', async () => {
    const answer = await operator.call('POST', '/clients', {
      preset: 'server',
      client_id: 'a b',
      client_name: 'Shop\u202E',
      redirect_uris: ['http://shop.example.org/'],
      post_logout_redirect_uris: ['https://elsewhere.example.org/'],
      scope: 'openid  "x"',
      logo_uri: 'javascript:alert(1)',
      backchannel_logout_uri: 'ftp://x.example.org/',
      allowed_cors_origins: ['https://shop.example.org/path'],
      foyer: { mfa: 'never', colour: 'red' },
    });
    expectError(answer, 422, 'client_invalid', 'client_id');
    const faults = answer.json['faults'] as string[];
    const names = [
      'client_id',
      'client_name',
      'redirect_uris',
      'post_logout',
      'scope',
      'logo_uri',
      'backchannel',
      'allowed',
      '"mfa"',
      '"colour"',
    ];
    for (const name of names) expect([name, faults.some((fault) => fault.includes(name))]).toEqual([name, true]);
  });

  it.each(['a/b', '../keys/x', 'shop/'])('refuses the id %s, by which Hydra would not show the client again', async (id) => {
    const body = { preset: 'server', client_id: id, client_name: 'Shop', redirect_uris: [CALLBACK] };
    expectError(await operator.call('POST', '/clients', body), 422, 'client_invalid', 'client_id');
    expect(operator.hydra.findRegistration(id)).toBeUndefined();
  });

  it.each(['a b', '', 'a"b', 'a\\b', 'caf\u00e9'])('refuses the audience "%s", because an entry is one name', async (name) => {
    const audience = ['https://api.example.org', name];
    const body = { preset: 'server', client_id: 'refused', client_name: 'Shop', redirect_uris: [CALLBACK], audience };
    const answer = await operator.call('POST', '/clients', body);
    expectError(answer, 422, 'client_invalid', 'audience');
    expect(answer.json['faults']).toHaveLength(1);
  });

  it('refuses the id of an account, whose person apps would see in a token of the client itself', async () => {
    const account = await operator.services.accounts.create({ username: 'somebody', displayName: 'Somebody' });
    for (const id of [account.id, account.id.toUpperCase()]) {
      const body = { preset: 'machine', client_id: id, client_name: 'Machine', scope: 'id' };
      expectError(await operator.call('POST', '/clients', body), 422, 'client_invalid', 'client_id');
      expect(operator.hydra.findRegistration(id)).toBeUndefined();
    }
  });

  it('refuses an unknown preset, a missing address, a method that contradicts the preset, and ids that are taken or reserved', async () => {
    const app = { preset: 'server', client_name: 'Shop', redirect_uris: [CALLBACK] };
    expectError(await operator.call('POST', '/clients', { ...app, preset: 'x'.repeat(10_000) }), 422, 'unknown_preset', 'preset');
    expectError(await operator.call('POST', '/clients', { ...app, redirect_uris: [] }), 422, 'client_invalid', 'redirect_uris');
    const method = { token_endpoint_auth_method: 'none' };
    expectError(
      await operator.call('POST', '/clients', { ...app, ...method }),
      422,
      'client_invalid',
      'token_endpoint_auth_method',
    );
    const { client } = await create();
    expectError(await operator.call('POST', '/clients', { ...app, client_id: client.client_id }), 409, 'client_exists');
    expectError(await operator.call('POST', '/clients', { ...app, client_id: 'foyer-console' }), 409, 'own_client');
  });
});

describe('changing a client', () => {
  it('changes what is named and keeps the rest, also metadata of others', async () => {
    const { client } = await create();
    operator.hydra.addRegistered({
      ...operator.hydra.findRegistration(client.client_id),
      client_id: client.client_id,
      metadata: { team: 'web' },
    });
    const { version } = await show(client.client_id);
    const changes = { client_name: 'Laden', foyer: { confirm_session: true } };
    const answer = await operator.call('PATCH', `/clients/${client.client_id}`, { version, ...changes });
    expect(answer.json).toMatchObject({ ...changes, redirect_uris: [CALLBACK], scope: client['scope'] });
    expect(answer.json['version']).not.toBe(version);
    expect(operator.hydra.findRegistration(client.client_id)?.['metadata']).toEqual({
      team: 'web',
      foyer: { confirm_session: true },
    });
    expect(await findEvents(client.client_id)).toEqual([
      ['client.changed', { fields: ['client_name', 'metadata'] }],
      ['client.attempted', { action: 'change', fields: ['client_name', 'metadata'] }],
      ['client.created', { preset: 'server' }],
      ['client.attempted', { action: 'create', preset: 'server' }],
    ]);
  });

  it('does not judge an old address, but a new one', async () => {
    operator.hydra.addRegistered({ client_id: 'old', client_name: 'Old', redirect_uris: ['http://old.example.org/*'] });
    const patch = async (more: object) =>
      operator.call('PATCH', '/clients/old', { version: (await show('old')).version, ...more });
    expect((await patch({ client_name: 'Older', redirect_uris: ['http://old.example.org/*', CALLBACK] })).status).toBe(200);
    expectError(await patch({ redirect_uris: ['http://new.example.org/*'] }), 422, 'client_invalid', 'redirect_uris');
  });

  it('does nothing, and records nothing, if all is as it was', async () => {
    const { client } = await create();
    const { status, json } = await operator.call('PATCH', `/clients/${client.client_id}`, {
      version: client.version,
      client_name: 'Shop',
    });
    expect([status, json['version']]).toEqual([200, client.version]);
    expect(await findEvents(client.client_id)).toHaveLength(2);
  });

  it('refuses the second of two operators who read the same', async () => {
    const { client } = await create();
    const patch = (name: string) =>
      operator.call('PATCH', `/clients/${client.client_id}`, { version: client.version, client_name: name });
    expect((await patch('One')).status).toBe(200);
    expectError(await patch('Other'), 409, 'changed_meanwhile');
    expect(await show(client.client_id)).toMatchObject({ client_name: 'One' });
  });

  it('lets one of two operators who change a client at once do it', async () => {
    const { client } = await create();
    const patch = (name: string) =>
      operator.call('PATCH', `/clients/${client.client_id}`, { version: client.version, client_name: name });
    const answers = await Promise.all(['One', 'Other', 'Third'].map(patch));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200);
    expect(await show(client.client_id)).toEqual(winner?.json);
  });

  it('refuses a change that somebody made at Hydra meanwhile, and records it', async () => {
    const { client } = await create();
    const find = operator.hydra.findRegisteredClient.bind(operator.hydra);
    operator.hydra.findRegisteredClient = async (id) => {
      operator.hydra.findRegisteredClient = find;
      const read = await find(id);
      operator.hydra.addRegistered({ ...operator.hydra.findRegistration(id), client_id: id, client_name: 'Theirs' });
      return read;
    };
    const body = { version: client.version, client_name: 'Late' };
    expectError(await operator.call('PATCH', `/clients/${client.client_id}`, body), 409, 'changed_meanwhile');
    expect((await findEvents(client.client_id))[0]).toEqual(['client.failed', { action: 'change', cause: 'changed_meanwhile' }]);
    expect(await show(client.client_id)).toMatchObject({ client_name: 'Theirs' });
  });
});

describe('the secret of a client', () => {
  it('is replaced at once, and shown this once', async () => {
    const { client, client_secret: former } = await create();
    const answer = await operator.call('POST', `/clients/${client.client_id}/secret`);
    const { client_secret: secret } = answer.json;
    expect(answer.json).toEqual({ client_id: client.client_id, client_secret: secret, former_secret_valid_until: null });
    expect(secret).not.toBe(former);
    expect(operator.hydra.findRegistration(client.client_id)?.['client_secret']).toBe(secret);
    expect((await findEvents(client.client_id)).slice(0, 2)).toEqual([
      ['client.rotated', {}],
      ['client.attempted', { action: 'rotate' }],
    ]);
    expect(JSON.stringify(await findEvents(client.client_id))).not.toContain(String(secret));
  });

  it('is kept if another operator changes the client at the same time', async () => {
    const { client, client_secret: former } = await create();
    const { hydra, database } = operator;
    const path = `/clients/${client.client_id}`;
    let write = (): void => undefined;
    const mayWrite = new Promise<void>((resolve) => (write = resolve));
    const change = hydra.changeClient.bind(hydra);
    let changing: Promise<{ status: number }> | undefined;
    await new Promise<void>((hasRead) => {
      // Hydra reads the client, applies the change, and writes the whole client.
      hydra.changeClient = async (id, members) => {
        hydra.changeClient = change;
        const read = hydra.findRegistration(id);
        hasRead();
        await mayWrite;
        hydra.addRegistered({ ...read, client_id: id });
        return change(id, members);
      };
      changing = operator.call('PATCH', path, { version: client.version, client_name: 'Other' });
    });
    const rotating = operator.call('POST', `${path}/secret`);
    const isRotated = () => hydra.findRegistration(client.client_id)?.['client_secret'] !== former;
    const waits = sql`select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    while (!isRotated() && (await waits.execute(database.db)).rows.length === 0) continue;
    write();
    const [changed, rotated] = await Promise.all([changing, rotating]);
    expect([changed?.status, rotated.status]).toEqual([200, 200]);
    expect(hydra.findRegistration(client.client_id)).toMatchObject({
      client_name: 'Other',
      client_secret: rotated.json['client_secret'],
    });
  });

  it('is not made for a client without one', async () => {
    const { client } = await create({ preset: 'mobile' });
    expectError(await operator.call('POST', `/clients/${client.client_id}/secret`), 409, 'no_secret');
  });
});

describe('a client', () => {
  it('is gone after it was deleted, for every call', async () => {
    const { client } = await create();
    expect((await operator.call('DELETE', `/clients/${client.client_id}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { version: client.version, client_name: 'x' }],
      ['POST', '/secret'],
      ['DELETE', ''],
    ] as const)
      expectError(await operator.call(method, `/clients/${client.client_id}${path}`, body), 404, 'client_not_found');
  });

  it('that is deleted while it is changed is not found, and the attempt stays in the log', async () => {
    const { client } = await create();
    for (const method of ['changeClient', 'setClientSecret', 'deleteClient'] as const) {
      operator.hydra.addRegistered({ ...client, token_endpoint_auth_method: 'client_secret_basic' });
      const version = (await show(client.client_id)).version;
      const real = operator.hydra[method].bind(operator.hydra) as (...parameters: unknown[]) => Promise<never>;
      const deleteFirst = async (...parameters: unknown[]): Promise<never> => {
        Object.assign(operator.hydra, { [method]: real });
        operator.hydra.forget(client.client_id);
        return real(...parameters);
      };
      Object.assign(operator.hydra, { [method]: deleteFirst });
      const path = `/clients/${client.client_id}`;
      const calls = {
        changeClient: () => operator.call('PATCH', path, { version, client_name: 'Other' }),
        setClientSecret: () => operator.call('POST', `${path}/secret`),
        deleteClient: () => operator.call('DELETE', path),
      };
      expectError(await calls[method](), 404, 'client_not_found');
      expect((await findEvents(client.client_id))[0]).toEqual([
        'client.failed',
        expect.objectContaining({ cause: 'client_not_found' }),
      ]);
    }
  });

  it.each(['..', '.', 'a b', 'ä', 'x'.repeat(10_000), 'a\u0000b', '\u202Ex', '%', 'a/b', '<b>'])(
    'is not found by the id %j',
    async (id) => {
      const answer = await operator.call('GET', `/clients/${encodeURIComponent(id).replaceAll('.', '%2E')}`);
      expect([404, answer.status]).toEqual([404, 404]);
    },
  );

  it('with an odd id can be shown and deleted', async () => {
    const id = 'urn:a/b?c=d&e#f%20"<>';
    operator.hydra.addRegistered({ client_id: id, client_name: 'Odd' });
    expect(await show(id)).toMatchObject({ client_id: id });
    expect((await operator.call('DELETE', `/clients/${encodeURIComponent(id)}`)).status).toBe(200);
  });

  it('of Foyer itself can be seen and not changed', async () => {
    operator.hydra.addRegistered({
      client_id: 'foyer-console',
      client_name: 'Foyer console',
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const { version, is_own: isOwn } = await show('foyer-console');
    expect(isOwn).toBe(true);
    expectError(await operator.call('PATCH', '/clients/foyer-console', { version, client_name: 'x' }), 409, 'own_client');
    expectError(await operator.call('POST', '/clients/foyer-console/secret'), 409, 'own_client');
    expectError(await operator.call('DELETE', '/clients/foyer-console'), 409, 'own_client');
  });

  it('of Foyer itself is not changed by its id in other letters, where the database of Hydra ignores case', async () => {
    operator.hydra.addRegistered({ client_id: 'foyer-console', token_endpoint_auth_method: 'client_secret_basic' });
    const find = operator.hydra.findRegisteredClient.bind(operator.hydra);
    operator.hydra.findRegisteredClient = (id) => find(id.toLowerCase());
    const { version } = await show('foyer-console');
    for (const [method, path, body] of [
      ['PATCH', '', { version, redirect_uris: [CALLBACK] }],
      ['POST', '/secret'],
      ['DELETE', ''],
    ] as const)
      expectError(await operator.call(method, `/clients/Foyer-Console${path}`, body), 404, 'client_not_found');
    expect(await findEvents('Foyer-Console')).toEqual([]);
    operator.hydra.findRegisteredClient = find;
  });

  it('whose name reorders text is listed without the marks', async () => {
    operator.hydra.addRegistered({
      client_id: 'marks',
      client_name: '<b>\u202Egpj.exe\u2066\u200B',
      metadata: { foyer: { '\u202Ex': 1 } },
    });
    expect(await show('marks')).toMatchObject({
      client_name: '<b>gpj.exe',
      foyer_faults: ['x is not a member that Foyer knows'],
    });
    const shown = await foyer('client show marks');
    expect(shown.out).toContain('<b>gpj.exe');
    expect(shown.out).not.toMatch(/[\u202E\u2066\u200B]/);
  });
});

describe('the list', () => {
  it('is paged by the cursor of Hydra and filtered by name and owner', async () => {
    for (const name of ['One', 'Two', 'One']) await create({ client_name: name, owner: 'team of the list' });
    const ids: unknown[] = [];
    let cursor: unknown = '';
    do {
      const { json } = await operator.call('GET', `/clients?owner=team%20of%20the%20list&limit=2${String(cursor)}`);
      ids.push(...(json['clients'] as Client[]).map(({ client_id }) => client_id));
      const next = json['next_cursor'] as string | undefined;
      cursor = next === undefined ? undefined : `&cursor=${next}`;
    } while (cursor !== undefined);
    expect(new Set(ids).size).toBe(3);
    const named = await operator.call('GET', '/clients?owner=team%20of%20the%20list&name=One');
    expect(named.json['clients']).toHaveLength(2);
    expectError(await operator.call('GET', `/clients?cursor=${'x'.repeat(10_000)}`), 400, 'wrong_type', 'cursor');
  });
});

describe('while Hydra does not answer', () => {
  it('nothing is done, the answer says so, and the log has attempts with their cause only', async () => {
    const { client } = await create();
    operator.hydra.fail(new UpstreamUnavailable('Hydra answered 500'));
    const path = `/clients/${client.client_id}`;
    for (const [method, to, body] of [
      ['GET', '/clients'],
      ['GET', path],
      ['POST', '/clients', { preset: 'server', client_name: 'x', redirect_uris: [CALLBACK] }],
      ['PATCH', path, { version: client.version, client_name: 'x' }],
      ['POST', `${path}/secret`],
      ['DELETE', path],
    ] as const)
      expectError(await operator.call(method, to, body), 503, 'unavailable');
    operator.hydra.fail(null);
    expect(await findEvents(client.client_id)).toHaveLength(2);
  });

  it('an attempt that Hydra does not answer says that it may have happened', async () => {
    const { client } = await create();
    const real = operator.hydra.deleteClient.bind(operator.hydra);
    operator.hydra.deleteClient = () => Promise.reject(new UpstreamUnavailable('Hydra did not answer', true));
    expectError(await operator.call('DELETE', `/clients/${client.client_id}`), 503, 'unavailable');
    operator.hydra.deleteClient = real;
    expect((await findEvents(client.client_id)).slice(0, 2)).toEqual([
      ['client.failed', { action: 'delete', cause: 'no_answer' }],
      ['client.attempted', { action: 'delete' }],
    ]);
  });
});

describe('the people of a client', () => {
  const grant = async (accountId: string, scopes: readonly string[], clientId: string, createdAt: string | null = null) => {
    const at = operator.clock.now();
    const expires_at = new Date(at.getTime() + 3_600_000);
    const rows = scopes.map((scope) => ({
      account_id: accountId,
      client_id: clientId,
      scope,
      granted_at: at,
      expires_at,
      client_created_at: createdAt,
    }));
    await operator.database.db
      .insertInto('consent_grant')
      .values(rows as never)
      .execute();
  };

  it('are those who granted something that still holds, by cursor', async () => {
    const { client } = await create();
    const ids: string[] = [];
    for (let number = 0; number < 3; number += 1) {
      const { id } = await createAccount();
      ids.push(id);
      await grant(id, ['profile', 'email'], client.client_id);
    }
    await grant((await createAccount()).id, ['email'], 'another');
    await grant((await createAccount()).id, ['email'], client.client_id, '2020-01-01T00:00:00Z');
    const page = async (query: string) =>
      (await operator.call('GET', `/clients/${client.client_id}/people?limit=2${query}`)).json;
    const first = await page('');
    const second = await page(`&cursor=${first['next_cursor'] as string}`);
    const people = [first, second].flatMap(({ people: some }) => some as { account_id: string; scopes: string[] }[]);
    expect(people.map(({ account_id: id }) => id)).toEqual(ids.sort());
    expect(people[0]?.scopes).toEqual(['email', 'profile']);
    expect(second['next_cursor']).toBeUndefined();
    expectError(await operator.call('GET', '/clients/nobody/people'), 404, 'client_not_found');
    expectError(await operator.call('GET', `/clients/${client.client_id}/people?cursor=x`), 400, 'wrong_type', 'cursor');
  });

  it('lose access to it: at once here, and at Hydra or with an answer that says no', async () => {
    const { client } = await create();
    const { id } = await createAccount();
    await grant(id, ['profile'], client.client_id);
    operator.hydra.fail();
    expectError(await operator.call('DELETE', `/accounts/${id}/apps/${client.client_id}`), 503, 'unavailable');
    operator.hydra.fail(null);
    expect((await operator.call('GET', `/clients/${client.client_id}/people`)).json['people']).toEqual([]);
    expect((await operator.call('DELETE', `/accounts/${id}/apps/${client.client_id}`)).status).toBe(200);
    expect(operator.hydra.calls).toContainEqual({ call: 'revokeConsents', subject: id, clientId: client.client_id });
    expect(await findKinds(id)).toContainEqual(['app.removed', { client: client.client_id }]);
    expectError(await operator.call('DELETE', `/accounts/${id}/apps/a%20b`), 404, 'client_not_found');
  });
});

describe('the preview', () => {
  it('shows scopes, claims and links as the consent page does, and writes nothing', async () => {
    const { client } = await create({
      scope: 'openid email unheard',
      policy_uri: 'https://shop.example.org/policy',
      foyer: { mfa: 'required' },
    });
    const { id } = await createAccount({ email: 'preview@example.org' });
    operator.hydra.addRegistered({
      ...operator.hydra.findRegistration(client.client_id),
      client_id: client.client_id,
      tos_uri: 'javascript:alert(1)',
    });
    const [calls, { json }] = [
      operator.hydra.calls.length,
      await operator.call('GET', `/clients/${client.client_id}/preview?account=${id}`),
    ];
    expect(json).toMatchObject({
      shown_name: 'Shop',
      policy_address: 'https://shop.example.org/policy',
      tos_address: null,
      asks_consent: true,
      requires_second_factor: true,
      id_token: { email: 'preview@example.org', email_verified: false },
    });
    const scopes = json['scopes'] as { scope: string; is_known: boolean; claims: { claim: string }[] }[];
    expect(scopes.map(({ scope, is_known: isKnown }) => [scope, isKnown])).toEqual([
      ['openid', true],
      ['email', true],
      ['unheard', false],
    ]);
    expect(scopes[1]?.claims).toContainEqual({ claim: 'email', title: null, value: 'preview@example.org' });
    expect([operator.hydra.calls.length, await findKinds(id)]).toEqual([calls, ['account.created']]);
    expectError(await operator.call('GET', `/clients/${client.client_id}/preview?account=nobody`), 404, 'account_not_found');
    expectError(await operator.call('GET', `/clients/nobody/preview?account=${id}`), 404, 'client_not_found');
  });
});

describe('the command line', () => {
  it('registers, shows, lists, changes, rotates and deletes', async () => {
    const created = await foyer([
      'client',
      'create',
      'server',
      '--client-id',
      'by-line',
      '--client-name',
      'By a line',
      '--redirect-uri',
      CALLBACK,
      '--reason',
      'ticket 1',
    ]);
    expect([created.code, created.err]).toEqual([0, '']);
    const secret = String(operator.hydra.findRegistration('by-line')?.['client_secret']);
    expect(created.out).toContain(`shown only now:\n\n${secret}\n`);
    expect((await foyer('client show by-line')).out).not.toContain(secret);
    expect((await foyer(['client', 'list', '--client-name', 'By a line'])).out).toContain('by-line');
    const changed = await foyer([
      'client',
      'update',
      'by-line',
      '--redirect-uri',
      CALLBACK,
      '--redirect-uri',
      'http://localhost/cb',
      '--skip-consent',
      'true',
      '--foyer',
      '{"mfa":"required"}',
    ]);
    expect(changed.out).toContain('nobody is asked');
    expect(await show('by-line')).toMatchObject({ redirect_uris: [CALLBACK, 'http://localhost/cb'], foyer: { mfa: 'required' } });
    expect((await foyer('client rotate-secret by-line')).out).toContain('no longer works');
    const kept = await foyer('client delete by-line');
    expect([kept.code, kept.err]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await foyer('client delete by-line --yes')).code).toBe(0);
    expect((await foyer('client show by-line')).code).toBe(3);
  });

  it('lists people, shows the preview, and takes access away', async () => {
    const { client } = await create();
    const { id, username } = await createAccount();
    expect((await foyer(`client people ${client.client_id}`)).err).toContain('Nobody was found');
    const preview = await foyer(`client preview ${client.client_id} --account ${username}`);
    expect(preview.out).toContain('Consent         the person is asked');
    expect((await foyer(`account app-remove ${username} ${client.client_id}`)).out).toContain('no longer has access');
    expect(await findKinds(id)).toContainEqual(['app.removed', { client: client.client_id }]);
  });

  it('refuses wrong values with a sentence', async () => {
    expect((await foyer('client update by-line')).err).toContain('Nothing to change');
    expect((await foyer('client update x --skip-consent maybe')).err).toContain('true or false');
    expect((await foyer('client update x --foyer [1]')).err).toContain('JSON object');
    const refused = await foyer('client create server --client-name Shop --redirect-uri http://shop.example.org/');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('must use https')]);
  });
});
