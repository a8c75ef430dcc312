/** Tests the recipes of docs/clients: every registration is accepted and leads to an ID token, and the programs run without changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from '../../test-kit/browser.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import type { Foyer, Person } from '../../test-kit/index.js';
import { RECIPES, RunningExample, recipeFile, register, parseRegistration } from '../support/client-recipes.js';
import { processEnvironment } from '../support/process-environment.js';
import { PROJECT, ScratchTree } from '../support/scratch-tree.js';
import { ExampleApp, loadKit } from '../support/testing-kit.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { describeSinglePageApp } from './single-page-story.js';

const TIMEOUT_MS = 180_000;
const LOGOUT_WITHIN_MS = 60_000;

let foyer: Foyer;
let maria: Person;
let issuer: string;

beforeAll(async () => {
  foyer = await (await loadKit()).startFoyer();
  maria = await foyer.createPerson({ username: 'maria', displayName: 'Maria', email: 'maria@example.org', secondFactor: 'totp' });
  const discovery = await fetch(`${foyer.installation.hydraPublicUrl}/.well-known/openid-configuration`);
  ({ issuer } = (await discovery.json()) as { issuer: string });
}, TIMEOUT_MS);
afterAll(() => foyer.stop());

const getAdminUrl = (): string => foyer.installation.hydraAdminUrl;

describe('every recipe', () => {
  it('is listed in the overview', () => {
    const overview = readFileSync(join(PROJECT, 'docs', 'clients', 'README.md'), 'utf8');
    const listed = [...overview.matchAll(/^\|.*\]\(([a-z0-9-]+)\.md\) \|/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...RECIPES].sort());
  });

  it.each(RECIPES)(
    'has a registration that is accepted without changes, and sign-ins that end with an ID token (%s)',
    async (recipe) => {
      const registration = parseRegistration(recipe);
      const made = await register(getAdminUrl(), registration);
      expect(made).toMatchObject(registration);
      expect(made.post_logout_redirect_uris ?? []).toHaveLength(registration.redirect_uris.length);
      for (const redirectUri of registration.redirect_uris) {
        const client = { issuer, clientId: made.client_id, clientSecret: made.client_secret ?? '', redirectUris: [redirectUri] };
        const app = await ExampleApp.create(client, registration);
        const browser = foyer.browser();
        // The second time, the browser is signed in and the requested scopes are granted.
        for (const _ of ['new', 'remembered']) {
          const { url, finish } = await app.beginSignIn();
          const answer = await foyer.loginAs(maria, url, { browser, remember: true });
          expect(answer.startsWith(`${redirectUri}?`)).toBe(true);
          expect(await finish(answer)).toMatchObject({ sub: maria.id, name: 'Maria' });
        }
      }
    },
  );
});

describe('the program for Express', () => {
  let base: string;
  let example: RunningExample;
  let browser: Browser;

  beforeAll(async () => {
    const [port = 0] = await findFreePorts(1);
    base = `http://localhost:${port}`;
    const { client_secret: secret = '', client_id: id } = await register(getAdminUrl(), {
      ...parseRegistration('node-express', base),
      client_id: 'shop-at-work',
    });
    const env = { ISSUER: issuer, CLIENT_ID: id, CLIENT_SECRET: secret, BASE_URL: base, PORT: String(port) };
    example = await RunningExample.start(
      { 'server.mjs': recipeFile('node-express', 'server.mjs') },
      { ...env, FOYER_URL: foyer.installation.foyerUrl },
    );
    browser = foyer.browser();
  }, TIMEOUT_MS);
  afterAll(() => example.stop());

  const readHomePage = async (): Promise<string> => (await browser.go(base)).html;
  const signIn = async (path: string): Promise<string> =>
    (await browser.go(await foyer.loginAs(maria, `${base}${path}`, { browser, remember: true }))).html;

  it('signs in, requires a second factor for payments, and handles a denied consent', async () => {
    expect(await readHomePage()).toBe('Nobody is signed in.');
    expect(await signIn('/login?ui_locales=de')).toBe('Hello Maria, by pwd and otp and mfa');
    expect((await browser.go(`${base}/payments`)).html).toBe('Payments of Maria');
    const refused = await foyer.loginAs(maria, `${base}/login?prompt=consent`, { browser, consent: 'reject' });
    expect(await browser.go(refused)).toMatchObject({ status: 403, html: 'Not signed in: access_denied' });
    expect(await readHomePage()).toBe('Hello Maria, by pwd and otp and mfa');
  });

  it('accepts a security key for payments', async () => {
    const holder = await foyer.createPerson({ username: 'holder', displayName: 'Hanna', secondFactor: 'fido2' });
    const ownBrowser = foyer.browser();
    const callbackUrl = await foyer.loginAs(holder, `${base}/payments`, { browser: ownBrowser, remember: true });
    expect((await ownBrowser.go(callbackUrl)).html).toBe('Payments of Hanna');
  });

  it('opens the account area', async () => {
    const account = await browser.go(`${base}/account`);
    expect([account.url.origin, account.url.pathname, account.url.search]).toEqual([foyer.installation.foyerUrl, '/manage', '']);
    expect(account.html).toContain('Maria');
  });

  it('rejects a callback that it did not request', async () => {
    const stranger = await foyer.browser().go(`${base}/callback?code=x&state=stolen`);
    expect(stranger.url.pathname).toBe('/login');
  });

  it('logs out locally and at Hydra', async () => {
    const page = await browser.submit(await browser.go(base), '/logout', {});
    expect([page.url.origin, page.url.pathname]).toEqual([foyer.installation.foyerUrl, '/logout']);
    const back = await browser.fill(page, {}, '/logout/accept');
    expect([back.url.href, back.html]).toEqual([`${base}/`, 'Nobody is signed in.']);
  });

  it('ends its session after a back-channel logout, and rejects a forged logout token', async () => {
    await signIn('/login');
    const forged = await fetch(`${base}/backchannel-logout`, {
      method: 'POST',
      body: new URLSearchParams({ logout_token: 'a.b.c' }),
    });
    expect([forged.status, await readHomePage()]).toEqual([400, 'Hello Maria, by pwd and otp and mfa']);
    const page = await browser.go(`${foyer.installation.hydraPublicUrl}/oauth2/sessions/logout`);
    await browser.fill(page, {}, '/logout/accept');
    await waitUntil(LOGOUT_WITHIN_MS, async () => (await readHomePage()) === 'Nobody is signed in.');
  });
});

/** Makes the two calls of the Auth.js library that Next.js makes for `signIn`, without Next.js. */
const AUTH_SERVER = `
import { createServer } from 'node:http';
import { Auth, skipCSRFCheck } from '@auth/core';
import { authConfig } from './auth.config.js';

const { BASE, PORT, AUTH_SECRET } = process.env;
const config = { ...authConfig, basePath: '/api/auth', secret: AUTH_SECRET, trustHost: true, logger: { error() {} } };
createServer(async (request, response) => {
  const headers = { cookie: request.headers.cookie ?? '' };
  const answer =
    request.url === '/login'
      ? await Auth(new Request(BASE + '/api/auth/signin/foyer', { method: 'POST', headers }), { ...config, skipCSRFCheck })
      : await Auth(new Request(BASE + request.url, { headers }), config);
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
  response.writeHead(answer.status).end(await answer.text());
}).listen(Number(PORT), 'localhost', () => console.log('ready'));
`;

