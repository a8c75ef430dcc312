/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
// This module is loaded in advance, so that the dynamic import of the page needs only microtasks.
import '../browser/common-password-list.js';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');
const findField = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.input(findField(label), { target: { value } });
const findHref = (name: string) => screen.getByRole('link', { name }).getAttribute('href');
const readChecks = () => [...document.querySelectorAll('.checks li')].map((item) => item.className === 'ok');
const listInvalidFields = () => [...document.querySelectorAll('[aria-invalid]')].map(({ id }) => id);

describe('the request for a new password', () => {
  it('[PWR-1] [GEN-9] is a plain form with the username and the ticket of the waiting sign-in', async () => {
    await showFixture('password-request');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/password-reset/request', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['_xsrf', 'ticket', 'username']);
    expect(findField('Username').value).toBe('maria.musterfrau');
    expect(findField('Username').autocomplete).toBe('username');
  });

  it('[PWR-1] shows the message of the specification at an empty field', async () => {
    await showFixture('password-request-empty');
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe('empty-username');
    expect(alert.textContent).toBe('no username givenPlease provide a username.');
    expect(findField('Username').getAttribute('aria-describedby')).toBe(`username-hint ${alert.id}`);
    expect(listInvalidFields()).toEqual(['username']);
  });

  it('[PWR-1] states in the language of the page that the username is missing', async () => {
    await showFixture('password-request-bare', 'de');
    act(() => {
      expect(findField('Benutzername').checkValidity()).toBe(false);
    });
    expect(await screen.findByText('Bitte geben Sie einen Benutzernamen an.')).toBeTruthy();
    expect(listInvalidFields()).toEqual(['username']);
  });

  it('[PWR-1] mentions the e-mail address if people can enter it in place of the username', async () => {
    await showFixture('password-request-by-email');
    expect(screen.getByText(/Tell us your username or e\u2011mail address/)).toBeTruthy();
    cleanup();
    await showFixture('password-request-sent-by-email');
    expect(screen.getByText(/an account with this username or e\u2011mail address/)).toBeTruthy();
    expect(screen.getByText(/^The username or e\u2011mail address is unknown/)).toBeTruthy();
  });

  it('states how long to wait after too many requests', async () => {
    await showFixture('password-request-limited');
    expect(screen.getByRole('alert').textContent).toBe('Too many requestsPlease try again in 4\u00a0minutes.');
    expect(listInvalidFields()).toEqual([]);
  });

  it.each([
    ['password-request', '/login/restart?ticket=sealed'],
    ['password-request-empty', 'https://portal.example/'],
    ['password-request-sent', '/login/restart?ticket=sealed'],
    ['password-request-error', 'https://portal.example/'],
  ])('[LOG-3] links back to the sign-in (%s)', async (fixture, url) => {
    await showFixture(fixture);
    expect(findHref('Back to sign-in')).toBe(url);
  });

  it.each(['password-request-bare', 'password-request-sent-bare'])(
    'has no link to the sign-in if its address is unknown (%s)',
    async (fixture) => {
      await showFixture(fixture);
      expect(screen.queryByRole('link', { name: 'Back to sign-in' })).toBeNull();
    },
  );
});

describe('the answer to the request', () => {
  it('[PWR-2] does not reveal whether the account exists, and lists possible reasons if no mail arrives', async () => {
    await showFixture('password-request-sent');
    expect(readHeading()).toBe('Check your inbox');
    expect(document.querySelector('.heading p')?.textContent).toMatch(/^If there is an account/);
    const reasons = within(screen.getByRole('main')).getAllByRole('listitem');
    expect(reasons.map(({ textContent }) => textContent)).toEqual([
      'The username is unknown, or a different e\u2011mail address is on file.',
      'The account is blocked.',
      'Your mail provider rejected the message.',
    ]);
    expect(findHref('Try again')).toBe('/password-reset/request-form');
  });

  it('[PWR-2] [I18-1] states in German that a technical error occurred', async () => {
    await showFixture('password-request-error', 'de');
    expect(readHeading()).toBe('Ein technischer Fehler ist aufgetreten');
    expect(document.querySelector('.bullets')).toBeNull();
    expect(findHref('Noch einmal versuchen')).toBe('/password-reset/request-form');
  });
});

