/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { installFakeServer } from '../fixtures/fake-server.js';
import { showFixture } from '../fixtures/show-fixture.js';

const SETUP = { qr_code: 'iVBO', secret: 'ABCDEFGH', otpauth_url: 'otpauth://totp/x' };
const INIT = { sessionId: 'session', publicKey: { challenge: 'Y2hhbGxlbmdl', user: { id: 'aWQ' }, pubKeyCredParams: [] } };
const NAME = { username: 'maria.musterfrau' };
const CODES = ['aaaa-bbbb', 'cccc-dddd'];

/** The response of a security key, as the browser returns it. */
const CREDENTIAL = {
  id: 'aWQ',
  rawId: new Uint8Array([1]).buffer,
  type: 'public-key',
  response: { attestationObject: new Uint8Array([2]).buffer, clientDataJSON: new Uint8Array([3]).buffer },
  getClientExtensionResults: () => ({}),
};

let requestCredential: jest.Mock<(options: unknown) => Promise<unknown>>;

beforeEach(() => {
  jest.useFakeTimers();
  requestCredential = jest.fn<(options: unknown) => Promise<unknown>>().mockResolvedValue(CREDENTIAL);
  Object.assign(window, { isSecureContext: true, PublicKeyCredential: () => undefined });
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: { create: requestCredential, get: requestCredential },
  });
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;
const findHref = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const listCallNames = (server: ReturnType<typeof installFakeServer>) => server.calls.map(({ path }) => path.split('/').at(-1));

/** The library for keys is loaded by a dynamic import, which fake timers do not control. */
async function waitUntil(isReached: () => boolean): Promise<void> {
  for (let attempts = 1_000; attempts > 0 && !isReached(); attempts -= 1) await act(() => jest.advanceTimersByTimeAsync(0));
  expect(isReached()).toBe(true);
}
const settle = () => act(() => jest.advanceTimersByTimeAsync(0));

async function confirmTotp(code: string): Promise<void> {
  const field = screen.getByLabelText<HTMLInputElement>('Six-digit code');
  fireEvent.change(field, { target: { value: code } });
  fireEvent.submit(field.closest('form') ?? field);
  await settle();
}

/** @returns the form that continues after new recovery codes */
function readSavedForm() {
  const form = screen.getByRole<HTMLButtonElement>('button', { name: 'I’ve saved my codes' }).form;
  const fields = new FormData(form ?? undefined);
  return { action: form?.getAttribute('action'), code: fields.get('code'), method: fields.get('method') };
}

