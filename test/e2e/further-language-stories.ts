/** A language that no version contains, added with one file: from the language link on the login page to a mail. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PHRASES } from '../../locales/phrases.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const { 'language.name': _name, 'language.dates': _dates, ...EN } = PHRASES.en;

/** English, with a mark on each phrase. */
const toEsperanto = (text: string): string => `eo ${text}`;
const toPhrase = (key: string): string => toEsperanto(words(key));

/** @returns a new folder with Esperanto, for `LOCALES_DIR` */
export function writeEsperanto(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-languages-'));
  const phrases = Object.entries(EN).map(([key, text]) => [key, toEsperanto(text)]);
  writeFileSync(join(folder, 'eo.json'), JSON.stringify(Object.fromEntries(phrases)));
  return folder;
}

async function signIn(page: Page, { username, password }: Person): Promise<void> {
  await page.getByLabel(toPhrase('login.username'), { exact: true }).fill(username);
  await page.getByLabel(toPhrase('login.password'), { exact: true }).fill(password);
  await page.getByRole('button', { name: toPhrase('login.submit'), exact: true }).click();
}

const toLanguage = (page: Page): Promise<string | null> => page.locator('html').getAttribute('lang');

/** @param start a whole installation with Esperanto; called once */
export function furtherLanguageStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  it(
    'a person switches to it, signs in, manages the account and receives mails in it',
    async () => {
      const { installation, chromium } = stage;
      const person = await installation.newPerson();
      const page = await (await chromium.newContext({ locale: 'en-GB' })).newPage();
      await page.goto(`${installation.appUrl}/sign-in`);
      await page.locator('footer summary').click();
      await page.getByRole('link', { name: 'Esperanto' }).click();
      await signIn(page, person);
      await page.getByRole('button', { name: toPhrase('consent.allow'), exact: true }).click();
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await page.getByRole('heading', { level: 1, name: toPhrase('settings.settings') }).waitFor();
      expect(await toLanguage(page)).toBe('eo');

      const other = await (await chromium.newContext({ locale: 'eo' })).newPage();
      await other.goto(`${installation.appUrl}/sign-in`);
      await other.getByRole('link', { name: toPhrase('login.forgot') }).click();
      await other.locator('[name="username"]').fill(person.username);
      await other.getByRole('button', { name: toPhrase('password_request.submit') }).click();
      await other.getByRole('heading', { level: 1, name: toPhrase('password_request.sent') }).waitFor();
      await other.goto(installation.mailboxUrl);
      const mail = other.getByRole('link', { name: toPhrase('mail.reset') });
      // The list reloads itself until the mail has arrived.
      await mail.click({ timeout: TIMEOUT_MS });
      await other
        .frameLocator('iframe')
        .getByRole('heading', { name: toPhrase('mail.reset') })
        .waitFor();
      expect(await other.frameLocator('iframe').locator('html').getAttribute('lang')).toBe('eo');
    },
    2 * TIMEOUT_MS,
  );
}
