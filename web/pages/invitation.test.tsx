/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const findForm = () => document.querySelector('form') ?? document.createElement('form');
const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');

describe('the page of an invitation', () => {
  it('[INV-1] says who invites to what, for which address and until when, and posts a plain form', async () => {
    await showFixture('invitation');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/register/invitation', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual([
      ...['token', '_xsrf', 'detail_username', 'detail_display_name', 'password', 'password_repeat'],
    ]);
    expect(findForm().textContent).toContain('Ina Immergrün invites you to use');
    expect(findForm().textContent).toContain('nele@example.org');
    expect(findForm().querySelector('time')?.dateTime).toBe('2026-12-05T15:00:00.000Z');
    cleanup();
    await showFixture('invitation-bare', 'de');
    expect(findForm().textContent).toContain('Sie sind eingeladen, Foyer zu nutzen.');
  });

  it('[INV-5] shows a fault at its field, what is wrong with a password, and how long to wait', async () => {
    await showFixture('invitation-fields');
    expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByLabelText('Kundennummer').getAttribute('aria-invalid')).toBe('true');
    cleanup();
    await showFixture('invitation-weak');
    expect(screen.getByRole('alert').dataset['code']).toBe('password-strength');
    cleanup();
    await showFixture('invitation-limited');
    expect(screen.getByRole('alert').textContent).toMatch(/4\sminutes/);
  });

  it.each([
    ['invitation-used', 'Your account is ready', 'Ihr Konto ist bereit', 1],
    ['invitation-ended', 'This invitation is no longer valid', 'Diese Einladung ist nicht mehr gültig', 0],
    ['invitation-exists', 'There is already an account with this address', 'Es gibt bereits ein Konto mit dieser Adresse', 1],
  ])(
    '[INV-3] says what became of the invitation, and links to the app if its address is known (%s)',
    async (fixture, english, german, links) => {
      await showFixture(fixture);
      expect(readHeading()).toBe(english);
      const elements = within(screen.getByRole('main')).queryAllByRole('link');
      expect(elements.map((link) => link.textContent).filter((text) => text.startsWith('Go to'))).toHaveLength(links);
      cleanup();
      await showFixture(fixture, 'de');
      expect(readHeading()).toBe(german);
    },
  );
});
