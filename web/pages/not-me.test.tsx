/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const readHeading = () => screen.getByRole('heading', { level: 1 }).textContent.replaceAll('\u00ad', '');
const findForm = () => document.querySelector('form') ?? document.createElement('form');

describe('"that was not me"', () => {
  it('[NTC-1] [GEN-9] asks with a plain form that posts the token of the link, and explains what will happen', async () => {
    await showFixture('not-me');
    expect(readHeading()).toBe('Secure your account?');
    expect([findForm().getAttribute('action'), findForm().method]).toEqual(['/not-me', 'post']);
    expect([...new FormData(findForm()).keys()]).toEqual(['token', '_xsrf']);
    expect(document.querySelectorAll('.bullets li')).toHaveLength(4);
    expect(findForm().textContent).toContain('connected in the last 7\u00a0days are disconnected');
    expect(findForm().textContent).toContain('For 24\u00a0hours nobody can change');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Secure my account' }).disabled).toBe(false);
    expect(findForm().textContent).toContain('nothing has changed');
  });

  it.each([
    ['not-me-done', 'Your account is secured', 'Ihr Konto ist abgesichert'],
    ['not-me-used', 'Your account is already secured', 'Ihr Konto ist bereits abgesichert'],
    ['not-me-expired', 'This link is no longer valid', 'Dieser Link ist nicht mehr gültig'],
    ['not-me-error', 'A technical error occurred', 'Ein technischer Fehler ist aufgetreten'],
  ])(
    '[NTC-1] [I18-1] has a heading in both languages, and links to the password request (%s: "%s")',
    async (fixture, english, german) => {
      await showFixture(fixture);
      expect(readHeading()).toBe(english);
      const [link] = within(screen.getByRole('main')).getAllByRole('link');
      expect(link?.getAttribute('href')).toBe('/password-reset/request-form');
      cleanup();
      await showFixture(fixture, 'de');
      expect(readHeading()).toBe(german);
    },
  );
});

describe('the account area, while credentials are frozen', () => {
  it('[NTC-1] states which changes are locked, and for how long', async () => {
    await showFixture('manage-frozen');
    expect(document.querySelector('.alert.warning')?.textContent).toMatch(
      /Changes are locked.*24\u00a0hours nobody can change its sign-in methods or e\u2011mail address, download its data or delete it\./,
    );
  });
});
