/**
 * Google, Microsoft and Apple, end to end: the built product beside its stand-in, a person in a real Chromium, the demo app
 * as an unchanged client. Apple also as another site, where its answer brings no cookie but its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SystemClock } from '../../src/config/clock.js';
import { embeddedInstallation } from '../support/area-installation.js';
import type { AreaInstallation } from '../support/area-installation.js';
import { launchChromium } from '../support/chromium.js';
import { startCrossSiteApple } from '../support/cross-site-apple.js';
import type { CrossSiteApple } from '../support/cross-site-apple.js';
import { choosePorts, StartedFoyer } from '../support/started-foyer.js';
import { TotpApp } from '../../testing/totp-app.js';
import { words } from '../support/words.js';

const PATIENCE_MS = 90_000;

type Provider = 'Google' | 'Microsoft' | 'Apple';

/** One person's browser. */
class Person {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly appUrl: string,
  ) {}

  static async at(chromium: Browser, appUrl: string, javaScriptEnabled = true): Promise<Person> {
    const context = await chromium.newContext({ locale: 'en-GB', javaScriptEnabled });
    return new Person(context, await context.newPage(), appUrl);
  }

  button(key: string) {
    return this.page.getByRole('button', { name: words(key), exact: true });
  }

  heading(key: string) {
    return this.page.getByRole('heading', { level: 1, name: words(key) });
  }

  /** From the app to the page of the provider that asks who it is. */
  async toProvider(provider: Provider, path = '/sign-in?prompt=login&scope=profile'): Promise<void> {
    await this.page.goto(`${this.appUrl}${path}`);
    await this.page.getByRole('link', { name: words('login.with').replace('{{provider}}', provider) }).click();
    await this.page.getByRole('heading', { name: `Sign in with ${provider}` }).waitFor();
  }

  async is(name: string): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(name) }).click();
  }

  /** Consents where it is asked; then the app shows what it was told. */
  async claims(): Promise<Record<string, unknown>> {
    const signedIn = this.page.getByRole('heading', { level: 1, name: /^(You are signed in|Hello, )/ });
    await this.button('consent.allow').or(signedIn).first().waitFor();
    if (await this.button('consent.allow').isVisible()) await this.button('consent.allow').click();
    await signedIn.waitFor();
    await this.page.locator('summary', { hasText: 'Show raw' }).click();
    return JSON.parse(await this.page.locator('pre').first().innerText()) as Record<string, unknown>;
  }
}