describe('the form for the new password', () => {
  it('[PWR-4] [GEN-9] is a plain form with the token, the password and its repetition', async () => {
    await showFixture('password-reset');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/password-reset/reset', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['reset_token', '_xsrf', 'password', 'password_repeat']);
    expect(new FormData(findForm()).get('reset_token')).toHaveLength(43);
    for (const label of ['New password', 'Repeat new password']) {
      expect([findField(label).type, findField(label).autocomplete, findField(label).required]).toEqual([
        'password',
        'new-password',
        true,
      ]);
    }
    expect(document.activeElement).toBe(findField('New password'));
  });

  it('shows the account to people and to password managers', async () => {
    await showFixture('password-reset');
    expect(document.querySelector('.account-chip')?.textContent).toContain('Maria Musterfrau');
    const name = document.querySelector<HTMLInputElement>('input[autocomplete=username]');
    expect([name?.value, name?.readOnly, name?.tabIndex, name?.form]).toEqual(['maria.musterfrau', true, -1, findForm()]);
  });

  it('[VAL-3] lists each rule below its field', async () => {
    await showFixture('password-reset-strict');
    const countRules = (label: string) => findField(label).closest('.field')?.querySelectorAll('.checks li').length;
    expect([countRules('New password'), countRules('Repeat new password')]).toEqual([4, 1]);
  });

  it('[VAL-2] [VAL-3] shows strength and rules while the person types', async () => {
    await showFixture('password-reset');
    expect(readChecks()).toEqual([false, false]);
    type('New password', 'krapsel1');
    await act(() => Promise.resolve());
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('fair');
    expect(readChecks()).toEqual([true, false]);
    type('Repeat new password', 'krapsel1');
    expect(readChecks()).toEqual([true, true]);
  });

  it.each([
    ['password-reset-empty', 'empty-password', 'No new password given', ['password']],
    ['password-reset-empty-repeat', 'empty-password-repeat', 'No repeat new password given', ['password_repeat']],
    ['password-reset-not-equal', 'passwords-not-equal', 'Password and repetition not equal', ['password_repeat']],
    ['password-reset-weak', 'password-strength', 'Password not strong enough', ['password']],
    ['password-reset-busy', 'busy', 'We’re very busy right now', []],
  ])('[PWR-5] shows the error, at its field if it has one (%s: %s)', async (fixture, code, message, fields) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe(code);
    expect(alert.querySelector('strong')?.textContent).toBe(message);
    expect(listInvalidFields()).toEqual(fields);
    for (const id of fields) {
      expect(document.getElementById(id)?.getAttribute('aria-describedby')?.split(' ')).toEqual([`${id}-rules`, alert.id]);
    }
  });

  it('[VAL-1] [PWR-5] explains why the password was refused', async () => {
    await showFixture('password-reset-weak');
    expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(
      'It’s your username, or too close to it. Please choose another one.',
    );
  });
});

describe('the result of the reset', () => {
  it('[PWR-6] [LOG-3] links to the waiting sign-in after a success', async () => {
    await showFixture('password-reset-done');
    expect(readHeading()).toBe('Password changed');
    expect(findHref('Continue to sign-in')).toBe('/login/restart?ticket=sealed');
  });

  it('[PWR-6] links to the start page, if its address is known, after a success without a waiting sign-in', async () => {
    await showFixture('password-reset-done-home');
    expect(findHref('Continue to sign-in')).toBe('https://portal.example/');
    cleanup();
    await showFixture('password-reset-done-bare');
    expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
  });

  it.each(['password-reset-expired', 'password-reset-expired-bare'])(
    '[PWR-6] states that the link has expired, and links to the request for a new link (%s)',
    async (fixture) => {
      await showFixture(fixture);
      expect(readHeading()).toBe('The link has expired!');
      expect(document.querySelector('.heading p')?.textContent).toMatch(/^Your token isn't valid \(anymore\)!/);
      expect(findHref('Request a new link')).toBe('/password-reset/request-form');
    },
  );

  it('[PWR-6] shows any other failure as a technical error, and links to the request for a new link', async () => {
    await showFixture('password-reset-error');
    expect(readHeading()).toBe('A technical error occurred');
    expect(findHref('Request a new link')).toBe('/password-reset/request-form');
  });
});
