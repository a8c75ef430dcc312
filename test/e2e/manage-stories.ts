/**
 * Second factors and the account area, end to end: the built product as a separate process, a person in a real Chromium
 * with a virtual security key, a TOTP generator, and the demo app as an ordinary client.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { SystemClock } from '../../src/config/clock.js';
import { PATHS } from '../../src/contract/paths.js';
import { startInstallation, type Installation, type Person } from '../support/installation.js';
import { browserStage } from '../support/browser-stage.js';
import { pageReady } from '../support/chromium.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const NEW_PASSWORD = 'Rabenschwarz 4711';
const KEY_NAME = 'Key on the ring';

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function manageStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: the account area in a browser, in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`the account area in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`the account area in a browser, in front of ${leg.name} ${leg.version}`, () => {
    manageStories(() => startInstallation(leg));
  });
}

/** @param start a whole installation with the demo app and a mailbox; called once */
export function manageStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  let person: Person;
  let context: BrowserContext;
  let page: Page;
  let app: TotpApp;
  let codes: string[] = [];
  let username = '';
  let password = '';

  beforeAll(async () => {
    person = await stage.installation.newPerson();
    ({ username, password } = person);
    context = await stage.chromium.newContext({ locale: 'en-GB' });
    page = await context.newPage();
  }, TIMEOUT_MS);

  const appUrl = (): string => stage.installation.appUrl;
  const button = (key: string) => page.getByRole('button', { name: words(key), exact: true });
  const link = (key: string) => page.getByRole('link', { name: words(key), exact: true });
  const heading = (key: string) => page.getByRole('heading', { level: 1, name: words(key) });

  /** Opens the app, and waits until the script has hydrated the login page. */
  const signInWithPassword = async (path = '/sign-in'): Promise<void> => {
    await page.goto(`${appUrl()}${path}`);
    await page.getByLabel(words('login.username'), { exact: true }).fill(username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(password);
    await button('login.submit').click();
  };

  const claims = async (): Promise<Record<string, unknown>> => {
    await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await page.getByText('Show raw').click();
    return JSON.parse(await page.locator('pre').first().innerText()) as Record<string, unknown>;
  };

  const openManage = async (): Promise<void> => {
    await page.goto(appUrl());
    await page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await heading('settings.settings').waitFor();
  };

  const openFactors = async (): Promise<void> => {
    await openManage();
    await page.getByRole('link', { name: words('settings.two_factor') }).click();
    await heading('settings.two_factor').waitFor();
  };

  it(
    '[MAN-1] [MAN-2] the app leads to the account area, whose address no longer contains the token',
    async () => {
      await signInWithPassword();
      await button('consent.allow').click();
      expect(await claims()).toMatchObject({ acr: 'urn:foyer:acr:pwd', amr: ['pwd'] });
      await openManage();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/manage');
      expect(await page.evaluate('document.referrer')).toBe('');
      await page.getByText('Maria Musterfrau').first().waitFor();
    },
    TIMEOUT_MS,
  );

  it(
    '[MAN-3] [MAN-11] [MAN-8] sets up an authenticator app with the shown secret and receives recovery codes',
    async () => {
      await openFactors();
      await page.getByRole('link', { name: words('manage_mfa.activate_totp') }).click();
      await heading('factor.totp_heading').waitFor();
      const secret = await page.locator('.secret').innerText();
      app = new TotpApp(secret.replaceAll(/\s/g, ''), new SystemClock());
      const code = app.code();
      await page.getByLabel(words('factor.code'), { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await button('factor.activate').click();
      await heading('factor.codes_heading').waitFor();
      codes = (await page.locator('.secret, .codes li, code').allInnerTexts())
        .map((text) => text.trim())
        .filter((text) => /^[\w-]{19}$/.test(text));
      expect(new Set(codes).size).toBe(10);
      await page.getByRole('button', { name: words('factor.codes_kept') }).click();
      await page.getByRole('status').getByText(words('manage.totp_added')).waitFor();
    },
    TIMEOUT_MS,
  );

  it(
    '[MAN-12] [FID-1] adds a security key, whose set-up starts by itself, and names it',
    async () => {
      const cdp = await context.newCDPSession(page);
      await cdp.send('WebAuthn.enable');
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'usb',
          hasResidentKey: false,
          hasUserVerification: false,
          automaticPresenceSimulation: true,
        },
      });
      await openFactors();
      await page.getByRole('link', { name: words('manage_mfa.activate_key') }).click();
      await page.getByRole('status').getByText(words('manage.key_added')).waitFor();
      await page.getByText(words('manage.keys_one').replace('{{count}}', '1')).waitFor();

      await openFactors();
      await page.getByText(words('manage_mfa.rename'), { exact: true }).click();
      await page.getByLabel(words('manage_mfa.key_name')).fill(KEY_NAME);
      await button('settings.save').click();
      await page.getByRole('listitem').filter({ hasText: KEY_NAME }).first().waitFor();
    },
    TIMEOUT_MS,
  );

  it(
    '[MAN-5] [MAN-9] [MAN-13] [VAL-2] [VAL-3] changes the password, with a strength meter, and the username',
    async () => {
      await openManage();
      await page.getByRole('link', { name: words('manage.password') }).click();
      await heading('manage_password.heading').waitFor();
      await pageReady(page);
      expect(await button('settings.save').isDisabled()).toBe(true);
      await page.getByLabel(words('new_password.current'), { exact: true }).fill(password);
      await page.getByLabel(words('new_password.new'), { exact: true }).fill(NEW_PASSWORD);
      expect(await page.getByRole('meter').getAttribute('aria-valuenow')).toBe('5');
      expect(await button('settings.save').isDisabled()).toBe(true);
      await page.getByLabel(words('new_password.repeat'), { exact: true }).fill(NEW_PASSWORD);
      await button('settings.save').click();
      await page.getByRole('status').getByText(words('manage.password_changed')).waitFor();
      password = NEW_PASSWORD;

      await page.getByRole('link', { name: words('manage.username') }).click();
      await heading('manage_username.heading').waitFor();
      await pageReady(page);
      await page.getByLabel(words('manage_username.new'), { exact: true }).fill('x');
      await button('settings.save').click();
      expect(await page.getByRole('alert').getAttribute('data-code')).toBe('username is invalid');
      await page.getByLabel(words('manage_username.new'), { exact: true }).fill(`${username}.neu`);
      await button('settings.save').click();
      await page.getByRole('status').getByText(words('manage.username_changed')).waitFor();
      username = `${username}.neu`;
    },
    TIMEOUT_MS,
  );

  it(
    '[MFV-3] [MFV-5] [MFV-7] signs in with password and key, then with password and code, and the app is told which',
    async () => {
      await signInWithPassword('/sign-in?prompt=login');
      await heading('mfa.heading').waitFor();
      await page.getByRole('link', { name: words('factor.key') }).click();
      expect(await claims()).toMatchObject({ acr: 'urn:foyer:acr:phr', amr: ['pwd', 'hwk', 'pop', 'user', 'mfa'] });

      await signInWithPassword('/sign-in?prompt=login');
      await page.getByRole('link', { name: words('factor.totp') }).click();
      await heading('mfa.heading_totp').waitFor();
      await page.getByLabel(words('factor.code'), { exact: true }).fill(app.wrongCode());
      await button('mfa.confirm').click();
      expect(await page.getByRole('alert').getAttribute('data-code')).toBe('invalid verification code');
      // The time step of the set-up is used, so the next one is used a little early.
      await page.getByLabel(words('factor.code'), { exact: true }).fill(app.code(1));
      await button('mfa.confirm').click();
      expect(await claims()).toMatchObject({ acr: 'urn:foyer:acr:mfa', amr: ['pwd', 'otp', 'mfa'] });
    },
    TIMEOUT_MS,
  );

  it(
    '[GEN-9] [MFV-6] without script: accepts a recovery code at login, and explains why a key cannot be used',
    async () => {
      const plain = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled: false });
      const before = page;
      page = await plain.newPage();
      await signInWithPassword();
      await page.getByRole('link', { name: words('factor.key') }).click();
      await page.getByText(words('factor.key_script')).waitFor();
      await link('mfa.use_recovery').click();
      await page.getByLabel(words('mfa.recovery_code'), { exact: true }).fill((codes[0] ?? '').toLowerCase());
      await button('mfa.confirm').click();
      await page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
      page = before;
      await plain.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[NTC-1] [RPC-10] [OUT-6] removes both factors and logs out of the account area; every change was notified by mail',
    async () => {
      for (const [kind, removed] of [
        ['manage_mfa.totp', 'manage.totp_removed'],
        ['manage_mfa.keys', 'manage.key_removed'],
      ] as const) {
        await openFactors();
        const row = page.locator('section', { has: page.getByRole('heading', { name: words(kind) }) }).getByRole('listitem');
        await row.getByText(words('manage_mfa.remove')).first().click();
        await row.getByRole('button', { name: words('manage_mfa.remove_now') }).click();
        await page.getByText(words(removed)).waitFor();
      }
      await openManage();
      await button('manage.log_out').click();
      await button('logout.accept').click();
      await heading('logout.accepted').waitFor();
      await page.goto(stage.installation.gatewayUrl + PATHS.manage);
      await heading('manage_error.sign_in').waitFor();
      await signInWithPassword('/sign-in?prompt=login');
      expect(await claims()).toMatchObject({ acr: 'urn:foyer:acr:pwd', amr: ['pwd'] });
      const mailbox = new Mailbox(stage.installation.mailboxUrl);
      for (const key of [
        'password_changed',
        'username_changed',
        'totp_added',
        'security_key_added',
        'totp_removed',
        'security_key_removed',
      ]) {
        const shown = await mailbox.waitFor(person.email, { subject: words(`mail.${key}`) });
        expect(shown.to).toEqual([person.email]);
      }
    },
    TIMEOUT_MS,
  );
}
