/** @jest-environment jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHidden = (name: string) => document.querySelector<HTMLInputElement>(`input[type=hidden][name=${name}]`)?.value;
const findUsernameField = () => screen.getByLabelText<HTMLInputElement>('Username');
const findPasswordField = () => screen.getByLabelText<HTMLInputElement>('Password');

describe('login', () => {
  it('[LOG-1] posts username, password, challenge and the anti-forgery value to /login/native', async () => {
    const page = await showFixture('login');
    const form = page.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/login/native');
    expect(form?.method).toBe('post');
    expect(new FormData(form ?? undefined).get('login_challenge')).toHaveLength(1_200);
    expect(readHidden('_xsrf')).toHaveLength(43);
    expect(findUsernameField().name).toBe('username');
    expect(findPasswordField().name).toBe('password');
    expect(findUsernameField().autocomplete).toBe('username webauthn');
    expect(findPasswordField().autocomplete).toBe('current-password');
  });

  it('[LOG-2] links to each provider with the challenge and the choice to stay signed in, but not after the challenge was used', async () => {
    await showFixture('login');
    const links = ['Google', 'Microsoft', 'Apple'].map((name) =>
      screen.getByRole<HTMLAnchorElement>('link', { name: `Sign in with ${name}` }),
    );
    expect(links.map((link) => link.getAttribute('href')?.replace(/=.{1200}$/, '=…'))).toEqual([
      '/login/google?login_challenge=…',
      '/login/microsoft?login_challenge=…',
      '/login/apple?login_challenge=…',
    ]);
    const [google] = links;
    google?.addEventListener('click', (event) => event.preventDefault());
    const press = () => {
      fireEvent.click(google!);
      return new URL(google!.href).searchParams.get('remember');
    };
    const box = screen.getByRole('checkbox');
    expect(press()).toBeNull();
    fireEvent.click(box);
    expect([press(), press()]).toEqual(['true', 'true']);
    fireEvent.click(box);
    expect(press()).toBeNull();
    cleanup();
    await showFixture('login-challenge-used');
    expect(screen.queryByRole('link', { name: /Sign in with/ })).toBeNull();
  });

  it('[PRV-5] can be sent without a password where addresses lead to a provider, unless the page asks for the password', async () => {
    await showFixture('login-by-domain');
    expect(screen.getByLabelText<HTMLInputElement>('Password').required).toBe(false);
    expect(readHidden('password_here')).toBeUndefined();
    cleanup();
    await showFixture('login-new-proof-by-domain');
    expect(screen.getByLabelText<HTMLInputElement>('Password').required).toBe(true);
    expect(readHidden('password_here')).toBe('true');
  });

  it('[PRV-7] says that a sign-in connects the provider, and sends the offer with the form', async () => {
    await showFixture('login-connect-offer');
    expect(screen.getByText(/sign in to it, and Google is connected/)).toBeTruthy();
    expect(readHidden('connect_offer')).toMatch(/^google\./);
    cleanup();
    await showFixture('login-connect-offer-wrong-password');
    expect(screen.getByText(/sign in to it, and Google is connected/)).toBeTruthy();
    expect(readHidden('connect_offer')).toMatch(/^google\./);
  });

  it.each([
    ['login-error-provider', 'credentials', 'Login with Google failed!', 'connect Google in the account settings'],
    ['login-error-provider-refused', 'provider-refused', 'Login with Microsoft failed!', 'wasn’t valid'],
    ['login-own-proof', 'own-proof', 'Login with Google failed!', 'isn’t enough this time'],
    ['login-new-proof', 'new-proof', 'Login with Google failed!', 'enter your password'],
    ['login-earlier-session', 'earlier-session', 'Login with Google failed!', 'Sign out at Google'],
    ['login-error-provider-down', 'provider-down', 'Login with Apple failed!', 'isn’t answering'],
  ])('[LOG-7] [PRV-4] names the failed provider and what to do next (%s)', async (name, code, message, nextStep) => {
    await showFixture(name);
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.querySelector('strong')?.textContent]).toEqual([code, message]);
    expect(alert.querySelector('p')?.textContent).toContain(nextStep);
    expect(findPasswordField().getAttribute('aria-invalid')).toBeNull();
    expect(screen.getByRole('link', { name: 'Sign in with Google' })).toBeTruthy();
  });

  it('[LOG-7] [LOG-4] warns if no account is connected to the identity of the provider, and says how to get an account', async () => {
    await showFixture('login-error-provider-register');
    const alert = screen.getByRole('alert');
    expect(alert.className).toBe('alert warning');
    expect(document.querySelectorAll('form[action="/register"]')).toHaveLength(1);
    expect(within(alert).getByRole('button', { name: 'Create new account' })).toBeTruthy();
    cleanup();
    await showFixture('login-error-provider');
    expect(screen.getByRole('alert').className).toBe('alert warning');
    expect(screen.getByRole('alert').textContent).toContain('Ask your contact person.');
    cleanup();
    await showFixture('login-error-provider-refused');
    expect(screen.getByRole('alert').className).toBe('alert danger');
  });

  it('[PRV-4] shows a cancelled sign-in as information', async () => {
    await showFixture('login-cancelled');
    expect(screen.getByRole('alert').className).toBe('alert info');
    expect(screen.getByRole('alert').textContent).toBe('The sign-in with Google was cancelled.');
  });

  it('[LOG-3] links to the password request only if people can request a new password', async () => {
    await showFixture('login');
    const resetLink = screen.getByRole('link', { name: 'Forgot password?' });
    expect(resetLink.getAttribute('href')).toMatch(/^\/password-reset\/request-form\?login_challenge=.{1200}$/);
    cleanup();
    await showFixture('login-plain');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByRole('link', { name: 'Forgot password?' })).toBeTruthy();
    cleanup();
    await showFixture('login-without-mail');
    expect(screen.queryByRole('link', { name: 'Forgot password?' })).toBeNull();
  });

  it('[GEN-7] [LOG-13] names the app that requests the sign-in, and shows the logo of the app', async () => {
    await showFixture('login-client-logo');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to continue to Versicherungsportal Nordwest');
    expect(document.querySelector('img.logo')?.getAttribute('src')).toMatch(/^data:image\/svg/);
  });

  it('[LOG-13] fills in a known username, and moves the focus to the password', async () => {
    await showFixture('login-username-known');
    expect(findUsernameField().value).toBe('maria.musterfrau');
    expect(document.activeElement).toBe(findPasswordField());
  });

  it('[LOG-6] states that the sign-in failed, keeps the username and leaves the password empty', async () => {
    await showFixture('login-error-credentials');
    const alert = screen.getByRole('alert');
    expect(alert.querySelector('strong')?.textContent).toBe('Login failed!');
    expect(alert.dataset['code']).toBe('credentials');
    expect(findUsernameField().value).toBe('maria.musterfrau');
    expect(findPasswordField().value).toBe('');
    expect(findPasswordField().getAttribute('aria-describedby')).toBe(alert.id);
    expect(document.activeElement).toBe(findPasswordField());
  });

  it.each([
    ['login-challenge-missing', 'when an app sends you here'],
    ['login-challenge-foreign', 'don’t know this request'],
    ['login-challenge-expired', 'has expired'],
    ['login-challenge-no-cookies', 'don’t recognise this browser'],
    ['login-challenge-used', 'already been used'],
  ])(
    '[LOG-5] explains an unusable challenge, with the message of the specification and a disabled form (%s)',
    async (fixture, reason) => {
      await showFixture(fixture);
      const alert = screen.getByRole('alert');
      expect(alert.querySelector('strong')?.textContent).toContain(reason);
      expect(alert.lastElementChild?.lastElementChild?.textContent).toBe('Login-Challenge is empty or invalid!');
      expect(screen.getByRole('button', { name: 'Sign in' }).matches(':disabled')).toBe(true);
      expect(findUsernameField().matches(':disabled')).toBe(true);
    },
  );

  it('[LOG-5] restarts the request of an expired challenge', async () => {
    await showFixture('login-challenge-expired');
    expect(screen.getByRole('link', { name: 'Start again' }).getAttribute('href')).toBe('/login/restart?ticket=sealed');
  });

  it('[LOG-5] shows the next step inside the alert if no request can be restarted', async () => {
    await showFixture('login-challenge-missing');
    const link = within(screen.getByRole('alert')).getByRole('link', { name: 'Go to sign-in' });
    expect(link.getAttribute('href')).toBe('https://portal.example/');
  });

  it('[LOG-8] reports in the language of the page which field is empty, until the person types', async () => {
    await showFixture('login', 'de');
    const fields = [screen.getByLabelText<HTMLInputElement>('Benutzername'), screen.getByLabelText<HTMLInputElement>('Passwort')];
    const form = fields[0]?.form;
    act(() => {
      expect(form?.reportValidity()).toBe(false);
    });
    const readErrors = () =>
      fields.map((field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? null);
    expect(readErrors()).toEqual(['Bitte geben Sie Ihren Benutzernamen ein.', 'Bitte geben Sie Ihr Passwort ein.']);
    expect(fields.map((field) => field.getAttribute('aria-invalid'))).toEqual(['true', 'true']);
    expect(document.activeElement).toBe(fields[0]);
    for (const field of fields) fireEvent.input(field, { target: { value: 'maria' } });
    expect(readErrors()).toEqual([null, null]);
    expect(form?.reportValidity()).toBe(true);
  });

  it('[LOG-8] suppresses the message of the browser about an empty field', async () => {
    await showFixture('login');
    const event = new Event('invalid', { cancelable: true });
    act(() => void findUsernameField().dispatchEvent(event));
    expect(event.defaultPrevented).toBe(true);
  });

  it('[LOG-8] accepts a value that a password manager has filled in', async () => {
    await showFixture('login');
    act(() => {
      expect(findUsernameField().checkValidity()).toBe(false);
    });
    findUsernameField().value = 'maria';
    findUsernameField().checkValidity();
    expect(findUsernameField().validity.valid).toBe(true);
  });

  it('[LOG-8] requires both fields, and shows an error at the first empty field, which has the focus', async () => {
    await showFixture('login-missing-both');
    expect(findUsernameField().required && findPasswordField().required).toBe(true);
    expect(findUsernameField().getAttribute('aria-invalid')).toBe('true');
    const error = document.getElementById(findUsernameField().getAttribute('aria-describedby') ?? '');
    expect(error?.textContent).toBe('Please enter your username.');
    expect(document.activeElement).toBe(findUsernameField());
  });

  it('[LOG-12] asks whether to stay signed in only if the installation asks', async () => {
    await showFixture('login');
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Stay signed in' }).checked).toBe(false);
    cleanup();
    await showFixture('login-plain');
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('[LOG-14] states that a page was out of date, and keeps the username', async () => {
    await showFixture('login-stale');
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.className]).toEqual(['stale', 'alert info']);
    expect(alert.textContent).toBe('This page was out of datePlease sign in again.');
    expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('maria.musterfrau');
  });

  it('counts down the wait, and announces its end', async () => {
    jest.useFakeTimers();
    await showFixture('login-error-limited-short');
    const readAlert = () => screen.getByRole('alert').textContent;
    expect(screen.getByRole('timer').textContent).toBe('Please try again in 30\u00a0seconds.');
    act(() => jest.advanceTimersByTime(1_000));
    expect(readAlert()).toContain('in 29\u00a0seconds');
    act(() => jest.advanceTimersByTime(28_000));
    expect(readAlert()).toContain('in 1\u00a0second.');
    act(() => jest.advanceTimersByTime(1_000));
    expect(readAlert()).toContain('You can try again now.');
    expect(screen.queryByRole('timer')).toBeNull();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('[LOG-3] [I18-5] keeps a typed username for the password request and for the other language, but not in an address', async () => {
    await showFixture('login');
    for (const [label, fixture, field] of [
      ['Forgot password?', 'password-request-bare', 'Username'],
      ['Deutsch', 'login', 'Username'],
    ] as const) {
      fireEvent.input(findUsernameField(), { target: { value: 'nora' } });
      const link = screen.getByRole<HTMLAnchorElement>('link', { name: label });
      link.addEventListener('click', (event) => event.preventDefault());
      fireEvent.click(link);
      expect(link.href).not.toContain('nora');
      cleanup();
      await showFixture(fixture);
      expect(screen.getByLabelText<HTMLInputElement>(field).value).toBe('nora');
      expect(sessionStorage).toHaveLength(0);
      cleanup();
      await showFixture('login');
      expect(findUsernameField().value).toBe('');
    }
  });

  it('[LOG-3] does not replace a username of the server with one that was stored for a page without the field', async () => {
    await showFixture('login');
    fireEvent.input(findUsernameField(), { target: { value: 'nora' } });
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Forgot password?' });
    link.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(link);
    cleanup();
    await showFixture('login-error-credentials');
    expect(findUsernameField().value).toBe(findUsernameField().defaultValue);
    expect(findUsernameField().value).not.toBe('');
    expect(sessionStorage).toHaveLength(0);
    // What the person typed in place of that username is kept for the same page in another language.
    fireEvent.input(findUsernameField(), { target: { value: 'anna' } });
    const language = screen.getByRole<HTMLAnchorElement>('link', { name: 'Deutsch' });
    language.addEventListener('click', (event) => event.preventDefault());
    fireEvent.click(language);
    cleanup();
    await showFixture('login-error-credentials');
    expect(findUsernameField().value).toBe('anna');
  });

  it('links to the privacy policy and the terms of the app, if the app has them', async () => {
    await showFixture('login-policy');
    const links = ['privacy policy', 'terms of service'].map((name) => screen.getByRole('link', { name }));
    expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])).toEqual([
      ['https://portal.example/privacy', 'noopener noreferrer'],
      ['https://portal.example/terms', 'noopener noreferrer'],
    ]);
    cleanup();
    await showFixture('login');
    expect(screen.queryByRole('link', { name: 'privacy policy' })).toBeNull();
  });

  it('states how long to wait after too many attempts', async () => {
    await showFixture('login-error-limited');
    expect(screen.getByRole('alert').textContent).toContain('Please try again in 4\u00a0minutes.');
    cleanup();
    await showFixture('login-error-limited-short', 'de');
    expect(screen.getByRole('alert').textContent).toContain('in 30\u00a0Sekunden');
    cleanup();
    await showFixture('login-error-limited-unknown');
    expect(screen.getByRole('alert').textContent).toContain('Please try again later.');
  });

  it('[LOG-17] explains why passwords are not accepted and for how long, and shows the other ways to sign in before the fields', async () => {
    const page = await showFixture('login-paused');
    expect(screen.getByRole('alert').textContent).toBe(
      'Too many attemptsSigning in with a password is paused after too many wrong ones. ' +
        'Please try again in 4\u00a0minutes.Another browser that you’ve signed in with before doesn’t have to wait.',
    );
    const group = screen.getByText('What works right now:').parentElement!;
    expect([...group.querySelectorAll('.btn')].map((button) => button.textContent)).toEqual([
      'Use a passkey',
      ...['Google', 'Microsoft', 'Apple'].map((name) => `Sign in with ${name}`),
      'Reset the password by e\u2011mail',
    ]);
    const submit = screen.getByRole('button', { name: 'Sign in' });
    expect(group.compareDocumentPosition(submit) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(page.querySelectorAll('.btn.primary')).toHaveLength(0);
    expect(page.querySelectorAll('.providers, form button:not([type=submit]).btn')).toHaveLength(2);
  });

  it('[LOG-17] offers no passkey before the fields if the whole network is limited', async () => {
    await showFixture('login-paused-network');
    expect(screen.getByRole('alert').textContent).toContain('Signing in with a password is paused');
    const group = screen.getByText('What works right now:').parentElement!;
    expect(within(group).queryByRole('button', { name: 'Use a passkey' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Use a passkey' })).toBeTruthy();
  });

  it('[LOG-17] makes the password button primary only if there is no other way to sign in while passwords are not accepted', async () => {
    const page = await showFixture('login-paused-passkey-first');
    expect([...page.querySelectorAll('.btn.primary')].map((button) => button.textContent)).toEqual(['Use a passkey']);
    cleanup();
    const pageWithoutWays = await showFixture('login-paused-nothing-else');
    expect([...pageWithoutWays.querySelectorAll('.btn.primary')].map((button) => button.textContent)).toEqual(['Sign in']);
  });

  it('[LOG-17] [GEN-9] offers only ways to sign in that exist, and without script only ways that work without script', async () => {
    await showFixture('login-paused-nothing-else');
    expect(screen.queryByText('What works right now:')).toBeNull();
    cleanup();
    await showFixture('login-paused-passkey-alone');
    expect(screen.getByText('What works right now:').parentElement?.className).toContain('needs-script');
    expect(screen.getByText('or').className).toContain('needs-script');
  });

  it('[LOG-4] offers the registration in a separate form below every way to sign in, if the app has sent hints', async () => {
    const page = await showFixture('login-register');
    const form = page.querySelector<HTMLFormElement>('form[action="/register"]');
    expect(page.querySelector('.providers')?.nextElementSibling).toBe(form);
    expect(form?.method).toBe('post');
    expect([...new FormData(form ?? undefined).keys()]).toEqual(['login_challenge', '_xsrf', 'hints[contract]']);
    expect(new FormData(form ?? undefined).get('hints[contract]')).toBe('BAV-2231');
    expect(within(form!).getByRole('button', { name: 'Create new account' })).toBeTruthy();
    cleanup();
    await showFixture('login');
    expect(screen.queryByRole('button', { name: 'Create new account' })).toBeNull();
  });

  it('has no links to features that the installation has disabled', async () => {
    await showFixture('login-client-logo');
    expect(document.querySelectorAll('a[href*="password-reset"], a[href^="/login/"], form[action="/register"]')).toHaveLength(0);
  });
});
