/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
// This module is loaded in advance, so that the dynamic import of the page needs only microtasks.
import '../browser/common-password-list.js';
import { installFakeServer } from '../fixtures/fake-server.js';
import { showFixture } from '../fixtures/show-fixture.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const settle = () => act(() => jest.advanceTimersByTimeAsync(0));
const findField = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.input(findField(label), { target: { value } });
const findForm = () => document.querySelector('form') ?? document.createElement('form');
/** @returns the Save button that the stylesheet shows in browsers with script */
const findSaveButton = () => document.querySelector<HTMLButtonElement>('button.needs-script[type=submit]');
const readChecks = () => [...document.querySelectorAll('.checks li')].map((item) => item.className === 'ok');
const findMeter = () => screen.getByRole('meter');

describe('the form for a new password', () => {
  it('[MAN-13] can be saved only when the current password is filled in and the new passwords are valid', async () => {
    await showFixture('manage-password');
    expect(findSaveButton()?.disabled).toBe(true);
    type('New password', 'krapsel1');
    await settle();
    type('Repeat new password', 'krapsel1');
    expect(findSaveButton()?.disabled).toBe(true);
    type('Current password', 'geheim');
    expect(findSaveButton()?.disabled).toBe(false);
    type('Repeat new password', 'krapsel2');
    expect(findSaveButton()?.disabled).toBe(true);
    type('New password', 'kut');
    type('Repeat new password', 'kut');
    expect(findSaveButton()?.disabled).toBe(true);
  });

  it('[MAN-13] is not sent with the Enter key while it is invalid', async () => {
    const server = installFakeServer({ body: {} });
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'kut');
    expect(fireEvent.submit(findForm())).toBe(false);
    await settle();
    expect(server.calls).toEqual([]);
  });

  it('shows that it is saved after the Enter key too, which presses the first button of the form', async () => {
    installFakeServer('hold');
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'krapsel1');
    type('Repeat new password', 'krapsel1');
    await settle();
    const form = findForm();
    act(() => form.requestSubmit(form.querySelector<HTMLElement>('[type=submit]')));
    expect([findSaveButton()?.textContent, findSaveButton()?.getAttribute('aria-busy')]).toEqual(['Saving', 'true']);
    expect(findSaveButton()?.getAttribute('aria-disabled')).toBeNull();
  });

  it('[GEN-9] is a plain form that the server checks', async () => {
    await showFixture('manage-password');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/manage/credentials/password', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['_xsrf', 'password', 'newPassword', 'newPasswordRepeat']);
    expect(document.querySelector<HTMLButtonElement>('button.without-script')?.disabled).toBe(false);
  });

  it('[MAN-5] is replaced with a link that requests a password if the account has none', async () => {
    await showFixture('manage-password-none');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Set a password');
    expect(document.querySelector('form[action="/manage/credentials/password"]')).toBeNull();
    expect(screen.getByRole('link', { name: 'Request a link' }).getAttribute('href')).toBe('/password-reset/request-form');
  });

  it('[VAL-2] [VAL-3] shows strength and rules while the person types', async () => {
    await showFixture('manage-password');
    expect(findMeter().getAttribute('aria-valuetext')).toBe('empty');
    expect(readChecks()).toEqual([false, false]);
    type('New password', 'krapsel1');
    await settle();
    expect([findMeter().dataset['score'], findMeter().getAttribute('aria-valuetext')]).toEqual(['3', 'fair']);
    expect(findMeter().querySelectorAll('i.on')).toHaveLength(3);
    expect(readChecks()).toEqual([true, false]);
    type('Repeat new password', 'krapsel1');
    expect(readChecks()).toEqual([true, true]);
    expect(document.querySelector('.checks')?.textContent).toContain('At least 6 characters, met');
  });

  it.each([
    ['en', 'New password', 'common', 'This password is very common. Please choose another one.'],
    ['de', 'Neues Passwort', 'verbreitet', 'Dieses Passwort ist sehr verbreitet. Bitte wählen Sie ein anderes.'],
  ] as const)(
    '[VAL-1] [VAL-2] states beside the strength meter that a password is common, while the person types (%s)',
    async (locale, label, words, sentence) => {
      jest.useRealTimers();
      await showFixture('manage-password', locale);
      type(label, 'Weihnachten2026!');
      await waitFor(() => expect(findMeter().getAttribute('aria-valuetext')).toBe(words));
      expect(findMeter().dataset).toMatchObject({ score: '5', commonness: 'common' });
      const readLiveTexts = () => [...document.querySelectorAll('[aria-live=polite]')].map(({ textContent }) => textContent);
      expect(readLiveTexts()).toEqual([words, sentence]);
      type(label, 'Blaubeere-Kutsche');
      expect(findMeter().dataset['commonness']).toBe('uncommon');
      expect(readLiveTexts()[1]).toBe('');
    },
  );

  it.each(['manage-password', 'manage-confirm'])('passes the username to password managers (%s)', async (fixture) => {
    await showFixture(fixture);
    const name = document.querySelector<HTMLInputElement>('form input[autocomplete=username]');
    expect([name?.value, name?.readOnly]).toEqual(['maria.musterfrau', true]);
    expect([...new FormData(name?.form ?? undefined).values()]).not.toContain('maria.musterfrau');
  });

  it('[VAL-3] lists the rules about characters if the installation has enabled them', async () => {
    await showFixture('manage-password-strict', 'de');
    expect([...document.querySelectorAll('.checks li')].map((item) => item.textContent.replaceAll('\u00ad', ''))).toEqual([
      'Mindestens 12 Zeichen, noch nicht erfüllt',
      'Mindestens ein Kleinbuchstabe, noch nicht erfüllt',
      'Mindestens ein Großbuchstabe, noch nicht erfüllt',
      'Mindestens eine Ziffer, noch nicht erfüllt',
      'Beide Passwörter stimmen überein, noch nicht erfüllt',
    ]);
  });

  it('[VAL-1] explains why the server has refused a password, after a form and after an RPC call', async () => {
    await showFixture('manage-password-weak-twice');
    expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(
      'It’s too short: it needs at least 12 characters. It has no digit. Please choose another one.',
    );
    cleanup();
    const body = { error: 'password not strong enough', reasons: ['app-name', 'reason of a later version'] };
    installFakeServer({ status: 422, body }, { status: 422, body: { ...body, reasons: ['reason of a later version'] } });
    await showFixture('manage-password', 'de');
    type('Aktuelles Passwort', 'geheim');
    type('Neues Passwort', 'foyer1');
    type('Neues Passwort wiederholen', 'foyer1');
    const submitAndReadReason = async () => {
      fireEvent.submit(findForm());
      await settle();
      return screen.getByRole('alert').querySelector('p')?.textContent;
    };
    expect(await submitAndReadReason()).toBe(
      'Es ist der Name dieses Dienstes oder ähnelt ihm zu sehr. Bitte wählen Sie ein anderes.',
    );
    expect(await submitAndReadReason()).toContain('Es ist zu kurz, sehr verbreitet');
  });

  it('[MAN-9] opens the settings after the change', async () => {
    const server = installFakeServer({ body: {} });
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'krapsel1');
    await settle();
    type('Repeat new password', 'krapsel1');
    fireEvent.submit(findForm());
    await settle();
    expect(server.calls[0]).toMatchObject({
      method: 'PUT',
      path: '/api/v1/rpc/user/manage/password',
      body: { password: 'geheim', newPassword: 'krapsel1', newPasswordRepeat: 'krapsel1' },
    });
    expect(server.addresses).toEqual(['/manage?status=password-success']);
  });

  it.each([
    ['could not parse request', 'Could not parse request', null],
    ['no password given', 'No password given', 'Current password'],
    ['no new password given', 'No new password given', 'New password'],
    ['no repeat new password given', 'No repeat new password given', 'Repeat new password'],
    ['password and repetition not equal', 'Password and repetition not equal', 'Repeat new password'],
    ['password not strong enough', 'Password not strong enough', 'New password'],
    ['current password invalid', 'Current password invalid', 'Current password'],
  ])(
    '[ERR-3] shows the message of the specification, at its field if it has one, after the error "%s"',
    async (error, message, label) => {
      installFakeServer({ status: 422, body: { error } });
      await showFixture('manage-password');
      type('Current password', 'geheim');
      type('New password', 'krapsel1');
      await settle();
      type('Repeat new password', 'krapsel1');
      fireEvent.submit(findForm());
      await settle();
      const alert = screen.getByRole('alert');
      expect(alert.querySelector('strong')?.textContent).toBe(message);
      expect(alert.dataset['code']).toBe(error);
      expect(document.activeElement).toBe(alert);
      const invalidIds = [...document.querySelectorAll('[aria-invalid]')].map(({ id }) => id);
      expect(invalidIds).toEqual(label === null ? [] : [findField(label).id]);
      expect(findField('Current password').value).toBe('geheim');
      expect(findSaveButton()?.getAttribute('aria-busy')).toBeNull();
    },
  );
});

