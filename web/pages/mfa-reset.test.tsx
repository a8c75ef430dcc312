/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const heading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const form = () => document.querySelector('form') ?? document.createElement('form');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');

describe('the question before all factors are removed', () => {
  it('[FAR-1] asks, and says what will happen', async () => {
    await showFixture('mfa-reset');
    expect(heading()).toBe('Do you really want to reset all factors?');
    expect(document.querySelectorAll('.bullets li')).toHaveLength(3);
    expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('https://portal.example/');
  });

  it('[FAR-1] [GEN-9] is a plain form with the token only', async () => {
    await showFixture('mfa-reset');
    expect([form().getAttribute('action'), form().method]).toEqual(['/mfa-reset/reset', 'post']);
    expect([...new FormData(form()).keys()]).toEqual(['reset_token', '_xsrf']);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reset all factors' }).disabled).toBe(false);
  });

  it('[FAR-1] asks for the password if the installation requires it', async () => {
    await showFixture('mfa-reset-password');
    expect([password().name, password().autocomplete, password().required]).toEqual(['password', 'current-password', true]);
  });

  it.each([
    ['mfa-reset-wrong', 'password', 'The password isn’t right', true],
    ['mfa-reset-limited', 'limited', 'Too many attempts', false],
  ])('[FAR-1] %s: says so and keeps the question', async (fixture, code, message, atField) => {
    await showFixture(fixture);
    const alert = screen.getByRole('alert');
    expect([alert.dataset['code'], alert.querySelector('strong')?.textContent]).toEqual([code, message]);
    expect(password().getAttribute('aria-invalid')).toBe(atField ? 'true' : null);
    expect(new FormData(form()).get('reset_token')).toHaveLength(43);
  });
});

describe('the result of a reset', () => {
  it.each([
    ['mfa-reset-done', 'All factors are reset', 'Alle Faktoren sind zurückgesetzt'],
    ['mfa-reset-expired', 'Token expired!', 'Der Link ist abgelaufen!'],
    ['mfa-reset-error', 'A technical error occurred', 'Ein technischer Fehler ist aufgetreten'],
  ])('[FAR-2] [I18-1] %s: says so in both languages', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(heading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(heading()).toBe(german);
  });

  it('[FAR-2] leads to where a sign-in begins, if that is known', async () => {
    await showFixture('mfa-reset-done');
    expect(screen.getByRole('link', { name: 'Go to sign-in' }).getAttribute('href')).toBe('https://portal.example/');
    cleanup();
    await showFixture('mfa-reset-done-bare');
    expect(within(screen.getByRole('main')).queryByRole('link')).toBeNull();
  });
});
