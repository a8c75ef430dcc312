/** What the pages do in a real Chromium: focus, keyboard, sending once, language, and life without script. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page, Request } from 'playwright-core';
import type { Locale } from '../../src/contract/locale.js';
import type { PageState } from '../../src/contract/page-state.js';
import { FIXTURES } from '../../web/fixtures/index.js';
import { launchChromium, pageReady } from '../support/chromium.js';
import { buildPages } from '../support/page-build.js';
import type { BuiltPages } from '../support/page-build.js';
import { previewPages } from '../support/page-preview.js';
import type { PagePreview } from '../support/page-preview.js';

/** A browser beside other work takes its time. */
jest.setTimeout(30_000);

let built: BuiltPages;
let preview: PagePreview;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  built = await buildPages();
  [preview, browser] = await Promise.all([previewPages(built), launchChromium()]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await preview.close();
  built.remove();
});

const newPage = async (options: BrowserContextOptions = {}) => {
  context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  page = await context.newPage();
};

beforeEach(() => newPage());
afterEach(() => context.close());

function address(name: string, locale: Locale = 'en', change: (state: PageState) => PageState = (state) => state): string {
  const fixture = FIXTURES.find((candidate) => candidate.name === name)!;
  return preview.show(fixture.path, change(fixture.state(locale)));
}

async function open(...of: Parameters<typeof address>): Promise<void> {
  await page.goto(address(...of));
  await pageReady(page);
}

/** Without the script there is no moment at which it is ready. */
async function openWithoutScript(name: string): Promise<void> {
  await context.close();
  await newPage({ javaScriptEnabled: false });
  await page.goto(address(name));
}

/** Holds every form that is sent, and keeps what it carried. */
async function holdPosts(): Promise<Request[]> {
  const posts: Request[] = [];
  await page.route('**', (route, request) => {
    if (request.method() !== 'POST') return route.continue();
    posts.push(request);
    return undefined;
  });
  return posts;
}

interface Pressed {
  /** Submit events that were not prevented. */
  sent: number;
  label: string;
  busy: string | null;
  widths: [before: number, after: number];
  passwordType: string;
}

/** All within the page and at once: Playwright's own steps would wait for the answer that is held. */
const press = (times: number) =>
  page.evaluate<Pressed>(`(async () => {
    const button = document.querySelector('.btn.primary');
    const before = button.getBoundingClientRect().width;
    let sent = 0;
    addEventListener('submit', (event) => (sent += event.defaultPrevented ? 0 : 1));
    for (let left = ${times}; left > 0; left -= 1) button.click();
    await new Promise(requestAnimationFrame);
    return {
      sent,
      label: button.textContent,
      busy: button.getAttribute('aria-busy'),
      widths: [before, button.getBoundingClientRect().width],
      passwordType: document.querySelector('#password').type,
    };
  })()`);

/** Answers every form that is sent, as the gateway would. */
async function answerPosts(): Promise<Request[]> {
  const posts: Request[] = [];
  await page.route('**', (route, request) => {
    if (request.method() !== 'POST') return route.continue();
    posts.push(request);
    return route.fulfill({ status: 200, contentType: 'text/html', body: '<!doctype html><title>taken</title>' });
  });
  return posts;
}

const fields = (request: Request | undefined) => new URLSearchParams(request?.postData() ?? '');
const hasFocus = async (locator: Locator) => (await locator.and(page.locator(':focus')).count()) === 1;

describe('focus and keyboard', () => {
  it.each([
    'login-error-credentials',
    'login-challenge-expired',
    'login-hint-challenge-used',
    'consent-failed',
    'logout-challenge-missing',
  ])('[ERR-2] %s: the alert has the focus, with and without script', async (name) => {
    await open(name);
    expect(await hasFocus(page.getByRole('alert'))).toBe(true);
    await openWithoutScript(name);
    expect(await hasFocus(page.getByRole('alert'))).toBe(true);
  });

  it('begins where typing begins', async () => {
    await open('login');
    expect(await hasFocus(page.getByLabel('Username'))).toBe(true);
    await open('login-missing-password');
    expect(await hasFocus(page.getByLabel('Password', { exact: true }))).toBe(true);
  });

  it.each([
    ['login', ['Back to Beispielportal', 'Username', 'Password', 'Show password', 'Stay signed in', 'Sign in']],
    ['consent', ['User profile', 'E-mail address', 'Deny', 'Allow', 'privacy policy']],
    ['logout', ['Back to Beispielportal', 'Cancel', 'Log out']],
    ['login-hint', ['Back to Beispielportal', 'Proceed', 'Use another account']],
  ])('%s: the keyboard reaches everything in reading order, and shows where it is', async (name, order) => {
    await open(name);
    // From the top of the page, wherever the page itself began.
    await page.mouse.click(1, 1);
    const seen: string[] = [];
    for (const expected of order) {
      await page.keyboard.press('Tab');
      const [label, outline] = await page.evaluate<[string, number]>(`(() => {
        const element = document.activeElement;
        const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
        return [label, parseFloat(getComputedStyle(element).outlineWidth)];
      })()`);
      seen.push(label.includes(expected) ? expected : label);
      expect(outline).toBeGreaterThanOrEqual(2);
    }
    expect(seen).toEqual(order);
  });
});

