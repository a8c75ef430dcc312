/** A browser that its person trusts, end to end: requested in the second step, used, and ended in the account area, in a real Chromium. */
import { expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { words } from '../support/words.js';
import { PasskeyUser } from './passkey-stories.js';

const TIMEOUT_MS = 180_000;
const SEED = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** @param start a whole installation with the demo app; called once */
export function browserTrustStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  it(
    'needs no code once its person has trusted it, until the account area ends the trust',
    async () => {
      const { installation, chromium } = stage;
      const { appUrl, gatewayUrl } = installation;
      const context = await chromium.newContext({ locale: 'en-GB' });
      const page = await context.newPage();
      const person = await installation.newPerson({ totp_secret: SEED });
      const app = new TotpApp(SEED, { now: () => new Date() });
      const user = await PasskeyUser.create(page, 'of the device', { appUrl, person });
      const typePassword = async (path: string) => {
        await user.open(path);
        await page.getByLabel(words('login.username'), { exact: true }).fill(person.username);
        await page.getByLabel(words('login.password'), { exact: true }).fill(person.password);
        await user.button('login.submit').click();
      };
      const asked = page.getByRole('heading', { level: 1, name: words('mfa.heading_totp') });

      await typePassword('/sign-in');
      await asked.waitFor();
      await page.getByRole('checkbox').check();
      await page.getByLabel(words('factor.code'), { exact: true }).fill(app.code());
      await user.button('mfa.confirm').click();
      await user.passOffer();
      await user.button('consent.allow').click();
      expect(await user.claims()).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });

      await typePassword('/sign-in?prompt=login');
      expect(await user.claims()).toMatchObject({ amr: ['pwd'] });

      await page.goto(appUrl);
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await page.getByRole('heading', { level: 1, name: words('settings.settings') }).waitFor();
      await page.goto(`${gatewayUrl}${PATHS.manageMfa}`);
      await page.getByText(words('trusted.this')).waitFor();
      await page
        .getByRole('button', { name: words('trusted.end') })
        .first()
        .click();
      await page.getByText(words('trusted.this')).waitFor({ state: 'detached' });

      await typePassword('/sign-in?prompt=login');
      await asked.waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );
}
