/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, within } from '@testing-library/react';
import { MANAGE_STATUSES } from '../../src/contract/manage-state.js';
import { installFakeServer } from '../fixtures/fake-server.js';
import { showFixture } from '../fixtures/show-fixture.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const passTime = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));
const findPanel = (name: string, level = 2) =>
  within(screen.getByRole('heading', { level, name }).closest('section') ?? document.body);

describe('the overview of the account area', () => {
  it('[MAN-2] shows the account, and links to everything that can be changed', async () => {
    await showFixture('manage');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Login settings');
    expect(document.querySelector('.account-chip')?.textContent).toContain('Maria Musterfrau');
    expect(screen.getByRole('link', { name: 'Back to Beispielportal' }).getAttribute('href')).toBe('https://portal.example/');
    const logout = screen.getByRole('button', { name: 'Sign out' }).closest('form');
    expect(logout?.getAttribute('action')).toBe('/manage/logout');
    const listPaths = (name: string) =>
      findPanel(name)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href'));
    expect(listPaths('Account')).toEqual(['/manage/credentials/username', '/manage/credentials/email']);
    expect(listPaths('How you sign in')).toEqual(['/manage/credentials/password', '/manage/mfa', '/manage/mfa/recovery-codes']);
    expect(findPanel('How you sign in').getByText('Authenticator app · 2 security keys')).toBeTruthy();
  });

  it('[MAN-2] shows current values in the rows, or a description if the value is unknown', async () => {
    await showFixture('manage');
    const readValue = (name: string) =>
      screen.getByText(name, { selector: '.row b' }).closest('li')?.querySelector('small')?.textContent;
    expect(['Devices', 'Apps', 'Activity', 'Password'].map(readValue)).toEqual([
      '3\u00a0devices',
      '2\u00a0apps',
      expect.stringMatching(/^Today \d\d:\d\d\u00a0· Firefox, Windows$/),
      'Changed on 12\u00a0March 2026',
    ]);
    cleanup();
    await showFixture('manage-new-account');
    expect(['Devices', 'Apps', 'Activity'].map(readValue)).toEqual([
      '1\u00a0device',
      'What has access to your account',
      'What has happened in your account',
    ]);
    expect(document.querySelector('.protection')).toBeNull();
    cleanup();
    await showFixture('manage-no-password');
    expect(readValue('Apps')).toBe('No apps yet');
  });

  it.each([
    ['manage', 'Well protected', undefined],
    ['manage-no-factor', 'Protect your account with a second factor', '/manage/mfa'],
    ['manage-passkeys-alone', 'Protect your password with a second factor, too', '/manage/mfa'],
    ['manage-codes-unseen', 'You may not have saved your recovery codes: make new ones', '/manage/mfa/recovery-codes'],
    ['manage-codes-none', 'You have no recovery codes left: make new ones', '/manage/mfa/recovery-codes'],
    ['manage-codes-few', 'You have few recovery codes left: make new ones', '/manage/mfa/recovery-codes'],
    ['manage-address-row-none', 'Add an e\u2011mail address', '/manage/credentials/email'],
    ['manage-address-row-unverified', 'Confirm your e\u2011mail address', '/manage/credentials/email'],
    ['manage-frozen', undefined, undefined],
  ])('[MAN-2] shows below the name how the account is protected or what to do (%s: "%s")', async (fixture, words, href) => {
    await showFixture(fixture);
    const line = document.querySelector('.account-chip .protection');
    expect([line?.textContent.trim(), line?.querySelector('a')?.getAttribute('href')]).toEqual([words, href]);
  });

  it('links to the panel with the passkeys', async () => {
    await showFixture('manage-passkeys');
    const link = findPanel('How you sign in').getByRole('link', { name: /Passkeys/ });
    expect([link.textContent, link.getAttribute('href')]).toEqual(['Passkeys2\u00a0passkeys', '/manage/mfa#passkey']);
    cleanup();
    await showFixture('manage-mfa-passkeys');
    expect(document.querySelector('#passkey h2')?.textContent).toBe('Passkeys');
    expect(document.querySelector('.panel')?.id).toBe('passkey');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Passkeys and two-factor authentication');
  });

  it('[MAN-2] [MAN-10] connects and disconnects providers with plain forms, and asks before it disconnects', async () => {
    await showFixture('manage');
    // Providers are listed with the credentials, because they also prove the account.
    const services = findPanel('Sign in with other services', 3);
    expect(findPanel('How you sign in').getByRole('heading', { level: 3, name: 'Sign in with other services' })).toBeTruthy();
    const forms = services.getAllByRole('listitem').map((row) => row.querySelector('form')?.getAttribute('action'));
    expect(forms).toEqual(['/manage/oauth/google/disconnect', '/manage/oauth/microsoft/connect', '/manage/oauth/apple/connect']);
    expect(services.getByText('m.musterfrau@beispiel.example')).toBeTruthy();
    expect(services.getByRole('button', { name: 'Connect: Microsoft' }).textContent).toBe('Connect');
    const row = services.getByText('Google', { selector: 'b' }).closest('details');
    expect(row?.open).toBe(false);
    expect(row?.querySelector('form p')?.textContent).toBe(
      'Do you want to disconnect Google? You’ll no longer be able to sign in with it. ' +
        'Browsers where you signed in with it will be signed out; all others stay signed in.',
    );
    const { elements } = row?.querySelector('form') ?? { elements: null };
    expect((elements!.namedItem('_xsrf') as HTMLInputElement).value).not.toBe('');
  });

  it('[MAN-2] offers no providers if none is configured, and can disconnect a provider that is no longer configured', async () => {
    await showFixture('manage-no-providers');
    expect(screen.queryByText('Sign in with other services')).toBeNull();
    cleanup();
    await showFixture('manage-further-providers');
    const lastRow = findPanel('Sign in with other services', 3).getAllByRole('listitem').at(-1);
    expect(lastRow?.querySelector('form')?.getAttribute('action')).toBe('/manage/oauth/company/disconnect');
  });

  it('[TSK-1] announces a new password that is required, and leads to its page', async () => {
    await showFixture('manage-password-required');
    const notice = document.querySelector('.alert.warning');
    expect(notice?.textContent).toContain('At your next sign-in with your password');
    expect(notice?.querySelector('a')?.getAttribute('href')).toBe('/manage/credentials/password');
    cleanup();
    await showFixture('manage');
    expect(document.body.textContent).not.toContain('At your next sign-in with your password');
  });

  it('[NTC-1] offers no change of username, password or providers while changes are locked', async () => {
    await showFixture('manage-frozen');
    const providers = findPanel('Sign in with other services', 3);
    expect(providers.getAllByText(/^Locked until/)).toHaveLength(3);
    for (const name of ['Username', 'Password']) {
      const row = screen.getByText(name, { selector: '.row b' }).closest('li');
      expect(row?.textContent).toMatch(/Locked until \d/);
      expect(row?.querySelector('a')).toBeNull();
    }
    expect(document.querySelector('time')?.dateTime).toBe('2026-11-23T14:05:00.000Z');
    expect(document.querySelector('form[action^="/manage/oauth"]')).toBeNull();
    expect(document.querySelector('.alert.warning')?.textContent).toContain('nobody can change its sign-in methods');
  });

  it('[MAN-8] states that a form was out of date, and does not hide the message after 7 s', async () => {
    await showFixture('manage-form-stale');
    await passTime(7_001);
    const notice = screen.getByRole('status');
    expect([notice.className, notice.textContent]).toEqual([
      'alert warning',
      'That page was out of dateNothing has been changed. Please try again.',
    ]);
  });

  it('[MAN-10] explains a cancelled connection, and that the last way to sign in cannot be disconnected', async () => {
    await showFixture('manage-connect-failed');
    expect(screen.getByRole('alert').className).toBe('alert info');
    expect(screen.getByRole('alert').dataset['code']).toBe('oauth-error');
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe('Failed to connect to provider');
    expect(screen.getByRole('alert').textContent).toContain('The request was cancelled at the provider.');
    cleanup();
    await showFixture('manage-last-way-in');
    expect(screen.getByRole('alert').dataset['code']).toBe('last way in');
  });

  it('[MAN-2] states that the password is managed elsewhere, even if no address for it is configured', async () => {
    await showFixture('manage-password-nowhere');
    const row = findPanel('How you sign in').getByText('Password', { selector: 'b' }).closest('li');
    expect(row?.textContent).toBe('PasswordManaged by your organisation');
    expect(row?.querySelector('a')).toBeNull();
  });

  it('[MAN-2] shows which credentials are not set up', async () => {
    await showFixture('manage-no-password');
    expect(findPanel('How you sign in').getByText('Not set')).toBeTruthy();
    expect(findPanel('How you sign in').getByText('Not set up')).toBeTruthy();
    expect(screen.queryByText('Active')).toBeNull();
  });

  it.each([
    ['manage-no-factor', ['Not set up']],
    ['manage-codes-few', ['2\u00a0codes left']],
    ['manage-passkeys-alone', []],
    ['manage', []],
  ])('[MAN-2] marks only the rows that need attention (%s)', async (fixture, markedTexts) => {
    await showFixture(fixture);
    expect([...document.querySelectorAll('.warns')].map(({ textContent }) => textContent)).toEqual(markedTexts);
  });

  it.each([
    ['manage-password-success', ['/manage/credentials/password']],
    ['manage-recovery-codes-success', ['/manage/mfa/recovery-codes']],
    ['manage-factor-added', ['/manage/mfa']],
    ['manage-passkey-added', ['/manage/mfa#passkey']],
    ['manage-account-security', []],
  ])('[MAN-8] marks the row that has just been changed (%s)', async (fixture, paths) => {
    await showFixture(fixture);
    expect([...document.querySelectorAll('.changed')].map((row) => row.getAttribute('href'))).toEqual(paths);
  });

  it.each([
    ['password-success', 'Your password has been changed'],
    ['username-success', 'Your username has been changed'],
    ['oauth-disconnect-success', 'The provider is disconnected'],
    ['oauth-connect-success', 'The provider is connected'],
    ['mfa-success', 'The second factor is set up'],
    ['account-security', 'Account security'],
  ])('[MAN-8] shows a banner for the status %s, and removes it after 7 s', async (status, words) => {
    await showFixture(`manage-${status}`);
    const banner = screen.getByRole('status');
    expect(banner.querySelector('strong')?.textContent).toBe(words);
    expect(banner.className).toBe(`alert ${status === 'account-security' ? 'info' : 'success'} passing`);
    await passTime(6_999);
    expect(screen.queryByText(words)).not.toBeNull();
    await passTime(1);
    expect(screen.queryByText(words)).toBeNull();
  });

  it('[MAN-8] has a text for every status of a change', async () => {
    for (const status of MANAGE_STATUSES) {
      await showFixture(`manage-${status}`, 'de');
      expect(screen.getByRole('status').textContent).not.toBe('');
      cleanup();
    }
  });

  it('[MAN-10] states that a provider could not be connected, and quotes its error as text', async () => {
    await showFixture('manage-connect-failed-hostile');
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.className]).toEqual(['oauth-error', 'alert danger']);
    expect(alert.querySelector('strong')?.textContent).toBe('Failed to connect to provider');
    expect(alert.textContent).toContain('access_denied <policy>{{count}}</policy>');
  });
});

