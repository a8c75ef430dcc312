/** @jest-environment jsdom */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
// Loaded beforehand, so that a turn of microtasks is enough for the dynamic import.
import '../browser/common-password-list.js';
import { fakeServer } from '../fixtures/fake-server.js';
import { showFixture } from '../fixtures/show-fixture.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

const settle = () => act(() => jest.advanceTimersByTimeAsync(0));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.input(field(label), { target: { value } });
const form = () => document.querySelector('form') ?? document.createElement('form');
/** The stylesheet shows one of two buttons: the one for browsers with script. */
const save = () => document.querySelector<HTMLButtonElement>('button.needs-script[type=submit]');
const readChecks = () => [...document.querySelectorAll('.checks li')].map((item) => item.className === 'ok');
const strength = () => screen.getByRole('meter');

describe('change password', () => {
  it('[MAN-13] can be saved only when the current password is there and the new ones are valid', async () => {
    await showFixture('manage-password');
    expect(save()?.disabled).toBe(true);
    type('New password', 'krapsel1');
    await settle();
    type('Repeat new password', 'krapsel1');
    expect(save()?.disabled).toBe(true);
    type('Current password', 'geheim');
    expect(save()?.disabled).toBe(false);
    type('Repeat new password', 'krapsel2');
    expect(save()?.disabled).toBe(true);
    type('New password', 'kut');
    type('Repeat new password', 'kut');
    expect(save()?.disabled).toBe(true);
  });

  it('[MAN-13] is not sent by the Enter key either, as long as it is invalid', async () => {
    const server = fakeServer({ body: {} });
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'kut');
    expect(fireEvent.submit(form())).toBe(false);
    await settle();
    expect(server.calls).toEqual([]);
  });

  it('[GEN-9] is a plain form that the server checks', async () => {
    await showFixture('manage-password');
    expect([form().getAttribute('action'), form().method]).toEqual(['/manage/credentials/password', 'post']);
    expect([...new FormData(form()).keys()]).toEqual(['_xsrf', 'password', 'newPassword', 'newPasswordRepeat']);
    expect(document.querySelector<HTMLButtonElement>('button.without-script')?.disabled).toBe(false);
  });

  it('[MAN-5] does not ask for the current password of an account without one, and leads to the link that sets a password', async () => {
    await showFixture('manage-password-none');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Set a password');
    expect(document.querySelector('form[action="/manage/credentials/password"]')).toBeNull();
    expect(screen.getByRole('link', { name: 'Request a link' }).getAttribute('href')).toBe('/password-reset/request-form');
  });

  it('[VAL-2] [VAL-3] shows strength and rules while somebody types', async () => {
    await showFixture('manage-password');
    expect(strength().getAttribute('aria-valuetext')).toBe('empty');
    expect(readChecks()).toEqual([false, false]);
    type('New password', 'krapsel1');
    await settle();
    expect([strength().dataset['score'], strength().getAttribute('aria-valuetext')]).toEqual(['3', 'fair']);
    expect(strength().querySelectorAll('i.on')).toHaveLength(3);
    expect(readChecks()).toEqual([true, false]);
    type('Repeat new password', 'krapsel1');
    expect(readChecks()).toEqual([true, true]);
    expect(document.querySelector('.checks')?.textContent).toContain('At least 6 characters, met');
  });

  it.each([
    ['en', 'New password', 'common', 'This password is very common. Please choose another one.'],
    ['de', 'Neues Passwort', 'verbreitet', 'Dieses Passwort ist sehr verbreitet. Bitte wählen Sie ein anderes.'],
  ] as const)(
    '[VAL-1] [VAL-2] names a common password beside the meter while somebody types (%s)',
    async (locale, label, words, sentence) => {
      jest.useRealTimers();
      await showFixture('manage-password', locale);
      type(label, 'Weihnachten2026!');
      await waitFor(() => expect(strength().getAttribute('aria-valuetext')).toBe(words));
      expect(strength().dataset).toMatchObject({ score: '5', commonness: 'common' });
      const live = () => [...document.querySelectorAll('[aria-live=polite]')].map(({ textContent }) => textContent);
      expect(live()).toEqual([words, sentence]);
      type(label, 'Blaubeere-Kutsche');
      expect(strength().dataset['commonness']).toBe('uncommon');
      expect(live()[1]).toBe('');
    },
  );

  it.each(['manage-password', 'manage-confirm'])('%s: password managers learn the username', async (fixture) => {
    await showFixture(fixture);
    const name = document.querySelector<HTMLInputElement>('form input[autocomplete=username]');
    expect([name?.value, name?.readOnly]).toEqual(['maria.musterfrau', true]);
    expect([...new FormData(name?.form ?? undefined).values()]).not.toContain('maria.musterfrau');
  });

  it('[VAL-3] lists the rules of composition if they are on', async () => {
    await showFixture('manage-password-strict', 'de');
    expect([...document.querySelectorAll('.checks li')].map((item) => item.textContent.replaceAll('\u00ad', ''))).toEqual([
      'Mindestens 12 Zeichen, noch nicht erfüllt',
      'Mindestens ein Kleinbuchstabe, noch nicht erfüllt',
      'Mindestens ein Großbuchstabe, noch nicht erfüllt',
      'Mindestens eine Ziffer, noch nicht erfüllt',
      'Beide Passwörter stimmen überein, noch nicht erfüllt',
    ]);
  });

  it('[VAL-1] says why the server refuses a password, after a form and after a call', async () => {
    await showFixture('manage-password-weak-twice');
    expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(
      'It’s too short: it needs at least 12 characters. It has no digit. Please choose another one.',
    );
    cleanup();
    const body = { error: 'password not strong enough', reasons: ['app-name', 'of a later version'] };
    fakeServer({ status: 422, body }, { status: 422, body: { ...body, reasons: ['of a later version'] } });
    await showFixture('manage-password', 'de');
    type('Aktuelles Passwort', 'geheim');
    type('Neues Passwort', 'foyer1');
    type('Neues Passwort wiederholen', 'foyer1');
    const readStatus = async () => {
      fireEvent.submit(form());
      await settle();
      return screen.getByRole('alert').querySelector('p')?.textContent;
    };
    expect(await readStatus()).toBe('Es ist der Name dieses Dienstes oder ähnelt ihm zu sehr. Bitte wählen Sie ein anderes.');
    expect(await readStatus()).toContain('Es ist zu kurz, sehr verbreitet');
  });

  it('[MAN-9] goes to the settings when it is done', async () => {
    const server = fakeServer({ body: {} });
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'krapsel1');
    await settle();
    type('Repeat new password', 'krapsel1');
    fireEvent.submit(form());
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
  ])('[ERR-3] %s: the exact message, at its field', async (error, message, label) => {
    fakeServer({ status: 422, body: { error } });
    await showFixture('manage-password');
    type('Current password', 'geheim');
    type('New password', 'krapsel1');
    await settle();
    type('Repeat new password', 'krapsel1');
    fireEvent.submit(form());
    await settle();
    const alert = screen.getByRole('alert');
    expect(alert.querySelector('strong')?.textContent).toBe(message);
    expect(alert.dataset['code']).toBe(error);
    expect(document.activeElement).toBe(alert);
    const invalid = [...document.querySelectorAll('[aria-invalid]')].map(({ id }) => id);
    expect(invalid).toEqual(label === null ? [] : [field(label).id]);
    expect(field('Current password').value).toBe('geheim');
    expect(save()?.getAttribute('aria-busy')).toBeNull();
  });
});

