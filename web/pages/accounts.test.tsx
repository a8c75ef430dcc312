/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

describe('account selection', () => {
  it('[ACC-1] [ACC-2] lists the accounts as buttons of one plain form', async () => {
    const page = await showFixture('accounts');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Select account');
    const form = page.querySelector('form');
    expect(form?.getAttribute('action')).toBe('/login/google/account');
    expect([...new FormData(form ?? undefined).keys()].sort()).toEqual(['_xsrf', 'login_challenge', 'ticket', 'token']);
    const buttons = screen.getAllByRole<HTMLButtonElement>('button');
    expect(buttons.map(({ name, value }) => [name, value])).toEqual([
      ['username', '0d9e8f3a-51c4-4f0e-9c0b-7be2d1a6c7f4'],
      ['username', 'a2'],
    ]);
    expect(buttons[0]?.querySelector('small')?.textContent).toBe('Privatkundin');
  });

  it('[ACC-3] links back to the login page of the same request', async () => {
    await showFixture('accounts');
    const back = screen.getByRole('link', { name: 'Back to sign-in' });
    expect(back.getAttribute('href')).toMatch(/^\/login\/native\?login_challenge=.{1200}$/);
  });

  it('shows the username of an account without a group', async () => {
    await showFixture('accounts-long-name');
    expect(screen.getAllByRole('button').at(-1)?.querySelector('small')?.textContent).toBe('h');
  });
});