describe('the overview without a user in the page state', () => {
  it('[MAN-7] shows a spinner until the account is loaded', async () => {
    const body = { user_id: 'id', display_name: 'Maria Musterfrau', picture: '', return_to_url: '' };
    const server = installFakeServer({ body });
    await showFixture('manage-loading');
    expect(screen.getByRole('status').textContent).toContain('Loading your settings');
    expect(document.querySelector('.spinner')).not.toBeNull();
    expect(document.querySelector('.account-chip')).toBeNull();
    await passTime(0);
    expect(server.calls[0]?.path).toBe('/api/v1/rpc/user/manage/userinfo');
    expect(document.querySelector('.account-chip')?.textContent).toContain('Maria Musterfrau');
    expect(document.querySelector('.spinner')).toBeNull();
  });

  it.each([
    [{ status: 401, body: { error: 'unauthorized' } }, 'unauthorized'],
    [{ status: 500 }, 'error'],
    [{ status: 429, body: { error: 'too many requests' } }, 'too%20many%20requests'],
  ])('[MAN-7] opens the error page after the answer %j', async (answer, code) => {
    const server = installFakeServer(answer);
    await showFixture('manage-loading');
    await passTime(0);
    expect(server.addresses).toEqual([`/manage/error/${code}`]);
  });
});

