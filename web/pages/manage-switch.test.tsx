/** @jest-environment jsdom */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

describe('the question whether an app may open another account', () => {
  it('names the signed-in account, and offers to stay in its settings or to open those of the other account', async () => {
    await showFixture('manage-switch');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Open the settings of another account?');
    expect(screen.getByText(/signed in to the settings as maria.musterfrau/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Stay signed in here' }).getAttribute('href')).toBe('/manage');
    const form = screen.getByRole('button', { name: 'Open the other settings' }).closest('form');
    expect([form?.getAttribute('action'), form?.method]).toEqual(['/manage/switch', 'post']);
    expect(new FormData(form ?? undefined).get('entry')).toMatch(/^[\w-]{43}$/);
  });
});
