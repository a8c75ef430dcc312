/** The first steps of every new user: app, login, consent, ID token, logout and back, in each language, with script and without. */
import { expect, it } from '@jest/globals';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { IS_FULL } from '../support/matrix.js';
import { LANGUAGES, PortalUser } from '../support/portal-user.js';

const TIMEOUT_MS = 180_000;
const SAMPLE = [
  ['in German', LANGUAGES.de, true],
  ['in English with script off', LANGUAGES.en, false],
] as const;
const OTHERS = [
  ['in German with script off', LANGUAGES.de, false],
  ['in English', LANGUAGES.en, true],
] as const;

/** @param start a whole installation; called once */
export function startStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  it.each(IS_FULL ? [...SAMPLE, ...OTHERS] : SAMPLE)(
    '[LOG-9] [CON-4] [OUT-2] [OUT-6] [GEN-9] [I18-1] app, login, consent, ID token, logout and back, %s',
    async (_name, language, javaScriptEnabled) => {
      const context = await stage.chromium.newContext({ locale: language.browser, javaScriptEnabled });
      const page = await context.newPage();
      const user = new PortalUser(page, stage.installation.appUrl, language);
      await user.openSignIn();
      await page.waitForURL(({ origin }) => origin === stage.installation.gatewayUrl);
      await user.waitForHeading('Beispielportal');
      await user.enterPassword(await stage.installation.newPerson());
      await page.waitForURL(/\/consent/);
      await user.waitForHeading('Beispielportal');
      await user.press('consent.allow');
      const claims = await user.readClaims();
      expect(claims).toMatchObject({ aud: ['beispielportal'], amr: ['pwd'], acr: 'urn:foyer:acr:pwd' });
      expect(claims['iss']).toBe(stage.installation.issuer);
      await page.getByRole('button', { name: language.app.signOut }).click();
      await user.waitForHeading(language.gateway['logout.heading']!);
      await user.press('logout.accept');
      await user.waitForHeading(language.app.out);
      expect(new URL(page.url()).origin).toBe(stage.installation.appUrl);
      await user.openSignIn();
      await page.getByLabel(language.gateway['login.password']!, { exact: true }).waitFor();
      await context.close();
    },
    TIMEOUT_MS,
  );
}
