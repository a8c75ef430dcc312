/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('logout', () => {
  it('[OUT-1] [OUT-2] asks, and posts the challenge to accept or to reject', async () => {
    const page = await showFixture('logout');
    expect(readHeading()).toBe('Do you want to sign out?');
    const form = page.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/logout/accept');
    expect([...new FormData(form ?? undefined).keys()]).toEqual(['logout_challenge', '_xsrf']);
    expect(screen.getByRole('button', { name: 'Sign out' }).hasAttribute('formaction')).toBe(false);
    expect(screen.getByRole('button', { name: 'Cancel' }).getAttribute('formaction')).toBe('/logout/reject');
    expect(screen.getByText('Maria Musterfrau')).toBeTruthy();
  });

  it('[OUT-3] shows a message and a link, but no form, if the challenge is missing', async () => {
    const page = await showFixture('logout-challenge-missing');
    expect(screen.getByRole('alert').querySelector('strong')?.textContent).toBe('Logout-Challenge is empty or invalid!');
    // The page does not know whether somebody is signed in.
    expect(page.textContent).not.toContain('signed in');
    expect(screen.getByRole('link', { name: 'Go to the home page' })).toBeTruthy();
    expect(page.querySelector('form')).toBeNull();
  });

  it('[OUT-5] [OUT-6] states that apps were notified or that somebody is signed out only if that is true', async () => {
    expect((await showFixture('logout-accepted')).textContent).toContain('notified the apps that support this');
    cleanup();
    expect((await showFixture('logout-accepted-bare')).textContent).not.toContain('notified the apps');
    cleanup();
    const pageWithoutSession = await showFixture('logout-nobody');
    expect(readHeading()).toBe('Nobody is signed in here');
    expect(pageWithoutSession.textContent).not.toMatch(/signed out|notified the apps/);
    cleanup();
    expect((await showFixture('logout-rejected-nobody')).textContent).not.toContain('still signed in');
  });

  it.each([
    ['accepted', 'You’re signed out', 'Sie sind abgemeldet'],
    ['rejected', 'Logout aborted!', 'Abmeldung abgebrochen!'],
    ['failed', 'Logout failed!', 'Abmeldung fehlgeschlagen!'],
  ])('[OUT-4] [OUT-5] shows the result "%s" in both languages (%s)', async (status, english, german) => {
    await showFixture(`logout-${status}`);
    expect(readHeading()).toBe(english);
    cleanup();
    await showFixture(`logout-${status}`, 'de');
    expect(readHeading()).toBe(german);
  });
});
