/** One command, end to end: the built product in a process of its own, a person in a real Chromium. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { StartedFoyer, choosePorts } from '../support/started-foyer.js';
import type { Ports } from '../support/started-foyer.js';
import { AdminApi } from '../support/upstream-admin.js';

const PATIENCE_MS = 60_000;

type Phrases = Record<string, string>;

const locale = (name: string): Phrases =>
  JSON.parse(readFileSync(new URL(`../../locales/${name}.json`, import.meta.url), 'utf8')) as Phrases;

/** The demo app's words; those of the gateway come from its locales. */
const LANGUAGES = {
  de: {
    browser: 'de-DE',
    gateway: locale('de'),
    app: { signIn: 'Anmelden', signedIn: 'Sie sind angemeldet', signOut: 'Abmelden', out: 'Abgemeldet', raw: 'Roh anzeigen' },
  },
  en: {
    browser: 'en-GB',
    gateway: locale('en'),
    app: { signIn: 'Sign in', signedIn: 'You are signed in', signOut: 'Log out', out: 'Logged out', raw: 'Show raw' },
  },
} as const;

type Language = (typeof LANGUAGES)[keyof typeof LANGUAGES];

describe('one command', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-start-'));
  let ports: Ports;
  let foyer: StartedFoyer;
  let chromium: Browser;
  let appUrl: string;
  let gatewayUrl: string;

  beforeAll(async () => {
    ports = await choosePorts();
    appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
    gatewayUrl = `http://localhost:${ports.PORT}`;
    [foyer, chromium] = await Promise.all([StartedFoyer.ready(dataDir, ports), launchChromium()]);
  }, PATIENCE_MS);

  afterAll(async () => {
    await Promise.all([chromium.close(), foyer.stop()]);
    rmSync(dataDir, { recursive: true, force: true });
  }, PATIENCE_MS);

  const said = (): string[] =>
    foyer.output
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);

  const person = ({ browser }: Language, javaScriptEnabled = true): Promise<BrowserContext> =>
    chromium.newContext({ locale: browser, javaScriptEnabled });

  const openSignIn = async (page: Page, { app }: Language): Promise<void> => {
    await page.goto(appUrl);
    await page.getByRole('link', { name: app.signIn, exact: true }).click();
  };

  const enterPassword = async (page: Page, { gateway }: Language): Promise<void> => {
    await page.getByLabel(gateway['login.username']!, { exact: true }).fill('maria.musterfrau');
    await page.getByLabel(gateway['login.password']!, { exact: true }).fill(foyer.told('Password'));
    await page.getByLabel(gateway['login.remember']!).check();
    await page.getByRole('button', { name: gateway['login.submit']!, exact: true }).click();
  };

  const allow = (page: Page, { gateway }: Language): Promise<void> =>
    page.getByRole('button', { name: gateway['consent.allow']!, exact: true }).click();

  const expectSignedIn = async (page: Page, { app }: Language): Promise<Record<string, unknown>> => {
    await page.getByRole('heading', { level: 1, name: app.signedIn }).waitFor();
    await page.getByText(app.raw).click();
    return JSON.parse(await page.locator('pre').first().innerText()) as Record<string, unknown>;
  };

  /** So that the next person is asked again. */
  const forgetConsent = async (subject: unknown): Promise<void> => {
    const admin = new AdminApi(`http://localhost:${ports.EMBEDDED_UPSTREAM_ADMIN_PORT}`);
    const query = { subject: String(subject), all: 'true' };
    expect((await admin.send('DELETE', '/admin/oauth2/auth/sessions/consent', { query })).status).toBe(204);
  };

  it('says where to go first, whom to be, and nothing that drowns it', () => {
    const [lines, logged] = [said().filter((line) => !line.startsWith('{')), said().filter((line) => line.startsWith('{'))];
    expect(lines[0]).toBe(`Open ${appUrl}`);
    expect(foyer.told('Account')).toBe('maria.musterfrau');
    expect(foyer.told('Sign-in pages')).toBe(gatewayUrl);
    expect(lines.length).toBeLessThan(10);
    expect(logged.length).toBeLessThan(2);
  });

  it.each([
    ['in German', LANGUAGES.de, true],
    ['in German with script off', LANGUAGES.de, false],
    ['in English', LANGUAGES.en, true],
    ['in English with script off', LANGUAGES.en, false],
  ] as const)(
    '[LOG-9] [CON-4] [OUT-2] [OUT-6] [GEN-9] [I18-1] app, login, consent, ID token, logout and back, %s',
    async (_name, language, script) => {
      const context = await person(language, script);
      const page = await context.newPage();
      await openSignIn(page, language);
      expect(new URL(page.url()).origin).toBe(gatewayUrl);
      await page.getByRole('heading', { level: 1, name: 'Beispielportal' }).waitFor();
      await enterPassword(page, language);
      await page.getByRole('heading', { level: 1, name: 'Beispielportal' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/consent');
      await allow(page, language);
      const claims = await expectSignedIn(page, language);
      expect(claims).toMatchObject({ aud: ['beispielportal'], amr: ['pwd'], acr: 'urn:foyer:acr:pwd' });
      expect(claims['iss']).toBe(`http://localhost:${ports.EMBEDDED_UPSTREAM_PUBLIC_PORT}`);
      await page.getByRole('button', { name: language.app.signOut }).click();
      await page.getByRole('heading', { level: 1, name: language.gateway['logout.heading']! }).waitFor();
      await page.getByRole('button', { name: language.gateway['logout.accept']!, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: language.app.out }).waitFor();
      expect(new URL(page.url()).origin).toBe(appUrl);
      await openSignIn(page, language);
      await page.getByLabel(language.gateway['login.password']!, { exact: true }).waitFor();
      await context.close();
      await forgetConsent(claims['sub']);
    },
    PATIENCE_MS,
  );

  it(
    '[LOG-10] [CON-8] keeps account, client, session and consent over a restart, and ends with 0 on SIGTERM',
    async () => {
      const language = LANGUAGES.en;
      const context = await person(language);
      const page = await context.newPage();
      await openSignIn(page, language);
      await enterPassword(page, language);
      await allow(page, language);
      const before = await expectSignedIn(page, language);
      const password = foyer.told('Password');

      // A stop that takes too long is cut short by the process itself, and that ends with 1.
      expect(await foyer.stop()).toMatchObject({ code: 0, signal: null });

      foyer = await StartedFoyer.ready(dataDir, ports);
      expect(said()[0]).toBe(`Open ${appUrl}`);
      expect(foyer.told('Password')).toBe(password);
      await openSignIn(page, language);
      const after = await expectSignedIn(page, language);
      expect([after['sub'], after['sid'], after['auth_time']]).toEqual([before['sub'], before['sid'], before['auth_time']]);
      await context.close();
      await forgetConsent(before['sub']);
    },
    PATIENCE_MS,
  );

  it(
    'names every taken port with its setting, ends with 1 and leaves the running one alone',
    async () => {
      const other = mkdtempSync(join(tmpdir(), 'foyer-second-'));
      const { code, output } = await StartedFoyer.begin(other, ports).ended;
      rmSync(other, { recursive: true, force: true });
      expect(code).toBe(1);
      const used = Object.entries(ports).filter(([name]) => name !== 'EMBEDDED_PROVIDERS_PORT');
      for (const [name, port] of used) expect(output).toMatch(new RegExp(`Port ${port} is taken .*set ${name}`));
      expect(output).not.toContain('    at ');
      expect((await fetch(`${gatewayUrl}/health/live`)).status).toBe(200);
    },
    PATIENCE_MS,
  );

  it(
    'refuses a data directory that another one uses, in a sentence',
    async () => {
      const { code, output } = await StartedFoyer.begin(dataDir, await choosePorts()).ended;
      expect(code).toBe(1);
      expect(output).toContain('is in use by another process');
      expect(output).not.toContain('    at ');
    },
    PATIENCE_MS,
  );

  it(
    'starts nothing embedded in production, and names all that is missing',
    async () => {
      const { code, output } = await StartedFoyer.begin(dataDir, ports, { NODE_ENV: 'production' }).ended;
      expect(code).toBe(1);
      for (const name of ['PUBLIC_URL', 'HYDRA_ADMIN_URL', 'DATABASE_URL', 'SECRETS_SYSTEM']) expect(output).toContain(name);
    },
    PATIENCE_MS,
  );

  it(
    'stops at once also while it waits for its database',
    async () => {
      const env = { DATABASE_URL: 'postgres://localhost:1/nothing', LOG_LEVEL: 'warn' };
      const waiting = StartedFoyer.begin(dataDir, await choosePorts(), env);
      await waiting.says('The database is not available');
      expect(await waiting.stop()).toMatchObject({ code: 0, signal: null });
    },
    PATIENCE_MS,
  );

  it(
    'ends when the parent that started it is gone, so that no port stays taken',
    async () => {
      foyer.disconnect();
      expect(await foyer.ended).toMatchObject({ code: 0 });
      foyer = await StartedFoyer.ready(dataDir, ports);
    },
    PATIENCE_MS,
  );
});
