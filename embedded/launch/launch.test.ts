import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigError, type Config } from '../../src/config/config.js';
import { loadConfig } from '../../src/config/load-config.js';
import { Launch } from './launch.js';
import type { Parts } from './parts.js';
import { SHIPPED } from '../../locales/languages.js';
import { readLaunchSettings } from './read-settings.js';
import { toIdentity, toDemoProvidersUrl } from './demo-providers.js';

const createSecret = (): string => randomBytes(32).toString('base64url');
const SECRET = createSecret();
const UPSTREAM = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };

describe('a launch', () => {
  let log: string[];
  let failingPart: keyof Parts | null;
  let registeredClient: unknown;
  let gatewayProviders: Config['providers'];
  let redirectUris: readonly string[];

  beforeEach(() => {
    log = [];
    failingPart = null;
    registeredClient = undefined;
    redirectUris = [];
  });

  const buildConfig = (env: Record<string, string> = {}): Config => loadConfig({ SECRETS_SYSTEM: SECRET, ...env }).config;

  const runStep = async (name: keyof Parts): Promise<void> => {
    await Promise.resolve();
    if (failingPart === name) throw new Error(`${name} failed`);
    log.push(`+${name}`);
  };
  const startPart = async <More extends object>(name: keyof Parts, more: More): Promise<More & { close(): Promise<void> }> => {
    await runStep(name);
    return { ...more, close: () => Promise.resolve(void log.push(`-${name}`)) };
  };
  const parts: Parts = {
    startFoyer: ({ providers }) => {
      gatewayProviders = providers;
      return startPart('startFoyer', {
        url: 'http://[::1]:3000',
        operatorUrl: 'http://[::1]:3001',
        app: {} as INestApplicationContext,
      });
    },
    startUpstream: () =>
      startPart('startUpstream', {
        publicUrl: 'http://localhost:4444',
        adminUrl: 'http://localhost:4445',
        issuer: 'http://localhost:4444',
      }),
    // Slower than the others, so that another part fails first.
    startMailbox: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return startPart('startMailbox', { url: 'http://localhost:8025', smtpUrl: 'smtp://localhost:1025' });
    },
    startDemoApp: () => startPart('startDemoApp', { url: 'http://localhost:5555' }),
    startDemoProviders: ({ clients }) => {
      redirectUris = clients.google.redirectUris;
      const failIfUsed = (): never => {
        throw new Error('This test uses no switch.');
      };
      const switches = {
        setFault: failIfUsed,
        setClaims: failIfUsed,
        rollKeys: failIfUsed,
        forgetConsents: failIfUsed,
        calls: failIfUsed,
      };
      return startPart('startDemoProviders', { url: 'http://localhost:4455', ...switches });
    },
    startRegistration: () => startPart('startRegistration', { url: 'http://localhost:5556' }),
    startPeople: () => startPart('startPeople', { url: 'http://localhost:5557', username: 'klara.vorbild', password: 'secret' }),
    ensureDemoAccount: async () => {
      await runStep('ensureDemoAccount');
      return { username: 'maria.musterfrau', password: 'secret', state: 'ready' };
    },
    ensureDemoOperator: async () => {
      await runStep('ensureDemoOperator');
      return { username: 'olga.operator', password: 'secret', state: 'ready' };
    },
    createDemoPeople: () => runStep('createDemoPeople'),
    registerDemoClient: async (adminUrl, client) => {
      await runStep('registerDemoClient');
      registeredClient = { adminUrl, ...client };
    },
  };

  it('starts the gateway first and registers the demo client at the upstream that it started', async () => {
    const { embedded, gateway } = await new Launch(buildConfig(), parts).start();
    expect(log[0]).toBe('+startFoyer');
    expect(log.at(-1)).toBe('+registerDemoClient');
    expect(registeredClient).toMatchObject({
      adminUrl: 'http://localhost:4445',
      id: 'beispielportal',
      baseUrl: 'http://localhost:5555',
    });
    expect(gateway).toBe('http://localhost:3000');
    expect(embedded?.account.username).toBe('maria.musterfrau');
  });

  it('gives the client the same secret at every start until the key changes', async () => {
    await new Launch(buildConfig(), parts).start();
    const firstClient = registeredClient;
    await new Launch(buildConfig(), parts).start();
    expect(registeredClient).toEqual(firstClient);
    await new Launch(buildConfig({ SECRETS_SYSTEM: `${createSecret()},${SECRET}` }), parts).start();
    expect(registeredClient).not.toEqual(firstClient);
  });

  it('starts the example user source unless USER_SOURCES contains only other sources', async () => {
    const { embedded } = await new Launch(buildConfig(), parts).start();
    expect(embedded?.people).toMatchObject({ url: 'http://localhost:5557', username: 'klara.vorbild' });
    const source = { id: 'x', type: 'http', url: 'https://people.example', jwks_url: 'https://people.example/jwks' };
    const result = await new Launch(buildConfig({ USER_SOURCES: JSON.stringify([source]) }), parts).start();
    expect(result.embedded?.people).toBeUndefined();
  });

  it('shows the console, and who is its operator', async () => {
    const operator = { username: 'olga.operator', password: 'secret', state: 'ready' };
    const { embedded } = await new Launch(buildConfig(), parts).start();
    expect(embedded?.console).toEqual({ url: 'http://localhost:3001/console/', operator });
    const otherAddresses = await new Launch(buildConfig({ OPERATOR_PORT: '13001' }), parts).start();
    expect(otherAddresses.embedded?.console?.url).toBe('http://localhost:13001/console/');
  });

  it('starts only the gateway when a Hydra is configured', async () => {
    const { embedded, upstream } = await new Launch(buildConfig(UPSTREAM), parts).start();
    expect(log).toEqual(['+startFoyer']);
    expect([embedded, upstream]).toEqual([undefined, 'http://localhost:4444']);
  });

  it('shows the data directory unless the data is in a configured database', async () => {
    expect((await new Launch(buildConfig(), parts).start()).dataDir).toBe('.foyer');
    const config = buildConfig({ ...UPSTREAM, DATABASE_URL: 'postgres://foyer@db.example/foyer' });
    expect(await new Launch(config, parts).start()).not.toHaveProperty('dataDir');
  });

  it('shows the operator API with https, and with an IPv6 address in brackets', async () => {
    const config = buildConfig({ ...UPSTREAM, OPERATOR_HOST: '::1' });
    const tls = { certificate: 'a certificate', key: 'a key' };
    const addresses = await new Launch({ ...config, operator: { ...config.operator, tls } }, parts).start();
    expect(addresses.operator).toBe('https://[::1]:3001');
  });

  it('[PRV-1] starts the demo providers when no provider is configured, and gives the gateway their addresses', async () => {
    const { embedded } = await new Launch(buildConfig({ EMBEDDED_PROVIDERS_PORT: '14455', PORT: '13000' }), parts).start();
    expect(embedded?.providers).toBe('http://localhost:4455');
    expect(gatewayProviders.map(({ id, name, issuer }) => [id, name, issuer])).toEqual([
      ['google', 'Google', 'http://localhost:14455/google'],
      ['microsoft', 'Microsoft', 'http://localhost:14455/microsoft'],
      ['apple', 'Apple', 'http://localhost:14455/apple'],
    ]);
    expect(redirectUris).toEqual(['http://localhost:13000/login/google/callback']);
  });

  it('starts no demo providers when a provider is configured', async () => {
    const settings = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
    const { embedded } = await new Launch(buildConfig(settings), parts).start();
    expect(embedded).not.toHaveProperty('providers');
    expect(gatewayProviders.map(({ issuer }) => issuer)).toEqual(['https://accounts.google.com']);
    expect(log).not.toContain('+startDemoProviders');
  });

  it('gives the demo people the same identities at every start', () => {
    const address = toDemoProvidersUrl(buildConfig());
    expect(toIdentity('google', 'maria', address)).toEqual({
      provider: 'google',
      issuer: 'http://localhost:4455/google',
      subject: '108204268033311374519',
      label: 'Maria Musterfrau',
    });
    expect(toIdentity('microsoft', 'jonas', address)).toEqual(toIdentity('microsoft', 'jonas', address));
    expect(() => toIdentity('apple', 'nobody', address)).toThrow(/nobody/);
  });

  it('stops the gateway before its upstream', async () => {
    const launch = new Launch(buildConfig(), parts);
    await launch.start();
    log = [];
    await launch.stop();
    expect(log[0]).toBe('-startFoyer');
    expect(log.slice(1).sort()).toEqual([
      '-startDemoApp',
      '-startDemoProviders',
      '-startMailbox',
      '-startPeople',
      '-startRegistration',
      '-startUpstream',
    ]);
    await launch.stop();
    expect(log).toHaveLength(7);
  });

  it.each(Object.keys(parts) as (keyof Parts)[])('stops the started parts when %s fails', async (name) => {
    failingPart = name;
    await expect(new Launch(buildConfig(), parts).start()).rejects.toThrow(`${name} failed`);
    const closableParts = log.filter((entry) => entry.startsWith('+start')).map((entry) => entry.slice(1));
    const closedParts = log.filter((entry) => entry.startsWith('-')).map((entry) => entry.slice(1));
    expect(closedParts.sort()).toEqual(closableParts.sort());
  });
});

