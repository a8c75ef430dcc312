/** Runs the single-page app of docs/clients in Chromium. The embedded upstream sends no CORS headers, so the test adds them. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Foyer } from '../../test-kit/index.js';
import { launchChromium } from '../support/chromium.js';
import { recipeFile, register, parseRegistration } from '../support/client-recipes.js';
import { PROJECT } from '../support/scratch-tree.js';
import { words } from '../support/words.js';

const TIMEOUT_MS = 180_000;

/** The import map, which locates the packages as a bundler would do. */
const IMPORTS = { 'oidc-client-ts': '/library.js', 'jwt-decode': '/jwt-decode.js' };
const PACKAGES: Record<string, string> = {
  '/library.js': 'oidc-client-ts/dist/esm/oidc-client-ts.js',
  '/jwt-decode.js': 'jwt-decode/build/esm/index.js',
};

export interface SharedInstallation {
  kit: Foyer;
  issuer: string;
}

/** @param getInstallation returns the installation, which is started in `beforeAll` */
export function describeSinglePageApp(getInstallation: () => SharedInstallation): void {
  describe('the single-page app', () => {
    let chromium: Browser;
    let site: Server;
    let base: string;

    beforeAll(async () => {
      site = createServer(({ url = '' }, response) => {
        const [type, text] = findFile(new URL(url, 'http://localhost').pathname, getInstallation().issuer);
        response.writeHead(text === undefined ? 404 : 200, { 'content-type': type }).end(text);
      });
      await new Promise<void>((resolve) => void site.listen(0, 'localhost', resolve));
      base = `http://localhost:${(site.address() as AddressInfo).port}`;
      const registration = { ...parseRegistration('single-page', base), client_id: 'spa-at-work' };
      await register(getInstallation().kit.installation.hydraAdminUrl, registration);
      chromium = await launchChromium();
    }, TIMEOUT_MS);

    afterAll(async () => {
      await chromium.close();
      await new Promise((resolve) => site.close(resolve));
    });

    it(
      'signs in, survives a reload, and logs out',
      async () => {
        const { username, password } = await getInstallation().kit.createPerson({ username: 'single', displayName: 'Maria' });
        const page = await chromium.newPage({ locale: 'en-GB' });
        await grantOrigin(page, getInstallation().issuer, base);
        const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
        const waitForText = (text: string) => page.getByText(text, { exact: true }).waitFor();

        await page.goto(base);
        await waitForText('Nobody is signed in.');
        await press('Sign in');
        await page.getByLabel(words('login.username'), { exact: true }).fill(username);
        await page.getByLabel(words('login.password'), { exact: true }).fill(password);
        await page.getByLabel(words('login.remember')).check();
        await press(words('login.submit'));
        await press(words('consent.allow'));
        await waitForText('Hello Maria');
        expect(page.url()).toBe(`${base}/`);
        await page.reload();
        await waitForText('Hello Maria');

        await press('Sign out');
        // The button of the app has the same name, so the test looks for a heading.
        await page.getByRole('heading', { level: 1, name: words('logout.heading') }).waitFor();
        await press(words('logout.accept'));
        await waitForText('Nobody is signed in.');
        expect(await page.evaluate('Object.keys(sessionStorage).length')).toBe(0);
        await page.close();
      },
      TIMEOUT_MS,
    );
  });
}

function findFile(path: string, issuer: string): [type: string, text: string | undefined] {
  const packaged = PACKAGES[path];
  if (packaged !== undefined) return ['text/javascript', readFileSync(join(PROJECT, 'node_modules', packaged), 'utf8')];
  if (path === '/app.js') return ['text/javascript', recipeFile('single-page', 'app.js').replace("'spa'", "'spa-at-work'")];
  if (path === '/settings.js') {
    return ['text/javascript', recipeFile('single-page', 'settings.js').replace('https://auth.example.org', issuer)];
  }
  const map = `<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script></head>`;
  return ['text/html', path === '/' ? recipeFile('single-page', 'index.html').replace('</head>', map) : undefined];
}

/** Replaces Hydra's setting SERVE_PUBLIC_CORS_ALLOWED_ORIGINS. */
async function grantOrigin(page: Page, issuer: string, base: string): Promise<void> {
  await page.route(`${issuer.replace(/\/$/, '')}/**`, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), 'access-control-allow-origin': base } });
  });
}
