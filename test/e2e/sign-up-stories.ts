/** A sign-up with script in a real Chromium: the browser does its work before the code is mailed, and creates a passkey in place of a password. */
import { expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField } from '../../src/contract/registration-state.js';
import { Mailbox } from '../../test-kit/mailbox.js';
import { browserStage } from '../support/browser-stage.js';
import { inventPerson, type Installation } from '../support/installation.js';
import { words } from '../support/words.js';
import { PasskeyUser } from './passkey-stories.js';

const TIMEOUT_MS = 180_000;

/** The settings of an installation for these stories. */
export const SIGN_UP_SETTINGS = {
  REGISTRATION: 'own',
  REGISTRATION_URL: '',
  REGISTRATION_JWKS_URL: '',
  SIGN_UP_WORK: 'on',
  SIGN_UP_WORK_COST: '1000',
};

/** @param start an installation with `SIGN_UP_SETTINGS`; called once */
export function signUpStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  it(
    '[JOI-40] [JOI-42] [JOI-46] a new person gets to the app with a passkey, and signs in with it later',
    async () => {
      const person = inventPerson();
      const context = await stage.chromium.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
      const user = await PasskeyUser.create(page, 'that is synced', { appUrl: stage.installation.appUrl, person });
      await user.open();
      await user.button('login.register').click();
      await page.getByRole('heading', { level: 1, name: words('sign_up.heading') }).waitFor();
      for (const [name, value] of Object.entries({ username: person.username, email: person.email }))
        await page.locator(`[name="${toDetailField(name)}"]`).fill(value);
      const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith(PATHS.registerDetails));
      await user.button('sign_up.submit').click();
      expect((await sent).postData()).toContain('derivedKey');

      await page.getByRole('heading', { level: 1, name: words('factor.email_verify_heading') }).waitFor();
      const { text } = await new Mailbox(stage.installation.mailboxUrl).waitFor(person.email, {
        subject: words('mail.sign_up_code'),
      });
      await page.getByLabel(words('factor.code'), { exact: true }).fill(/\b\d{6}\b/.exec(text)?.[0] ?? '');
      await user.button('sign_up.confirm').click();

      await user.refuse(true);
      await user.button('sign_up.passkey').click();
      await page.getByRole('alert').getByText(words('sign_up.passkey_none_next')).waitFor();
      await user.refuse(false);
      await user.button('sign_up.passkey').click();
      await user.button('consent.allow').click();
      expect(await user.claims()).toMatchObject({ acr: 'urn:foyer:acr:phr', amr: ['swk', 'pop', 'user', 'pin', 'mfa'] });

      await user.clearCookies();
      await user.open();
      await user.button('login.passkey').click();
      expect(await user.claims()).toMatchObject({ acr: 'urn:foyer:acr:phr' });
      await context.close();
    },
    TIMEOUT_MS,
  );
}
