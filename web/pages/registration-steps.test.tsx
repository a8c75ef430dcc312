/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const findForms = () => [...document.querySelectorAll('form')].map((form) => form.getAttribute('action'));

describe('the steps of a registration', () => {
  it('[JOI-3] show the fields of the settings, with their faults', async () => {
    await showFixture('registration-step-attributes');
    expect(findForms()).toEqual(['/register/details']);
    expect(screen.getByLabelText('Kundennummer (optional)').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText('Filiale').tagName).toBe('SELECT');
    expect(screen.getByLabelText('Given name').getAttribute('autocomplete')).toBe('given-name');
    expect(screen.getByLabelText('Newsletter').getAttribute('type')).toBe('checkbox');
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/login?');
  });

  it('[JOI-4] say the same for every address', async () => {
    await showFixture('registration-step-code');
    expect(findForms()).toEqual(['/register/code', '/register/code/again']);
    expect(document.body.textContent).toContain('If an account with this address exists already, the e‑mail says so instead.');
  });

  it('[JOI-8] name what is wrong with a password', async () => {
    await showFixture('registration-step-weak');
    expect(findForms()).toEqual(['/register/password']);
    expect(screen.getByRole('alert').dataset['code']).toBe('password-strength');
  });

  it('[JOI-20] say that an operator decides, and what waits', async () => {
    await showFixture('registration-step-approval');
    expect(document.body.textContent).toContain('Every new account has to be approved.');
    cleanup();
    await showFixture('registration-step-password-approval');
    expect(screen.getByRole('button', { name: 'Send request' }).getAttribute('type')).toBe('submit');
    cleanup();
    await showFixture('registration-step-waits');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Your request is waiting for approval');
    expect(findForms()).toEqual([]);
    expect(document.body.textContent).toContain('nele@example.org');
  });

  it('[JOI-29] say that nobody else can wait', async () => {
    await showFixture('registration-step-full');
    expect(screen.getByRole('alert').dataset['code']).toBe('full');
  });

  it('[JOI-7] name the wait', async () => {
    await showFixture('registration-step-limited');
    expect(screen.getByRole('alert').textContent).toMatch(/4\sminutes/);
  });
});
