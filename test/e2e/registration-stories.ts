/**
 * A new person, end to end: the built product as a separate process, the demo registration service, the demo
 * app as an ordinary client, and a real Chromium.
 */
import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { Installation } from '../support/installation.js';
import { browserStage } from '../support/browser-stage.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation; called once */
export function registrationStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const newName = (): string => `nele.${randomBytes(4).toString('hex')}`;

  const person = async (javaScriptEnabled = true): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled });
    return { context, page: await context.newPage() };
  };

  const button = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true });

  const fillIn = async (page: Page, username: string): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: 'New account' }).waitFor();
    await page.getByLabel('Username', { exact: true }).fill(username);
    await page.getByLabel('Name', { exact: true }).fill('Nele Neumann');
    await page.getByRole('button', { name: 'Create account' }).click();
  };

  const finishSignIn = async (page: Page): Promise<Record<string, unknown>> => {
    await button(page, 'consent.allow').click();
    await page.getByRole('heading', { level: 1, name: /You are signed in|Hello/ }).waitFor();
    await page.getByText('Show raw').click();
    return JSON.parse(await page.locator('pre').first().innerText()) as Record<string, unknown>;
  };

  it.each(scriptOnAndOff(false))(
    '[LOG-4] [REG-1] [REG-2] [REG-3] [GEN-9] from the login page through the service back to the app, signed in (script: %s)',
    async (script) => {
      const { context, page } = await person(script);
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
      await button(page, 'login.register').click();
      await page.getByText('PORTAL-2026').waitFor();
      expect(new URL(page.url()).search).toBe('');
      await fillIn(page, newName());
      expect(await finishSignIn(page)).toMatchObject({ amr: ['fed'], acr: 'urn:foyer:acr:fed' });

      // Opening the address again, by Back or a bookmark, shows that it was used, and a link back.
      const answered = addresses.find((address) => address.includes('/register/callback?answer=')) ?? '';
      const expired = page.getByRole('heading', { level: 1, name: words('registration.expired') });
      // For ten seconds the address gets its first answer again, as a second click does.
      await waitUntil(TIMEOUT_MS, async () => {
        const answer = await context.request.get(answered);
        return (await answer.text()).includes(words('registration.expired'));
      });
      await page.goto(answered);
      await expired.waitFor();
      expect(page.url()).not.toContain('answer');
      await page.getByRole('main').getByRole('link', { name: 'Back to Beispielportal' }).click();
      await page.getByRole('heading', { level: 1, name: /You are signed in|Hello/ }).waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[REG-1] [REG-3] from the app directly to the service, whose form reports a taken name',
    async () => {
      const { context, page } = await person();
      await page.goto(stage.installation.appUrl);
      await page.getByRole('link', { name: 'Create an account' }).click();
      await fillIn(page, stage.installation.person.username);
      await page.getByText('This username is taken.').waitFor();
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nele Neumann');
      await fillIn(page, newName());
      expect(await finishSignIn(page)).toMatchObject({ amr: ['fed'] });
      await context.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[REG-3] back to the login page without an account, and a ticket works once',
    async () => {
      const { context, page } = await person();
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(request.url()));
      await page.goto(`${stage.installation.appUrl}/sign-in`);
      await button(page, 'login.register').click();
      await page.getByRole('button', { name: 'Back to sign-in' }).click();
      await page.getByLabel(words('login.username'), { exact: true }).waitFor();
      await page.goto(addresses.find((address) => address.includes('?ticket=')) ?? '');
      await page.getByRole('heading', { level: 1, name: 'This registration is no longer valid' }).waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );
}
