/** How the pages come to life in a real Chromium: in which language, with which files, and when some of them do not come. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PageState } from '../../src/contract/page-state.js';
import { PageVisits, sentFields } from '../support/page-loads.js';

/** A browser beside other work takes its time. */
jest.setTimeout(30_000);

let visits: PageVisits;

beforeAll(async () => {
  visits = await PageVisits.start();
});
afterAll(() => visits.end());
beforeEach(() => visits.newPerson());
afterEach(() => visits.context.close());

describe('language and loading', () => {
  const from = (source: PageState['locale_source']) => (state: PageState) => ({ ...state, locale_source: source });
  const german = () => visits.page.getByRole('button', { name: 'Anmelden' });
  const remembered = () => visits.page.evaluate<string | null>("localStorage.getItem('i18nextLng')");
  const remember = (locale: string) =>
    visits.context.addInitScript(`localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', '${locale}')`);

  it('[I18-2] an earlier choice that only the browser knows stands before Accept-Language', async () => {
    await remember('de');
    await visits.open('login', 'en', from('header'));
    await german().waitFor();
    expect(await visits.page.locator('html').getAttribute('lang')).toBe('de');
    expect(await visits.page.title()).toBe('Anmelden und weiter zu Beispielportal · Foyer');
    expect(await visits.page.getByRole('link', { name: 'Deutsch' }).getAttribute('aria-current')).toBe('true');
    const [cookie] = await visits.context.cookies();
    expect(cookie).toMatchObject({ name: 'i18next', value: 'de', path: '/', sameSite: 'Lax', httpOnly: false });
  });

  it('[I18-2] what the query says is shown and kept', async () => {
    await remember('en');
    await visits.open('login', 'de', from('query'));
    expect(await german().isVisible()).toBe(true);
    await expect(remembered()).resolves.toBe('de');
  });

  it('[I18-3] second reading: nothing is read, nothing is kept', async () => {
    await remember('de');
    await visits.open('login', 'en', (state) => {
      const { language_links: _links, ...app } = state.app;
      return { ...state, locale_source: 'header', app };
    });
    expect(await visits.page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    expect(await visits.context.cookies()).toEqual([]);
    expect(await remembered()).toBe('de');
  });

  it('[I18-4] a chunk of phrases that does not come is asked for again', async () => {
    const tries: number[] = [];
    await visits.page.route('**/de-login-*.js*', (route) => (tries.push(Date.now()) < 3 ? route.abort() : route.continue()));
    await visits.open('login', 'de');
    expect(await german().isVisible()).toBe(true);
    expect(tries.length).toBeGreaterThanOrEqual(3);
  });

  it('loads each file once, and nothing that the document did not name', async () => {
    const asked: string[] = [];
    visits.page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[\w-]{8}\./, '.')));
    await visits.open('login', 'de');
    // The icon comes when the browser has time for it.
    expect(asked.filter((path) => path !== '/assets/icon.svg').sort()).toEqual([
      '/assets/client.css',
      '/assets/client.js',
      '/assets/de-login.js',
      '/assets/login.js',
      '/login',
    ]);
  });

  it('[GEN-9] a page whose script cannot be loaded still works', async () => {
    await visits.page.route('**/client-*.js', (route) => route.abort());
    const posts = await visits.takePosts();
    await visits.page.goto(visits.address('login'));
    await visits.page.getByLabel('Username').fill('maria');
    await visits.page.getByLabel('Password', { exact: true }).fill('secret');
    await visits.page.getByRole('button', { name: 'Sign in' }).click();
    await visits.page.waitForURL('**/login/native');
    expect(sentFields(posts[0]).get('username')).toBe('maria');
  });
});