describe('sign-in with a provider', () => {
  let installation: AreaInstallation;
  let chromium: Browser;

  beforeAll(async () => {
    [installation, chromium] = await Promise.all([embeddedInstallation(), launchChromium()]);
  }, PATIENCE_MS);

  afterAll(async () => {
    await Promise.all([chromium.close(), installation.close()]);
  }, PATIENCE_MS);

  const person = (javaScriptEnabled = true) => Person.at(chromium, installation.appUrl, javaScriptEnabled);

  it.each([
    ['Google', true],
    ['Microsoft', true],
    ['Apple', true],
    ['Google', false],
  ] as const)(
    '[PRV-1] [PRV-2] [LOG-2] %s leads somebody with one account back into the app (script: %s)',
    async (provider, javaScriptEnabled) => {
      const maria = await person(javaScriptEnabled);
      await maria.toProvider(provider);
      await maria.is('Maria Musterfrau');
      expect(await maria.claims()).toMatchObject({
        amr: ['fed'],
        acr: 'urn:foyer:acr:pwd',
        preferred_username: 'maria.musterfrau',
      });
      await maria.context.close();
    },
    PATIENCE_MS,
  );

  it(
    '[ACC-1] [ACC-2] [ACC-4] [S-58] Microsoft leads somebody with two accounts to the choice, and the chosen one to its second factor',
    async () => {
      const jonas = await person();
      const choose = async (): Promise<void> => {
        await jonas.toProvider('Microsoft', '/sign-in?prompt=login&scope=profile&acr_values=urn:foyer:acr:mfa');
        await jonas.is('Jonas Beispiel');
        await jonas.heading('accounts.heading').waitFor();
      };
      const buttons = () => jonas.page.locator('.rows button b').allInnerTexts();
      await choose();
      expect(await buttons()).toEqual(['Hausverwaltung Lindenallee', 'Jonas Beispiel']);
      await jonas.page.getByRole('button', { name: /Privatkunde/ }).click();
      await jonas.page.getByRole('link', { name: words('factor.totp') }).click();
      const secret = (await jonas.page.locator('.secret').innerText()).replaceAll(/\s/g, '');
      const app = new TotpApp(secret, new SystemClock());
      await jonas.page.getByLabel(words('factor.code'), { exact: true }).fill(app.code());
      await jonas.button('factor.activate').click();
      await jonas.heading('factor.codes_heading').waitFor();
      await jonas.button('mfa.go_on').click();
      expect(await jonas.claims()).toMatchObject({
        amr: ['fed', 'otp', 'mfa'],
        acr: 'urn:foyer:acr:mfa',
        preferred_username: 'jonas.beispiel',
      });
      await choose();
      expect((await buttons())[0]).toBe('Jonas Beispiel');
      await jonas.page.getByRole('link', { name: words('accounts.back') }).click();
      await jonas.page.getByLabel(words('login.username'), { exact: true }).waitFor();
      await jonas.context.close();
    },
    PATIENCE_MS,
  );

  it(
    '[LOG-7] [PRV-4] nobody’s account and a cancelled sign-in end on the login screen of the same request',
    async () => {
      const nora = await person();
      await nora.toProvider('Apple');
      await nora.is('Nora Neumann');
      await nora.page.getByRole('alert').getByText(words('login.provider_failed').replace('{{provider}}', 'Apple')).waitFor();
      await nora.page.getByRole('link', { name: 'Sign in with Google' }).click();
      await nora.page.getByRole('button', { name: 'Cancel' }).click();
      await nora.page.getByRole('alert').getByText(words('login.cancelled').replace('{{provider}}', 'Google')).waitFor();
      await nora.page.getByLabel(words('login.username'), { exact: true }).fill(installation.person.username);
      await nora.page.getByLabel(words('login.password'), { exact: true }).fill(installation.person.password);
      await nora.button('login.submit').click();
      expect(await nora.claims()).toMatchObject({ amr: ['pwd'] });
      await nora.context.close();
    },
    PATIENCE_MS,
  );

  it.each([true, false])(
    '[MAN-2] [MAN-8] [MAN-9] [MAN-10] is disconnected and connected in the account area (script: %s)',
    async (javaScriptEnabled) => {
      const maria = await person(javaScriptEnabled);
      const { page } = maria;
      await page.goto(`${installation.appUrl}/sign-in?prompt=login`);
      await page.getByLabel(words('login.username'), { exact: true }).fill(installation.person.username);
      await page.getByLabel(words('login.password'), { exact: true }).fill(installation.person.password);
      await maria.button('login.submit').click();
      await maria.claims();
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await maria.heading('area.settings').waitFor();
      const row = (provider: Provider) => page.locator('li', { has: page.locator('b', { hasText: provider }) });
      await row('Apple').locator('summary').click();
      await row('Apple')
        .getByRole('button', { name: words('manage.disconnect_now') })
        .click();
      await page.getByRole('status').getByText(words('manage.disconnected')).waitFor();
      // Without script the provider's page asks for a press before it posts.
      const goOn = async () => javaScriptEnabled || page.getByRole('button', { name: 'Continue' }).click();
      await row('Apple').getByRole('button').click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await goOn();
      await page.getByRole('alert').getByText(words('manage.connect_failed')).waitFor();
      await row('Apple').getByRole('button').click();
      await maria.is('Maria Musterfrau');
      await goOn();
      await page.getByRole('status').getByText(words('manage.connected')).waitFor();
      await row('Apple').locator('summary').waitFor();
      await maria.context.close();
    },
    PATIENCE_MS,
  );
});

describe('a provider on another site that answers by a form', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-apple-'));
  let apple: CrossSiteApple;
  let foyer: StartedFoyer;
  let chromium: Browser;
  let appUrl: string;

  beforeAll(async () => {
    const ports = await choosePorts();
    appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
    apple = await startCrossSiteApple(`http://localhost:${ports.PORT}`, ports.EMBEDDED_PROVIDERS_PORT);
    [foyer, chromium] = await Promise.all([StartedFoyer.ready(dataDir, ports, apple.env), launchChromium()]);
  }, PATIENCE_MS);

  afterAll(async () => {
    await chromium.close();
    await foyer.stop();
    await apple.standIn.close();
    rmSync(dataDir, { recursive: true, force: true });
  }, PATIENCE_MS);

  it(
    '[PRV-1] [S-73b] is connected in the account area and signs in, though its post brings none of our other cookies',
    async () => {
      const maria = await Person.at(chromium, appUrl);
      const { page } = maria;
      const brought: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/login/apple/callback')) return;
        void request.allHeaders().then(({ cookie = '' }) => brought.push(cookie.replaceAll(/=[^;]*/g, '')));
      });
      await page.goto(`${appUrl}/sign-in`);
      await page.getByLabel(words('login.username'), { exact: true }).fill(foyer.told('Account'));
      await page.getByLabel(words('login.password'), { exact: true }).fill(foyer.told('Password'));
      await maria.button('login.submit').click();
      await maria.claims();
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await page.getByRole('button', { name: words('manage.connect_name').replace('{{provider}}', 'Apple') }).click();
      await maria.is('Maria Musterfrau');
      await page.getByRole('status').getByText(words('manage.connected')).waitFor();
      await maria.toProvider('Apple');
      await maria.is('Maria Musterfrau');
      expect(await maria.claims()).toMatchObject({ amr: ['fed'], preferred_username: 'maria.musterfrau' });
      expect(brought).toEqual(['foyer-answer', 'foyer-answer']);
      await maria.context.close();
    },
    PATIENCE_MS,
  );
});
