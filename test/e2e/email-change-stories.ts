/** A thief changes the e-mail address of an account, end to end: its owner restores it with the mail to the old address. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PATHS } from '../../src/contract/paths.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { MailedLinks } from '../support/mailed-links.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const NEW_PASSWORD = 'Rabenschwarz 4711';

const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();
const press = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true }).click();
const fill = (page: Page, key: string, value: string) => page.getByLabel(words(key), { exact: true }).fill(value);
const addressRow = (page: Page) => page.locator(`a[href="${PATHS.manageEmail}"]`);

/** @param start a whole installation with a mailbox; called once */
export function emailChangeStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const open = async (javaScriptEnabled: boolean): Promise<Page> =>
    (await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled })).newPage();

  async function openManage(page: Page, { username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
    await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
    await fill(page, 'login.username', username);
    await fill(page, 'login.password', password);
    await press(page, 'login.submit');
    await press(page, 'consent.allow');
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await page.goto(stage.installation.appUrl);
    await page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await heading(page, 'settings.settings');
  }

  /** Enters a wrong code first. */
  async function changeAddress(page: Page, to: string): Promise<void> {
    await addressRow(page).click();
    await fill(page, 'manage_email.new', to);
    await press(page, 'factor.email_send');
    const { text, html, links } = await new Mailbox(stage.installation.mailboxUrl).waitFor(to);
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
    expect([html.includes(code), links.filter((link) => link.includes('token='))]).toEqual([true, []]);
    await fill(page, 'factor.code', String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
    await press(page, 'manage_email.confirm');
    await page.getByRole('alert').and(page.locator('[data-code="invalid verification code"]')).waitFor();
    await fill(page, 'factor.code', code);
    await press(page, 'manage_email.confirm');
    await page.getByRole('status').getByText(words('manage.email_changed')).waitFor();
  }

  it.each(scriptOnAndOff(true))(
    '[EML-1] [EML-3] [S-132] [GEN-9] the link in the old mailbox signs the thief out and restores the address (script: %s)',
    async (javaScriptEnabled) => {
      const person = await stage.installation.newPerson();
      const mailed = new MailedLinks(stage.installation.mailboxUrl, person.email);
      const [thief, owner] = [await open(javaScriptEnabled), await open(javaScriptEnabled)];
      await openManage(thief, person);
      const theirs = `thief.${person.email}`;
      await changeAddress(thief, theirs);
      await addressRow(thief).getByText(theirs).waitFor();

      await owner.goto(await mailed.next(PATHS.notMe));
      await heading(owner, 'not_me.heading');
      const [before = '', after = ''] = words('not_me.effect_email').split('{{address}}');
      const effect = await owner.getByRole('listitem').filter({ hasText: before }).innerText();
      expect(effect).toContain(after);
      expect(effect).not.toContain(person.email);
      await thief.goto(stage.installation.gatewayUrl + PATHS.manage);
      await addressRow(thief).getByText(theirs).waitFor();
      await press(owner, 'not_me.submit');
      await heading(owner, 'not_me.done');
      await thief.reload();
      await heading(thief, 'manage_error.sign_in');

      await owner.goto(await mailed.next(PATHS.passwordResetForm));
      await fill(owner, 'new_password.new', NEW_PASSWORD);
      await fill(owner, 'new_password.repeat', NEW_PASSWORD);
      await press(owner, 'password_reset.submit');
      await heading(owner, 'password_reset.done');
      await openManage(owner, { ...person, password: NEW_PASSWORD });
      await owner.getByText(person.email).waitFor();
      expect(await owner.getByText(theirs).count()).toBe(0);
      await Promise.all([thief.context().close(), owner.context().close()]);
    },
    TIMEOUT_MS,
  );
}