describe('the overview of factors', () => {
  it('[MAN-3] lists the factors that are set up, each with a button that removes it, and a link that adds another key', async () => {
    await showFixture('manage-mfa');
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Authenticator app (TOTP)',
      'Security key (Fido2)',
      'Just in case',
    ]);
    const actions = [...document.querySelectorAll('.row-actions')].map((row) =>
      [...row.querySelectorAll('.btn.compact')].map((button) => {
        return button.getAttribute('aria-label') ?? button.querySelector('.if-closed')?.textContent;
      }),
    );
    expect(actions).toEqual([
      ['Replace: Authenticator app', 'Remove: Authenticator app'],
      ['Rename: Schlüsselbund', 'Remove: Schlüsselbund'],
      ['Rename: Ersatzschlüssel im Schreibtisch', 'Remove: Ersatzschlüssel im Schreibtisch'],
    ]);
    const names = [...document.querySelectorAll('.row b')].map(({ textContent }) => textContent);
    expect(names).toEqual(['Active', 'Schlüsselbund', 'Ersatzschlüssel im Schreibtisch', 'Recovery codes']);
    const dates = [...document.querySelectorAll('.row:has(.row-actions) .what small')].map(({ textContent }) => textContent);
    expect(dates.slice(0, 2)).toEqual(['Set up on 12\u00a0March 2026', 'Last used on 20\u00a0November 2026']);
    expect(dates.at(-1)).toBe('Not used yet');
    expect(findHref('Set up another key')).toBe('/manage/mfa/register-fido2');
  });

  it('[MAN-3] offers the factors that are not set up', async () => {
    await showFixture('manage-mfa-none');
    expect(findHref('Set up: Authenticator app')).toBe('/manage/mfa/register-totp');
    expect(findHref('Set up: Security key')).toBe('/manage/mfa/register-fido2');
    expect(screen.queryByText('Recovery codes')).toBeNull();
    expect([...document.querySelectorAll('.row small')].map(({ textContent }) => textContent)).toEqual([
      'An app on your phone shows a new code every 30\u00a0seconds, even without a connection.',
      'A small device that you plug in or hold to your phone. It also protects you from fake sign\u2011in pages.',
    ]);
  });

  it('[NTC-1] shows the factors, but offers no change while changes are locked', async () => {
    await showFixture('manage-mfa-frozen');
    expect(screen.getAllByText(/^Locked until/)).toHaveLength(3);
    expect(document.querySelector('time')?.dateTime).toBe('2026-11-23T14:05:00.000Z');
    expect(document.querySelector('.row-actions, form, a[href*="register"]')).toBeNull();
  });

  it('closes a question when Escape is pressed, and moves the focus back to its button', async () => {
    await showFixture('manage-mfa');
    const question = document.querySelector<HTMLDetailsElement>('details.disclosure');
    if (!question) throw new Error('There is no question.');
    question.open = true;
    fireEvent.keyDown(question.querySelector('form button') ?? question, { key: 'Escape' });
    expect(question.open).toBe(false);
    expect(document.activeElement).toBe(question.querySelector('summary'));
  });

  it('[MAN-10] states that a provider was connected, if the callback of the provider returns to this page', async () => {
    await showFixture('manage-mfa-connected');
    expect(screen.getByRole('status').textContent).toBe('The provider is connected');
  });

  it('[MAN-3] offers to replace the authenticator app or the only key, and does not offer to remove the last factor if one is required', async () => {
    await showFixture('manage-mfa');
    expect(findHref('Replace: Authenticator app')).toBe('/manage/mfa/replace-totp');
    expect(screen.queryByRole('link', { name: 'Replace: Schlüsselbund' })).toBeNull();
    for (const [fixture, name, address] of [
      ['manage-mfa-last-stays', 'Replace: Authenticator app', '/manage/mfa/replace-totp'],
      ['manage-mfa-last-key-stays', 'Replace: Schlüsselbund', '/manage/mfa/replace-fido2'],
    ] as const) {
      cleanup();
      await showFixture(fixture);
      expect(findHref(name)).toBe(address);
      expect(document.querySelector('form[action*="remove"]')).toBeNull();
      expect(screen.getByText('Required for your account: it can be replaced, not removed.')).toBeTruthy();
    }
  });

  it('[MAN-3] does not offer to remove the only passkey, which cannot be replaced, if a factor is required', async () => {
    await showFixture('manage-mfa-passkey-stays');
    expect(document.querySelector('form[action*="remove"]')).toBeNull();
    expect(document.querySelector('form[action*="rename"]')).not.toBeNull();
    expect(screen.getByText('Set up another one first; then you can remove this one.')).toBeTruthy();
  });

  it('[GEN-9] asks before it removes a factor, with a separate plain form for each factor', async () => {
    await showFixture('manage-mfa');
    const forms = [...document.querySelectorAll<HTMLFormElement>('details form')];
    expect(forms.map((form) => [form.getAttribute('action'), new FormData(form).get('key')])).toEqual([
      ['/manage/mfa/remove-totp', null],
      ['/manage/mfa/rename-fido2', 'k1'],
      ['/manage/mfa/remove-fido2', 'k1'],
      ['/manage/mfa/rename-fido2', 'k2'],
      ['/manage/mfa/remove-fido2', 'k2'],
    ]);
    expect(forms.every((form) => new FormData(form).has('_xsrf'))).toBe(true);
    expect(new FormData(forms[1]).get('key_name')).toBe('Schlüsselbund');
    expect(forms[2]?.textContent).toContain('“Schlüsselbund”');
  });
});

