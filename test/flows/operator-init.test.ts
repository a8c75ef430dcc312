/** `foyer init`: Foyer starts with what it writes, Hydra needs what it prints, and it does all of that or nothing. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/load-config.js';
import { DISCOVERY } from '../../src/contract/scopes.js';
import { OPERATOR_CERTIFICATE } from '../support/certificates.js';
import { runLine } from '../support/operator-story.js';
import { embeddedLeg } from '../support/upstream-embedded.js';
import type { Upstream } from '../support/upstream-leg.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

const DATABASE_URL = 'postgres://foyer:p%40ss@db.internal/foyer?sslmode=require&application_name=foyer';
const HYDRA = [
  'URLS_LOGIN=https://login.example.org/login',
  'URLS_REGISTRATION=https://login.example.org/register',
  'URLS_CONSENT=https://login.example.org/consent',
  'URLS_LOGOUT=https://login.example.org/logout',
  'URLS_ERROR=https://login.example.org/error',
  'URLS_POST_LOGOUT_REDIRECT=https://login.example.org/logout/callback',
  'URLS_DEVICE_VERIFICATION=https://login.example.org/device',
  'URLS_DEVICE_SUCCESS=https://login.example.org/device/success',
  'WEBFINGER_OIDC_DISCOVERY_SUPPORTED_SCOPE=profile,email,address,phone',
  `WEBFINGER_OIDC_DISCOVERY_SUPPORTED_CLAIMS=${DISCOVERY.claims.join(',')}`,
];

/** The file without its comments. */
const settingsIn = (out: string): string[] =>
  out
    .trimEnd()
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'));

let upstream: Upstream;
let folder: string;

