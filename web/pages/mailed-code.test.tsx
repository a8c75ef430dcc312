/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const readForms = () =>
  [...document.querySelectorAll('form')].map((form) => [
    form.getAttribute('action'),
    form.method,
    [...new FormData(form).keys()],
  ]);
const FRAME = ['login_challenge', '_xsrf', 'ticket'];

describe('[MCS-1] the pages of the sign-in with a code by mail', () => {
  it('are linked from the login page, and ask for a name with a plain form', async () => {
    await showFixture('login-with-code');
    const link = screen.getByRole('link', { name: /Sign in with a code by e.mail/ });
    expect(link.getAttribute('href')).toMatch(/^\/login\/code\?login_challenge=/);
    cleanup();
    await showFixture('mailed-code');
    expect(readForms()).toEqual([['/login/code', 'post', [...FRAME, 'username']]]);
    expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toMatch(/^\/login\?login_challenge=/);
    cleanup();
    await showFixture('mailed-code-by-email');
    expect(screen.getByLabelText(/Username or e.mail/)).toBeDefined();
  });

  it('ask for the code with a plain form, and send another one with a second form that has only hidden fields', async () => {
    await showFixture('mailed-code-code');
    expect(readForms()).toEqual([
      ['/login/code', 'post', [...FRAME, 'code']],
      ['/login/code', 'post', FRAME],
    ]);
    expect(screen.getByText(/Don’t give it to anybody/)).toBeDefined();
    expect(screen.getByRole('checkbox', { name: 'Stay signed in' })).toBeDefined();
  });

  it.each([
    ['mailed-code-empty', /username/],
    ['mailed-code-limited', /minutes/],
    ['mailed-code-stale', /out of date/],
    ['mailed-code-ended', /can’t be used any more/],
    ['mailed-code-code-wrong', /This code isn’t right/],
    ['mailed-code-code-limited', /Too many attempts/],
    ['mailed-code-code-busy', /Many people are signing in/],
    ['mailed-code-code-stale', /out of date/],
  ])('explain the error (%s)', async (fixture, words) => {
    await showFixture(fixture);
    expect(screen.getByRole('alert').textContent).toMatch(words);
  });

  it.each([
    ['mailed-code', 'Sign in with a code by e\u2011mail', 'Mit einem Code per E\u2011Mail anmelden'],
    ['mailed-code-not-enough', 'The code isn’t enough this time', 'Der Code genügt diesmal nicht'],
    ['mailed-code-code', 'Enter the code from the e\u2011mail', 'Geben Sie den Code aus der E\u2011Mail ein'],
  ])('[I18-1] have a heading in both languages (%s: "%s")', async (fixture, english, german) => {
    await showFixture(fixture);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(fixture, 'de');
    expect(readHeading()).toBe(german);
  });
});