describe('change username', () => {
  it('[MAN-5] offers no field if the username belongs to a source, and leads back', async () => {
    await showFixture('manage-username-elsewhere');
    expect(screen.getByRole('alert').dataset['code']).toBe('username elsewhere');
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
    expect(document.querySelector<HTMLAnchorElement>('a.back')?.getAttribute('href')).toBe('/manage');
  });

  it('[VAL-5] [GEN-9] requires a name, in a plain form', async () => {
    await showFixture('manage-username');
    expect(field('New username').required).toBe(true);
    expect(form().getAttribute('action')).toBe('/manage/credentials/username');
    expect(new FormData(form()).get('username')).toBe('maria.musterfrau');
  });

  it('[MAN-9] goes to the settings when it is done', async () => {
    const server = fakeServer({ body: {} });
    await showFixture('manage-username');
    type('New username', 'maria');
    fireEvent.submit(form());
    await settle();
    expect(server.calls[0]).toMatchObject({ method: 'PUT', body: { username: 'maria' } });
    expect(server.addresses).toEqual(['/manage?status=username-success']);
  });

  it.each([
    ['could not parse request', 'Could not parse request'],
    ['username is empty', 'username is empty'],
    ['username is invalid', 'username is invalid'],
    ['username not available', 'username not available'],
  ])('[ERR-4] %s: the exact message', async (error, message) => {
    fakeServer({ status: 422, body: { error } });
    await showFixture('manage-username');
    fireEvent.submit(form());
    await settle();
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe(message);
    expect(screen.getByRole('alert').dataset['code']).toBe(error);
  });

  it('[MAN-14] posts what was typed when a fresh proof is wanted, so that the question leads back to it', async () => {
    const server = fakeServer({ status: 403, body: { error: 'proof required' } });
    await showFixture('manage-username');
    type('New username', 'maria.neu');
    let posted: Record<string, unknown> = {};
    form().submit = () => void (posted = Object.fromEntries(new FormData(form())));
    fireEvent.submit(form());
    await settle();
    expect(posted).toMatchObject({ username: 'maria.neu', _xsrf: expect.any(String) });
    expect(form().getAttribute('action')).toBe('/manage/credentials/username');
    expect(server.addresses).toEqual([]);
  });
});

