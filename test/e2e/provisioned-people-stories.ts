/** People of an OpenID provider that provisions accounts, in a browser: from the first sign-in to a removed role. */
import { expect, it } from '@jest/globals';
import { DIALECT_IDS, type DialectId, type DemoProviderClient } from '../../embedded/demo-providers/dialect.js';
import { startDemoProviders, type DemoProviders } from '../../embedded/demo-providers/start-demo-providers.js';
import { buildCallbackUrl } from '../../src/providers/identity-providers.port.js';
import { browserStage } from '../support/browser-stage.js';
import type { Installation } from '../support/installation.js';
import { scriptOnAndOff } from '../support/matrix.js';
import { ProviderUser } from '../support/provider-user.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;
const SECRET = 'a secret of Foyer at the company';
const TITLE = 'Musterwerk';

export interface Company {
  demoProviders: DemoProviders;
  /** As in `OIDC_PROVIDERS`. */
  provider: Record<string, unknown>;
}

/** @param foyerUrl the address of the gateway that uses it */
export async function startCompany(foyerUrl: string): Promise<Company> {
  const redirectUris = [buildCallbackUrl(foyerUrl, 'company')];
  const client = (id: DialectId): DemoProviderClient => ({ id: `foyer.${id}`, redirectUris, secret: SECRET });
  const clients = Object.fromEntries(DIALECT_IDS.map((id) => [id, client(id)])) as Record<DialectId, DemoProviderClient>;
  const demoProviders = await startDemoProviders({ host: 'localhost', port: 0, clients });
  const provider = {
    ...{ id: 'company', name: TITLE, issuer: `${demoProviders.url}/company/`, client_id: 'foyer.company', client_secret: SECRET },
    ...{ provision: true, require: { groups: 'staff' }, groups: 'groups', sub: 'source', sub_prefix: 'mw-' },
    scopes: ['openid', 'profile', 'email', 'groups'],
  };
  return { demoProviders, provider };
}

/** @param start a whole installation with the provider of the company; called once */
export function companyStories(start: () => Promise<Installation & { company: Company }>): void {
  const stage = browserStage(start, TIMEOUT_MS);

  /** Continues to the page where a person chooses an identity. */
  async function openProvider(javaScriptEnabled = true): Promise<ProviderUser> {
    const user = await ProviderUser.create(stage.chromium, stage.installation.appUrl, javaScriptEnabled);
    await user.openProvider(TITLE);
    return user;
  }

  const isRefused = (user: ProviderUser) => user.page.getByText(words('error.not_admitted')).waitFor();

  it(
    '[PRV-2] the first sign-in creates the account, and the app gets the claims; the account area has no password',
    async () => {
      const nora = await openProvider();
      await nora.choose('Nora Neumann');
      expect(await nora.readClaims()).toMatchObject({
        sub: 'mw-emp-1003',
        amr: ['fed'],
        name: 'Nora Neumann',
        preferred_username: 'nora',
      });
      await nora.page.goto(stage.installation.appUrl);
      await nora.page.getByRole('link', { name: 'Manage your sign-in' }).click();
      await nora.heading('settings.settings').waitFor();
      expect(await nora.page.getByRole('link', { name: words('manage.password') }).count()).toBe(0);
      await nora.context.close();
    },
    TIMEOUT_MS,
  );

  it.each(scriptOnAndOff(false))(
    '[S-104] [LOG-7] a person without the required claims reads that, also after a reload (script: %s)',
    async (javaScriptEnabled) => {
      const jonas = await openProvider(javaScriptEnabled);
      await jonas.choose('Jonas Beispiel');
      await isRefused(jonas);
      for (let time = 0; time < 2; time += 1) {
        const answer = await jonas.page.reload();
        expect(answer?.status()).toBe(403);
        await isRefused(jonas);
      }
      await jonas.page.getByRole('link', { name: words('app.try_again') }).click();
      await jonas.heading('login.heading').waitFor();
      await jonas.context.close();
    },
    TIMEOUT_MS,
  );

  it(
    '[S-104] a person who has lost the role cannot sign in, and the open session ends; with the role again, sign-ins work',
    async () => {
      const { installation } = stage;
      const { demoProviders } = installation.company;
      const maria = await openProvider();
      await maria.choose('Maria Musterfrau');
      await maria.readClaims();
      const other = await openProvider();
      demoProviders.setClaims('company', { idToken: { groups: ['former staff'] } });
      await other.choose('Maria Musterfrau');
      await isRefused(other);
      await maria.page.goto(`${installation.appUrl}/sign-in`);
      await maria.heading('login.heading').waitFor();
      demoProviders.setClaims('company', {});
      await maria.openProvider(TITLE);
      await maria.choose('Maria Musterfrau');
      expect(await maria.readClaims()).toMatchObject({ sub: 'mw-emp-1001' });
      await Promise.all([maria.context.close(), other.context.close()]);
    },
    TIMEOUT_MS,
  );
}
