import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { findTypedDomain, toDomain } from './domains.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './settings-read.js';

const GOOGLE = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
const COMPANY = { id: 'company', name: 'Musterwerk', issuer: 'https://id.example', client_id: 'foyer', client_secret: 'secret' };
const SHOP = { id: 'shop', type: 'http', url: 'https://people.example', jwks_url: 'https://people.example/jwks' };

function findFaults(env: Environment): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('[PRV-5] a domain', () => {
  it.each([
    ['Example.COM', 'example.com'],
    ['ＥＸＡＭＰＬＥ．com', 'example.com'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ])('is the same in every spelling: %s', (text, expected) => {
    expect(toDomain(text)).toBe(expected);
  });

  it.each([
    ...['', 'corp', '*.example.com', '.example.com', 'example.com.', 'a..example.com', '-a.example.com', 'example.com/x'],
    ...['example.com:443', 'exa%6dple.com', 'exam\nple.com', 'user@example.com', '[::1]', `${'a'.repeat(250)}.com`],
  ])('is not %j', (text) => {
    expect(toDomain(text)).toBeNull();
  });

  it.each([
    [' Anna@Example.com ', 'example.com'],
    ['anna＠example.com', 'example.com'],
    ['"a@b"@example.com', 'example.com'],
    ['anna@mail.example.com', 'mail.example.com'],
    ['anna', null],
    ['@example.com', null],
    ['anna@', null],
    [`anna@${'a.'.repeat(2000)}com`, null],
  ])('is read from a typed name: %j', (name, expected) => {
    expect(findTypedDomain(name)).toBe(expected);
  });

  it('is a setting of providers and of sources', () => {
    const { config } = loadConfig({
      ...GOOGLE,
      GOOGLE_DOMAINS: 'Example.com, bücher.example',
      OIDC_PROVIDERS: JSON.stringify([{ ...COMPANY, domains: ['MUSTERWERK.example'] }]),
      USER_SOURCES: JSON.stringify([{ ...SHOP, domains: ['shop.example'] }]),
    });
    expect(config.providers.map(({ domains }) => domains)).toEqual([
      ['example.com', 'xn--bcher-kva.example'],
      ['musterwerk.example'],
    ]);
    expect(config.sources[0]?.domains).toEqual(['shop.example']);
  });

  it.each<[Environment, string]>([
    [{ ...GOOGLE, GOOGLE_DOMAINS: '*.example.com' }, 'GOOGLE_DOMAINS'],
    [{ GOOGLE_DOMAINS: 'one.example' }, 'GOOGLE_DOMAINS: requires GOOGLE_CLIENT_ID'],
    [{ OIDC_PROVIDERS: JSON.stringify([{ ...COMPANY, domains: 'example.com' }]) }, 'has domains that are not a list'],
    [{ OIDC_PROVIDERS: JSON.stringify([{ ...COMPANY, domains: ['*.example.com'] }]) }, 'wildcards are not accepted'],
    [
      { USER_SOURCES: JSON.stringify([{ ...SHOP, domains: ['*.example.com'] }]) },
      '/0/domains/0 is not a domain like example.com',
    ],
    [
      { ...GOOGLE, GOOGLE_DOMAINS: 'one.example', OIDC_PROVIDERS: JSON.stringify([{ ...COMPANY, domains: ['ONE.example'] }]) },
      'OIDC_PROVIDERS: GOOGLE_DOMAINS and company of OIDC_PROVIDERS both have the domain one.example',
    ],
    [
      {
        OIDC_PROVIDERS: JSON.stringify([{ ...COMPANY, domains: ['one.example'] }]),
        USER_SOURCES: JSON.stringify([{ ...SHOP, domains: ['one.example'] }]),
      },
      'USER_SOURCES: company of OIDC_PROVIDERS and shop of USER_SOURCES both have the domain one.example',
    ],
  ])('is refused at the start (%#)', (env, fault) => {
    expect(findFaults(env).join('\n')).toContain(fault);
  });
});
