/** Codes by e-mail, end to end: the built product, a person in a real Chromium, and the mailbox. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Mailbox } from '../../test-kit/mailbox.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation with `email-code` among its `MFA_FACTORS`; called once */
export function emailCodeStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();
  const press = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true }).click();
  const fill = (page: Page, key: string, value: string) => page.getByLabel(words(key), { exact: true }).fill(value);
  const isRefused = (page: Page) =>
    page.getByRole('alert').and(page.locator('[data-code="invalid verification code"]')).waitFor();

  it.each(scriptOnAndOff(true))(
    '[MAN-3] [MFV-3] [GEN-9] are turned on, required at the next login, and removed (script: %s)',
    async (javaScriptEnabled) => {
      const person = await stage.installation.newPerson();
      const mailbox = new Mailbox(stage.installation.mailboxUrl);
      const page = await (await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled })).newPage();
      const signIn = async () => {
        await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
        await fill(page, 'login.username', person.username);
        await fill(page, 'login.password', person.password);
        await press(page, 'login.submit');
      };
      const openFactors = async () => {
        await page.goto(stage.installation.appUrl);
        await page.getByRole('link', { name: 'Manage your sign-in' }).click();
        await heading(page, 'settings.settings');
        await page.getByRole('link', { name: words('settings.two_factor') }).click();
        await heading(page, 'settings.two_factor');
      };
      const readMailedCode = async (subject = 'mail.email_code') => {
        const { text } = await mailbox.waitFor(person.email, { subject: words(subject) });
        return /\b\d{6}\b/.exec(text)?.[0] ?? '';
      };

      await signIn();
      await press(page, 'consent.allow');
      await openFactors();
      await page.getByRole('link', { name: words('factor.email_activate') }).click();
      await press(page, 'factor.email_send');
      const code = await readMailedCode('mail.email_code_set_up');
      await fill(page, 'factor.code', String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
      await press(page, 'factor.activate');
      await isRefused(page);
      await fill(page, 'factor.code', code);
      await press(page, 'factor.activate');
      await heading(page, 'factor.codes_heading');

      await signIn();
      await press(page, 'factor.email_send');
      const old = await readMailedCode();
      await press(page, 'factor.email_again');
      const newest = await readMailedCode();
      if (old !== newest) {
        await fill(page, 'factor.code', old);
        await press(page, 'mfa.confirm');
        await isRefused(page);
      }
      await fill(page, 'factor.code', newest);
      await press(page, 'mfa.confirm');
      await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
      await page.getByText('Show raw').click();
      expect(JSON.parse(await page.locator('pre').first().innerText())).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });

      await openFactors();
      const row = page
        .locator('section', { has: page.getByRole('heading', { name: words('factor.email') }) })
        .getByRole('listitem');
      await row.getByText(words('manage_mfa.remove')).first().click();
      await row.getByRole('button', { name: words('manage_mfa.remove_now') }).click();
      await page.getByText(words('manage.email_removed')).waitFor();
      await mailbox.waitFor(person.email, { subject: words('mail.email_code_removed') });
    },
    TIMEOUT_MS,
  );
}
