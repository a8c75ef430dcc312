/** Somebody else has changed the password: from the notice in the mailbox to an account that its owner has again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { embeddedInstallation } from '../support/area-installation.js';
import type { AreaInstallation } from '../support/area-installation.js';
import { launchChromium } from '../support/chromium.js';
import { words } from '../support/words.js';

const PATIENCE_MS = 90_000;
const THIEVES = 'Elsternglanz 9917';
const NEW_PASSWORD = 'Rabenschwarz 4711';

const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();
const press = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true }).click();
const fill = (page: Page, key: string, value: string) => page.getByLabel(words(key), { exact: true }).fill(value);

describe.each([['with script', true] as const, ['with script off', false] as const])(
  '"that was not me", %s',
  (_, javaScriptEnabled) => {
    let installation: AreaInstallation;
    let chromium: Browser;

    beforeAll(async () => {
      [installation, chromium] = await Promise.all([embeddedInstallation(), launchChromium()]);
    }, PATIENCE_MS);

    afterAll(async () => {
      await Promise.all([chromium.close(), installation.close()]);
    }, PATIENCE_MS);

    const person = async (): Promise<Page> => (await chromium.newContext({ locale: 'en-GB', javaScriptEnabled })).newPage();

    async function signIn(page: Page, password: string): Promise<void> {
      await page.goto(`${installation.appUrl}/sign-in?prompt=login`);
      await fill(page, 'login.username', installation.person.username);
      await fill(page, 'login.password', password);
      await press(page, 'login.submit');
    }

    async function openArea(page: Page): Promise<void> {
      await page.goto(installation.appUrl);
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await heading(page, 'area.settings');
    }

    async function setPassword(page: Page, password: string): Promise<void> {
      await fill(page, 'new_password.new', password);
      await fill(page, 'new_password.repeat', password);
    }

    async function signedIn(page: Page): Promise<void> {
      await press(page, 'consent.allow');
      await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    }

    /** In the newest mail that has such a link, once it is there. */
    async function mailedLink(path: string): Promise<string> {
      for (;;) {
        const answer = await fetch(`${installation.mailboxUrl}/api/v1/messages`);
        for (const { ID } of ((await answer.json()) as { messages: { ID: string }[] }).messages) {
          const { Text } = (await (await fetch(`${installation.mailboxUrl}/api/v1/message/${ID}`)).json()) as { Text: string };
          const link = /http:\S+/.exec(Text)?.[0];
          if (link !== undefined && new URL(link).pathname === path) return link;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }

    it(
      '[NTC-1] [NTC-2] [PWR-7] [GEN-9] the link of the notice shuts the thief out, and its owner comes back by a mail',
      async () => {
        const [thief, owner] = [await person(), await person()];
        await signIn(thief, installation.person.password);
        await signedIn(thief);
        await openArea(thief);
        await thief.getByRole('link', { name: words('manage.password') }).click();
        await fill(thief, 'new_password.current', installation.person.password);
        await setPassword(thief, THIEVES);
        await press(thief, 'area.save');
        await heading(thief, 'area.settings');

        const link = await mailedLink('/not-me');
        await owner.goto(link);
        await heading(owner, 'not_me.heading');
        await thief.reload();
        await heading(thief, 'area.settings');
        await press(owner, 'not_me.submit');
        await heading(owner, 'not_me.done');
        await owner.goto(link);
        await heading(owner, 'not_me.used');

        await thief.goto(installation.areaUrl);
        await heading(thief, 'fault.unauthorized');
        await signIn(thief, THIEVES);
        await thief.getByRole('alert').getByText(words('login.failed')).waitFor();

        await owner.goto(await mailedLink('/password-reset/reset-form'));
        await setPassword(owner, NEW_PASSWORD);
        await press(owner, 'password_reset.submit');
        await heading(owner, 'password_reset.done');
        await signIn(owner, NEW_PASSWORD);
        await signedIn(owner);
        await openArea(owner);
        await owner.getByText(words('manage.frozen')).waitFor();
        await owner.getByRole('link', { name: words('manage.password') }).click();
        await heading(owner, 'area.settings');
        expect(new URL(owner.url()).pathname).toBe('/manage');
      },
      PATIENCE_MS,
    );
  },
);