describe('confirm that it is you', () => {
  it('[MAN-14] says that what was typed is kept, and passes it on with every way to confirm', async () => {
    await showFixture('manage-confirm-kept');
    expect(screen.getByText('What you typed will be kept.')).toBeTruthy();
    expect(new FormData(form()).get('next')).toBe('/manage/credentials/username?kept=c2VhbGVk');
    expect(screen.getByRole('link', { name: 'Use the security key' }).getAttribute('href')).toContain('%3Fkept%3Dc2VhbGVk');
    cleanup();
    await showFixture('manage-confirm');
    expect(screen.queryByText('What you typed will be kept.')).toBeNull();
  });

  it('[MAN-14] asks for the password, and passes on the page that opens next', async () => {
    await showFixture('manage-confirm');
    expect(Object.fromEntries(new FormData(form()))).toMatchObject({ method: 'password', next: '/manage/credentials/username' });
    expect(form().getAttribute('action')).toBe('/manage/confirm');
    expect(screen.getByRole('link', { name: 'Use the security key' }).getAttribute('href')).toBe(
      '/manage/confirm?next=%2Fmanage%2Fcredentials%2Fusername&method=fido2',
    );
  });

  it('[MAN-14] asks for a code or for a security key, as the person chooses', async () => {
    await showFixture('manage-confirm-totp');
    expect(new FormData(form()).get('method')).toBe('totp');
    expect(screen.getByLabelText('Six-digit code')).toBeTruthy();
    cleanup();
    const server = fakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-key');
    await settle();
    expect(server.calls[0]?.path).toBe('/api/v1/rpc/user/manage/proof/init-fido2');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });

  it('[MAN-14] asks for a passkey, or sends a code, and says who can help if neither is possible', async () => {
    const help = /your contact person can remove your passkeys/;
    fakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-passkey-or-mail');
    await settle();
    const mail = '/manage/confirm?next=%2Fmanage%2Fcredentials%2Fusername&method=mail';
    expect(screen.getByRole('link', { name: 'Use a code by e\u2011mail' }).getAttribute('href')).toBe(mail);
    expect(screen.queryByText(help)).toBeNull();
    cleanup();
    await showFixture('manage-confirm-mail-or-passkey');
    expect(Object.fromEntries(new FormData(form()))).toMatchObject({ method: 'mail', next: '/manage/credentials/username' });
    expect(screen.getByRole('link', { name: 'Use the passkey' }).getAttribute('href')).toContain('method=passkey');
    expect(screen.queryByText(help)).toBeNull();
    cleanup();
    fakeServer({ status: 410, body: { error: 'session expired' } });
    await showFixture('manage-confirm-passkey');
    await settle();
    expect(screen.getByText(help)).toBeTruthy();
  });

  it('[MAN-14] leads back a person who has no way to confirm', async () => {
    await showFixture('manage-confirm-no-way');
    const main = within(screen.getByRole('main'));
    expect(main.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Go to login settings']);
    expect(main.getByRole('link').getAttribute('href')).toBe('/manage');
  });
});