describe('the replacement of a factor', () => {
  it('[MAN-11] confirms the new authenticator app as a replacement', async () => {
    const server = installFakeServer({ body: {} });
    await showFixture('manage-totp-replace');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Replace the authenticator app');
    expect(document.querySelector('form')?.getAttribute('action')).toBe('/manage/mfa/replace-totp');
    await confirmTotp('492 817');
    expect(server.calls.at(-1)?.body).toEqual({ code: '492817', replace: true });
  });

  it('[MAN-12] names the replaced key in the call that adds the new key', async () => {
    const server = installFakeServer({ body: INIT }, { body: NAME }, { body: {} });
    await showFixture('manage-fido2-replace');
    await waitUntil(() => server.addresses.length > 0);
    expect(server.calls.at(-1)?.body).toMatchObject({ replaces: 'k1' });
  });
});

describe('the set-up of an authenticator app', () => {
  it('[MAN-11] shows QR code and secret, asks for a code, and opens the settings', async () => {
    const server = installFakeServer({ body: SETUP }, { body: {} });
    await showFixture('manage-totp-begins');
    expect(screen.getByText('Preparing the QR code…')).toBeTruthy();
    await settle();
    expect(screen.getByRole('img', { name: /QR code/ }).getAttribute('src')).toBe('data:image/png;base64,iVBO');
    expect(screen.getByText('ABCD EFGH')).toBeTruthy();
    await confirmTotp('492 817');
    expect(server.calls[1]).toMatchObject({ path: '/api/v1/rpc/user/manage/mfa-verify-totp', body: { code: '492817' } });
    expect(server.addresses).toEqual(['/manage?status=mfa-success&factor=totp']);
  });

  it('[MAN-11] returns to the settings when it is cancelled', async () => {
    await showFixture('manage-totp');
    expect(findHref('Cancel')).toBe('/manage');
  });

  it('states how long to wait after too many wrong codes', async () => {
    await showFixture('manage-totp-limited');
    expect(screen.getByRole('alert').textContent).toContain('Please try again in 2\u00a0minutes.');
  });

  it('shows the recovery codes of a first factor before it continues', async () => {
    const server = installFakeServer({ body: SETUP }, { body: { recovery_codes: CODES } });
    await showFixture('manage-totp-begins');
    await settle();
    await confirmTotp('492817');
    expect(readHeading()).toBe('Save your recovery codes');
    expect(document.title).toBe('Save your recovery codes · Foyer');
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
    expect([...document.querySelectorAll('.codes li')].map(({ textContent }) => textContent)).toEqual(CODES);
    expect(readSavedForm()).toEqual({ action: '/manage/mfa/recovery-codes/seen', code: CODES[0], method: 'totp' });
    expect(server.addresses).toEqual([]);
  });

  it.each([
    ['invalid verification code', 'The TOTP code is invalid'],
    ['totp already registered', 'A TOTP is already registered'],
    ['totp not found', 'No TOTP was found for the user'],
    ['error', 'An error occurred'],
  ])('[ERR-1] shows the message of the specification after the error "%s"', async (error, message) => {
    installFakeServer({ status: 422, body: { error } });
    await showFixture('manage-totp');
    await confirmTotp('492817');
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe(message);
    expect(screen.getByRole('alert').dataset['code']).toBe(error);
  });
});

