/** Where a person is signed in and which apps have access, end to end: found and ended by the person in a real Chromium. */
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** @param start a whole installation with the demo app; is called once */
export function accessStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  const button = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true });
  const username = (page: Page) => page.getByLabel(words('login.username'), { exact: true });
  const waitUntilSignedIn = (page: Page) => page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();

  const open = async (userAgent?: string): Promise<Page> => {
    const context = await stage.chromium.newContext({ locale: 'en-GB', ...(userAgent === undefined ? {} : { userAgent }) });
    return context.newPage();
  };

  /** Declines the passkey that may be offered, and grants what is requested. */
  const signIn = async (page: Page, person: Person): Promise<void> => {
    await page.goto(`${stage.installation.appUrl}/sign-in`);
    await username(page).fill(person.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
    await button(page, 'login.submit').click();
    const [later, allow] = [button(page, 'passkey_offer.later'), button(page, 'consent.allow')];
    const done = page.getByRole('heading', { level: 1, name: 'You are signed in' });
    await later.or(allow).or(done).waitFor();
    if (await later.isVisible()) await later.click();
    await allow.or(done).waitFor();
    if (await allow.isVisible()) await allow.click();
    await waitUntilSignedIn(page);
  };

  const manage = async (page: Page, link: string): Promise<void> => {
    await page.goto(stage.installation.appUrl);
    await page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await page.getByRole('link', { name: words(link) }).click();
  };

  it(
    'an unknown device is found and signed out: the app there asks for the password again, and nothing changes here',
    async () => {
      const person = await stage.installation.newPerson();
      const [own, strange] = await Promise.all([open(), open(FIREFOX)]);
      await signIn(own, person);
      await signIn(strange, person);
      await manage(own, 'manage.devices');
      const end = own.getByRole('button', { name: words('manage_devices.end_name').replace('{{name}}', 'Firefox, Windows') });
      await end.click();
      await own.getByRole('status').waitFor();
      expect(await end.count()).toBe(0);
      await strange.goto(`${stage.installation.appUrl}/sign-in`);
      await username(strange).waitFor();
      await own.goto(`${stage.installation.appUrl}/sign-in`);
      await waitUntilSignedIn(own);
      await Promise.all([own.context().close(), strange.context().close()]);
    },
    TIMEOUT_MS,
  );

  it(
    'an app whose access is removed has to ask again, and the person stays signed in',
    async () => {
      const person = await stage.installation.newPerson();
      const page = await open();
      await signIn(page, person);
      await manage(page, 'manage.apps');
      await page
        .getByRole('listitem')
        .getByRole('button', { name: /^Remove access/ })
        .first()
        .click();
      await page.getByText(words('manage_apps.none')).waitFor();
      await page.goto(`${stage.installation.appUrl}/sign-in`);
      await button(page, 'consent.allow').click();
      await waitUntilSignedIn(page);
      await page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'the data of a person are saved as a file, with script and without',
    async () => {
      const person = await stage.installation.newPerson();
      const page = await open();
      await signIn(page, person);
      await manage(page, 'manage.data_download');
      const press = async (target: Page): Promise<unknown> => {
        const saved = target.waitForEvent('download');
        await button(target, 'manage_data.download').click();
        return JSON.parse(await readFile(await (await saved).path(), 'utf8'));
      };
      const expected = { account: { username: person.username }, devices: [{ is_this: true }], apps: [{}] };
      expect(await press(page)).toMatchObject(expected);
      await button(page, 'manage_data.download').waitFor();
      const cookies = await page.context().cookies();
      const plain = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled: false });
      await plain.addCookies(cookies);
      const without = await plain.newPage();
      await without.goto(`${stage.installation.gatewayUrl}${PATHS.manageData}`);
      expect(await press(without)).toMatchObject(expected);
      await Promise.all([page.context().close(), plain.close()]);
    },
    TIMEOUT_MS,
  );
}
