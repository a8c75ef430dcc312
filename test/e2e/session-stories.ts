/** Sessions in a real Chromium with a profile that is closed and opened again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { BackChannelListener } from '../support/back-channel-listener.js';
import { browserStage } from '../support/browser-stage.js';
import { openProfile } from '../support/chromium.js';
import { startInstallation, type Installation, type Person } from '../support/installation.js';
import { IS_FULL } from '../support/matrix.js';
import { AdminApi } from '../support/upstream-admin.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { waitUntil } from '../support/upstream-waiting.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const HEARD_WITHIN_MS = 60_000;

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function sessionStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: sessions in a browser, in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`sessions in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`sessions in a browser, in front of ${leg.name} ${leg.version}`, () => {
    sessionStories(() => startInstallation(leg));
  });
}

const button = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true });
const heading = (page: Page, key: string) => page.getByRole('heading', { level: 1, name: words(key) }).waitFor();

/** @param start a whole installation with the demo app; called once */
export function sessionStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  const waitForApp = (page: Page) => page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
  const openApp = (page: Page) => page.goto(`${stage.installation.appUrl}/sign-in`);

  const signIn = async (page: Page, { username, password }: Person, remember: boolean): Promise<void> => {
    await openApp(page);
    await page.getByLabel(words('login.username'), { exact: true }).fill(username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(password);
    if (remember) await page.getByLabel(words('login.remember')).check();
    await button(page, 'login.submit').click();
    await button(page, 'consent.allow').click();
    await waitForApp(page);
  };

  /** @param story receives a page of the browser, and a function that closes it and opens it again */
  const withProfile = async (story: (page: Page, reopen: () => Promise<Page>) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-profile-'));
    let context: BrowserContext | undefined;
    const open = async (): Promise<Page> => {
      await context?.close();
      context = await openProfile(folder);
      return context.newPage();
    };
    try {
      await story(await open(), open);
    } finally {
      await context?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  };

  /** Registers another trusted app, whose address is served by the demo app. */
  const secondApp = async (more: Record<string, unknown> = {}): Promise<string> => {
    const { appUrl, issuer, adminUrl = '' } = stage.installation;
    const redirectUri = `${appUrl}/second-app`;
    const client = { redirect_uris: [redirectUri], scope: 'openid', skip_consent: true, response_types: ['code'], ...more };
    const { client_id } = await new AdminApi(adminUrl).createClient(client);
    const query = { client_id, redirect_uri: redirectUri, scope: 'openid', response_type: 'code', state: 'state-12345678' };
    return `${issuer}/oauth2/auth?${new URLSearchParams(query).toString()}`;
  };

  const expectSecondApp = async (page: Page): Promise<void> => {
    const { pathname, searchParams } = new URL(page.url());
    expect({ pathname, hasCode: searchParams.has('code') }).toEqual({ pathname: '/second-app', hasCode: true });
  };

  it(
    '[LOG-12] without "stay signed in", a second app needs no password, and a reopened browser is asked again',
    () =>
      withProfile(async (page, reopen) => {
        const [person, second] = [await stage.installation.newPerson(), await secondApp()];
        await signIn(page, person, false);
        await page.goto(second);
        await expectSecondApp(page);
        const opened = await reopen();
        await opened.goto(second);
        await opened.getByLabel(words('login.password'), { exact: true }).fill(person.password);
        await opened.getByLabel(words('login.username'), { exact: true }).fill(person.username);
        await button(opened, 'login.submit').click();
        await opened.waitForURL('**/second-app?**');
        await expectSecondApp(opened);
      }),
    TIMEOUT_MS,
  );

  it(
    '[LOG-12] with "stay signed in", a reopened browser is not asked',
    () =>
      withProfile(async (page, reopen) => {
        await signIn(page, await stage.installation.newPerson(), true);
        const opened = await reopen();
        await openApp(opened);
        await waitForApp(opened);
      }),
    TIMEOUT_MS,
  );

  it.each(IS_FULL ? [false, true] : [true])(
    '[OUT-5] [OUT-6] "Log out" in the account area asks first; then apps are notified and nobody is signed in (ticked: %s)',
    (remember) =>
      withProfile(async (page) => {
        const heard = await BackChannelListener.start();
        try {
          const second = await secondApp({ backchannel_logout_uri: heard.url });
          await signIn(page, await stage.installation.newPerson(), remember);
          await page.goto(second);
          await page.goto(stage.installation.appUrl);
          await page.getByRole('link', { name: 'Manage your sign-in' }).click();
          await heading(page, 'settings.settings');
          await button(page, 'manage.log_out').click();
          await heading(page, 'logout.heading');
          await page.goto(`${stage.installation.gatewayUrl}/manage`);
          await heading(page, 'settings.settings');
          await button(page, 'manage.log_out').click();
          await button(page, 'logout.accept').click();
          await heading(page, 'logout.accepted');
          expect(await page.locator('main').innerText()).toContain('notified the apps that support this');
          await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
          await page.goto(second);
          await page.getByLabel(words('login.password'), { exact: true }).waitFor();
        } finally {
          await heard.close();
        }
      }),
    TIMEOUT_MS,
  );
}
