/** A forgotten password, end to end: from the login page with a mailed link back to the waiting app. */
import { beforeAll, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { MailedLinks } from '../support/mailed-links.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const NEW_PASSWORD = 'Rabenschwarz 4711';

/** @param start a whole installation; called once */
export function passwordResetStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  let person: Person;
  let mailed: MailedLinks;

  beforeAll(async () => {
    person = await stage.installation.newPerson();
    mailed = new MailedLinks(stage.installation.mailboxUrl, person.email);
  }, TIMEOUT_MS);

  it.each(scriptOnAndOff(true))(
    '[PWR-1] [PWR-2] [PWR-3] [PWR-4] [PWR-6] [LOG-3] [GEN-9] is replaced with a mailed link, and the app gets its sign-in (script: %s)',
    async (javaScriptEnabled) => {
      const context = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled });
      const page = await context.newPage();
      const button = (key: string) => page.getByRole('button', { name: words(key), exact: true });
      const heading = (key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();

      await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
      await page.getByRole('link', { name: words('login.forgot') }).click();
      await heading('password_request.heading');
      await page.getByLabel(words('password_request.username'), { exact: true }).fill(person.username);
      await button('password_request.submit').click();
      await heading('password_request.sent');

      await page.goto(await mailed.next(PATHS.passwordResetForm));
      await heading('password_reset.heading');
      await page.getByLabel(words('new_password.new'), { exact: true }).fill(`${NEW_PASSWORD} ${String(javaScriptEnabled)}`);
      await page.getByLabel(words('new_password.repeat'), { exact: true }).fill(`${NEW_PASSWORD} ${String(javaScriptEnabled)}`);
      await button('password_reset.submit').click();
      await heading('password_reset.done');
      await page.getByRole('link', { name: words('password_reset.go_on') }).click();
      await signIn(page, `${NEW_PASSWORD} ${String(javaScriptEnabled)}`);
      await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );

  async function signIn(page: Page, password: string): Promise<void> {
    await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(password);
    await page.getByRole('button', { name: words('login.submit'), exact: true }).click();
    await page.getByRole('button', { name: words('consent.allow'), exact: true }).click();
  }
}