describe('the set-up of an authenticator app that cannot begin', () => {
  it('[MAN-11] [ERR-1] shows no steps, and begins again when the button is pressed', async () => {
    const server = installFakeServer({ status: 500, body: { error: 'error' } }, { body: SETUP });
    await showFixture('manage-totp-begins');
    await settle();
    expect(screen.getByRole('alert').dataset['code']).toBe('error');
    expect(document.querySelector('.steps')).toBeNull();
    const retryForm = screen.getByRole('button', { name: 'Try again' }).closest('form');
    expect(retryForm?.getAttribute('action')).toBe('/manage/mfa/register-totp');
    fireEvent.submit(retryForm ?? document);
    await settle();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText('ABCD EFGH')).toBeTruthy();
    expect(server.calls).toHaveLength(2);
  });

  it('only links back if the account already has an authenticator app', async () => {
    await showFixture('manage-totp-registered');
    expect(findHref('Cancel')).toBe('/manage');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the set-up of a security key', () => {
  it('[MAN-12] starts without a click: begins, creates and verifies the credential, and opens the settings', async () => {
    const server = installFakeServer({ body: INIT }, { body: NAME }, { body: {} });
    await showFixture('manage-fido2');
    expect(screen.getByText('Waiting for your key…')).toBeTruthy();
    expect(findHref('Cancel')).toBe('/manage');
    await waitUntil(() => server.addresses.length > 0);
    expect(listCallNames(server)).toEqual(['mfa-init-fido2', 'username', 'mfa-verify-fido2']);
    expect(requestCredential.mock.calls[0]).toMatchObject([{ publicKey: { user: { name: 'maria.musterfrau' } } }]);
    const { sessionId, credentialJson } = server.calls[2]!.body as { sessionId: string; credentialJson: string };
    expect(sessionId).toBe('session');
    expect(JSON.parse(credentialJson)).toMatchObject({
      id: 'aWQ',
      rawId: 'AQ',
      type: 'public-key',
      response: { attestationObject: 'Ag', clientDataJSON: 'Aw' },
    });
    expect(server.addresses).toEqual(['/manage?status=mfa-success&factor=fido2']);
  });

  it('[MAN-12] offers to cancel and to try again after a failure, and then begins from the start', async () => {
    const server = installFakeServer(
      { body: INIT },
      { body: NAME },
      { body: INIT },
      { body: NAME },
      { body: { recovery_codes: CODES } },
    );
    requestCredential.mockRejectedValueOnce(new DOMException('no details', 'NotAllowedError'));
    await showFixture('manage-fido2');
    await waitUntil(() => screen.queryByRole('alert') !== null);
    expect(screen.getByRole('alert').dataset['code']).toBe('not-allowed');
    expect(findHref('Cancel')).toBe('/manage');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryByRole('alert')).toBeNull();
    // The button is gone, so the keyboard continues from the prompt.
    expect(document.activeElement?.textContent).toBe('Waiting for your key…');
    await waitUntil(() => readHeading() === 'Save your recovery codes');
    expect(listCallNames(server)).toEqual(['mfa-init-fido2', 'username', 'mfa-init-fido2', 'username', 'mfa-verify-fido2']);
  });

  it('[MAN-12] does not start without a click after an error of the server', async () => {
    const server = installFakeServer();
    await showFixture('manage-fido2-failed');
    await settle();
    expect(server.calls).toEqual([]);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('[GEN-9] states that it requires script, and links to a factor that works without script', async () => {
    installFakeServer();
    await showFixture('manage-fido2');
    const notice = document.querySelector('.without-script');
    expect(notice?.textContent).toContain('Security keys need JavaScript');
    expect(notice?.querySelector('a')?.getAttribute('href')).toBe('/manage/mfa/register-totp');
  });

  it('[GEN-9] links to no other factor if none can be set up without script', async () => {
    installFakeServer();
    await showFixture('manage-fido2-alone');
    const notice = document.querySelector('.without-script');
    expect(notice?.querySelector('a')).toBeNull();
    expect(notice?.textContent).not.toContain('You can do this instead');
  });
});

describe('the verification of a security key during a sign-in', () => {
  it('[MFV-5] submits the factor token after 100 ms', async () => {
    const server = installFakeServer({ body: { publicKey: { challenge: 'Y2hhbGxlbmdl' } } }, { body: { token: 'proof' } });
    const submit = jest.fn();
    HTMLFormElement.prototype.submit = submit;
    requestCredential.mockResolvedValue({
      ...CREDENTIAL,
      response: { authenticatorData: CREDENTIAL.rawId, clientDataJSON: CREDENTIAL.rawId, signature: CREDENTIAL.rawId },
    });
    await showFixture('mfa-key');
    await waitUntil(() => document.querySelector('input[name=mfa_token]') !== null);
    expect(server.calls.map(({ path }) => path)).toEqual(['/mfa/init-fido2', '/mfa/verify-fido2']);
    expect(server.calls[1]?.body).toMatchObject({ id: 'aWQ', rawId: 'AQ', type: 'public-key', response: { signature: 'AQ' } });
    expect(submit).not.toHaveBeenCalled();
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(submit).toHaveBeenCalledTimes(1);
    expect(new FormData(document.querySelector('form') ?? undefined).get('mfa_token')).toBe('proof');
  });
});

describe('the recovery codes', () => {
  it('[RCV-4] have a warning if they may not have been saved, with a link to new codes', async () => {
    await showFixture('manage-recovery-codes-unseen');
    expect(document.querySelector('.alert.warning')?.textContent).toContain('You may not have saved these codes');
    cleanup();
    await showFixture('manage-mfa-codes-unseen');
    const row = document.querySelector('a[href="/manage/mfa/recovery-codes"]');
    expect(row?.closest('li')?.textContent).toContain('You may not have saved these codes');
  });

  it('[GEN-9] are counted, and renewed with a plain form', async () => {
    await showFixture('manage-recovery-codes-few');
    expect(document.querySelector('.alert.warning')?.textContent).toContain('1\u00a0code left');
    const form = document.querySelector('form');
    expect([form?.getAttribute('action'), form?.method]).toEqual(['/manage/mfa/recovery-codes', 'post']);
  });

  it('are shown as a list and as a file without script, and can be printed', async () => {
    await showFixture('manage-recovery-codes-made');
    expect(document.querySelectorAll('.codes li')).toHaveLength(10);
    const file = screen.getByRole('link', { name: 'Save as a file' });
    expect(file.getAttribute('download')).toBe('recovery-codes.txt');
    expect(decodeURIComponent(file.getAttribute('href') ?? '')).toContain('k7tq-m2xh-9fcd\nw4np-8vjr-6gyb');
    expect(readSavedForm()).toEqual({ action: '/manage/mfa/recovery-codes/seen', code: 'k7tq-m2xh-9fcd', method: null });
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledTimes(1);
  });

  it('can be copied, and the page confirms the copy or explains what to do if it failed', async () => {
    const writeText = jest.fn<(text: string) => Promise<void>>().mockResolvedValueOnce();
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    await showFixture('manage-recovery-codes-made');
    fireEvent.click(screen.getByRole('button', { name: 'Copy codes' }));
    await settle();
    expect(writeText.mock.calls[0]?.[0].split('\n')).toHaveLength(10);
    expect(screen.getByRole('status').textContent).toBe('Copied');
    writeText.mockRejectedValueOnce(new Error('no'));
    fireEvent.click(screen.getByRole('button', { name: 'Copied' }));
    await settle();
    expect(screen.getByRole('status').textContent).toMatch(/select the text/);
    expect(screen.getByRole('status').className).not.toContain('sr');
  });

  it('can be copied again after the confirmation has disappeared', async () => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: () => Promise.resolve() } });
    await showFixture('manage-recovery-codes-made');
    fireEvent.click(screen.getByRole('button', { name: 'Copy codes' }));
    await settle();
    await act(() => jest.advanceTimersByTimeAsync(4_001));
    expect(screen.getByRole('button', { name: 'Copy codes' })).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('');
  });
});
