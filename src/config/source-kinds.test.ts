import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';
import { buildUserSourcesKind } from './source-kinds.js';

const ENTRY = { id: 'staff', type: 'ldap', urls: ['ldaps://ldap.example.com'], base: 'dc=example' };

function read(entries: unknown, files: Record<string, string> = {}) {
  const kind = buildUserSourcesKind((path) => {
    const text = files[path];
    if (text === undefined) throw new Error('absent');
    return text;
  });
  return kind.read(typeof entries === 'string' ? entries : JSON.stringify(entries));
}

const explainFault = (more: object, files?: Record<string, string>): unknown => {
  const reading = read([{ ...ENTRY, ...more }], files);
  return 'fault' in reading ? reading.fault : null;
};

function collectFaults(load: () => unknown): readonly string[] {
  try {
    load();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('USER_SOURCES', () => {
  it('needs an id, servers and a base; the rest has defaults', () => {
    expect(read([ENTRY])).toEqual({
      value: [
        {
          ...{ type: 'ldap', id: 'staff', directory: 'ldap', urls: ['ldaps://ldap.example.com'], encryption: 'by-address' },
          ...{ base: 'dc=example', filter: '(objectClass=person)', login: ['uid'], subject: 'entryUUID', username: 'uid' },
          ...{ displayName: 'displayName', email: 'mail', emailVerified: false, attributes: {}, timeoutMs: 3000 },
        },
      ],
    });
  });

  it('reports all faults together, with their paths', () => {
    expect(read([{}, { ...ENTRY, id: 'Staff', more: 1, login: ['uid', 'a b'], groups: { most: 0 } }])).toEqual({
      fault: expect.stringMatching(
        /^has faults: (?=.*\/0\/type is not)(?=.*\/0\/id is missing)(?=.*\/0\/base is missing)(?=.*\/0\/urls names no server)(?=.*\/1\/more is not one of)(?=.*\/1\/id is not)(?=.*\/1\/login\/1 is not the name)(?=.*\/1\/groups\/base is missing)(?=.*\/1\/groups\/most is not)/,
      ),
    });
    expect(read('{}')).toEqual({ fault: 'has a fault: the document is not a JSON list' });
    expect(read('[')).toEqual({ fault: 'cannot be read as JSON (line 1, column 2)' });
    expect(read([ENTRY, ENTRY])).toEqual({ fault: 'has a fault: the document has the id staff twice' });
  });

  it.each([
    ['no TLS', { urls: ['ldap://ldap.example.com'] }, 'without TLS: use ldaps:// or set start_tls'],
    ['no TLS, on another machine', { urls: ['ldap://ldap.example.com'], plaintext: true }, 'not on this machine'],
    ['two kinds of TLS', { start_tls: true }, 'use it without start_tls'],
    ['a password in the address', { urls: ['ldaps://a:b@ldap.example.com'] }, '/0/urls/0 is not an address'],
    ['a path', { urls: ['ldaps://ldap.example.com/dc=x'] }, '/0/urls/0 is not an address'],
    ['a search account without a password', { bind_dn: 'cn=x' }, 'needs bind_dn together with'],
    ['text that is not a filter', { filter: '(uid=*' }, '/0/filter is not an LDAP filter'],
    ['two filters', { filter: '(a=b)(c=d)' }, '/0/filter is not an LDAP filter'],
    ['a missing file', { ca_file: '/ca.pem' }, '/0/ca_file names a file that cannot be read'],
    ['a plain address for passwords', { password_url: 'http://password.example.com' }, '/0/password_url is not an address'],
    ['a blank name', { name: ' ' }, '/0/name is not a name'],
    ['a time limit of zero', { timeout_ms: 0 }, '/0/timeout_ms is not a whole number'],
  ])('refuses %s', (_, more, fault) => {
    expect(explainFault(more)).toContain(fault);
  });

  it('never repeats a value, which may be a secret', () => {
    const reading = explainFault({ bind_password: { secret: 'geheim' }, bind_dn: 'geheim' }, {});
    expect(JSON.stringify(reading)).not.toContain('geheim');
  });

  it('reads the password of the search account from a file', () => {
    const reading = read([{ ...ENTRY, bind_dn: 'cn=x', bind_password_file: '/secret' }], { '/secret': 'of the file\n' });
    expect(reading).toMatchObject({ value: [{ bind: { dn: 'cn=x', password: 'of the file' } }] });
  });

  it.each([
    [{ website: 'labeledURI' }, undefined, []],
    [{ department: 'ou' }, { properties: { department: {} } }, []],
    [{ department: 'ou' }, { additionalProperties: true }, []],
    [
      { department: 'ou', username: 'uid' },
      undefined,
      [
        'USER_SOURCES: the attribute "department" of the source staff is not in ACCOUNT_SCHEMA',
        'USER_SOURCES: the attribute "username" of the source staff is not in ACCOUNT_SCHEMA',
      ],
    ],
  ])('names attributes that no account can have: %j with %j', (attributes, schema, faults) => {
    const load = () =>
      loadConfig({
        USER_SOURCES: JSON.stringify([{ ...ENTRY, attributes }]),
        ...(schema ? { ACCOUNT_SCHEMA: JSON.stringify(schema) } : {}),
      });
    const foundFaults = collectFaults(load).filter((fault) => fault.startsWith('USER_SOURCES'));
    expect(foundFaults).toEqual(faults);
  });
});

describe('a user source over HTTP in USER_SOURCES', () => {
  const HTTP = {
    id: 'shop',
    type: 'http',
    url: 'https://people.example.com/foyer/',
    jwks_url: 'https://people.example.com/jwks',
  };
  const SECRET = 'x'.repeat(32);
  const findFaults = (more: object): unknown => {
    const reading = read([{ ...HTTP, ...more }]);
    return 'fault' in reading ? reading.fault : null;
  };

  it('needs an id, an address, and a key that verifies the answers; the rest has defaults', () => {
    expect(read([HTTP])).toEqual({
      value: [
        {
          ...{ type: 'http', id: 'shop', url: 'https://people.example.com/foyer', issuer: 'https://people.example.com' },
          ...{
            proof: { kind: 'jwks', url: HTTP.jwks_url },
            emailVerified: false,
            attributes: {},
            migrate: false,
            timeoutMs: 3000,
          },
        },
      ],
    });
    expect(read([{ ...HTTP, jwks_url: undefined, secret_file: '/s', groups: {} }], { '/s': `${SECRET}\n` })).toMatchObject({
      value: [{ proof: { kind: 'secret', secret: SECRET }, groups: { most: 100, groupName: false } }],
    });
  });

  it.each([
    ['no TLS, on another machine', { url: 'http://people.example.com' }, '/0/url is not an address'],
    ['a password in the address', { url: 'https://a:b@people.example.com' }, '/0/url is not an address'],
    ['keys without TLS', { jwks_url: 'http://people.example.com/jwks' }, '/0/jwks_url is not an address'],
    ['neither keys nor a secret', { jwks_url: undefined }, '/0 needs either jwks_url or secret'],
    ['both keys and a secret', { secret: SECRET }, '/0 needs either jwks_url or secret'],
    ['a short secret', { jwks_url: undefined, secret: 'short' }, '/0/secret is not a secret of at least 32'],
    ['a member for directories', { base: 'dc=example' }, '/0/base is not one of'],
    ['too many groups', { groups: { most: 251 } }, '/0/groups/most is not a whole number'],
    ['a migrate member that is a string', { migrate: 'yes' }, '/0/migrate is neither'],
  ])('refuses %s', (_, more, fault) => {
    expect(findFaults(more)).toContain(fault);
  });
});

describe('the subjects of a user source', () => {
  const buildSource = (id: string, more: object): object => ({ ...ENTRY, id, ...more });
  const findFaults = (...entries: object[]): readonly string[] =>
    collectFaults(() => loadConfig({ USER_SOURCES: JSON.stringify(entries) }));

  it('are read with their prefix', () => {
    expect(read([buildSource('a', { sub: 'source', sub_prefix: 'a-' })])).toMatchObject({ value: [{ subjectPrefix: 'a-' }] });
    expect(read([buildSource('a', { sub: 'source' })])).toMatchObject({ value: [{ subjectPrefix: '' }] });
    expect(read([buildSource('a', { sub: 'account' })])).not.toHaveProperty('value.0.subjectPrefix');
    expect(explainFault({ sub: 'uid' })).toContain('/0/sub is not one of account, source');
    expect(explainFault({ sub_prefix: 'a-' })).toContain('/0/sub_prefix requires "sub": "source"');
    expect(explainFault({ sub: 'source', sub_prefix: 'a b' })).toContain('/0/sub_prefix is not a string of at most 64 visible');
  });

  it('need a different prefix for each user source with "sub": "source", and no prefix may begin with another one', () => {
    const clash = [expect.stringContaining('both have "sub": "source"')];
    expect(findFaults(buildSource('a', { sub: 'source' }), buildSource('b', { sub: 'source' }))).toEqual(clash);
    expect(findFaults(buildSource('a', { sub: 'source' }), buildSource('b', { sub: 'source', sub_prefix: 'b-' }))).toEqual(clash);
    expect(
      findFaults(buildSource('a', { sub: 'source', sub_prefix: 'b' }), buildSource('b', { sub: 'source', sub_prefix: 'b-' })),
    ).toEqual(clash);
    expect(
      findFaults(buildSource('a', { sub: 'source', sub_prefix: 'a-' }), buildSource('b', { sub: 'source', sub_prefix: 'b-' })),
    ).toEqual([]);
    expect(findFaults(buildSource('a', { sub: 'source' }), buildSource('b', {}))).toEqual([]);
  });
});

describe('a SCIM source in USER_SOURCES', () => {
  const TOKEN = 'a'.repeat(32);
  const SCIM = { id: 'entra', type: 'scim', token: TOKEN };
  const explain = (more: object, files?: Record<string, string>): unknown => {
    const reading = read([{ ...SCIM, ...more }], files);
    return 'fault' in reading ? reading.fault : null;
  };

  it('needs an id and a token; the rest has defaults', () => {
    const defaults = { password: false, emailVerified: false, attributes: {}, onDelete: 'delete' };
    expect(read([SCIM])).toEqual({ value: [{ type: 'scim', id: 'entra', tokens: [TOKEN], ...defaults }] });
  });

  it('may have two tokens while one is being replaced, in the setting or in files', () => {
    const files = { '/new': 'b'.repeat(40), '/old': TOKEN };
    expect(read([{ id: 'entra', type: 'scim', token_file: ['/new', '/old'] }], files)).toMatchObject({
      value: [{ tokens: ['b'.repeat(40), TOKEN] }],
    });
    expect(read([{ id: 'entra', type: 'scim', token_file: '/old' }], files)).toMatchObject({ value: [{ tokens: [TOKEN] }] });
  });

  it.each([
    [{ token: 'short' }, 'has a fault: /0/token is not a token of 32 to 1000 visible ASCII characters'],
    [{ token: [TOKEN, 'short'] }, 'has a fault: /0/token/1 is not a token of 32 to 1000 visible ASCII characters'],
    [{ token: [] }, 'has a fault: /0/token has no token'],
    [{ token: undefined }, 'has a fault: /0 needs either token or token_file'],
    [{ token_file: '/old' }, 'has a fault: /0 needs either token or token_file'],
    [{ token: [TOKEN, TOKEN] }, 'has a fault: the document has the same token twice; every SCIM source needs tokens of its own'],
    [{ on_delete: 'keep' }, 'has a fault: /0/on_delete is not one of delete, disable'],
    [{ sign_in: {} }, 'has a fault: /0/sign_in/provider is missing: it must be the id of a provider'],
    [
      { sign_in: { provider: 'google', claim: 'email' } },
      'has a fault: /0/sign_in/claim is not the name of a claim that identifies a person permanently, such as sub or oid',
    ],
    [
      { sign_in: { provider: 'google', claim: '/user/email' } },
      'has a fault: /0/sign_in/claim is not the name of a claim that identifies a person permanently, such as sub or oid',
    ],
    [
      { attributes: { job: 'emails' } },
      expect.stringMatching(/^has a fault: \/0\/attributes\/job is not the path of a SCIM attr/),
    ],
  ])('refuses %j', (more, fault) => {
    expect(explain(more)).toEqual(fault);
  });

  it('is kept separate from the sources that are queried, and names a configured provider', () => {
    const sources = JSON.stringify([{ ...SCIM, sign_in: { provider: 'google' } }, ENTRY]);
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
    const { config } = loadConfig({ USER_SOURCES: sources, ...google });
    expect(config.sources.map(({ id }) => id)).toEqual(['staff']);
    expect(config.scim).toMatchObject([{ id: 'entra', signIn: { provider: 'google', claim: 'sub' } }]);
    expect(collectFaults(() => loadConfig({ USER_SOURCES: sources }))).toEqual([
      'USER_SOURCES: people of the source entra sign in at google, which is not a configured provider',
    ]);
  });

  it('cannot share a provider with another SCIM source, which could claim its people', () => {
    const otherSource = { ...SCIM, id: 'okta', token: `${TOKEN}2`, sign_in: { provider: 'google' } };
    const sources = JSON.stringify([{ ...SCIM, sign_in: { provider: 'google' } }, otherSource]);
    const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
    const buildFault = (id: string, twin: string) =>
      `USER_SOURCES: people of the source ${id} sign in at google, like the people of the source ${twin}: each SCIM source needs a provider of its own`;
    expect(collectFaults(() => loadConfig({ USER_SOURCES: sources, ...google }))).toEqual([
      buildFault('entra', 'okta'),
      buildFault('okta', 'entra'),
    ]);
  });

  it('compares the claims of only one issuer, and adds these claims to the provider', () => {
    const sources = JSON.stringify([{ ...SCIM, sign_in: { provider: 'microsoft', claim: 'oid' } }]);
    const microsoft = { USER_SOURCES: sources, MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' };
    const tenant = 'c1d2e3f4-0000-4000-8000-000000000001';
    const { config } = loadConfig({ ...microsoft, MICROSOFT_TENANT: tenant });
    expect(config.providers).toMatchObject([{ id: 'microsoft', comparedClaims: ['oid'] }]);
    const tenantFault =
      'USER_SOURCES: people of the source entra sign in at microsoft, which accepts more than one tenant: set MICROSOFT_TENANT to the id of your own tenant';
    expect(collectFaults(() => loadConfig(microsoft))).toEqual([tenantFault]);
    expect(collectFaults(() => loadConfig({ ...microsoft, MICROSOFT_TENANT: 'organizations' }))).toEqual([tenantFault]);
  });
});
