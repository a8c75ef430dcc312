/**
 * Google, Microsoft and Apple, end to end: a person in a real Chromium at the demo providers, and the demo app as an ordinary client.
 * They can run once in an installation, because Jonas has a second factor afterwards.
 */
import { expect, it } from '@jest/globals';
import { SystemClock } from '../../src/config/clock.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { IS_FULL, scriptOnAndOff } from '../support/matrix.js';
import { ProviderUser, type Provider } from '../support/provider-user.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation with the demo providers and their people; called once */
export function providerStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  const person = (javaScriptEnabled = true) => ProviderUser.create(stage.chromium, stage.installation.appUrl, javaScriptEnabled);

  const googleWithScript = IS_FULL ? ([['Google', true]] as const) : [];

  it.each([...googleWithScript, ['Microsoft', true], ['Apple', true], ['Google', false]] as const)(
    '[PRV-1] [PRV-2] [LOG-2] %s leads a person with one account back to the app (script: %s)',
    async (provider, javaScriptEnabled) => {
      const maria = await person(javaScriptEnabled);
      await maria.openProvider(provider);
      await maria.choose('Maria Musterfrau');
      expect(await maria.readClaims()).toMatchObject({
        amr: ['fed'],
        acr: 'urn:foyer:acr:fed',
        preferred_username: 'maria.musterfrau',
      });
      await maria.context.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[ACC-1] [ACC-2] [ACC-4] [S-58] Microsoft leads a person with two accounts to the choice, and the chosen one to its second factor',
    async () => {
      const jonas = await person();
      const choose = async (): Promise<void> => {
        await jonas.openProvider('Microsoft', '/sign-in?prompt=login&scope=profile&acr_values=urn:foyer:acr:mfa');
        await jonas.choose('Jonas Beispiel');
        await jonas.heading('accounts.heading').waitFor();
      };
      const buttons = () => jonas.page.locator('.rows button b').allInnerTexts();
      await choose();
      expect(await buttons()).toEqual(['Hausverwaltung Lindenallee', 'Jonas Beispiel']);
      await jonas.page.getByRole('button', { name: /Privatkunde/ }).click();
      await jonas.page.getByRole('link', { name: words('factor.totp') }).click();
      const secret = (await jonas.page.locator('.secret').innerText()).replaceAll(/\s/g, '');
      const app = new TotpApp(secret, new SystemClock());
      await jonas.page.getByLabel(words('factor.code'), { exact: true }).fill(app.code());
      await jonas.button('factor.activate').click();
      await jonas.heading('factor.codes_heading').waitFor();
      await jonas.button('factor.codes_kept').click();
      expect(await jonas.readClaims()).toMatchObject({
        amr: ['fed', 'otp', 'mfa'],
        acr: 'urn:foyer:acr:mfa',
        preferred_username: 'jonas.beispiel',
      });
      await choose();
      expect((await buttons())[0]).toBe('Jonas Beispiel');
      await jonas.page.getByRole('link', { name: words('accounts.back') }).click();
      await jonas.page.getByLabel(words('login.username'), { exact: true }).waitFor();
      await jonas.context.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[LOG-7] [PRV-4] an unknown identity and a cancelled sign-in lead to the login page of the same request',
    async () => {
      const nora = await person();
      await nora.openProvider('Apple');
      await nora.choose('Nora Neumann');
      await nora.page.getByRole('alert').getByText(words('login.provider_failed').replace('{{provider}}', 'Apple')).waitFor();
      await nora.page.getByRole('link', { name: 'Sign in with Google' }).click();
      await nora.page.getByRole('button', { name: 'Cancel' }).click();
      await nora.page.getByRole('alert').getByText(words('login.cancelled').replace('{{provider}}', 'Google')).waitFor();
      await nora.page.getByLabel(words('login.username'), { exact: true }).fill(stage.installation.person.username);
      await nora.page.getByLabel(words('login.password'), { exact: true }).fill(stage.installation.person.password);
      await nora.button('login.submit').click();
      expect(await nora.readClaims()).toMatchObject({ amr: ['pwd'] });
      await nora.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(true))(
    '[MAN-2] [MAN-8] [MAN-9] [MAN-10] is disconnected and connected in the account area (script: %s)',
    async (javaScriptEnabled) => {
      const maria = await person(javaScriptEnabled);
      const { page } = maria;
      await page.goto(`${stage.installation.appUrl}/sign-in?prompt=login`);
      await page.getByLabel(words('login.username'), { exact: true }).fill(stage.installation.person.username);
      await page.getByLabel(words('login.password'), { exact: true }).fill(stage.installation.person.password);
      await maria.button('login.submit').click();
      await maria.readClaims();
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await maria.heading('settings.settings').waitFor();
      const row = (provider: Provider) => page.locator('li', { has: page.locator('b', { hasText: provider }) });
      await row('Apple').locator('summary').click();
      await row('Apple')
        .getByRole('button', { name: words('manage.disconnect_now') })
        .click();
      await page.getByRole('status').getByText(words('manage.disconnected')).waitFor();
      // Without script, the page of the provider needs a click before it posts.
      const goOn = async () => javaScriptEnabled || page.getByRole('button', { name: 'Continue' }).click();
      await row('Apple').getByRole('button').click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await goOn();
      await page.getByRole('alert').getByText(words('manage.connect_failed')).waitFor();
      await row('Apple').getByRole('button').click();
      await maria.choose('Maria Musterfrau');
      await goOn();
      await page.getByRole('status').getByText(words('manage.connected')).waitFor();
      await row('Apple').locator('summary').waitFor();
      await maria.context.close();
    },
    TIMEOUT_MS,
  );
}
