/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');
const findPasswordField = () => screen.getByLabelText<HTMLInputElement>('Password');

describe('the question before all factors are removed', () => {
  it('[FAR-1] lists the effects of the removal', async () => {
    await showFixture('mfa-reset');
    expect(readHeading()).toBe('Do you really want to reset all factors?');
    expect(document.querySelectorAll('.bullets li')).toHaveLength(3);
    expect(document.querySelector('.bullets li')?.textContent).toMatch(/^All second factors, passkeys and recovery codes/);
    expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('https://portal.example/');
  });

  it('[FAR-1] [GEN-9] is a plain form that posts only the token and the anti-forgery value', async () => {
    await showFixture('mfa-reset');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/mfa-reset/reset', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['reset_token', '_xsrf']);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reset all factors' }).disabled).toBe(false);
  });

  it('[FAR-1] asks for the password if the installation requires it', async () => {
    await showFixture('mfa-reset-password');
    expect([findPasswordField().name, findPasswordField().autocomplete, findPasswordField().required]).toEqual([
      'password',
      'current-password',
      true,
    ]);
  });

  it.each([
    ['mfa-reset-wrong', 'password', 'The password isn’t right', true],
    ['mfa-reset-limited', 'limited', 'Too many attempts', false],
  ])('[FAR-1] explains the error and asks again (%s: %s)', async (fixture, code, message, atField) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.querySelector('strong')?.textContent]).toEqual([code, message]);
    expect(findPasswordField().getAttribute('aria-invalid')).toBe(atField ? 'true' : null);
    expect(new FormData(findForm()).get('reset_token')).toHaveLength(43);
  });
});

describe('the result of a reset', () => {
  it.each([
    ['mfa-reset-done', 'All factors are reset', 'Alle Faktoren sind zurückgesetzt'],
    ['mfa-reset-expired', 'Token expired!', 'Der Link ist abgelaufen!'],
    ['mfa-reset-error', 'A technical error occurred', 'Ein technischer Fehler ist aufgetreten'],
  ])('[FAR-2] [I18-1] has a heading in both languages (%s: "%s")', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });

  it('[FAR-2] links to the sign-in if its address is known', async () => {
    await showFixture('mfa-reset-done');
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('https://portal.example/');
    cleanup();
    await showFixture('mfa-reset-done-bare');
    expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
  });
});
