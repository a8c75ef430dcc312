/** The doctor on external providers and a registration service: without a fault, and each with one fault. */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from '../../embedded/demo-providers/dialect.js';
import { startDemoProviders, type DemoProviders } from '../../embedded/demo-providers/start-demo-providers.js';
import { buildCallbackUrl } from '../../src/providers/identity-providers.port.js';
import { CLIENT_ID, CLIENT_SECRET, OAuthStandIn } from '../support/oauth-stand-in.js';
import { diagnose, type Env } from '../support/doctor-installation.js';

const PUBLIC_URL = 'http://localhost:3000';
const SECRET = 'f0Yer-at-the-provider';
const TITLE = 'Providers and registration';

let demoProviders: DemoProviders;
let env: Env;

beforeAll(async () => {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const client = (id: DialectId): DemoProviderClient => ({
    id: `foyer.${id}`,
    redirectUris: [buildCallbackUrl(PUBLIC_URL, id)],
    ...(id === 'apple' ? { key: { teamId: 'TEAM123456', keyId: 'KEY1234567', publicKey } } : { secret: SECRET }),
  });
  const clients = Object.fromEntries(DIALECT_IDS.map((id) => [id, client(id)])) as Record<DialectId, DemoProviderClient>;
  demoProviders = await startDemoProviders({ host: 'localhost', port: 0, clients });
  const company = { id: 'company', name: 'Haus & Hof', issuer: `${demoProviders.url}/company/`, client_id: 'foyer.company' };
  env = {
    PUBLIC_URL,
    GOOGLE_CLIENT_ID: 'foyer.google',
    GOOGLE_CLIENT_SECRET: SECRET,
    GOOGLE_ISSUER: `${demoProviders.url}/google`,
    MICROSOFT_CLIENT_ID: 'foyer.microsoft',
    MICROSOFT_CLIENT_SECRET: SECRET,
    MICROSOFT_ISSUER: `${demoProviders.url}/microsoft`,
    APPLE_CLIENT_ID: 'foyer.apple',
    APPLE_TEAM_ID: 'TEAM123456',
    APPLE_KEY_ID: 'KEY1234567',
    APPLE_PRIVATE_KEY: privateKey,
    APPLE_ISSUER: `${demoProviders.url}/apple`,
    OIDC_PROVIDERS: JSON.stringify([{ ...company, client_secret: SECRET }]),
  };
});

afterAll(() => demoProviders.close());

async function diagnoseProviders(more: Env = {}): Promise<[string, string, string | undefined][]> {
  const { findings } = await diagnose({ ...env, ...more });
  return findings.filter(({ check }) => check === TITLE).map(({ level, what, fix }) => [level, what, fix]);
}

describe('[INS-3] the doctor', () => {
  it('[PRV-6] tries providers that are not OpenID providers: right, with a wrong secret, and down', async () => {
    const oauth = await OAuthStandIn.start();
    const entry = { id: 'hub', type: 'github', issuer: oauth.url, client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
    const diagnoseEntry = async (change: object) => {
      const { findings } = await diagnose({ PUBLIC_URL, OIDC_PROVIDERS: JSON.stringify([{ ...entry, ...change }]) });
      return findings.filter(({ check }) => check === TITLE).map(({ level, what }) => [level, what]);
    };
    expect(await diagnoseEntry({})).toEqual([['ok', expect.stringContaining('GitHub accepts the credentials')]]);
    expect(await diagnoseEntry({ client_secret: 'wrong' })).toEqual([['fault', expect.stringContaining('invalid_client')]]);
    await oauth.close();
    expect(await diagnoseEntry({})).toEqual([['fault', expect.stringContaining('ECONNREFUSED')]]);
  });

  it('finds no fault in all four, and names the address to register at each', async () => {
    const findings = await diagnoseProviders();
    expect(findings.map(([level]) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
    for (const id of ['google', 'microsoft', 'apple', 'company']) {
      expect(findings.some(([, what]) => what.includes(buildCallbackUrl(PUBLIC_URL, id)))).toBe(true);
    }
  });

  it.each<[string, Env, RegExp]>([
    [
      'a wrong secret',
      { GOOGLE_CLIENT_SECRET: 'another' },
      /^Google does not accept the credentials.*Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/,
    ],
    ['a wrong id', { MICROSOFT_CLIENT_ID: 'nobody' }, /^Microsoft does not accept the credentials.*Set MICROSOFT_CLIENT_ID/],
    ['a wrong key', { APPLE_KEY_ID: 'KEY7654321' }, /^Apple does not accept the credentials.*APPLE_KEY_ID/],
    ['a wrong address', { GOOGLE_ISSUER: 'http://localhost:9/google' }, /^Google cannot be used.*correct GOOGLE_ISSUER/],
  ])('finds %s', async (_what, more, sentence) => {
    const faults = (await diagnoseProviders(more)).filter(([level]) => level === 'fault');
    expect(faults.map(([, what, fix]) => `${what} ${String(fix)}`)).toEqual([expect.stringMatching(sentence)]);
  });

  it('finds a registration service that does not answer, and one that publishes no keys', async () => {
    const service = createServer((request, response) => response.end(request.url === '/keys' ? '{"keys":[{"kty":"EC"}]}' : '{}'));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const url = `http://localhost:${(service.address() as AddressInfo).port}`;
    const listRegistrationLevels = async (more: Env): Promise<string[]> =>
      (await diagnoseProviders({ REGISTRATION_URL: `${url}/new`, REGISTRATION_JWKS_URL: `${url}/keys`, ...more }))
        .slice(4)
        .map(([level]) => level);
    expect(await listRegistrationLevels({})).toEqual(['ok', 'ok']);
    expect(await listRegistrationLevels({ REGISTRATION_JWKS_URL: `${url}/none` })).toEqual(['ok', 'fault']);
    expect(await listRegistrationLevels({ REGISTRATION_URL: 'http://localhost:9/new' })).toEqual(['fault', 'ok']);
    service.close();
    service.closeAllConnections();
  });
});