describe('the settings of a launch', () => {
  const env = { SECRETS_SYSTEM: SECRET, OPERATOR_TOKEN: createSecret() };

  it('log only warnings and errors in development unless LOG_LEVEL is set', () => {
    expect(readLaunchSettings(env).config.log.level).toBe('warn');
    expect(readLaunchSettings({ ...env, LOG_LEVEL: 'debug' }).config.log.level).toBe('debug');
  });

  it('[I18-6] offer every shipped language in the demo unless LANGUAGES is set', () => {
    const readOfferedLocales = (more: Record<string, string>) =>
      readLaunchSettings({ ...env, ...more }).config.language.offered.locales;
    expect(readOfferedLocales({})).toEqual(SHIPPED.locales);
    expect(readOfferedLocales({ LANGUAGES: 'fr,en' })).toEqual(['fr', 'en']);
    const upstream = { HYDRA_ADMIN_URL: 'http://localhost:4445', HYDRA_PUBLIC_URL: 'http://localhost:4444' };
    expect(readOfferedLocales(upstream)).toEqual(['de', 'en']);
  });

  it('warn about values that were set, and not about defaults', () => {
    expect(readLaunchSettings(env).warnings).toEqual([]);
    expect(readLaunchSettings({ ...env, PASSWORD_MIN_LENGTH: '4' }).warnings).toEqual([
      expect.stringContaining('PASSWORD_MIN_LENGTH'),
    ]);
  });

  it('are refused in production with a list of everything that is missing', () => {
    expect(() => readLaunchSettings({ NODE_ENV: 'production' })).toThrow(ConfigError);
    expect(() => readLaunchSettings({ NODE_ENV: 'production' })).toThrow(/HYDRA_ADMIN_URL[\s\S]*DATABASE_URL/);
  });
});
