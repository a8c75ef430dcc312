/**
 * `PASSKEY_OFFER=automatic`, end to end: browsers with conditional creation, and browsers that only report it, in a real Chromium
 * with virtual authenticators.
 */
import { expect, it } from '@jest/globals';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { words } from '../support/words.js';
import { PasskeyUser } from './passkey-stories.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation with `PASSKEY_OFFER=automatic`; called once */
export function automaticPasskeyStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  /** @param script runs before the scripts of the pages */
  async function signIn(script: string): Promise<PasskeyUser> {
    const { installation, chromium } = stage;
    const context = await chromium.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.addInitScript(script);
    const person = await installation.newPerson();
    const user = await PasskeyUser.create(page, 'that is synced', { appUrl: installation.appUrl, person });
    await user.open();
    await page.locator('input[name=passkey_creation]').waitFor({ state: 'attached' });
    await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
    await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
    await user.button('login.submit').click();
    return user;
  }

  it(
    'a password manager creates one without a question, the app is reached at once, and it can be used to sign in',
    async () => {
      const user = await signIn(managerThat('return create({ publicKey: options.publicKey })'));
      await user.button('consent.allow').click();
      expect(await user.claims()).toMatchObject({ amr: ['pwd'] });
      await user.clearCookies();
      await user.open();
      await user.button('login.passkey').click();
      expect(await user.claims()).toMatchObject({ acr: 'urn:foyer:acr:phr' });
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );

  it(
    'the person is asked if the browser creates none',
    async () => {
      const user = await signIn(managerThat('throw new DOMException("no", "NotAllowedError")'));
      await user.button('passkey_offer.make').click();
      await user.button('consent.allow').click();
      await user.claims();
      await user.page.context().close();
    },
    TIMEOUT_MS,
  );
}

/** Chromium without a profile has no password manager, so this one answers only conditional creation. */
function managerThat(answers: string): string {
  return `
    const can = PublicKeyCredential.getClientCapabilities.bind(PublicKeyCredential);
    PublicKeyCredential.getClientCapabilities = async () => ({ ...(await can()), conditionalCreate: true });
    const create = navigator.credentials.create.bind(navigator.credentials);
    navigator.credentials.create = async (options) => {
      if (options.mediation !== 'conditional') return create(options);
      ${answers};
    };`;
}
