/**
 * Passkeys, end to end: the built product as a separate process, a person in a real Chromium with virtual authenticators, and the demo
 * app as an ordinary client.
 */
import { describe, expect, it } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { browserStage } from '../support/browser-stage.js';
import { pageReady } from '../support/chromium.js';
import { startInstallation, type Installation, type Person } from '../support/installation.js';
import { IS_FULL } from '../support/matrix.js';
import type { Leg, MissingLeg } from '../support/upstream-leg.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const HARDWARE = { acr: 'urn:foyer:acr:phrh', amr: ['hwk', 'pop', 'user', 'pin', 'mfa'] };
const SYNCED = { acr: 'urn:foyer:acr:phr', amr: ['swk', 'pop', 'user', 'pin', 'mfa'] };

/** The kinds of virtual authenticators in Chromium. */
const AUTHENTICATORS = {
  'of the device': { options: { transport: 'internal', defaultBackupEligibility: false }, proves: HARDWARE },
  'that is synced': {
    options: { transport: 'internal', defaultBackupEligibility: true, defaultBackupState: true },
    proves: SYNCED,
  },
  'on a key': { options: { transport: 'usb', defaultBackupEligibility: false }, proves: HARDWARE },
} as const;

type Authenticator = keyof typeof AUTHENTICATORS;

/** Runs the stories in front of a real server, or prints the reason why it cannot. */
export function passkeyStoriesOn(leg: Leg | MissingLeg): void {
  if ('missing' in leg) {
    process.stderr.write(`SKIPPED: passkeys in a browser, in front of ${leg.name}: ${leg.missing}\n`);
    const group = describe['skip'];
    group(`passkeys in front of ${leg.name}`, () => {
      it('runs where the server is available', () => undefined);
    });
    return;
  }
  describe(`passkeys in a browser, in front of ${leg.name} ${leg.version}`, () => {
    passkeyStories(() => startInstallation(leg));
  });
}

/** A person in a browser with a virtual authenticator. */
export class PasskeyUser {
  constructor(
    readonly page: Page,
    private readonly appUrl: string,
    private readonly person: Person,
    private readonly authenticator: { devtools: CDPSession; authenticatorId: string },
  ) {}

  static async create(
    page: Page,
    kind: Authenticator,
    { appUrl, person }: { appUrl: string; person: Person },
  ): Promise<PasskeyUser> {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        ...AUTHENTICATORS[kind].options,
      },
    });
    return new PasskeyUser(page, appUrl, person, { devtools, authenticatorId });
  }

  /** Opens another tab of the browser, with the same credentials. */
  async tab(kind: Authenticator): Promise<PasskeyUser> {
    const { appUrl, person } = this;
    const other = await PasskeyUser.create(await this.page.context().newPage(), kind, { appUrl, person });
    await this.copyKeyTo(other);
    return other;
  }

  /** Every tab has a separate virtual authenticator, while a real key counts its signatures in all of them. */
  async copyKeyTo({ authenticator: { devtools, authenticatorId } }: PasskeyUser): Promise<void> {
    const own = this.authenticator;
    const { credentials } = await own.devtools.send('WebAuthn.getCredentials', { authenticatorId: own.authenticatorId });
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of credentials) await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
  }

  /** Whether the person fails to be verified by the authenticator from now on. */
  async refuse(isRefused: boolean): Promise<void> {
    const { devtools, authenticatorId } = this.authenticator;
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: !isRefused });
  }

  open(path = '/sign-in'): Promise<unknown> {
    return this.page.goto(`${this.appUrl}${path}`);
  }

  async signInWithPassword(): Promise<void> {
    await this.open();
    await this.page.getByLabel(words('login.username'), { exact: true }).fill(this.person.username);
    await this.page.getByLabel(words('login.password'), { exact: true }).fill(this.person.password);
    await this.button('login.submit').click();
    await this.passOffer();
    await this.button('consent.allow').click();
    await this.claims();
  }

  /** A passkey is offered once the page has detected support, for which a quick person does not wait. */
  async passOffer(): Promise<void> {
    const later = this.button('passkey_offer.later');
    await later.or(this.button('consent.allow')).waitFor();
    if (await later.isVisible()) await later.click();
  }

  async makePasskey(): Promise<void> {
    await this.page.goto(this.appUrl);
    await this.page.getByRole('link', { name: 'Manage your sign-in' }).click();
    await this.page.getByRole('heading', { level: 1, name: words('settings.settings') }).waitFor();
    await this.page.goto(new URL(FACTOR_PATHS.register('passkey'), this.page.url()).href);
    await this.page.getByRole('status').getByText(words('manage.passkey_added')).waitFor();
  }

  /** Keeps the authenticator, while the server does not know this browser any more. */
  clearCookies(): Promise<void> {
    return this.page.context().clearCookies();
  }

  async claims(): Promise<Record<string, unknown>> {
    await this.page.getByRole('heading', { level: 1, name: 'You are signed in' }).waitFor();
    await this.page.getByText('Show raw').click();
    return JSON.parse(await this.page.locator('pre').first().innerText()) as Record<string, unknown>;
  }

  button(key: string) {
    return this.page.getByRole('button', { name: words(key), exact: true });
  }
}