beforeAll(async () => {
  upstream = await embeddedLeg.start();
});
afterAll(() => upstream.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foyer-init-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

type Env = Record<string, string>;

const file = () => join(folder, 'foyer.env');
const readSettings = () => readFileSync(file(), 'utf8');

/** Runs in production and without a check of Hydra by default. */
function init(more: readonly string[] = [], env: Env = {}) {
  const addresses = ['--public-url', 'https://login.example.org', '--hydra-public-url', 'https://auth.example.org'];
  const admin = ['--hydra-admin-url', 'https://hydra-admin.internal:4445'];
  return runLine(['init', '--out', file(), '--offline', ...addresses, ...admin, ...more], { env });
}

/** Runs as a trial, in front of the running upstream. */
function initHere({ publicUrl, adminUrl }: { publicUrl: string; adminUrl: string }, more: readonly string[] = []) {
  const addresses = ['--public-url', 'http://localhost:3210', '--hydra-public-url', publicUrl, '--hydra-admin-url', adminUrl];
  return runLine(['init', '--out', file(), ...addresses, ...more], { env: {} });
}

const readByShell = (name: string): string =>
  execFileSync('sh', ['-c', `set -a; . "${file()}"; set +a; printenv ${name}`], { env: {}, encoding: 'utf8' }).trimEnd();

describe('[INS-1] the file', () => {
  it('starts Foyer in production, and only its owner can read it', async () => {
    const { code } = await init([], { DATABASE_URL, SMTP_URL: 'smtps://foyer:geheim@mail.example.org' });
    expect(code).toBe(0);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const settings = parseEnv(readSettings()) as Env;
    expect(loadConfig(settings).config).toMatchObject({
      mode: 'production',
      publicUrl: 'https://login.example.org',
      trustProxyHops: 1,
      hydra: { publicUrl: 'https://auth.example.org', adminUrl: 'https://hydra-admin.internal:4445' },
      database: { url: DATABASE_URL },
    });
    for (const [name, value] of Object.entries(settings)) expect([name, readByShell(name)]).toEqual([name, value]);
  });

  it('has new secrets each time, which are never shown', async () => {
    const first = await init();
    const one = parseEnv(readSettings()) as Env;
    rmSync(file());
    const second = await init(['--json']);
    const other = parseEnv(readSettings()) as Env;
    for (const name of ['SECRETS_SYSTEM', 'OPERATOR_TOKEN']) {
      expect(one[name]).toMatch(/^[\w-]{43}$/);
      expect(one[name]).not.toBe(other[name]);
      expect([first, second].map(({ out, err }) => out + err).join()).not.toContain(one[name]);
    }
    expect(one['SECRETS_SYSTEM']).not.toBe(one['OPERATOR_TOKEN']);
  });

  it('keeps values of the environment, and says so', async () => {
    const SECRETS_SYSTEM = 'Zu7kQm2x9vB4nR8sT1wY6pL3cJ5hG0dF-aEoIuHb';
    const { code, err } = await init(['--trust-proxy', '2'], { SECRETS_SYSTEM, APP_NAME: 'Muster & Söhne', HOST: '0.0.0.0' });
    expect(code).toBe(0);
    expect(parseEnv(readSettings())).toMatchObject({
      SECRETS_SYSTEM,
      APP_NAME: 'Muster & Söhne',
      HOST: '0.0.0.0',
      TRUST_PROXY: '2',
    });
    expect(err).toContain('Copied from the environment: HOST, SECRETS_SYSTEM, APP_NAME.');
    expect(err).toContain('These values are in quotes, which docker run --env-file does not support: APP_NAME.');
  });

  it('treats an empty number of proxies in the environment as not set', async () => {
    expect(await init([], { TRUST_PROXY: '' })).toMatchObject({ code: 0 });
    expect(parseEnv(readSettings())).toMatchObject({ TRUST_PROXY: '1' });
  });

  it('explains choices that differ from the defaults, unless the operator made them', async () => {
    const { err } = await init();
    expect(err).toMatch(/Chosen for a new installation .*: LANGUAGES=all \(.+\); PASSWORD_PROFILE=nist \(.*15 characters.*\)\./);
    rmSync(file());
    const given = await init([], { LANGUAGES: 'de', PASSWORD_MIN_LENGTH: '12' });
    expect(given.err).not.toContain('Chosen');
  });

  it('explains that the command line needs another terminal with the same settings', async () => {
    const { err } = await init();
    expect(err).toMatch(/npm run serve\nIn another terminal, .+:\n +set -a; \. .+; set \+a\n +npm run foyer -- account create /);
  });

  it('shows a command for the shell that reads a file with any path', async () => {
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(join(tmpdir(), "foyer's init "));
    const { err } = await init();
    const [, command = ''] = /^ +(set -a; .+)$/m.exec(err) ?? [];
    const url = execFileSync('sh', ['-c', `${command}; printenv PUBLIC_URL`], { env: {}, encoding: 'utf8' });
    expect(url).toBe('https://login.example.org\n');
  });

  it('says that the settings on standard output belong in Hydra, before Foyer starts', async () => {
    const { err } = await init();
    expect(err).toMatch(/\nSet the settings on standard output in Hydra, and restart Hydra\.\nThen start Foyer:\n +set -a/);
  });

  it('names the settings that are missing', async () => {
    const { code, err, out } = await init();
    expect([code, settingsIn(out).length]).toEqual([0, HYDRA.length]);
    expect(err).toContain(`Add DATABASE_URL to ${file()}: Foyer does not start without it.`);
    expect(err.match(/^.*SMTP_URL.*$/gm)).toEqual([expect.stringMatching(/^warning: SMTP_URL: is not set/)]);
  });
});

describe('[INS-1] the console', () => {
  const CONSOLE = ['--console-url', 'https://console.example.org/'];

  it('is written with what the start needs, and the advice says how its first operator gets in', async () => {
    const { code, err } = await init(CONSOLE);
    expect(code).toBe(0);
    const settings = parseEnv(readSettings()) as Env;
    expect(settings).toMatchObject({ CONSOLE_URL: 'https://console.example.org', OPERATOR_TRUST_PROXY: '1' });
    const { console, operator } = loadConfig({ ...settings, DATABASE_URL }).config;
    expect([console, operator.trustProxyHops]).toEqual([
      { url: 'https://console.example.org', acr: 'urn:foyer:acr:mfa', backChannelUrl: 'https://console.example.org' },
      1,
    ]);
    expect(err).toMatch(/OPERATOR_TRUST_PROXY=1 \(one proxy in front of the operator API /);
    expect(err).toMatch(/account create .*\n {2}npm run foyer -- operator grant NAME admin\n {2}npm run foyer -- doctor\n/);
    expect(err).toContain('The console is then at https://console.example.org/console/');
    expect(err).toMatch(
      /Route console\.example\.org to the operator API at localhost:3001 .*OPERATOR_HOST.*never to the sign-in pages/,
    );
    expect(err).toMatch(/Hydra .* CONSOLE_BACKCHANNEL_URL/);
  });

  it('is off without an address, and nothing is said of it', async () => {
    const { err } = await init();
    expect(readSettings()).not.toMatch(/CONSOLE|OPERATOR_TRUST_PROXY/);
    expect(err).not.toMatch(/console|operator grant/);
  });

  it('has the address of the environment if the option is not given, and keeps the settings of the operator API', async () => {
    const given = { OPERATOR_HOST: '10.0.0.7', OPERATOR_TRUST_PROXY: '2', CONSOLE_URL: 'https://help.example.org' };
    const { err } = await init([], given);
    expect(parseEnv(readSettings())).toMatchObject(given);
    expect(err).toContain('Route help.example.org to the operator API at 10.0.0.7:3001');
    rmSync(file());
    await init(CONSOLE, { ...given, OPERATOR_TRUST_PROXY: '' });
    expect(parseEnv(readSettings())).toMatchObject({ CONSOLE_URL: 'https://console.example.org', OPERATOR_TRUST_PROXY: '1' });
  });

  it('trusts no forwarded address where the operator API has a certificate itself', async () => {
    const paths = { OPERATOR_TLS_CERT_FILE: join(folder, 'tls.crt'), OPERATOR_TLS_KEY_FILE: join(folder, 'tls.key') };
    writeFileSync(paths.OPERATOR_TLS_CERT_FILE, OPERATOR_CERTIFICATE.certificate);
    writeFileSync(paths.OPERATOR_TLS_KEY_FILE, OPERATOR_CERTIFICATE.key);
    expect((await init(CONSOLE, paths)).code).toBe(0);
    expect(readSettings()).toContain('OPERATOR_TLS_CERT_FILE=');
    expect(readSettings()).not.toContain('OPERATOR_TRUST_PROXY');
  });

  it('leaves the token hook off unless told where Hydra reaches it', async () => {
    expect((await init()).out).not.toContain('TOKEN_HOOK');
    expect(readSettings()).not.toContain('TOKEN_HOOK');
  });

  it.each(['env', 'yaml', 'helm'])(
    'tells Hydra, as %s, where the token hook is, with the key that is in the file',
    async (form) => {
      const { code, out, err } = await init(['--token-hook-url', 'http://foyer-operator:3001', '--format', form], {
        DATABASE_URL,
      });
      const settings = parseEnv(readSettings());
      const key = settings['TOKEN_HOOK_KEY'] ?? '';
      expect([code, key.length, settings['OPERATOR_HOST_NAMES']]).toEqual([0, 43, 'foyer-operator']);
      expect(loadConfig(settings as Env).config.tokenHook.keys).toEqual([key]);
      for (const part of ['http://foyer-operator:3001/hooks/token', 'api_key', 'header', 'X-Foyer-Hook-Key', key])
        expect(out).toContain(part);
      expect(err).toContain('Hydra must reach the port of the operator API at http://foyer-operator:3001');
      expect(err).not.toContain(key);
    },
  );

  it.each(['foyer-operator:3001', 'http://foyer-operator:3001/hooks'])(
    'refuses %s as the origin of the token hook',
    async (url) => {
      const { code, err } = await init(['--token-hook-url', url]);
      expect([code, err]).toEqual([2, expect.stringContaining('--token-hook-url')]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('is on the port of its address in a trial', async () => {
    const { code, err } = await initHere(upstream, ['--console-url', 'http://localhost:3211']);
    expect([code, parseEnv(readSettings())]).toEqual([
      0,
      expect.objectContaining({ CONSOLE_URL: 'http://localhost:3211', OPERATOR_PORT: '3211' }),
    ]);
    expect(loadConfig(parseEnv(readSettings()) as Env).config.operator.port).toBe(3211);
    expect(err).toContain('The console is then at http://localhost:3211/console/');
    expect(err).not.toContain('Route ');
  });

  it.each([
    [['--console-url', 'console.example.org'], 2, /--console-url is not an address that begins with/],
    [['--console-url', 'https://example.org/console'], 2, /--console-url has more than scheme, host and port/],
    [['--console-url', 'http://console.example.org'], 1, /CONSOLE_URL: must begin with https:\/\/.*Nothing was written/],
    [['--console-url', 'https://login.example.org:8443'], 1, /CONSOLE_URL: must have another host name.*Nothing was written/],
  ])('refuses %j, and writes nothing', async (more, expected, says) => {
    const { code, err, out } = await init(more);
    expect([code, out, readdirSync(folder)]).toEqual([expected, '', []]);
    expect(err).toMatch(says);
  });
});

describe('[INS-1] the configuration of Hydra', () => {
  it('is a list of variables, and nothing else is on standard output', async () => {
    const { out } = await init();
    expect(settingsIn(out)).toEqual(HYDRA);
    expect(out).toMatch(/^# .*\n# .*max_conns=/);
  });

  it('is a part of its file, or of the values of its chart', async () => {
    const yaml = [
      'urls:',
      '  login: https://login.example.org/login',
      '  registration: https://login.example.org/register',
      '  consent: https://login.example.org/consent',
      '  logout: https://login.example.org/logout',
      '  error: https://login.example.org/error',
      '  post_logout_redirect: https://login.example.org/logout/callback',
      '  device:',
      '    verification: https://login.example.org/device',
      '    success: https://login.example.org/device/success',
      'webfinger:',
      '  oidc_discovery:',
      '    supported_scope: [profile, email, address, phone]',
      `    supported_claims: [${DISCOVERY.claims.join(', ')}]`,
    ];
    expect(settingsIn((await init(['--format', 'yaml'])).out)).toEqual(yaml);
    rmSync(file());
    const helm = ['hydra:', '  config:', ...yaml.map((line) => `    ${line}`)];
    expect(settingsIn((await init(['--format', 'helm'])).out)).toEqual(helm);
  });

  it('is available for machines too', async () => {
    const { out, err } = await init(['--json'], { DATABASE_URL });
    expect(err).toBe('');
    expect(JSON.parse(out)).toEqual({
      file: file(),
      hydra: Object.fromEntries(HYDRA.map((line) => line.split('='))) as unknown,
      missing: [],
      taken_over: ['DATABASE_URL'],
      chosen: [expect.stringMatching(/^LANGUAGES=all /), expect.stringMatching(/^PASSWORD_PROFILE=nist /)],
      findings: [],
    });
  });
});

describe('[INS-1] the check of Hydra', () => {
  it('reports the version, and that the addresses fit', async () => {
    const { code, err } = await initHere(upstream);
    expect(code).toBe(0);
    expect(err).toContain(
      `Hydra v26.2.0 answers at ${upstream.adminUrl}.\nThe issuer of Hydra is HYDRA_PUBLIC_URL, ${upstream.publicUrl}.`,
    );
    expect(parseEnv(readSettings())).toMatchObject({
      PUBLIC_URL: 'http://localhost:3210',
      PORT: '3210',
      PASSWORD_PROFILE: 'nist',
    });
    expect(parseEnv(readSettings())['NODE_ENV']).toBeUndefined();
  });

  it('writes the given port', async () => {
    const { code } = await initHere(upstream, ['--port', '8443']);
    expect([code, parseEnv(readSettings())['PORT']]).toEqual([0, '8443']);
  });

  it.each([
    ['addresses that are swapped', ({ publicUrl, adminUrl }: Upstream) => [adminUrl, publicUrl], /are swapped/],
    [
      'an issuer with another name',
      ({ publicUrl, adminUrl }: Upstream) => [publicUrl.replace('localhost', '127.0.0.1'), adminUrl],
      /The issuer of Hydra is http:\/\/localhost.*HYDRA_PUBLIC_URL is http:\/\/127/,
    ],
  ])('stops at %s', async (_title, addresses, says) => {
    const [publicUrl = '', adminUrl = ''] = addresses(upstream);
    const { code, err, out } = await initHere({ publicUrl, adminUrl });
    expect([code, out, readdirSync(folder)]).toEqual([1, '', []]);
    expect(err).toMatch(says);
    expect(err).toContain('Nothing was written.');
  });

  it('stops if nothing answers', async () => {
    const [port = 0] = await findFreePorts(1);
    const nobody = `http://localhost:${port}`;
    const { code, err } = await initHere({ publicUrl: nobody, adminUrl: nobody });
    expect([code, readdirSync(folder)]).toEqual([1, []]);
    expect(err).toMatch(/No server answers at HYDRA_ADMIN_URL.*ECONNREFUSED.*No server answers at HYDRA_PUBLIC_URL/);
  });

  it.each([
    ['v2.2.0', 1, false, /Hydra v2.2.0 is too old: .* v2.3.0/],
    ['v2.3.0', 0, false, /Hydra v2.3.0 answers/],
    ['v26.2.7', 0, true, /Hydra v26.2.7 answers/],
    ['v27.0.0', 0, true, /newer than the releases tested with Foyer \(v2.3.0 to v26.2.0\)/],
    ['master', 0, true, /does not report its version \(master\)/],
  ])(
    'considers the version %s, and prints addresses of devices only if Hydra supports them',
    async (version, expected, hasDevices, says) => {
      const server = await hydraThatSays(version);
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const issuer = await hydraThatSays(null);
      const publicUrl = `http://localhost:${(issuer.address() as AddressInfo).port}`;
      const { code, err, out } = await initHere({ publicUrl, adminUrl: url });
      await Promise.all([server, issuer].map((one) => new Promise((resolve) => one.close(resolve))));
      expect([code, err]).toEqual([expected, expect.stringMatching(says)]);
      expect(out.includes('URLS_DEVICE_')).toBe(hasDevices);
    },
  );
});

describe('[INS-1] refuses, and writes nothing', () => {
  it('an existing file', async () => {
    writeFileSync(file(), 'PUBLIC_URL=https://old.example.org\n');
    const { code, err } = await init();
    expect([code, readSettings()]).toEqual([4, 'PUBLIC_URL=https://old.example.org\n']);
    expect(err).toContain('Existing files are not overwritten');
  });

  it('missing and wrong addresses, all of which it names at once', async () => {
    const { code, err } = await runLine(['init', '--out', file(), '--hydra-admin-url', 'localhost:4445'], { env: {} });
    expect([code, err]).toEqual([
      2,
      'foyer: --public-url is required; --hydra-public-url is required; --hydra-admin-url is not an address that begins with http:// or https://.\n',
    ]);
  });

  it.each([
    [
      'plain http on a name that others can reach',
      ['--public-url', 'http://login.example.org'],
      {},
      /plain http is allowed for localhost only/,
    ],
    ['a password among the arguments', ['--database-url', DATABASE_URL], {}, /A password must not be an argument/],
    ['two databases', ['--database-url', 'postgres://db/foyer'], { DATABASE_URL }, /not both/],
    ['an unknown form', ['--format', 'toml'], {}, /--format accepts env, yaml, helm/],
    ['what the start would refuse', ['--trust-proxy', 'many'], {}, /TRUST_PROXY: "many" is not a whole number/],
    ['an invalid secret', [], { SECRETS_SYSTEM: 'changeme' }, /SECRETS_SYSTEM: secret 1 is shorter/],
    ['what such a file cannot hold', [], { APP_NAME: "Foyer's" }, /APP_NAME contains .* single quotes/],
  ])('%s', async (_title, more: string[], env: Env, says) => {
    const [option] = more;
    const base = ['--public-url', 'https://login.example.org', '--hydra-public-url', 'https://auth.example.org'];
    const args = option === '--public-url' ? [...base.slice(2), ...more] : [...base, ...more];
    const line = ['init', '--out', file(), '--offline', '--hydra-admin-url', 'https://hydra-admin.internal:4445', ...args];
    const { err, out } = await runLine(line, { env });
    expect([out, readdirSync(folder)]).toEqual(['', []]);
    expect(err).toMatch(says);
  });

  it('a folder that does not exist', async () => {
    const line = ['init', '--out', join(folder, 'none', 'foyer.env'), '--offline', '--public-url', 'http://localhost:3000'];
    const hydra = ['--hydra-public-url', 'http://localhost:4444', '--hydra-admin-url', 'http://localhost:4445'];
    const { code, err } = await runLine([...line, ...hydra], { env: {} });
    expect([code, err]).toEqual([1, expect.stringMatching(/cannot be written \(ENOENT\)\. Nothing was/)]);
  });
});

/** Both APIs of a Hydra as far as the check needs them; null leaves the public API out. */
async function hydraThatSays(version: string | null): Promise<Server> {
  const server = createServer(({ url = '' }, response) => {
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
    const answers: Record<string, unknown> =
      version === null
        ? { '/.well-known/openid-configuration': { issuer: origin, authorization_endpoint: `${origin}/oauth2/auth` } }
        : { '/admin/clients': [], '/version': { version }, '/health/ready': {} };
    const answer = answers[new URL(url, origin).pathname];
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, 'localhost', resolve));
  return server;
}