describe('the error page of the account area', () => {
  it.each([
    ['manage-error-not-found', 'The page was not found', 'page_not_found'],
    ['manage-error', 'An error occurred', 'generic'],
    ['manage-error-unknown', 'An error occurred', 'generic'],
  ])('[MAN-6] [ERR-1] shows the message of the specification (%s: "%s", code %s)', async (fixture, words, code) => {
    await showFixture(fixture);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(words);
    expect(document.querySelector<HTMLElement>('[data-code]')?.dataset['code']).toBe(code);
    expect(document.body.textContent).not.toContain('alert(1)');
  });

  it('[MAN-1] [ERR-1] [GEN-10] offers the sign-in to a person who is not signed in, and does not show an error in red', async () => {
    await showFixture('manage-error-unauthorized');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in to open your login settings');
    expect(document.querySelector('.danger')).toBeNull();
    expect(document.querySelector<HTMLElement>('[data-code]')?.dataset['code']).toBe('unauthorized');
    expect(screen.getByText('Authentication failed')).toBeTruthy();
    expect(screen.getByText(/Sign in at foyer\.example/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).className).toContain('primary');
    expect(screen.queryByRole('button', { name: 'Copy details' })).toBeNull();
  });

  it('[MAN-1] [MAN-6] informs a signed-in person that the app could not open the account area', async () => {
    await showFixture('manage-error-app');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The app couldn’t open your login settings');
    expect(screen.getByText(/^It no longer has access/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Go to login settings' }).className).toContain('primary');
    expect(screen.getByRole('button', { name: 'Copy details' })).toBeTruthy();
  });

  it('links back to the settings if somebody is signed in, otherwise to the sign-in', async () => {
    await showFixture('manage-error-not-found');
    expect(screen.getByRole('link', { name: 'Go to login settings' }).getAttribute('href')).toBe('/manage');
    cleanup();
    await showFixture('manage-error-unauthorized');
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('https://portal.example/');
  });
});
