import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { loadConfig } from './load-config.js';
import type { Environment } from './settings-read.js';

const SECRET = 'kVd0pZ7m2QxR4tYb9NcW1sHfJ6gLu3Ea';
const UPSTREAM = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };
const SERVICE = { REGISTRATION_URL: 'https://join.example.org/new?from=foyer', REG_HINT_NAMES: 'contract' };

const read = (env: Environment) => loadConfig({ ...UPSTREAM, ...env }).config.registration;

function findFaults(env: Environment): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.join('\n');
    throw error;
  }
  return '';
}

describe('settings of the registration service', () => {
  it('[REG-1] turn registration off by default; without HYDRA_ADMIN_URL, the demo service is used', () => {
    expect(read({})).toEqual({ hintNames: [] });
    expect(loadConfig({ EMBEDDED_REGISTRATION_PORT: '15900' }).config.registration).toEqual({
      hintNames: ['invitation'],
      service: {
        url: 'http://localhost:15900',
        issuer: 'http://localhost:15900',
        proof: { kind: 'jwks', url: 'http://localhost:15900/jwks' },
      },
    });
    const ownService = { REGISTRATION_URL: 'http://localhost:5600/', REGISTRATION_JWKS_URL: 'http://localhost:5600/jwks' };
    expect(loadConfig(ownService).config.registration).toMatchObject({
      hintNames: ['invitation'],
      service: { url: 'http://localhost:5600' },
    });
    expect(loadConfig({ REG_HINT_NAMES: 'a,b' }).config.registration.hintNames).toEqual(['a', 'b']);
  });

  it('[REG-1] name the address of the service, its issuer, and the key that verifies its answers', () => {
    expect(read({ ...SERVICE, REGISTRATION_JWKS_URL: 'https://join.example.org/jwks' })).toEqual({
      hintNames: ['contract'],
      service: {
        url: 'https://join.example.org/new?from=foyer',
        issuer: 'https://join.example.org',
        proof: { kind: 'jwks', url: 'https://join.example.org/jwks' },
      },
    });
    expect(read({ ...SERVICE, REGISTRATION_SECRET: SECRET, REGISTRATION_ISSUER: 'join' }).service).toMatchObject({
      issuer: 'join',
      proof: { kind: 'secret', secret: SECRET },
    });
  });

  it('[REG-3] are refused without exactly one kind of key, or with a weak secret', () => {
    expect(findFaults(SERVICE)).toContain('one of them must be set');
    const bothKeys = { REGISTRATION_JWKS_URL: 'https://join.example.org/jwks', REGISTRATION_SECRET: SECRET };
    expect(findFaults({ ...SERVICE, ...bothKeys })).toContain('only one of them may be set');
    const shortSecretFaults = findFaults({ ...SERVICE, REGISTRATION_SECRET: SECRET.slice(1) });
    expect(shortSecretFaults).toContain('REGISTRATION_SECRET: is shorter than 32 bytes');
    expect(shortSecretFaults).not.toContain(SECRET.slice(1));
    expect(findFaults({ REGISTRATION_SECRET: SECRET })).toContain('REGISTRATION_URL, which is not set');
  });

  it('must be https in production, and cause a warning if the login page can never offer a registration', () => {
    const productionEnv = { NODE_ENV: 'production', REGISTRATION_URL: 'http://join.example.org' };
    expect(findFaults({ ...productionEnv, REGISTRATION_JWKS_URL: 'http://join.example.org/jwks' })).toMatch(
      /REGISTRATION_URL: must be https[^]*REGISTRATION_JWKS_URL: must be https/,
    );
    const { warnings } = loadConfig({ ...UPSTREAM, REGISTRATION_URL: 'https://join.example.org', REGISTRATION_SECRET: SECRET });
    expect(warnings.join('\n')).toContain('REG_HINT_NAMES: is empty');
  });
});
