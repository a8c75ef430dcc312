/** An attacker has changed the password: from the notice in the mailbox to an account that its owner controls again. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { MailedLinks } from '../support/mailed-links.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const THIEF_PASSWORD = 'Elsternglanz 9917';
const NEW_PASSWORD = 'Rabenschwarz 4711';

const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();
const press = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true }).click();
const fill = (page: Page, key: string, value: string) => page.getByLabel(words(key), { exact: true }).fill(value);

/** @param start a whole installation; called once */
export function notMeStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const toBrowser = async (javaScriptEnabled: boolean): Promise<Page> =>
    (await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled })).newPage();

  async function signIn(page: Page, { username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
    await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
    await fill(page, 'login.username', username);
    await fill(page, 'login.password', password);
    await press(page, 'login.submit');
  }

  async function openManage(page: Page): Promise<void> {
    await page.goto(stage.installation.appUrl);
    await page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await heading(page, 'settings.settings');
  }

  async function setPassword(page: Page, password: string): Promise<void> {
    await fill(page, 'new_password.new', password);
    await fill(page, 'new_password.repeat', password);
  }

  async function finishSignIn(page: Page): Promise<void> {
    await press(page, 'consent.allow');
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
  }

  it.each(scriptOnAndOff(false))(
    '[NTC-1] [NTC-2] [PWR-7] [GEN-9] the link of the notice signs the thief out, and its owner returns with a mail (script: %s)',
    async (javaScriptEnabled) => {
      const person = await stage.installation.newPerson();
      const mailed = new MailedLinks(stage.installation.mailboxUrl, person.email);
      const [thief, owner] = [await toBrowser(javaScriptEnabled), await toBrowser(javaScriptEnabled)];
      await signIn(thief, person);
      await finishSignIn(thief);
      await openManage(thief);
      await thief.getByRole('link', { name: words('manage.password') }).click();
      await fill(thief, 'new_password.current', person.password);
      await setPassword(thief, THIEF_PASSWORD);
      await press(thief, 'settings.save');
      await heading(thief, 'settings.settings');

      const link = await mailed.next(PATHS.notMe);
      await owner.goto(link);
      await heading(owner, 'not_me.heading');
      await thief.reload();
      await heading(thief, 'settings.settings');
      await press(owner, 'not_me.submit');
      await heading(owner, 'not_me.done');
      await owner.goto(link);
      await heading(owner, 'not_me.used');

      await thief.goto(stage.installation.gatewayUrl + PATHS.manage);
      await heading(thief, 'manage_error.sign_in');
      await signIn(thief, { ...person, password: THIEF_PASSWORD });
      await thief.getByRole('alert').getByText(words('login.failed')).waitFor();

      await owner.goto(await mailed.next(PATHS.passwordResetForm));
      await setPassword(owner, NEW_PASSWORD);
      await press(owner, 'password_reset.submit');
      await heading(owner, 'password_reset.done');
      await signIn(owner, { ...person, password: NEW_PASSWORD });
      await finishSignIn(owner);
      await openManage(owner);
      await owner.getByText(words('manage.frozen')).waitFor();
      expect(await owner.getByRole('link', { name: words('manage.password') }).count()).toBe(0);
      await owner.goto(stage.installation.gatewayUrl + PATHS.managePassword);
      await heading(owner, 'settings.settings');
      expect(new URL(owner.url()).pathname).toBe(PATHS.manage);
    },
    TIMEOUT_MS,
  );
}
