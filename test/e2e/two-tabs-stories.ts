/** Two tabs of one app in a real Chromium: the steps of the older one count, and it ends at the app. */
import { describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { SystemClock } from '../../src/config/clock.js';
import { Authenticator } from '../../test-kit/authenticator.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { browserStage } from '../support/browser-stage.js';
import { startInstallation, type Installation, type Person } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function twoTabsStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: two tabs in a browser, in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`two tabs in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`two tabs in a browser, in front of ${leg.name} ${leg.version}`, () => {
    twoTabsStories(() => startInstallation(leg));
  });
}

/** @param start a whole installation with the demo app; called once */
export function twoTabsStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const button = (page: Page, key: string) => page.getByRole('button', { name: words(key), exact: true });
  const openTab = async (context: BrowserContext, query = ''): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${stage.installation.appUrl}/sign-in${query}`);
    return page;
  };
  const fillIn = async (page: Page, { username, password }: Person, remember = true): Promise<void> => {
    await page.getByLabel(words('login.username'), { exact: true }).fill(username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(password);
    if (remember) await page.getByLabel(words('login.remember')).check();
    await button(page, 'login.submit').click();
  };
  /** The app redeems the code for its own request, or would show an error. */
  const expectApp = async (page: Page): Promise<void> => {
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    expect(new URL(page.url()).origin).toBe(stage.installation.appUrl);
  };

  const withBrowser = async (javaScriptEnabled: boolean, story: (context: BrowserContext) => Promise<void>): Promise<void> => {
    const context = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled });
    try {
      await story(context);
    } finally {
      await context.close();
    }
  };

  it.each(scriptOnAndOff(true))(
    '[LOG-14] the older login tab (script: %s)',
    (javaScriptEnabled) =>
      withBrowser(javaScriptEnabled, async (context) => {
        const person = await stage.installation.newPerson();
        const [older, newer] = [await openTab(context), await openTab(context)];
        await fillIn(older, person);
        await button(older, 'consent.allow').click();
        await expectApp(older);
        // The form of the newer tab is older than this sign-in, which gave the browser a new id.
        await newer.reload();
        await fillIn(newer, person);
        await expectApp(newer);
      }),
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(false))(
    '[LOG-14] the older tab at the second factor (script: %s)',
    (javaScriptEnabled) =>
      withBrowser(javaScriptEnabled, async (context) => {
        const { seed } = Authenticator.createRandom({ now: () => new Date(), pass: () => Promise.resolve() });
        const person = await stage.installation.newPerson({ totp_secret: seed });
        const older = await openTab(context);
        await fillIn(older, person);
        const code = older.getByLabel(words('factor.code'), { exact: true });
        await code.waitFor();
        await openTab(context);
        await code.fill(new TotpApp(seed, new SystemClock()).code());
        await button(older, 'mfa.confirm').click();
        await button(older, 'consent.allow').click();
        await expectApp(older);
      }),
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(true))(
    '[LOG-14] the older tab at the second factor, where the newer one proved the password too (script: %s)',
    (javaScriptEnabled) =>
      withBrowser(javaScriptEnabled, async (context) => {
        const { seed } = Authenticator.createRandom({ now: () => new Date(), pass: () => Promise.resolve() });
        const person = await stage.installation.newPerson({ totp_secret: seed });
        const toCode = (page: Page) => page.getByLabel(words('factor.code'), { exact: true });
        const older = await openTab(context);
        await fillIn(older, person);
        await toCode(older).waitFor();
        const newer = await openTab(context);
        await fillIn(newer, person);
        await toCode(newer).waitFor();
        const code = new TotpApp(seed, new SystemClock()).code();
        await toCode(older).fill(code);
        // The browser has another id now. The form still counts, but a call is refused, and its page opens once more.
        const again = javaScriptEnabled ? older.waitForEvent('load') : null;
        await button(older, 'mfa.confirm').click();
        if (again) {
          await again;
          await toCode(older).fill(code);
          await button(older, 'mfa.confirm').click();
        }
        await button(older, 'consent.allow').click();
        await expectApp(older);
      }),
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(false))(
    '[LOG-14] the older tab at the consent page (script: %s)',
    (javaScriptEnabled) =>
      withBrowser(javaScriptEnabled, async (context) => {
        const person = await stage.installation.newPerson();
        const older = await openTab(context);
        await fillIn(older, person);
        await button(older, 'consent.allow').waitFor();
        const newer = await openTab(context);
        await button(newer, 'consent.allow').waitFor();
        await button(older, 'consent.allow').click();
        await expectApp(older);
        await button(newer, 'consent.allow').click();
        await expectApp(newer);
      }),
    TIMEOUT_MS,
  );
}
