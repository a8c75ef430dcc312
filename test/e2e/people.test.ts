/** People of a service over HTTP in a browser: the example service of `npm start`, and one whose passwords migrate. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hashPassword, startPeopleService, type ServicePerson } from '../../embedded/people/people-service.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { OPERATOR_TOKEN, toEmbeddedInstallation } from '../support/installation.js';
import { LANGUAGES, PortalUser } from '../support/portal-user.js';
import { StartedFoyer, choosePorts, type Ports } from '../support/started-foyer.js';
import { words } from '../support/words.js';

const PATIENCE_MS = 180_000;
const NEW_PASSWORD = 'Rabenschwarz 4711';

let chromium: Browser;
beforeAll(async () => void (chromium = await launchChromium()), PATIENCE_MS);
afterAll(() => chromium.close(), PATIENCE_MS);

interface AtApp {
  user: PortalUser;
  page: Page;
}

/** Signs in with a new browser. */
async function withUser(appUrl: string, story: (at: AtApp) => Promise<void>): Promise<void> {
  const context: BrowserContext = await chromium.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const user = new PortalUser(page, appUrl, LANGUAGES.en);
  await user.openSignIn();
  await story({ user, page });
  await context.close();
}

async function openManage(page: Page, appUrl: string): Promise<void> {
  await page.goto(appUrl);
  await page.getByRole('link', { name: 'Manage your sign-in' }).click();
  await page.getByRole('heading', { level: 1, name: words('settings.settings') }).waitFor();
}

const passwordRow = (page: Page) => page.getByRole('link', { name: words('manage.password') });

describe('the person of the example service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-people-'));
  let ports: Ports;
  let foyer: StartedFoyer;
  let appUrl: string;

  beforeAll(async () => {
    ports = await choosePorts();
    foyer = await StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN });
    ({ appUrl } = toEmbeddedInstallation(foyer, ports));
  }, PATIENCE_MS);
  afterAll(async () => {
    await foyer.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, PATIENCE_MS);

  it(
    'signs in with the name and password from the terminal, without an account before, and cannot change a password here',
    async () => {
      const [, url, username = '', password = ''] =
        /^(\S+)\s+(\S+), (\S+): no account here/.exec(foyer.findValue('People')) ?? [];
      expect(url).toBe(`http://localhost:${ports.EMBEDDED_PEOPLE_PORT}`);
      await withUser(appUrl, async ({ user, page }) => {
        await user.enterPassword({ username, password: 'wrong' });
        await page.getByText(words('login.failed')).waitFor();
        await user.enterPassword({ username, password });
        await user.press('consent.allow');
        expect(await user.readClaims()).toMatchObject({ amr: ['pwd'] });
        await openManage(page, appUrl);
        expect(await passwordRow(page).count()).toBe(0);
      });
    },
    PATIENCE_MS,
  );
});

describe('a service whose passwords migrate', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'foyer-migration-'));
  const people: ServicePerson[] = ['anna', 'bea'].map((username) => ({
    ...{ sub: `id-of-${username}`, username, display_name: `${username} of the shop` },
    hash: hashPassword(`of the shop ${username}`),
  }));
  let foyer: StartedFoyer;
  let service: Awaited<ReturnType<typeof startPeopleService>>;
  let proxy: FaultProxy;
  let appUrl: string;

  beforeAll(async () => {
    const ports = await choosePorts();
    const issuer = 'https://shop.example';
    service = await startPeopleService({
      host: 'localhost',
      port: 0,
      foyerUrl: `http://localhost:${ports.PORT}`,
      issuer,
      people,
    });
    proxy = await FaultProxy.before(Number(new URL(service.url).port), 'localhost');
    const url = `http://localhost:${proxy.port}`;
    const source = { id: 'shop', type: 'http', url, issuer, jwks_url: `${url}/jwks`, migrate: true, timeout_ms: 10_000 };
    foyer = await StartedFoyer.start(dataDir, ports, { OPERATOR_TOKEN, USER_SOURCES: JSON.stringify([source]) });
    ({ appUrl } = toEmbeddedInstallation(foyer, ports));
  }, PATIENCE_MS);
  afterAll(async () => {
    await foyer.stop();
    await Promise.all([service.close(), proxy.close()]);
    rmSync(dataDir, { recursive: true, force: true });
  }, PATIENCE_MS);

  it(
    'signs a person in once; then the password is changed here, and the service may be unavailable',
    async () => {
      expect(foyer.output).not.toContain('no account here before');
      await withUser(appUrl, async ({ user, page }) => {
        await user.enterPassword({ username: 'anna', password: 'of the shop anna' });
        await user.press('consent.allow');
        await user.readClaims();
        proxy.fault = 'hang';
        await openManage(page, appUrl);
        await passwordRow(page).click();
        await pageReady(page);
        await page.getByLabel(words('new_password.current'), { exact: true }).fill('of the shop anna');
        await page.getByLabel(words('new_password.new'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByLabel(words('new_password.repeat'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByRole('button', { name: words('settings.save'), exact: true }).click();
        await page.getByRole('status').getByText(words('manage.password_changed')).waitFor();
      });
      await withUser(appUrl, async ({ user }) => {
        await user.enterPassword({ username: 'anna', password: NEW_PASSWORD });
        await user.readClaims();
      });
    },
    PATIENCE_MS,
  );

  it(
    'that sends half an answer is not reported as a wrong password: the page says that it could not be checked',
    async () => {
      proxy.fault = 'half';
      proxy.dropAll();
      await withUser(appUrl, async ({ user }) => {
        await user.enterPassword({ username: 'bea', password: 'of the shop bea' });
        await user.waitForHeading(words('error.source_unavailable_heading'));
      });
      expect(proxy.fault).toBe('hang');
    },
    PATIENCE_MS,
  );
});
