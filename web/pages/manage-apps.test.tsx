/** @jest-environment jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(() => {
  cleanup();
  jest.restoreAllMocks();
});

const listTiles = () =>
  [...document.querySelectorAll('.tile.app')].map((tile) =>
    tile.querySelector('img:not([hidden])') ? 'logo' : tile.querySelector('svg') ? 'icon' : 'nothing',
  );

/** jsdom loads no images. */
function fakeImageSize(width: number, height: number): void {
  jest.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(width);
  jest.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(height);
}

const listButtons = () =>
  screen.queryAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);

describe('the apps with access', () => {
  it('are listed with the titles of their scopes, each with a button that removes the access', async () => {
    await showFixture('manage-apps');
    const [portalRow = '', , insuranceRow = ''] = [...document.querySelectorAll('.rows > .row')].map((row) => row.textContent);
    expect(portalRow).toContain('Unique user ID\u00a0· User profile\u00a0· E\u2011mail address\u00a0· Background data retrieval');
    expect(portalRow).toContain('Access since 12\u00a0March 2026');
    // The last sign-in may be years ago.
    expect(portalRow).toMatch(/Last sign-in on 22\u00a0November 2026 at \d\d:12/);
    expect(insuranceRow).toContain('Rechnungen lesen');
    expect(insuranceRow).not.toContain('Last sign-in');
    expect(listButtons()).toEqual([
      'Take away what isn’t ticked',
      'Remove access: Beispielportal',
      'Remove access: Intranet',
      'Take away what isn’t ticked',
      'Remove access: Versicherungsportal Nordwest',
      'Yes, remove all',
    ]);
    const question = screen.getByRole('button', { name: 'Yes, remove all' }).closest('details');
    expect([question?.open, question?.querySelector('form')?.getAttribute('action')]).toEqual([false, '/manage/apps']);
    expect(question?.querySelector('summary')?.textContent).toContain('Remove access of all apps');
    const keys = [...document.querySelectorAll<HTMLInputElement>('.row input[name=key]')].map(({ value }) => value);
    expect([...new Set(keys)]).toEqual(['portal', 'intranet', 'insurance']);
  });

  it.each([
    { width: 96, height: 48, image: 'logo' },
    { width: 140, height: 48, image: 'icon' },
  ])('are shown with the $image if the logo has $width × $height pixels', async ({ width, height, image }) => {
    fakeImageSize(width, height);
    await act(() => showFixture('manage-apps'));
    expect(listTiles()).toEqual([image, 'icon', 'icon']);
  });

  it('[CON-11] can each lose scopes other than openid, except an app that needs no consent', async () => {
    await showFixture('manage-apps');
    const forms = [...document.querySelectorAll<HTMLFormElement>('form[action="/manage/apps/scopes"]')];
    expect(forms.map((form) => new FormData(form).get('key'))).toEqual(['portal', 'insurance']);
    const [form] = forms;
    if (!form) throw new Error('There is no form.');
    expect(new FormData(form).getAll('scopes')).toEqual(['profile', 'email', 'offline_access']);
    within(form).getByRole('checkbox', { name: 'E\u2011mail address' }).click();
    expect(new FormData(form).getAll('scopes')).toEqual(['profile', 'offline_access']);
    expect(form.textContent).toContain('Untick what the app may no longer use.');
    expect(form.closest('details')?.querySelector('summary')?.getAttribute('aria-label')).toBe('Change access: Beispielportal');
  });

  it('are replaced with a message if there are none', async () => {
    await showFixture('manage-apps-none');
    expect(screen.getByText(/^No app has access to your account\. Apps will be listed here/)).toBeTruthy();
    expect(listButtons()).toEqual([]);
  });
});