/** @param start a whole installation with the demo app; called once */
export function passkeyStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);
  const never = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false';

  const holder = async (kind: Authenticator): Promise<PasskeyUser> => {
    const { appUrl } = stage.installation;
    const context = await stage.chromium.newContext({ locale: 'en-GB' });
    const person = await stage.installation.newPerson();
    const user = await PasskeyUser.create(await context.newPage(), kind, { appUrl, person });
    await user.signInWithPassword();
    await user.makePasskey();
    await user.clearCookies();
    return user;
  };

  it.each(IS_FULL ? (['that is synced', 'of the device'] as const) : (['that is synced'] as const))(
    'a passkey %s signs in as autofill, and the app is told how',
    async (kind) => {
      const user = await holder(kind);
      await user.open();
      expect(await user.claims()).toMatchObject(AUTHENTICATORS[kind].proves);
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'a passkey on a key signs in with the button, while the autofill of others waits',
    async () => {
      const user = await holder('on a key');
      await user.open();
      await user.button('login.passkey').click();
      expect(await user.claims()).toMatchObject(HARDWARE);
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'signs in with the button, again if the app asks for it, and never reports more than was proven',
    async () => {
      const user = await holder('that is synced');
      await user.page.addInitScript(never);
      await user.open();
      await user.button('login.passkey').click();
      expect(await user.claims()).toMatchObject(SYNCED);
      await user.open('/sign-in?prompt=login');
      await user.button('login.passkey').click();
      expect(await user.claims()).toMatchObject(SYNCED);
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'loses nothing if the authenticator has none: the input remains, and the password signs in',
    async () => {
      const context = await stage.chromium.newContext({ locale: 'en-GB' });
      const { installation } = stage;
      const person = await installation.newPerson();
      const page = await context.newPage();
      await page.addInitScript(never);
      const user = await PasskeyUser.create(page, 'of the device', { appUrl: installation.appUrl, person });
      await user.open();
      await pageReady(page);
      await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
      await user.button('login.passkey').click();
      await page.getByRole('alert').getByText(words('login.passkey_none')).waitFor();
      expect(await page.getByLabel(words('login.username'), { exact: true }).inputValue()).toBe(person.username);
      await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
      await user.button('login.submit').click();
      await user.passOffer();
      await user.button('consent.allow').waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );

  it(
    'reports a passkey that is no longer known, and lets the browser delete it',
    async () => {
      const user = await holder('of the device');
      await user.page.addInitScript(never);
      await user.open();
      // The installation of somebody else has the same relying party, so this id is unknown here.
      await user.page.route('**/login/passkey', async (route) => {
        const body = new URLSearchParams(route.request().postData() ?? '');
        const credential = JSON.parse(body.get('passkey') ?? '{}') as Record<string, unknown>;
        body.set('passkey', JSON.stringify({ ...credential, id: 'AAECAwQF', rawId: 'AAECAwQF' }));
        await route.continue({ postData: body.toString() });
      });
      await user.button('login.passkey').click();
      expect(await user.page.getByRole('alert').getAttribute('data-code')).toBe('passkey-unknown');
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'signs in both tabs while the autofill of each waits, the newer one first',
    async () => {
      const older = await holder('on a key');
      const newer = await older.tab('on a key');
      for (const tab of [older, newer]) {
        await tab.open();
        await pageReady(tab.page);
      }
      await newer.button('login.passkey').click();
      expect(await newer.claims()).toMatchObject(HARDWARE);
      await newer.copyKeyTo(older);
      // The sign-in has given the browser another id, and this page was made for the previous id.
      await older.button('login.passkey').click();
      expect(await older.claims()).toMatchObject(HARDWARE);
      await older.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'leads on when its person goes back: the request starts again and leads to the app',
    async () => {
      const user = await holder('of the device');
      await user.page.addInitScript(never);
      await user.open();
      await user.button('login.passkey').click();
      await user.claims();
      await user.page.goBack();
      await user.page.getByRole('link', { name: words('challenge.restart') }).click();
      expect(await user.claims()).toMatchObject(HARDWARE);
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'without script no passkey is offered',
    async () => {
      const context = await stage.chromium.newContext({ locale: 'en-GB', javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${stage.installation.appUrl}/sign-in`);
      await page.getByRole('button', { name: words('login.submit'), exact: true }).waitFor();
      expect(await page.getByRole('button', { name: words('login.passkey') }).isVisible()).toBe(false);
      await context.close();
    },
    TIMEOUT_MS,
  );
}
