/** People of a service over HTTP whose passwords migrate, in a browser. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hashPassword, startPeopleService, type ServicePerson } from '../../embedded/people/people-service.js';
import { browserStage } from '../support/browser-stage.js';
import { pageReady } from '../support/chromium.js';
import { FaultProxy } from '../support/fault-proxy.js';
import type { Installation } from '../support/installation.js';
import { LANGUAGES, PortalUser } from '../support/portal-user.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const NEW_PASSWORD = 'Rabenschwarz 4711';

interface AtApp {
  user: PortalUser;
  page: Page;
}

export interface Shop {
  /** As in `USER_SOURCES`. */
  source: Record<string, unknown>;
  proxy: FaultProxy;
  close(): Promise<void>;
}

/** @param foyerUrl the address of the gateway that uses it */
export async function startShop(foyerUrl: string): Promise<Shop> {
  const people: ServicePerson[] = ['anna', 'bea'].map((username) => ({
    ...{ sub: `id-of-${username}`, username, display_name: `${username} of the shop` },
    hash: hashPassword(`of the shop ${username}`),
  }));
  const issuer = 'https://shop.example';
  const service = await startPeopleService({ host: 'localhost', port: 0, foyerUrl, issuer, people });
  const proxy = await FaultProxy.start(Number(new URL(service.url).port), 'localhost');
  const url = `http://localhost:${proxy.port}`;
  const source = { id: 'shop', type: 'http', url, issuer, jwks_url: `${url}/jwks`, migrate: true, timeout_ms: 10_000 };
  return { source, proxy, close: async () => void (await Promise.all([service.close(), proxy.close()])) };
}

/**
 * Afterwards, the service of the shop is not available.
 * @param start a whole installation with the shop; called once
 */
export function shopStories(start: () => Promise<Installation & { shop: Shop; terminal: string }>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  /** Signs in with a new browser. */
  async function withUser(story: (at: AtApp) => Promise<void>): Promise<void> {
    const context = await stage.chromium.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    const user = new PortalUser(page, stage.installation.appUrl, LANGUAGES.en);
    await user.openSignIn();
    await story({ user, page });
    await context.close();
  }

  it(
    'signs a person in once; then the password is changed here, and the service may be unavailable',
    async () => {
      const { appUrl, shop, terminal } = stage.installation;
      expect(terminal).not.toContain('a sign-in creates the account');
      await withUser(async ({ user, page }) => {
        await user.enterPassword({ username: 'anna', password: 'of the shop anna' });
        await user.press('consent.allow');
        await user.readClaims();
        shop.proxy.fault = 'hang';
        await page.goto(appUrl);
        await page.getByRole('link', { name: 'Manage your sign-in' }).click();
        await user.waitForHeading(words('settings.settings'));
        await page.getByRole('link', { name: words('manage.password') }).click();
        await pageReady(page);
        await page.getByLabel(words('new_password.current'), { exact: true }).fill('of the shop anna');
        await page.getByLabel(words('new_password.new'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByLabel(words('new_password.repeat'), { exact: true }).fill(NEW_PASSWORD);
        await page.getByRole('button', { name: words('settings.save'), exact: true }).click();
        await page.getByRole('status').getByText(words('manage.password_changed')).waitFor();
      });
      await withUser(async ({ user }) => {
        await user.enterPassword({ username: 'anna', password: NEW_PASSWORD });
        await user.readClaims();
      });
    },
    TIMEOUT_MS,
  );

  it(
    'that sends half an answer is not reported as a wrong password: the page says that it could not be checked',
    async () => {
      const { proxy } = stage.installation.shop;
      proxy.fault = 'half';
      proxy.dropAll();
      await withUser(async ({ user }) => {
        await user.enterPassword({ username: 'bea', password: 'of the shop bea' });
        await user.waitForHeading(words('error.source_unavailable_heading'));
      });
      expect(proxy.fault).toBe('hang');
    },
    TIMEOUT_MS,
  );
}
