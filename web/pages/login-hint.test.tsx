/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

describe('login hint', () => {
  it('[HNT-2] names the signed-in person, with the account id as a tooltip, and has a button to proceed', async () => {
    await showFixture('login-hint');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Login');
    expect(screen.getByText('You are logged in as')).toBeTruthy();
    const chip = screen.getByText('Maria Musterfrau').closest('.account-chip');
    expect(chip?.getAttribute('title')).toContain('0d9e8f3a-51c4-4f0e-9c0b-7be2d1a6c7f4');
    expect(chip?.textContent).toContain('maria.musterfrau');
    expect(screen.getByRole('button', { name: 'Proceed' })).toBeTruthy();
    const destination = screen.getByText(/You’ll continue to/);
    expect(destination.textContent).toBe('You’ll continue to Beispielportal.');
    const button = screen.getByRole('button', { name: 'Proceed' });
    expect(destination.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('[HNT-2] shows the username only once if there is no other name, and does not mention an app without a name', async () => {
    const page = await showFixture('login-hint-unnamed');
    expect(screen.getAllByText('maria.musterfrau')).toHaveLength(1);
    expect(page.textContent).not.toContain('You’ll continue to');
  });

  it('[HNT-1] [HNT-3] posts challenge, anti-forgery value, account id and proceed', async () => {
    const page = await showFixture('login-hint');
    const form = page.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/login/proceed');
    const data = new FormData(form ?? undefined);
    expect([...data.keys()].sort()).toEqual(['_xsrf', 'login_challenge', 'proceed', 'ticket', 'user']);
    expect(data.get('user')).toBe('0d9e8f3a-51c4-4f0e-9c0b-7be2d1a6c7f4');
  });

  it('[HNT-5] offers to use another account if the server has sent an address for it', async () => {
    await showFixture('login-hint');
    expect(screen.getByRole('link', { name: 'Use another account' }).getAttribute('href')).toContain('/login/other');
  });

  it('[HNT-4] explains a challenge that cannot be used, without a form', async () => {
    const page = await showFixture('login-hint-challenge-expired');
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe('challenge');
    expect(alert.querySelector('strong')?.textContent).toBe('This request has expired.');
    expect(alert.querySelector('.exact')?.textContent).toBe('Login-Challenge is empty or invalid!');
    expect(screen.getByRole('link', { name: 'Start again' })).toBeTruthy();
    expect(page.querySelector('form')).toBeNull();
    cleanup();
    await showFixture('login-hint-challenge-missing');
    expect(within(screen.getByRole('alert')).getByRole('link', { name: 'Back to Beispielportal' })).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'Back to Beispielportal' })).toHaveLength(2);
  });
});