describe('a form', () => {
  it('[LOG-14] is sent once, however often it is pressed, and its button keeps its width', async () => {
    await open('login');
    await holdPosts();
    await page.getByLabel('Username').fill('maria.musterfrau');
    await page.getByLabel('Password', { exact: true }).fill('secret');
    const { sent, label, busy, widths } = await press(3);
    expect({ sent, label, busy }).toEqual({ sent: 1, label: 'Signing in', busy: 'true' });
    expect(widths[1]).toBe(widths[0]);
  });

  it('hides the password before it is sent', async () => {
    await open('login');
    await holdPosts();
    const password = page.getByLabel('Password', { exact: true });
    await page.getByLabel('Username').fill('maria');
    await password.fill('secret');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    expect((await press(1)).passwordType).toBe('password');
  });

  it('[LOG-8] is not sent by the browser while a field is empty', async () => {
    await open('login');
    const posts = await holdPosts();
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await hasFocus(page.getByLabel('Username').and(page.locator(':invalid')))).toBe(true);
    expect(posts).toHaveLength(0);
  });

  it('keeps what was typed before the script came, and the place where it was typed', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/client-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address('login'), { waitUntil: 'commit' });
    const password = page.getByLabel('Password', { exact: true });
    await page.getByLabel('Username').fill('maria');
    await password.fill('secr');
    release();
    await pageReady(page);
    expect(await page.getByLabel('Username').inputValue()).toBe('maria');
    expect(await password.inputValue()).toBe('secr');
    expect(await hasFocus(password)).toBe(true);
  });
});

describe('[GEN-9] without script', () => {
  it('a person can sign in', async () => {
    await openWithoutScript('login');
    const posts = await answerPosts();
    expect(await page.getByRole('button', { name: 'Show password' }).isVisible()).toBe(false);
    await page.getByLabel('Username').fill('maria.musterfrau');
    await page.getByLabel('Password', { exact: true }).fill('s & cret');
    await page.getByLabel('Stay signed in').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/login/native');
    const sent = fields(posts[0]);
    expect([...sent.keys()]).toEqual(['login_challenge', '_xsrf', 'ticket', 'username', 'password', 'remember']);
    expect(sent.get('password')).toBe('s & cret');
  });

  it('a person can untick a scope and allow, or deny', async () => {
    await openWithoutScript('consent');
    const posts = await answerPosts();
    await page.getByRole('checkbox', { name: /E-mail address/ }).uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL('**/consent/accept');
    expect(fields(posts[0]).getAll('scopes')).toEqual(['openid', 'profile']);
    await page.goto(address('consent'));
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.waitForURL('**/consent/reject');
    expect(fields(posts[1]).get('consent_challenge')).toHaveLength(1_200);
  });

  it('a person can log out, or cancel, or go on with the account', async () => {
    await openWithoutScript('logout');
    await answerPosts();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/logout/reject');
    await page.goto(address('logout'));
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL('**/logout/accept');
    await page.goto(address('login-hint'));
    await page.getByRole('button', { name: 'Proceed' }).click();
    await page.waitForURL('**/login/proceed');
  });
});

describe('language and loading', () => {
  const from = (source: PageState['locale_source']) => (state: PageState) => ({ ...state, locale_source: source });
  const german = () => page.getByRole('button', { name: 'Anmelden' });
  const remembered = () => page.evaluate<string | null>("localStorage.getItem('i18nextLng')");
  const remember = (locale: string) =>
    context.addInitScript(`localStorage.getItem('i18nextLng') ?? localStorage.setItem('i18nextLng', '${locale}')`);

  it('[I18-2] an earlier choice that only the browser knows stands before Accept-Language', async () => {
    await remember('de');
    await open('login', 'en', from('header'));
    await german().waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(await page.title()).toBe('Anmelden und weiter zu Beispielportal · Foyer');
    expect(await page.getByRole('link', { name: 'Deutsch' }).getAttribute('aria-current')).toBe('true');
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ name: 'i18next', value: 'de', path: '/', sameSite: 'Lax', httpOnly: false });
  });

  it('[I18-2] what the query says is shown and kept', async () => {
    await remember('en');
    await open('login', 'de', from('query'));
    expect(await german().isVisible()).toBe(true);
    await expect(remembered()).resolves.toBe('de');
  });

  it('[I18-3] second reading: nothing is read, nothing is kept', async () => {
    await remember('de');
    await open('login', 'en', (state) => {
      const { language_links: _links, ...app } = state.app;
      return { ...state, locale_source: 'header', app };
    });
    expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
    expect(await context.cookies()).toEqual([]);
    expect(await remembered()).toBe('de');
  });

  it('[I18-4] a chunk of phrases that does not come is asked for again', async () => {
    const tries: number[] = [];
    await page.route('**/de-login-*.js*', (route) => (tries.push(Date.now()) < 3 ? route.abort() : route.continue()));
    await open('login', 'de');
    expect(await german().isVisible()).toBe(true);
    expect(tries.length).toBeGreaterThanOrEqual(3);
  });

  it('loads each file once, and nothing that the document did not name', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace(/-[\w-]{8}\./, '.')));
    await open('login', 'de');
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
    await page.route('**/client-*.js', (route) => route.abort());
    const posts = await answerPosts();
    await page.goto(address('login'));
    await page.getByLabel('Username').fill('maria');
    await page.getByLabel('Password', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/login/native');
    expect(fields(posts[0]).get('username')).toBe('maria');
  });
});
