/** How the pages load in a real Chromium: in which language, with which files, and if some files are missing. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PageState } from '../../src/contract/page-state.js';
import { PageLoads, toSentFields } from '../support/page-loads.js';

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start();
});
afterAll(() => loads.end());
beforeEach(() => loads.newPerson());
afterEach(() => loads.context.close());

describe('language and loading', () => {
  const withSource = (source: PageState['locale_source']) => (state: PageState) => ({ ...state, locale_source: source });
  const findGermanButton = () => loads.page.getByRole('button', { name: 'Anmelden' });
  const readRememberedLocale = () => loads.page.evaluate<string | null>("localStorage.getItem('i18nextLng')");
  const remember = (locale: string) =>
    loads.context.addInitScript(`localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', '${locale}')`);

  it('an earlier choice that only the browser knows comes before Accept-Language', async () => {
    await remember('de');
    await loads.open('login', 'en', withSource('header'));
    await findGermanButton().waitFor();
    expect(await loads.page.locator('html').getAttribute('lang')).toBe('de');
    expect(await loads.page.title()).toBe('Anmelden und weiter zu Beispielportal · Foyer');
    expect(await loads.page.getByRole('link', { name: 'Deutsch' }).getAttribute('aria-current')).toBe('true');
    const [cookie] = await loads.context.cookies();
    expect(cookie).toMatchObject({ name: 'i18next', value: 'de', path: '/', sameSite: 'Lax', httpOnly: false });
  });

  it('the language of the query is shown and stored', async () => {
    await remember('en');
    await loads.open('login', 'de', withSource('query'));
    expect(await findGermanButton().isVisible()).toBe(true);
    await expect(readRememberedLocale()).resolves.toBe('de');
  });

  it('[I18-3] without language links, no earlier choice is read and nothing is stored', async () => {
    await remember('de');
    await loads.open('login', 'en', (state) => {
      const { language_links: _links, ...app } = state.app;
      return { ...state, locale_source: 'header', app };
    });
    expect(await loads.page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    expect(await loads.context.cookies()).toEqual([]);
    expect(await readRememberedLocale()).toBe('de');
  });

  it('a chunk of phrases that fails to load is requested again', async () => {
    const tries: number[] = [];
    await loads.page.route('**/de-login-*.js*', (route) => (tries.push(Date.now()) < 3 ? route.abort() : route.continue()));
    await loads.open('login', 'de');
    expect(await findGermanButton().isVisible()).toBe(true);
    expect(tries.length).toBeGreaterThanOrEqual(3);
  });

  it('loads each file once, and only the script of passkeys in addition to those that the document names, after all others', async () => {
    const asked: string[] = [];
    loads.page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[\w-]{6,8}\./, '.')));
    await loads.open('login', 'de');
    expect(asked.at(-1)).toBe('/assets/passkey.js');
    expect(asked.slice(0, -1).sort()).toEqual([
      '/assets/client.css',
      '/assets/client.js',
      '/assets/de-login.js',
      '/assets/login.js',
      '/login',
    ]);
  });

  it('[GEN-9] a page whose script cannot be loaded still works', async () => {
    await loads.page.route('**/client-*.js', (route) => route.abort());
    const posts = await loads.recordPosts();
    await loads.page.goto(loads.address('login'));
    await loads.page.getByLabel('Username').fill('maria');
    await loads.page.getByLabel('Password', { exact: true }).fill('secret');
    await loads.page.getByRole('button', { name: 'Sign in' }).click();
    await loads.page.waitForURL('**/login/native');
    expect(toSentFields(posts[0]).get('username')).toBe('maria');
  });
});
