/** @jest-environment jsdom */
import { afterEach, describe, expect, it } from '@jest/globals';
import { cleanup, screen, within } from '@testing-library/react';
import { showFixture } from '../fixtures/show-fixture.js';

afterEach(cleanup);

const listNextLinks = () => within(screen.getByRole('main')).queryAllByRole('link');

describe('the result of a registration', () => {
  it.each([
    ['registration-expired', 'Token expired', 'Die Registrierung ist abgelaufen'],
    ['registration-error', 'A technical error occurred', 'Ein technischer Fehler ist aufgetreten'],
    ['registration-done', 'Your account is ready', 'Ihr Konto ist bereit'],
  ])(
    '[REG-3] [I18-1] has a heading in both languages and a link back to the app (%s: "%s")',
    async (fixture, english, german) => {
      for (const [locale, words] of [
        ['en', english],
        ['de', german],
      ] as const) {
        await showFixture(fixture, locale);
        expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(words);
        expect(listNextLinks().map((link) => link.getAttribute('href'))).toEqual(['https://portal.example/']);
        cleanup();
      }
    },
  );

  it.each([
    ['registration-expired-restart', ['/login/restart?ticket=sealed', 'Start again']],
    ['registration-expired-home', ['https://portal.example/', 'Go to sign-in']],
  ])('[REG-3] links to another next step if the app is unknown (%s)', async (fixture, [href, words]) => {
    await showFixture(fixture);
    expect(listNextLinks().map((link) => [link.getAttribute('href'), link.textContent])).toEqual([[href, words]]);
  });

  it('[REG-3] has no link if there is no next step', async () => {
    await showFixture('registration-expired-bare');
    expect(listNextLinks()).toEqual([]);
  });
});
