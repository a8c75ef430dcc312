/** Apple as another site, end to end: its response arrives with one cookie only. The other stories share an installation. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { startCrossSiteApple, type CrossSiteApple } from '../support/cross-site-apple.js';
import { makeMigratedDataDirectory } from '../support/databases.js';
import { ProviderUser } from '../support/provider-user.js';
import { choosePorts, StartedFoyer } from '../support/started-foyer.js';
import { words } from '../support/words.js';

const PATIENCE_MS = 180_000;

describe('a provider on another site that answers by a form', () => {
  let dataDir: string;
  let apple: CrossSiteApple;
  let foyer: StartedFoyer;
  let chromium: Browser;
  let appUrl: string;

  beforeAll(async () => {
    const ports = await choosePorts();
    dataDir = await makeMigratedDataDirectory('foyer-apple');
    appUrl = `http://localhost:${ports.EMBEDDED_DEMO_APP_PORT}`;
    apple = await startCrossSiteApple(`http://localhost:${ports.PORT}`, ports.EMBEDDED_PROVIDERS_PORT);
    [foyer, chromium] = await Promise.all([StartedFoyer.start(dataDir, ports, apple.env), launchChromium()]);
  }, PATIENCE_MS);

  afterAll(async () => {
    await chromium.close();
    await foyer.stop();
    await apple.standIn.close();
    rmSync(dataDir, { recursive: true, force: true });
  }, PATIENCE_MS);

  it(
    '[PRV-1] [S-73b] is connected in the account area and signs in, although its post sends none of our other cookies',
    async () => {
      const maria = await ProviderUser.create(chromium, appUrl);
      const { page } = maria;
      const brought: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'POST' || !request.url().endsWith('/login/apple/callback')) return;
        void request.allHeaders().then(({ cookie = '' }) => brought.push(cookie.replaceAll(/=[^;]*/g, '')));
      });
      await page.goto(`${appUrl}/sign-in`);
      await page.getByLabel(words('login.username'), { exact: true }).fill(foyer.findValue('Account'));
      await page.getByLabel(words('login.password'), { exact: true }).fill(foyer.findValue('Password'));
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
    PATIENCE_MS,
  );
});
