/** Stories that need settings of their own, on one installation that has all of these settings. */
import { rmSync } from 'node:fs';
import { describe } from '@jest/globals';
import { shareInstallation } from '../support/browser-stage.js';
import { startCrossSiteApple } from '../support/cross-site-apple.js';
import { makeMigratedDataDirectory } from '../support/databases.js';
import { FAST_HASHES, OPERATOR_TOKEN, toEmbeddedInstallation } from '../support/installation.js';
import { StartedFoyer, choosePorts } from '../support/started-foyer.js';
import { emailCodeStories } from './email-code-stories.js';
import { furtherLanguageStories, writeEsperanto } from './further-language-stories.js';
import { shopStories, startShop } from './migrated-people-stories.js';
import { automaticPasskeyStories } from './passkey-automatic-stories.js';
import { crossSiteProviderStories } from './provider-cross-site-stories.js';
import { companyStories, startCompany } from './provisioned-people-stories.js';
import { supportCheckStories } from './support-check-stories.js';

const TIMEOUT_MS = 180_000;

async function start() {
  const [dataDir, ports, languages] = [await makeMigratedDataDirectory('foyer-further'), await choosePorts(), writeEsperanto()];
  const gatewayUrl = `http://localhost:${ports.PORT}`;
  const apple = await startCrossSiteApple(gatewayUrl, ports.EMBEDDED_PROVIDERS_PORT);
  const [company, shop] = [await startCompany(gatewayUrl), await startShop(gatewayUrl)];
  const foyer = await StartedFoyer.start(dataDir, ports, {
    OPERATOR_TOKEN,
    ...FAST_HASHES,
    ...apple.env,
    LOCALES_DIR: languages,
    MFA_FACTORS: 'totp,fido2,email-code',
    OIDC_PROVIDERS: JSON.stringify([company.provider]),
    PASSKEY_OFFER: 'automatic',
    SUPPORT_CHECK: 'true',
    USER_SOURCES: JSON.stringify([shop.source]),
  });
  return {
    ...toEmbeddedInstallation(foyer, ports),
    company,
    shop,
    terminal: foyer.output,
    close: async () => {
      await foyer.stop();
      await Promise.all([apple.demoProviders.close(), company.demoProviders.close(), shop.close()]);
      for (const folder of [dataDir, languages]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('in a browser, with further settings,', () => {
  const shared = shareInstallation(start, TIMEOUT_MS);

  describe('codes by e-mail', () => emailCodeStories(shared));
  describe('a further language', () => furtherLanguageStories(shared));
  describe('passkeys that browsers may make without a question', () => automaticPasskeyStories(shared));
  describe('a provider on another site that answers by a form', () => crossSiteProviderStories(shared));
  describe('a provider that provisions', () => companyStories(shared));
  describe('a service whose passwords migrate', () => shopStories(shared));
  describe('the help desk that checks who is calling', () => supportCheckStories(shared));
});