describe('the form for a new username', () => {
  it('[MAN-5] has no field if the username belongs to a user source, and links back to the settings', async () => {
    await showFixture('manage-username-elsewhere');
    expect(screen.getByRole('alert').dataset['code']).toBe('username elsewhere');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(document.querySelector<HTMLAnchorElement>('a.back')?.getAttribute('href')).toBe('/manage');
  });

  it('[VAL-5] [GEN-9] is a plain form that requires a username', async () => {
    await showFixture('manage-username');
    expect(findField('New username').required).toBe(true);
    expect(findForm().getAttribute('action')).toBe('/manage/credentials/username');
    expect(new FormData(findForm()).get('username')).toBe('maria.musterfrau');
  });

  it('[MAN-9] opens the settings after the change', async () => {
    const server = installFakeServer({ body: {} });
    await showFixture('manage-username');
    type('New username', 'maria');
    fireEvent.submit(findForm());
    await settle();
    expect(server.calls[0]).toMatchObject({ method: 'PUT', body: { username: 'maria' } });
    expect(server.addresses).toEqual(['/manage?status=username-success']);
  });

  it.each([
    ['could not parse request', 'Could not parse request'],
    ['username is empty', 'username is empty'],
    ['username is invalid', 'username is invalid'],
    ['username not available', 'username not available'],
  ])('[ERR-4] shows the message of the specification after the error "%s"', async (error, message) => {
    installFakeServer({ status: 422, body: { error } });
    await showFixture('manage-username');
    fireEvent.submit(findForm());
    await settle();
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe(message);
    expect(screen.getByRole('alert').dataset['code']).toBe(error);
  });

  it('[MAN-14] is posted with the typed name if a fresh proof is required, so that the server keeps the name', async () => {
    const server = installFakeServer({ status: 403, body: { error: 'proof required' } });
    await showFixture('manage-username');
    type('New username', 'maria.neu');
    let fields: Record<string, unknown> = {};
    findForm().submit = () => void (fields = Object.fromEntries(new FormData(findForm())));
    fireEvent.submit(findForm());
    await settle();
    expect(fields).toMatchObject({ username: 'maria.neu', _xsrf: expect.any(String) });
    expect(findForm().getAttribute('action')).toBe('/manage/credentials/username');
    expect(server.addresses).toEqual([]);
  });
});

