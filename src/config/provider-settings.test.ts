import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, type ProviderSettings } from './config.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './settings-read.js';

const generatePem = (curve: string): string =>
  generateKeyPairSync('ec', { namedCurve: curve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY = generatePem('P-256');
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();

const GOOGLE = { GOOGLE_CLIENT_ID: 'id.apps.example', GOOGLE_CLIENT_SECRET: 'geheim' };
const MICROSOFT = { MICROSOFT_CLIENT_ID: 'app', MICROSOFT_CLIENT_SECRET: 'geheim' };
const APPLE = { APPLE_CLIENT_ID: 'com.example.login', APPLE_TEAM_ID: 'TEAM', APPLE_KEY_ID: 'KEY', APPLE_PRIVATE_KEY: KEY };
const TENANT = '3f1c8a52-6a0e-4d0b-9a53-0c6b1d2e7f41';
const COMPANY = {
  id: 'company',
  name: 'Musterwerk',
  issuer: 'https://id.musterwerk.example/realm/',
  client_id: 'foyer',
  client_secret: 'geheim',
};

const GITHUB = { id: 'hub', type: 'github', client_id: 'id', client_secret: 'geheim' };

const toProviders = (env: Environment): readonly ProviderSettings[] => loadConfig(env).config.providers;

function findFaults(env: Environment): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

const buildList = (...entries: unknown[]): Environment => ({ OIDC_PROVIDERS: JSON.stringify(entries) });
const buildCompany = (change: object): Environment => buildList({ ...COMPANY, ...change });

describe('settings of providers', () => {
  it('[PRV-1] enable no provider by default', () => {
    expect(toProviders({})).toEqual([]);
    expect(toProviders({ MICROSOFT_TENANT: 'organizations', GOOGLE_ISSUER: 'https://accounts.example' })).toEqual([]);
  });

  it('[PRV-1] configure Google, Microsoft, Apple and further providers in this order, and request no e-mail addresses', () => {
    const providers = toProviders({
      ...buildList(COMPANY),
      ...APPLE,
      ...MICROSOFT,
      ...GOOGLE,
      MICROSOFT_TENANT: TENANT.toUpperCase(),
    });
    expect(providers.map(({ id, issuer }) => [id, issuer])).toEqual([
      ['google', 'https://accounts.google.com'],
      ['microsoft', 'https://login.microsoftonline.com'],
      ['apple', 'https://appleid.apple.com'],
      ['company', 'https://id.musterwerk.example/realm/'],
    ]);
    expect(providers[1]?.tenants).toEqual([TENANT]);
    expect(providers.flatMap(({ scopes }) => scopes)).not.toContain('email');
    expect(providers[3]).toMatchObject({
      name: 'Musterwerk',
      clientId: 'foyer',
      credential: { kind: 'secret', secret: 'geheim' },
    });
  });

  it.each([
    ['in PEM form', KEY],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['with line breaks written as \\n', KEY.trim().replaceAll('\n', '\\n')],
  ])("accept Apple's key %s", (_form, key) => {
    expect(toProviders({ ...APPLE, APPLE_PRIVATE_KEY: key })[0]?.credential).toEqual({
      kind: 'apple-key',
      teamId: 'TEAM',
      keyId: 'KEY',
      privateKey: KEY,
    });
  });

  it('read secrets from files', () => {
    const readFile = (path: string): string => (path === '/run/apple' ? KEY : '[]');
    const env = { ...APPLE, APPLE_PRIVATE_KEY: '', APPLE_PRIVATE_KEY_FILE: '/run/apple', OIDC_PROVIDERS_FILE: '/run/list' };
    expect(loadConfig(env, readFile).config.providers.map(({ id }) => id)).toEqual(['apple']);
  });

  it.each([
    [{ MICROSOFT_TENANT: 'common' }, ['common']],
    [{ MICROSOFT_TENANT: `${TENANT}, 9188040d-6c67-4c5b-b112-36a304b66dad` }, [TENANT, '9188040d-6c67-4c5b-b112-36a304b66dad']],
    [{}, ['common']],
  ])('read tenants: %j', (env, tenants) => {
    expect(toProviders({ ...MICROSOFT, ...env })[0]?.tenants).toEqual(tenants);
  });

  it('accept a key instead of a secret for a further provider', () => {
    const change = { client_secret: undefined, private_key: RSA, key_id: 'one', scopes: ['openid'] };
    const [provider] = toProviders(buildCompany(change));
    expect(provider).toMatchObject({ scopes: ['openid'], credential: { kind: 'private-key', keyId: 'one' } });
    expect(JSON.stringify(provider)).toContain('BEGIN PRIVATE KEY');
  });

  it('[PRV-6] name a provider that is not an OpenID provider by its type, and request an address only to provision accounts', () => {
    const [github, discord, twitter] = toProviders(
      buildList(
        GITHUB,
        { ...GITHUB, id: 'chat', type: 'discord', name: 'Chat', provision: true, domains: ['people.example'] },
        { ...GITHUB, id: 'x', type: 'x', provision: true },
      ),
    );
    expect(github).toEqual({
      ...{ id: 'hub', name: 'GitHub', dialect: 'github', issuer: 'https://github.com', clientId: 'id', scopes: ['read:user'] },
      credential: { kind: 'secret', secret: 'geheim' },
    });
    expect(discord).toMatchObject({
      name: 'Chat',
      issuer: 'https://discord.com',
      scopes: ['identify', 'email'],
      domains: ['people.example'],
    });
    expect(twitter).toMatchObject({ name: 'X', scopes: ['users.read', 'tweet.read'] });
    const [enterprise] = toProviders(buildList({ ...GITHUB, issuer: 'https://git.example', scopes: ['read:user', 'read:org'] }));
    expect(enterprise).toMatchObject({ issuer: 'https://git.example', scopes: ['read:user', 'read:org'] });
  });

  it('[PRV-8] fill in what is known of well-known OpenID providers', () => {
    const entry = { client_id: 'id', client_secret: 'geheim' };
    const providers = toProviders(
      buildList(
        { ...entry, id: 'one', preset: 'gitlab' },
        { ...entry, id: 'two', preset: 'auth0', domain: 'example.eu.auth0.com', name: 'Haus' },
        { ...entry, id: 'three', preset: 'okta', domain: 'example.okta.com/oauth2/default' },
        { ...entry, id: 'four', preset: 'keycloak', domain: 'id.example.com/realms/staff', provision: true },
        { ...entry, id: 'five', preset: 'slack' },
      ),
    );
    expect(providers.map(({ name, issuer, dialect }) => [name, issuer, dialect])).toEqual([
      ['GitLab', 'https://gitlab.com', 'oidc'],
      ['Haus', 'https://example.eu.auth0.com/', 'oidc'],
      ['Okta', 'https://example.okta.com/oauth2/default', 'oidc'],
      ['Keycloak', 'https://id.example.com/realms/staff', 'oidc'],
      ['Slack', 'https://slack.com', 'oidc'],
    ]);
    expect(providers[3]?.scopes).toEqual(['openid', 'profile', 'email']);
  });

  it('[PRV-7] ask for an address where connecting is offered', () => {
    const providers = toProviders({ ...GOOGLE, ...APPLE, ...buildList(COMPANY, GITHUB), CONNECT_OFFERS: 'google, apple,hub' });
    expect(providers.map(({ id, scopes, offersConnection }) => [id, scopes, offersConnection])).toEqual([
      ['google', ['openid', 'profile', 'email'], true],
      ['apple', ['name', 'email'], true],
      ['company', ['openid', 'profile'], undefined],
      ['hub', ['read:user', 'user:email'], true],
    ]);
  });

  it('create accounts for people of a further provider only with "provision": true', () => {
    const [plainProvider] = toProviders(buildCompany({}));
    expect(plainProvider).not.toHaveProperty('provision');
    const require = { groups: ['staff', 'all'], '/level/x': 1 };
    const [provider] = toProviders(
      buildCompany({ provision: true, require, groups: '/realm_access/roles', attributes: { zoneinfo: 'zone' } }),
    );
    expect(provider).toMatchObject({
      scopes: ['openid', 'profile', 'email'],
      require: [
        { claim: 'groups', values: ['staff', 'all'] },
        { claim: '/level/x', values: [1] },
      ],
      provision: {
        username: 'preferred_username',
        displayName: 'name',
        email: 'email',
        emailVerified: false,
        groups: '/realm_access/roles',
        groupName: false,
        attributes: { zoneinfo: 'zone' },
      },
    });
  });

  it.each<[Environment, string]>([
    [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_SECRET: is missing; GOOGLE_CLIENT_ID requires it'],
    [{ GOOGLE_CLIENT_SECRET: 'x' }, 'GOOGLE_CLIENT_ID: is missing; GOOGLE_CLIENT_SECRET requires it'],
    [{ MICROSOFT_CLIENT_ID: 'x' }, 'MICROSOFT_CLIENT_SECRET: is missing'],
    [{ ...APPLE, APPLE_KEY_ID: '' }, 'APPLE_KEY_ID: is missing; APPLE_CLIENT_ID requires it'],
    [{ ...APPLE, APPLE_PRIVATE_KEY: 'geheim' }, 'APPLE_PRIVATE_KEY: the value is not a private key of the curve P-256'],
    [
      { ...APPLE, APPLE_PRIVATE_KEY: generatePem('P-384') },
      'APPLE_PRIVATE_KEY: the value is not a private key of the curve P-256',
    ],
    [{ ...MICROSOFT, MICROSOFT_TENANT: `common,${TENANT}` }, 'MICROSOFT_TENANT: '],
    [{ ...MICROSOFT, MICROSOFT_TENANT: 'example.onmicrosoft.com' }, 'is neither one of common, organizations, consumers nor'],
    [{ ...GOOGLE, GOOGLE_ISSUER: 'http://accounts.example' }, 'GOOGLE_ISSUER: must be https unless it is on this machine'],
    [{ OIDC_PROVIDERS: '{"id":"geheim"' }, 'OIDC_PROVIDERS: the value cannot be read as JSON (line 1, column 15)'],
    [{ OIDC_PROVIDERS: '{}' }, 'is not a JSON list'],
    [buildList(COMPANY, 7), 'entry 2: it is not a JSON object'],
    [buildCompany({ secret: 'x' }), 'entry 1: it has a member that is not one of'],
    [buildCompany({ id: 'Com pany' }), 'has no id of at most 32 lower-case letters'],
    [buildCompany({ id: 'google' }), 'has an id that is taken'],
    [{ ...GOOGLE, CONNECT_OFFERS: 'google,other' }, 'CONNECT_OFFERS: "other" is not the id of a configured provider'],
    [{ ...MICROSOFT, CONNECT_OFFERS: 'microsoft' }, 'CONNECT_OFFERS: microsoft does not say whether an address is verified'],
    [
      { ...buildList({ ...GITHUB, type: 'x' }), CONNECT_OFFERS: 'hub' },
      'CONNECT_OFFERS: hub does not say whether an address is verified',
    ],
    [
      { ...buildCompany({ provision: true }), CONNECT_OFFERS: 'company' },
      'CONNECT_OFFERS: company gives accounts to unknown people',
    ],
    [buildList({ ...GITHUB, preset: 'gitlab' }), 'has a preset that is not one of'],
    [buildCompany({ preset: 'okta' }), 'or that is set together with type or issuer'],
    [buildList({ id: 'one', preset: 'toString', client_id: 'id', client_secret: 'x' }), 'has a preset that is not one of'],
    [buildList({ id: 'one', preset: 'okta', client_id: 'id', client_secret: 'x' }), 'needs a domain like example.okta.com'],
    [
      buildList({ id: 'one', preset: 'okta', domain: 'https://a.okta.com', client_id: 'id', client_secret: 'x' }),
      'needs a domain',
    ],
    [buildList({ id: 'one', preset: 'okta', domain: 'a@evil.example', client_id: 'id', client_secret: 'x' }), 'needs a domain'],
    [
      buildList({ id: 'one', preset: 'gitlab', domain: 'git.example', client_id: 'id', client_secret: 'x' }),
      'no domain otherwise',
    ],
    [buildCompany({ domain: 'a.example' }), 'no domain otherwise'],
    [buildList({ ...GITHUB, type: 'myspace' }), 'has a type that is not one of github, facebook, discord, x, bitbucket'],
    [buildList({ ...GITHUB, type: '__proto__' }), 'has a type that is not one of'],
    [
      buildList({ ...GITHUB, type: 'discord', issuer: 'https://discord.example' }),
      'has an issuer although its type has a fixed one',
    ],
    [buildList({ ...GITHUB, issuer: 'https://git.example/' }), 'without a slash at the end'],
    [buildList({ ...GITHUB, issuer: 'http://git.example' }), 'has no issuer that begins with https://'],
    [buildList({ ...GITHUB, name: '' }), 'has no name'],
    [buildList({ ...GITHUB, scopes: [] }), 'has scopes that are not a list'],
    [buildList({ ...GITHUB, client_secret: undefined, private_key: KEY }), 'has a private_key, which its type does not take'],
    [buildCompany({ id: 'native' }), 'has an id that is taken'],
    [buildCompany({ name: '' }), 'has no name'],
    [buildCompany({ issuer: 'http://id.musterwerk.example' }), 'has no issuer that begins with https://'],
    [buildCompany({ issuer: 'https://a:b@id.musterwerk.example' }), 'has no issuer'],
    [buildCompany({ issuer: 'https://id.musterwerk.example/?x=1' }), 'has no issuer'],
    [buildCompany({ client_id: 7 }), 'has no client_id'],
    [buildCompany({ client_secret: undefined }), 'needs either client_secret or private_key'],
    [buildCompany({ private_key: KEY }), 'needs either client_secret or private_key'],
    [buildCompany({ client_secret: 7 }), 'has a client_secret that is not a string'],
    [buildCompany({ client_secret: undefined, private_key: 'x' }), 'has a private_key that is neither'],
    [buildCompany({ scopes: ['profile'] }), 'the list must include openid'],
    [buildCompany({ scopes: 'openid' }), 'the list must include openid'],
    [buildCompany({ provision: 'yes' }), 'has a provision that is neither true nor false'],
    [buildCompany({ groups: 'groups' }), 'without "provision": true'],
    [buildCompany({ provision: false, attributes: {} }), 'without "provision": true'],
    [buildCompany({ provision: true, username: 7 }), 'has a username that is neither the name of a claim nor a JSON Pointer'],
    [buildCompany({ provision: true, groups: '/a/~2' }), 'has a groups that is neither'],
    [buildCompany({ provision: true, email: 'upn', email_verified: true }), 'has an email_verified without the claim email'],
    [buildCompany({ provision: true, group_name: true }), 'has a group_name without groups'],
    [buildCompany({ provision: true, attributes: { a: 1 } }), 'has attributes that are not an object'],
    [buildCompany({ provision: true, attributes: { rank: 'rank' } }), 'the attribute "rank" of company is not in ACCOUNT_SCHEMA'],
    [buildCompany({ provision: true, attributes: { sub: 'sub' } }), 'the attribute "sub" of company is not in ACCOUNT_SCHEMA'],
    [buildCompany({ require: {} }), 'has a require that is not an object of claims'],
    [buildCompany({ require: { groups: [] } }), 'has a require that is not an object of claims'],
    [buildCompany({ require: { groups: null } }), 'has a require that is not an object of claims'],
    [buildCompany({ require: ['staff'] }), 'has a require that is not an object of claims'],
    [buildCompany({ provision: true, sub: 'id' }), 'has a sub that is neither account nor source'],
    [buildCompany({ provision: true, sub_prefix: 'x' }), 'has a sub_prefix that'],
    [buildCompany({ sub: 'source' }), 'without "provision": true'],
    [
      buildList(
        { ...COMPANY, provision: true, sub: 'source' },
        { ...COMPANY, id: 'other', provision: true, sub: 'source', sub_prefix: 'o-' },
      ),
      'company of OIDC_PROVIDERS and other of OIDC_PROVIDERS both have "sub": "source"',
    ],
    [buildList(COMPANY, COMPANY), 'has the id company twice'],
  ])('are refused if they are incomplete or wrong, without repeating a secret (%#)', (env, fault) => {
    const faults = findFaults(env);
    expect(faults).toEqual([expect.stringContaining(fault)]);
    expect(faults.join()).not.toMatch(/geheim|BEGIN/);
  });

  it('allow plain http for a provider on this machine, but not in production', () => {
    const localProviders = {
      ...GOOGLE,
      GOOGLE_ISSUER: 'http://localhost:4455/google',
      ...buildCompany({ issuer: 'http://127.0.0.1:8080/realm' }),
    };
    expect(toProviders(localProviders)).toHaveLength(2);
    expect(findFaults({ ...localProviders, NODE_ENV: 'production' })).toEqual(
      expect.arrayContaining([
        'GOOGLE_ISSUER: must be https in production',
        'OIDC_PROVIDERS: the issuer of company must be https in production',
      ]),
    );
  });
});