describe('the configuration for Auth.js', () => {
  it('signs in, and keeps the id of the account and the acr of the sign-in', async () => {
    const [port = 0] = await findFreePorts(1);
    const base = `http://localhost:${port}`;
    const { client_secret: secret = '' } = await register(getAdminUrl(), {
      ...parseRegistration('nextjs', base),
      client_id: 'portal-at-work',
    });
    const example = await RunningExample.start(
      { 'server.mjs': AUTH_SERVER, 'auth.config.js': recipeFile('nextjs', 'auth.config.js') },
      {
        BASE: base,
        PORT: String(port),
        AUTH_SECRET: 'secret-for-this-test-only',
        AUTH_FOYER_ISSUER: issuer,
        AUTH_FOYER_ID: 'portal-at-work',
        AUTH_FOYER_SECRET: secret,
      },
    );
    const browser = foyer.browser();
    await browser.go(await foyer.loginAs(maria, `${base}/login`, { browser }));
    const session = JSON.parse((await browser.go(`${base}/api/auth/session`)).html) as object;
    await example.stop();
    expect(session).toMatchObject({
      user: { id: maria.id, name: 'Maria', email: 'maria@example.org' },
      acr: 'urn:foyer:acr:mfa',
    });
    expect(JSON.stringify(session)).not.toContain('eyJ');
  });
});

describe('the program for devices', () => {
  it(
    'shows address and code, and receives its tokens when the person has allowed the access',
    async () => {
      const { client_id: id } = await register(getAdminUrl(), {
        ...parseRegistration('device'),
        client_id: 'television-at-work',
      });
      const tree = new ScratchTree();
      tree.write('device.sh', recipeFile('device', 'device.sh'));
      const env = { ...processEnvironment(), ISSUER: issuer, CLIENT_ID: id };
      const program = spawn('sh', ['device.sh'], { cwd: tree.root, env, stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(program, 'exit');
      try {
        let shown = '';
        program.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
        await waitUntil(TIMEOUT_MS, async () => shown.includes('enter the code') && shown.endsWith('\n'));
        const [, address = '', code = ''] = /Open (\S+)\nand enter the code (\S+)/.exec(shown) ?? [];
        const browser = foyer.browser();
        const login = await browser.fill(await browser.go(address), { user_code: code });
        const { username, password } = await foyer.createPerson({ username: 'otto' });
        const consent = await browser.fill(login, { username, password }, '/login/native');
        expect((await browser.fill(consent, {}, '/consent/accept')).url.pathname).toBe('/device/success');
        expect((await ended)[0]).toBe(0);
        const tokens = JSON.parse(readFileSync(join(tree.root, 'tokens.json'), 'utf8')) as object;
        expect(tokens).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
      } finally {
        program.kill();
        await ended;
        tree.remove();
      }
    },
    TIMEOUT_MS,
  );
});

describeSinglePageApp(() => ({ kit: foyer, issuer }));
