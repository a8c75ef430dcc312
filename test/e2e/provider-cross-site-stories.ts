/** Apple as another site, end to end: its response arrives with one cookie only. */
import { expect, it } from '@jest/globals';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { ProviderUser } from '../support/provider-user.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** @param start a whole installation with Apple on another site; called once */
export function crossSiteProviderStories(start: () => Promise<Installation>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  it(
    '[PRV-1] [S-73b] is connected in the account area and signs in, although its post sends none of our other cookies',
    async () => {
      const { chromium, installation } = stage;
      const maria = await ProviderUser.create(chromium, installation.appUrl);
      const { page } = maria;
      const brought: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/login/apple/callback')) return;
        void request.allHeaders().then(({ cookie = '' }) => brought.push(cookie.replaceAll(/=[^;]*/g, '')));
      });
      await page.goto(`${installation.appUrl}/sign-in`);
      await page.getByLabel(words('login.username'), { exact: true }).fill(installation.person.username);
      await page.getByLabel(words('login.password'), { exact: true }).fill(installation.person.password);
      await maria.button('login.submit').click();
      await maria.readClaims();
      await page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await page.getByRole('button', { name: words('manage.connect_name').replace('{{provider}}', 'Apple') }).click();
      await maria.choose('Maria Musterfrau');
      await page.getByRole('status').getByText(words('manage.connected')).waitFor();
      await maria.openProvider('Apple');
      await maria.choose('Maria Musterfrau');
      expect(await maria.readClaims()).toMatchObject({ amr: ['fed'], preferred_username: 'maria.musterfrau' });
      expect(brought).toEqual(['foyer-answer', 'foyer-answer']);
      await maria.context.close();
    },
    TIMEOUT_MS,
  );
}
