/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const buttons = () => screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);

describe('the apps with access', () => {
  it('say what they may use in words, and each can be removed', async () => {
    await showFixture('manage-apps');
    const [first = '', second = ''] = [...document.querySelectorAll('.rows > .row')].map((row) => row.textContent);
    expect(first).toContain('Unique user ID · User profile · E-mail address · Background data retrieval');
    expect(first).toContain('Access since 12\u00a0March 2026');
    expect(second).toContain('Rechnungen lesen');
    expect(second).not.toContain('Last sign-in');
    expect(buttons()).toEqual([
      'Remove access: Beispielportal',
      'Remove access: Versicherungsportal Nordwest',
      'Remove access of all apps',
    ]);
    const keys = [...document.querySelectorAll<HTMLInputElement>('.row input[name=key]')].map(({ value }) => value);
    expect(keys).toEqual(['portal', 'insurance']);
  });

  it('say where there are none', async () => {
    await showFixture('manage-apps-none');
    expect(screen.getByText('No app has access to your account.')).toBeTruthy();
    expect(buttons()).toEqual([]);
  });
});
