/**
 * Runs the commands of docs/existing-hydra.md in their order, until a sign-in ends with an ID token: with the embedded upstream, and
 * with a real Hydra if there is one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { Browser } from '../../test-kit/browser.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { SignIn } from '../../test-kit/sign-in.js';
import { DocumentedWalk } from '../support/documented-walk.js';
import { processEnvironment } from '../support/process-environment.js';
import { ExampleApp, REDIRECT_URI } from '../support/testing-kit.js';
import { AdminApi } from '../support/upstream-admin.js';
import { hydraEnvironment } from '../support/upstream-binary.js';
import { STAND_IN_URLS } from '../support/upstream-leg.js';
import { isServed, waitUntil } from '../support/upstream-waiting.js';

const TIMEOUT_MS = 180_000;
const START_WITHIN_MS = 180_000;
const { HYDRA_BIN = '' } = process.env;

type Variables = Readonly<Record<string, string | undefined>>;

interface Ports {
  foyer: number;
  operator: number;
  hydraPublic: number;
  hydraAdmin: number;
  app: number;
}

/** A Hydra that exists before Foyer. It is started again with the settings that the document names. */
interface ExistingHydra {
  start(settings: Variables): Promise<() => Promise<void>>;
  /** Signs a person in as in the last step of the document. */
  signIn(walk: DocumentedWalk, person: { username: string; password: string }): Promise<JWTPayload>;
}

if (HYDRA_BIN === '') process.stderr.write('SKIPPED: docs/existing-hydra.md with a real Hydra: HYDRA_BIN is not set\n');

(HYDRA_BIN === '' ? describe['skip'] : describe)('docs/existing-hydra.md with a Hydra binary', () => {
  describeWalk(buildRealHydra);
});

describe('docs/existing-hydra.md with the embedded upstream', () => {
  describeWalk(buildEmbeddedUpstream);
});

function describeWalk(buildExisting: (ports: Ports, tools: string) => ExistingHydra): void {
  let tools: string;
  let walk: DocumentedWalk;
  let ports: Ports;
  let existing: ExistingHydra;
  let stop = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    tools = mkdtempSync(join(tmpdir(), 'foyer-tools-'));
    const [foyer = 0, operator = 0, hydraPublic = 0, hydraAdmin = 0, app = 0] = await findFreePorts(5);
    ports = { foyer, operator, hydraPublic, hydraAdmin, app };
    const { PATH = '' } = process.env;
    const moved = { 3000: foyer, 4444: hydraPublic, 4445: hydraAdmin, 4446: app };
    walk = new DocumentedWalk('docs/existing-hydra.md', moved, { PATH: `${tools}:${PATH}`, OPERATOR_PORT: String(operator) });
    existing = buildExisting(ports, tools);
    stop = await existing.start({});
  }, TIMEOUT_MS);

  afterAll(async () => {
    await walk.end();
    await stop();
    rmSync(tools, { recursive: true });
  }, TIMEOUT_MS);

  it(
    'leads from a Hydra without Foyer to an ID token',
    async () => {
      await walk.run('init.sh');
      const settings = parseEnv(walk.file('hydra-urls.env'));
      expect(Object.keys(settings)).toHaveLength(10);
      await stop();
      stop = await existing.start(settings);

      walk.begin('serve.sh');
      await waitUntil(START_WITHIN_MS, () => isServed(`http://localhost:${ports.foyer}/health/ready`));
      const [, password = ''] = /shown only now: (\S+)/.exec(await walk.run('account.sh')) ?? [];
      for (const _ of ['first', 'second']) expect(await walk.run('doctor.sh')).toMatch(/\nNo faults, /);
      const claims = await existing.signIn(walk, { username: 'maria', password });
      expect(claims).toMatchObject({
        name: 'Maria Musterfrau',
        iss: expect.stringContaining(`:${ports.hydraPublic}`) as unknown,
      });
    },
    TIMEOUT_MS,
  );
}

function buildRealHydra({ hydraPublic, hydraAdmin, app }: Ports, tools: string): ExistingHydra {
  symlinkSync(HYDRA_BIN, join(tools, 'hydra'));
  const nothing = Object.fromEntries(Object.keys(STAND_IN_URLS).map((name) => [name, ''])) as Record<
    keyof typeof STAND_IN_URLS,
    string
  >;
  return {
    async start(settings) {
      const own = hydraEnvironment(hydraPublic, hydraAdmin, { urls: nothing });
      const env = { ...processEnvironment(), ...own, URLS_SELF_ISSUER: `http://localhost:${hydraPublic}`, ...settings };
      const server = spawn(HYDRA_BIN, ['serve', 'all', '--dev', '--sqa-opt-out'], { env, stdio: 'ignore' });
      await waitUntil(START_WITHIN_MS, () => isServed(`http://localhost:${hydraAdmin}/health/ready`));
      await waitUntil(START_WITHIN_MS, () => isServed(`http://localhost:${hydraPublic}/.well-known/jwks.json`));
      return async () => {
        const ended = once(server, 'exit');
        server.kill();
        await ended;
      };
    },
    async signIn(walk, person) {
      walk.begin('sign-in.sh');
      await waitUntil(START_WITHIN_MS, () => isServed(`http://localhost:${app}/`));
      const browser = new Browser();
      const { html } = await browser.go(`http://localhost:${app}/`);
      const [, link = ''] = /href="([^"]*\/oauth2\/auth[^"]*)"/.exec(html) ?? [];
      const callback = await new SignIn(browser, { id: '', ...person }, {}).walk(unescapeAttribute(link));
      const [, idToken = ''] = /(eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+)/.exec((await browser.go(callback)).html) ?? [];
      return decodeJwt(idToken);
    },
  };
}

/** Decodes the characters that Go's templates escape in attributes. */
const unescapeAttribute = (attribute: string): string => attribute.replaceAll('&amp;', '&').replaceAll('&#43;', '+');

function buildEmbeddedUpstream({ hydraPublic, hydraAdmin }: Ports): ExistingHydra {
  const issuer = `http://localhost:${hydraPublic}`;
  return {
    async start(settings) {
      const toSetting = (name: string): string => settings[name] ?? 'http://localhost:1/not-configured';
      const { close } = await startUpstream({
        host: 'localhost',
        publicPort: hydraPublic,
        adminPort: hydraAdmin,
        urls: {
          login: toSetting('URLS_LOGIN'),
          registration: toSetting('URLS_REGISTRATION'),
          consent: toSetting('URLS_CONSENT'),
          logout: toSetting('URLS_LOGOUT'),
          error: toSetting('URLS_ERROR'),
          postLogoutRedirect: toSetting('URLS_POST_LOGOUT_REDIRECT'),
          deviceVerification: toSetting('URLS_DEVICE_VERIFICATION'),
          deviceSuccess: toSetting('URLS_DEVICE_SUCCESS'),
        },
        dataDir: null,
        secret: 'contract-suite-only-not-a-secret',
      });
      return close;
    },
    async signIn(_walk, person) {
      const { client_id: clientId, client_secret: clientSecret = '' } = await new AdminApi(
        `http://localhost:${hydraAdmin}`,
      ).createClient({
        redirect_uris: [REDIRECT_URI],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        scope: 'openid profile email',
        token_endpoint_auth_method: 'client_secret_basic',
      });
      const app = await ExampleApp.create({ issuer, clientId, clientSecret, redirectUris: [REDIRECT_URI] });
      const { url, finish } = await app.beginSignIn();
      return finish(await new SignIn(new Browser(), { id: '', ...person }, {}).walk(url));
    },
  };
}