describe('the page that asks for a fresh proof', () => {
  it('[MAN-14] states that the typed value is kept, and passes it on with every method', async () => {
    await showFixture('manage-confirm-kept');
    expect(screen.getByText('What you typed will be kept.')).toBeTruthy();
    expect(new FormData(findForm()).get('next')).toBe('/manage/credentials/username?kept=c2VhbGVk');
    expect(screen.getByRole('link', { name: 'Use the security key' }).getAttribute('href')).toContain('%3Fkept%3Dc2VhbGVk');
    cleanup();
    await showFixture('manage-confirm');
    expect(screen.queryByText('What you typed will be kept.')).toBeNull();
  });

  it('[MAN-14] asks for the password, and passes on the address of the next page', async () => {
    await showFixture('manage-confirm');
    expect(Object.fromEntries(new FormData(findForm()))).toMatchObject({
      method: 'password',
      next: '/manage/credentials/username',
    });
    expect(findForm().getAttribute('action')).toBe('/manage/confirm');
    expect(screen.getByRole('link', { name: 'Use the security key' }).getAttribute('href')).toBe(
      '/manage/confirm?next=%2Fmanage%2Fcredentials%2Fusername&method=fido2',
    );
  });

  it('[MAN-14] asks for a code or for a security key, as the person has chosen', async () => {
    await showFixture('manage-confirm-totp');
    expect(new FormData(findForm()).get('method')).toBe('totp');
    expect(screen.getByLabelText('Six-digit code')).toBeTruthy();
    cleanup();
    const server = installFakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-key');
    await settle();
    expect(server.calls[0]?.path).toBe('/api/v1/rpc/user/manage/proof/init-fido2');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('[MAN-14] asks for a passkey, or sends a code, and names who can help if the passkey is the only method', async () => {
    const help = /your contact person can remove your passkeys/;
    installFakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-passkey-or-mail');
    await settle();
    const mail = '/manage/confirm?next=%2Fmanage%2Fcredentials%2Fusername&method=mail';
    expect(screen.getByRole('link', { name: 'Use a code by e\u2011mail' }).getAttribute('href')).toBe(mail);
    expect(screen.queryByText(help)).toBeNull();
    cleanup();
    await showFixture('manage-confirm-mail-or-passkey');
    expect(Object.fromEntries(new FormData(findForm()))).toMatchObject({ method: 'mail', next: '/manage/credentials/username' });
    expect(screen.getByRole('link', { name: 'Use the passkey' }).getAttribute('href')).toContain('method=passkey');
    expect(screen.queryByText(help)).toBeNull();
    cleanup();
    installFakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-passkey');
    await settle();
    expect(screen.getByText(help)).toBeTruthy();
  });

  it('[MAN-14] asks for the digits of the e-mail if they are missing, not for those of an app', async () => {
    await showFixture('manage-confirm-mail-sent');
    fireEvent.invalid(screen.getByLabelText('Six-digit code'));
    expect(screen.getByText('Please enter the six digits from the e\u2011mail.')).toBeTruthy();
  });

  it.each(['manage-confirm-data', 'manage-confirm-deletion-totp', 'manage-confirm-data-email'])(
    '[MAN-14] does not say that the person changes how to sign in if that is not so (%s)',
    async (fixture) => {
      await showFixture(fixture);
      const text = screen.getByRole('main').textContent;
      expect(text).toContain('Please confirm that it’s you before you continue.');
      expect(text).not.toContain('how you sign in');
    },
  );

  it('[MAN-14] names the address of the code also before a download', async () => {
    await showFixture('manage-confirm-data-mail');
    expect(screen.getByRole('main').textContent).toContain('before you continue. We’ll send a code to m•••u@beispiel.example.');
  });

  it('[MAN-14] links back to the settings if the person has no method', async () => {
    await showFixture('manage-confirm-no-way');
    const main = within(screen.getByRole('main'));
    // The account may have an address to which this installation cannot send mail.
    expect(main.queryByText(/has no password, no second factor and no e.mail address/)).toBeNull();
    expect(main.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Go to login settings']);
    expect(main.getByRole('link').getAttribute('href')).toBe('/manage');
  });
});
