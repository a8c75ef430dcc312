/** @jest-environment jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent;

describe('errors', () => {
  it.each([
    ['error-404', 'The page was not found', '404 Not Found'],
    ['error-500', '500 Internal Server Error', '500 Internal Server Error'],
    ['error-401', 'Authentication failed', '401 Unauthorized'],
    ['error-400', 'An error occurred', '400 Bad Request'],
    ['error-403', 'An error occurred', '403 Forbidden'],
    ['error-405', 'An error occurred', '405 Method Not Allowed'],
    ['error-413', 'An error occurred', '413 Content Too Large'],
    ['error-415', 'An error occurred', '415 Unsupported Media Type'],
    ['error-429', 'An error occurred', '429 Too Many Requests'],
    ['error-503', 'An error occurred', '503 Service Unavailable'],
  ])('[GEN-3] [GEN-4] [ERR-1] have a heading and a status (%s: "%s", %s)', async (fixture, title, code) => {
    const page = await showFixture(fixture);
    expect(readHeading()).toBe(title);
    expect(page.textContent).toContain(code);
    expect(page.querySelector('.heading p')?.textContent.trim()).not.toBe('');
    const kind = fixture === 'error-404' ? 'page_not_found' : fixture === 'error-401' ? 'unauthorized' : 'generic';
    expect(page.querySelector<HTMLElement>('[data-code]')?.dataset['code']).toBe(kind);
  });

  it.each(['error-password-change', 'error-not-allowed', 'error-not-admitted', 'error-no-account'])(
    'show no status for a code that is not an error of the request (%s)',
    async (fixture) => {
      await showFixture(fixture);
      expect(document.body.textContent).not.toContain('403');
    },
  );

  it('do not say that a password was right if the account is not allowed, because a provider or a passkey may have been used', async () => {
    await showFixture('error-not-allowed');
    expect(document.querySelector('.heading p')?.textContent).not.toContain('password');
  });

  it.each(['error-400', 'error-413', 'error-415', 'error-403-bare'])('lead back to the refused form (%s)', async (fixture) => {
    await showFixture(fixture);
    const goBack = jest.spyOn(history, 'back').mockImplementation(() => undefined);
    fireEvent.click(screen.getByRole('button', { name: 'Go back' }));
    expect(goBack).toHaveBeenCalledTimes(1);
    goBack.mockRestore();
  });

  it('[ERR-6] show the request id of an unexpected failure, and a link to try again', async () => {
    await showFixture('error-500');
    expect(screen.getByText('5f0b8c1e-9a34-4d27-8e61-c2d7b9f3a640')).toBeTruthy();
    // A link to the same address has no role in jsdom.
    expect(screen.getByText('Try again').getAttribute('href')).toBe('');
  });

  it('restart the waiting request if the server has sent an address for it', async () => {
    await showFixture('error-403');
    expect(screen.getByRole('link', { name: 'Start again' }).getAttribute('href')).toBe('/login/restart?ticket=sealed');
  });

  it('[ERR-6] restart the waiting request in place of repeating a POST, and state how long to wait', async () => {
    const page = await showFixture('error-503-post');
    expect(screen.getByRole('link', { name: 'Try again' }).getAttribute('href')).toBe('/login/restart?ticket=sealed');
    expect(page.querySelector('.heading p')?.textContent).toContain('in 5\u00a0seconds');
    expect(page.textContent).not.toContain('Start again');
  });

  it.each([
    ['oauth-error', 'Error: invalid_scope\nDescription: The requested scope is invalid, unknown, or malformed.'],
    ['error-403-bare', 'Error: 403 Forbidden\nRequest ID: 5f0b8c1e-9a34-4d27-8e61-c2d7b9f3a640'],
    ['manage-error', 'Error: generic'],
  ])('[ERR-1] show the next step before the details, which can be copied (%s)', async (fixture, text) => {
    const page = await showFixture(fixture);
    const nextStep = page.querySelector('.btn.primary');
    const details = page.querySelector('dl');
    expect(nextStep!.compareDocumentPosition(details!)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(page.querySelectorAll('.btn.primary')).toHaveLength(1);
    const writeText = jest.fn((_text: string) => Promise.resolve());
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    fireEvent.click(screen.getByRole('button', { name: 'Copy details' }));
    expect(await screen.findByText('Copied', { selector: '[role=status]' })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith(text);
  });

  it('mark English texts with their language on pages in other languages', async () => {
    await showFixture('error-404', 'de');
    expect(screen.getByText('404 Not Found').lang).toBe('en');
  });

  it('[ERR-5] [OUT-4] have another heading after a failed logout, and a link that logs out', async () => {
    await showFixture('oauth-error-logout');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Logout failed!');
    const link = screen.getByRole('link', { name: 'Sign out here' });
    expect(link.getAttribute('href')).toBe('http://localhost:4444/oauth2/sessions/logout');
  });

  it('[ERR-5] quote the OAuth error as text', async () => {
    await showFixture('oauth-error');
    expect(screen.getByText('invalid_scope')).toBeTruthy();
    expect(screen.getByText(/pass these details on/)).toBeTruthy();
    expect(screen.getByText('The requested scope is invalid, unknown, or malformed.')).toBeTruthy();
    cleanup();
    const page = await showFixture('oauth-error-hostile');
    expect(page.querySelector('dd img')).toBeNull();
    expect(page.textContent).toContain('<img src=x onerror=alert(1)> {{app}} $t(login.heading)');
    cleanup();
    const emptyPage = await showFixture('oauth-error-empty');
    expect(emptyPage.querySelector('dl')).toBeNull();
    expect(emptyPage.textContent).not.toContain('these details');
  });
});
