/**
 * Passkeys that people create, end to end: offered after a sign-in, and in the account area, in a real Chromium with virtual
 * authenticators.
 */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browserStage } from '../support/browser-stage.js';
import type { Installation, Person } from '../support/installation.js';
import { words } from '../support/words.js';
import { PasskeyUser } from './passkey-stories.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation with the demo app; called once */
export function passkeyAccountStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  /** Creates a person in a new browser, with a platform authenticator that syncs. */
  const user = async (person?: Person): Promise<{ user: PasskeyUser; page: Page; person: Person }> => {
    const { appUrl } = stage.installation;
    const context = await stage.chromium.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    const owner = person ?? (await stage.installation.newPerson());
    return { user: await PasskeyUser.create(page, 'that is synced', { appUrl, person: owner }), page, person: owner };
  };

  /** Waits until the page has detected what the browser supports. */
  const signIn = async ({ user: browserUser, page, person }: Awaited<ReturnType<typeof user>>): Promise<void> => {
    await browserUser.open();
    await page.locator('input[name=passkey_creation]').waitFor({ state: 'attached' });
    await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
    await browserUser.button('login.submit').click();
  };

  it(
    'a passkey is offered after a password, created with one touch, and can be used to sign in from then on',
    async () => {
      const holder = await user();
      await signIn(holder);
      await holder.page.getByRole('heading', { level: 1, name: words('passkey_offer.heading') }).waitFor();
      await holder.user.button('passkey_offer.make').click();
      await holder.user.button('consent.allow').click();
      expect(await holder.user.claims()).toMatchObject({ acr: 'urn:foyer:acr:pwd', amr: ['pwd'] });
      await holder.user.clearCookies();
      await holder.user.open();
      await holder.user.button('login.passkey').click();
      expect(await holder.user.claims()).toMatchObject({ acr: 'urn:foyer:acr:phr' });
      await holder.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'a person who declines is led on, and not asked again in any browser',
    async () => {
      const first = await user();
      await signIn(first);
      await first.user.button('passkey_offer.never').click();
      await first.user.button('consent.allow').click();
      await first.user.claims();
      await first.page.context().close();
      const second = await user(first.person);
      await signIn(second);
      await second.user.claims();
      await second.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'an authenticator that refuses loses nothing: the app is reached, and Back leads on',
    async () => {
      const holder = await user();
      await holder.page.addInitScript(
        'navigator.credentials.create = async () => { throw new DOMException("no", "NotAllowedError"); }',
      );
      await signIn(holder);
      await holder.user.button('passkey_offer.make').click();
      await holder.user.button('consent.allow').waitFor();
      await holder.page.goBack();
      await holder.page.getByRole('link', { name: words('challenge.restart') }).click();
      await holder.user.button('consent.allow').click();
      await holder.user.claims();
      await holder.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'a passkey is created, named and removed in the account area, and the browser is told',
    async () => {
      const holder = await user();
      await holder.page.addInitScript(`
        const signals = JSON.parse(sessionStorage.getItem('signals') ?? '[]');
        PublicKeyCredential.signalAllAcceptedCredentials = async ({ allAcceptedCredentialIds: ids }) => {
          signals.push(ids.length);
          sessionStorage.setItem('signals', JSON.stringify(signals));
        };`);
      await holder.user.signInWithPassword();
      await holder.user.makePasskey();
      const overview = holder.page.getByRole('link', { name: words('factor.passkey') });
      await overview.click();
      const row = (name: string) => holder.page.getByRole('listitem').filter({ hasText: name }).first();
      await row(words('manage_mfa.synced')).waitFor();
      await holder.page.getByText(words('manage_mfa.rename'), { exact: true }).click();
      await holder.page.getByLabel(words('manage_mfa.key_name')).fill('My telephone');
      await holder.user.button('settings.save').click();
      await row('My telephone').waitFor();
      await row('My telephone').getByText(words('manage_mfa.remove')).first().click();
      await holder.user.button('manage_mfa.remove_now').click();
      await holder.page.getByRole('status').getByText(words('manage.passkey_removed')).waitFor();
      // Shown on the page of the factors, after the new name, and after the removal.
      await holder.page.waitForFunction("sessionStorage.getItem('signals') === '[1,1,0]'");
      await holder.page.context().close();
    },
    TIMEOUT_MS,
  );
}
