/** The behaviour of the pages in a real Chromium: focus, keyboard, submitting once, and use without script. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageReady } from '../support/chromium.js';
import { PageLoads, toSentFields } from '../support/page-loads.js';

let loads: PageLoads;

beforeAll(async () => {
  loads = await PageLoads.start();
});
afterAll(() => loads.end());
beforeEach(() => loads.newPerson());
afterEach(() => loads.context.close());

interface Pressed {
  /** Submit events that were not prevented. */
  sent: number;
  label: string;
  busy: string | null;
  widths: [before: number, after: number];
  passwordType: string;
}

/** Performs all steps in the page at once, because the steps of Playwright would wait for the delayed answer. */
const press = (times: number) =>
  loads.page.evaluate<Pressed>(`(async () => {
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

describe('focus and keyboard', () => {
  it.each([
    'login-challenge-expired',
    'login-hint-challenge-used',
    'consent-challenge-expired',
    'logout-challenge-missing',
    'password-request-empty',
    'password-reset-not-equal',
  ])('[ERR-2] %s: the alert has the focus, with and without script', async (name) => {
    await loads.open(name);
    expect(await loads.hasFocus(loads.page.getByRole('alert'))).toBe(true);
    await loads.openWithoutScript(name);
    expect(await loads.hasFocus(loads.page.getByRole('alert'))).toBe(true);
  });

  it.each([
    ['login-error-credentials', '#password'],
    ['mfa-reset-wrong', '#password'],
    ['mfa-totp-invalid', '#code'],
    ['mfa-enrol-totp-invalid', '#code'],
    ['manage-totp-invalid', '#code'],
    ['manage-confirm-totp-wrong', '#code'],
  ])('[ERR-2] %s: the field to be filled in again has the focus and is in view, with and without script', async (name, field) => {
    await loads.page.setViewportSize({ width: 390, height: 844 });
    const isReady = () =>
      loads.page
        .evaluate<boolean>(`(({ top, bottom }) => document.activeElement.matches('${field}') && top >= 0 && bottom <= innerHeight)(
        document.querySelector('${field}').getBoundingClientRect())`);
    await loads.open(name);
    expect(await isReady()).toBe(true);
    await loads.openWithoutScript(name);
    await loads.page.setViewportSize({ width: 390, height: 844 });
    await loads.page.goto(loads.address(name));
    expect(await loads.hasFocus(loads.page.locator(field))).toBe(true);
  });

  it('the focus is in the first field to fill in', async () => {
    await loads.open('login');
    expect(await loads.hasFocus(loads.page.getByLabel('Username'))).toBe(true);
    await loads.open('login-missing-password');
    expect(await loads.hasFocus(loads.page.getByLabel('Password', { exact: true }))).toBe(true);
  });

  it.each([
    [
      'login',
      ['Back to Beispielportal', 'Username', 'Password', 'Show password', 'Stay signed in', 'Forgot password?', 'Sign in'],
    ],
    ['consent', ['User profile', 'E\u2011mail address', 'Deny', 'Allow', 'privacy policy']],
    ['logout', ['Back to Beispielportal', 'Cancel', 'Sign out']],
    ['login-hint', ['Back to Beispielportal', 'Proceed', 'Use another account']],
  ])('%s: the keyboard reaches everything in reading order, and the focus is visible', async (name, order) => {
    await loads.open(name);
    // The keyboard starts at the top of the page, wherever the page set the focus.
    await loads.page.mouse.click(1, 1);
    const seen: string[] = [];
    for (const expected of order) {
      await loads.page.keyboard.press('Tab');
      const [label, outline] = await loads.page.evaluate<[string, number]>(`(() => {
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

describe('buttons and links', () => {
  it.each([
    ['login', 'Forgot password?'],
    ['mfa-totp', 'Not you?'],
    ['manage-confirm', 'Cancel'],
  ])('%s: "%s" is as high as a button', async (name, label) => {
    await loads.open(name);
    const box = await loads.page.getByRole('link', { name: label }).first().boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
  });

  it("[LOG-2] Apple's mark is visible in forced colours", async () => {
    await loads.page.emulateMedia({ forcedColors: 'active' });
    await loads.open('login');
    const [mark, button] = await loads.page.evaluate<[string, string]>(`(() => {
      const button = document.querySelector('.provider.apple');
      return [button.querySelector('.mark'), button].map((element) => getComputedStyle(element).backgroundColor);
    })()`);
    expect(mark).not.toBe('rgba(0, 0, 0, 0)');
    expect(mark).not.toBe(button);
  });

  it('[LOG-2] no provider is brighter than the main button in the dark theme', async () => {
    await loads.page.emulateMedia({ colorScheme: 'dark' });
    await loads.open('login');
    const fills = await loads.page.evaluate<string[]>(
      `[...document.querySelectorAll('.provider')].map((button) => getComputedStyle(button).backgroundColor)`,
    );
    expect(fills).toHaveLength(3);
    for (const fill of fills) for (const channel of fill.match(/\d+/g) ?? []) expect(Number(channel)).toBeLessThan(64);
  });
});

describe('text at twice its size', () => {
  it('[GEN-6] does not cut the link back to the app off, on a narrow page', async () => {
    await loads.page.setViewportSize({ width: 320, height: 640 });
    await loads.open('login');
    const cut = await loads.page.evaluate<[number, number]>(`(() => {
      document.documentElement.style.fontSize = '200%';
      const link = document.querySelector('.top .back');
      return [link.scrollWidth - link.clientWidth, document.documentElement.scrollWidth - innerWidth];
    })()`);
    expect(cut).toEqual([0, 0]);
  });
});

describe('a form', () => {
  it('[LOG-14] is submitted once, however often the button is pressed, and the button keeps its width', async () => {
    await loads.open('login');
    await loads.recordPosts('hold');
    await loads.page.getByLabel('Username').fill('maria.musterfrau');
    await loads.page.getByLabel('Password', { exact: true }).fill('secret');
    const { sent, label, busy, widths } = await press(3);
    expect({ sent, label, busy }).toEqual({ sent: 1, label: 'Signing in', busy: 'true' });
    expect(widths[1]).toBe(widths[0]);
  });

  it('hides the password before it is submitted', async () => {
    await loads.open('login');
    await loads.recordPosts('hold');
    const password = loads.page.getByLabel('Password', { exact: true });
    await loads.page.getByLabel('Username').fill('maria');
    await password.fill('secret');
    await loads.page.getByRole('button', { name: 'Show password' }).click();
    expect(await password.getAttribute('type')).toBe('text');
    expect((await press(1)).passwordType).toBe('password');
  });

  it('[LOG-8] is not submitted by the browser while a field is empty', async () => {
    await loads.open('login');
    const posts = await loads.recordPosts('hold');
    await loads.page.getByRole('button', { name: 'Sign in' }).click();
    expect(await loads.hasFocus(loads.page.getByLabel('Username').and(loads.page.locator(':invalid')))).toBe(true);
    expect(posts).toHaveLength(0);
    expect(await loads.page.getByText('Please enter your username.').isVisible()).toBe(true);
    expect(await loads.page.getByText('Please enter your password.').isVisible()).toBe(true);
  });

  it('[LOG-3] passes a typed username on, and stores it nowhere', async () => {
    await loads.open('login');
    await loads.page.getByLabel('Username').fill('nora');
    const { pathname } = new URL(loads.address('password-request-bare'));
    await loads.page.route(`**${pathname}?login_challenge=*`, (route) =>
      route.fulfill({ status: 302, headers: { location: loads.address('password-request-bare') } }),
    );
    await loads.page.getByRole('link', { name: 'Forgot password?' }).click();
    await loads.page.waitForSelector('h1:has-text("Forgot your password?")');
    await pageReady(loads.page);
    expect(await loads.page.getByLabel('Username').inputValue()).toBe('nora');
    expect(loads.page.url()).not.toContain('nora');
    expect(await loads.page.evaluate<number>('sessionStorage.length')).toBe(0);
  });

  it('[LOG-14] is not submitted again by Back or a reload after it was refused', async () => {
    await loads.open('login');
    const { pathname, search } = new URL(loads.page.url());
    const asked = await loads.refusePosts('login-error-credentials', pathname + search);
    await loads.page.getByLabel('Username').fill('maria');
    await loads.page.getByLabel('Password', { exact: true }).fill('secret');
    await loads.page.getByRole('button', { name: 'Sign in' }).click();
    await loads.page.waitForSelector('[data-code=credentials]');
    await pageReady(loads.page);
    expect(loads.page.url().endsWith(pathname + search)).toBe(true);
    await loads.page.goto(loads.address('logout'));
    await loads.page.goBack();
    await pageReady(loads.page);
    await loads.page.reload();
    expect(asked).toEqual(['POST /login/native', 'GET /logout', 'GET /login', 'GET /login']);
  });

  it('keeps the input and the focus from before the script was loaded', async () => {
    const release = await loads.openBeforeScript('login');
    const password = loads.page.getByLabel('Password', { exact: true });
    await loads.page.getByLabel('Username').fill('maria');
    await password.fill('secr');
    release();
    await pageReady(loads.page);
    expect(await loads.page.getByLabel('Username').inputValue()).toBe('maria');
    expect(await password.inputValue()).toBe('secr');
    expect(await loads.hasFocus(password)).toBe(true);
  });
});

describe('[GEN-9] without script', () => {
  it('a person can sign in', async () => {
    await loads.openWithoutScript('login');
    const posts = await loads.recordPosts();
    expect(await loads.page.getByRole('button', { name: 'Show password' }).isVisible()).toBe(false);
    await loads.page.getByLabel('Username').fill('maria.musterfrau');
    await loads.page.getByLabel('Password', { exact: true }).fill('s & cret');
    await loads.page.getByLabel('Stay signed in').check();
    await loads.page.getByRole('button', { name: 'Sign in' }).click();
    await loads.page.waitForURL('**/login/native');
    const sent = toSentFields(posts[0]);
    expect([...sent.keys()]).toEqual(['login_challenge', '_xsrf', 'ticket', 'username', 'password', 'remember']);
    expect(sent.get('password')).toBe('s & cret');
  });

  it('a person can untick a scope and allow, or deny', async () => {
    await loads.openWithoutScript('consent');
    const posts = await loads.recordPosts();
    await loads.page.getByRole('checkbox', { name: /E\u2011mail address/ }).uncheck();
    await loads.page.getByRole('button', { name: 'Allow' }).click();
    await loads.page.waitForURL('**/consent/accept');
    expect(toSentFields(posts[0]).getAll('scopes')).toEqual(['openid', 'profile']);
    await loads.page.goto(loads.address('consent'));
    await loads.page.getByRole('button', { name: 'Deny' }).click();
    await loads.page.waitForURL('**/consent/reject');
    expect(toSentFields(posts[1]).get('consent_challenge')).toHaveLength(1_200);
  });

  it('a person can log out, or cancel, or continue with the account', async () => {
    await loads.openWithoutScript('logout');
    await loads.recordPosts();
    await loads.page.getByRole('button', { name: 'Cancel' }).click();
    await loads.page.waitForURL('**/logout/reject');
    await loads.page.goto(loads.address('logout'));
    await loads.page.getByRole('button', { name: 'Sign out' }).click();
    await loads.page.waitForURL('**/logout/accept');
    await loads.page.goto(loads.address('login-hint'));
    await loads.page.getByRole('button', { name: 'Proceed' }).click();
    await loads.page.waitForURL('**/login/proceed');
  });
});
