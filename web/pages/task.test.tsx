/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
// This module is loaded in advance, so that the dynamic import of the page needs only microtasks.
import '../browser/common-password-list.js';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');

describe('[TSK-2] the page of a task', () => {
  it('[GEN-9] is a plain form with the sign-in and the name of the task', async () => {
    await showFixture('task-password');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/login/task', 'post']);
    expect([...new FormData(findForm()).keys()].sort()).toEqual(
      ['_xsrf', 'login_challenge', 'password', 'password_repeat', 'task', 'ticket'].sort(),
    );
    expect(readHeading()).toBe('Choose a new password');
    expect(screen.getByText(/^Your account needs a new password/)).toBeTruthy();
  });

  it('says that the password is known from a data breach', async () => {
    await showFixture('task-password-breached');
    expect(screen.getByText(/found in a data breach/)).toBeTruthy();
  });

  it('names what is wrong with the new password', async () => {
    await showFixture('task-password-same');
    expect(screen.getByRole('alert').textContent).toBe('This is your current passwordPlease choose a different one.');
    expect(new FormData(findForm()).get('trust_browser')).toBeTruthy();
  });

  it('leads to a link by mail while changes are locked', async () => {
    await showFixture('task-password-frozen');
    expect(screen.getByRole('link', { name: 'Request a link by e\u2011mail' }).getAttribute('href')).toContain(
      '/password-reset/',
    );
  });

  it('has only a button when nothing is left to do', async () => {
    await showFixture('task-none', 'de');
    expect(readHeading()).toBe('Es kann weitergehen');
    expect(screen.getByRole('button', { name: 'Weiter' })).toBeTruthy();
    expect(document.querySelector('input[type=password]')).toBeNull();
  });
});

describe('[TSK-30] the page for the proof of an address', () => {
  it('asks for the address, then for the code, in plain forms', async () => {
    await showFixture('task-email');
    expect(readHeading()).toBe('Confirm your e‑mail address');
    expect([...new FormData(findForm()).keys()].sort()).toEqual(['_xsrf', 'email', 'login_challenge', 'task', 'ticket'].sort());
    expect(screen.queryByRole('button', { name: 'Later' })).toBeNull();
    cleanup();
    await showFixture('task-email-code');
    expect([...new FormData(findForm()).keys()].sort()).toEqual(['_xsrf', 'code', 'login_challenge', 'task', 'ticket'].sort());
    expect(screen.getByRole('link', { name: 'Use another address' }).getAttribute('href')).toContain('status=ask');
  });

  it('[TSK-32] has a form that postpones the proof while that is possible, and states from which day it is required', async () => {
    await showFixture('task-email-later');
    const form = screen.getByRole('button', { name: 'Later' }).closest('form') ?? document.createElement('form');
    expect(new FormData(form).get('proceed')).toBe('later');
    expect(screen.getByText(/^From 31.January 2027 on/)).toBeTruthy();
  });

  it('names what is wrong, and leads to a link by mail while changes are locked', async () => {
    await showFixture('task-email-limited');
    expect(screen.getByRole('alert').dataset['code']).toBe('too many requests');
    cleanup();
    await showFixture('task-email-frozen');
    const link = screen.getByRole('link', { name: 'Request a link by e\u2011mail' });
    expect(link.className).toBe('btn primary');
    expect(link.getAttribute('href')).toContain('/password-reset/');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('[TSK-33] the page for missing fields', () => {
  it('is a plain form with the fields', async () => {
    await showFixture('task-fields');
    expect(readHeading()).toBe('Complete your account');
    expect([...new FormData(findForm()).keys()].sort()).toEqual(
      ['_xsrf', 'detail_branch', 'detail_phone_number', 'login_challenge', 'task', 'ticket'].sort(),
    );
    expect(screen.getByRole('checkbox', { name: 'Newsletter' })).toBeTruthy();
  });

  it('[I18-1] asks for a missing choice in the language of the page, not in that of the browser', async () => {
    await showFixture('task-fields', 'de');
    const isShown = fireEvent(screen.getByRole('combobox'), new Event('invalid', { cancelable: true }));
    expect([isShown, screen.getAllByText('Bitte füllen Sie dieses Feld aus.').length]).toEqual([false, 1]);
  });

  it('names what is wrong at each field', async () => {
    await showFixture('task-fields-wrong');
    expect(screen.getByText('This value can\u2019t be used here.')).toBeTruthy();
    expect(screen.getAllByText('Please fill in this field.').length).toBeGreaterThan(0);
  });
});

describe('[TSK-12] the page of terms', () => {
  it('shows the text with its title in its own language, and a form that names it', async () => {
    await showFixture('task-terms', 'en');
    expect(readHeading()).toBe('Terms to accept');
    const text = document.querySelector('details');
    expect([text?.open, text?.querySelector('summary')?.textContent]).toEqual([true, 'Conditions d’utilisation']);
    expect([...(text?.querySelectorAll('[lang=fr] > p') ?? [])].map(({ textContent }) => textContent.split(' ')[0])).toEqual([
      'Le',
      'Nous',
    ]);
    const form = new FormData(findForm());
    expect([form.get('task'), form.get('terms_hash'), form.get('accepted')]).toEqual([
      'terms.use',
      expect.stringMatching(/^[\da-f]{64}$/),
      null,
    ]);
    screen.getByRole('checkbox', { name: /accept them/ }).click();
    expect(new FormData(findForm()).get('accepted')).toBe('true');
  });

  it('closes a long text at first', async () => {
    await showFixture('task-terms-long');
    expect(document.querySelector('details')?.open).toBe(false);
  });

  it('[GEN-9] has a form to cancel, and one to postpone only while that is possible', async () => {
    await showFixture('task-terms');
    const listDecisions = () => [...document.querySelectorAll('form')].map((form) => new FormData(form).get('proceed'));
    expect(listDecisions()).toEqual([null, 'cancel']);
    cleanup();
    await showFixture('task-terms-later', 'de');
    expect(listDecisions()).toEqual([null, 'later', 'cancel']);
    expect(screen.getByText(/31\. Januar 2027/)).toBeTruthy();
  });

  it('names what is wrong', async () => {
    await showFixture('task-terms-not-accepted');
    expect(screen.getByRole('checkbox').getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id);
    cleanup();
    await showFixture('task-terms-changed');
    expect(screen.getByRole('alert').dataset['code']).toBe('changed');
  });
});
