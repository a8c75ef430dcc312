/** @jest-environment jsdom */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { LocaleSource } from '../../src/contract/locale.js';
import type { PageState } from '../../src/contract/page-state.js';
import { FIXTURES } from '../fixtures/index.js';
import { keepLocale, choosePreferredLocale } from './language.js';

afterEach(() => {
  jest.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
  document.cookie = 'i18next=; Max-Age=0; Path=/';
});

function buildState(source: LocaleSource, secondReading = false): PageState {
  const state = FIXTURES[0]!.state('en');
  const { language_links: _links, ...app } = state.app;
  return { ...state, locale_source: source, app: secondReading ? app : state.app };
}

describe('the language of the browser', () => {
  it.each<LocaleSource>(['header', 'default'])('[I18-2] what was chosen earlier stands before %s', (source) => {
    localStorage.setItem('i18nextLng', 'de');
    expect(choosePreferredLocale(buildState(source))).toBe('de');
  });

  it.each<LocaleSource>(['query', 'ui_locales', 'cookie'])('[I18-2] %s stands before what was chosen earlier', (source) => {
    localStorage.setItem('i18nextLng', 'de');
    expect(choosePreferredLocale(buildState(source))).toBe('en');
  });

  it('[I18-2] localStorage stands before sessionStorage', () => {
    sessionStorage.setItem('i18nextLng', 'de');
    expect(choosePreferredLocale(buildState('header'))).toBe('de');
    localStorage.setItem('i18nextLng', 'en-GB');
    expect(choosePreferredLocale(buildState('header'))).toBe('en');
  });

  it.each(['fr', '', '__proto__', 'x'.repeat(10_000)])('[I18-2] takes no language that does not ship (%#)', (stored) => {
    localStorage.setItem('i18nextLng', stored);
    expect(choosePreferredLocale(buildState('header'))).toBe('en');
  });

  it('[I18-2] keeps the choice in localStorage and in the cookie', () => {
    const cookie = jest.spyOn(document, 'cookie', 'set');
    keepLocale('de', buildState('query'));
    expect(localStorage.getItem('i18nextLng')).toBe('de');
    expect(cookie).toHaveBeenCalledWith('i18next=de; Path=/; SameSite=Lax; Max-Age=31536000');
  });

  it("[I18-2] does not take an app's wish for the person's choice", () => {
    keepLocale('de', buildState('ui_locales'));
    expect(localStorage.getItem('i18nextLng')).toBeNull();
    expect(document.cookie).toBe('');
  });

  it.each<LocaleSource>(['header', 'default'])('[I18-2] stores nothing where nobody has chosen (%s)', (source) => {
    keepLocale('en', buildState(source));
    expect([localStorage.getItem('i18nextLng'), document.cookie]).toEqual([null, '']);
  });

  it('[I18-2] an earlier choice in the storage is carried into the cookie', () => {
    localStorage.setItem('i18nextLng', 'de');
    keepLocale('de', buildState('header'));
    expect(document.cookie).toBe('i18next=de');
  });

  it('[I18-2] lives with storage that is forbidden', () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    expect(choosePreferredLocale(buildState('header'))).toBe('en');
    keepLocale('de', buildState('query'));
    expect(document.cookie).toContain('i18next=de');
  });

  it('[I18-3] second reading: reads nothing and keeps nothing', () => {
    localStorage.setItem('i18nextLng', 'de');
    const write = jest.spyOn(Storage.prototype, 'setItem');
    expect(choosePreferredLocale(buildState('header', true))).toBe('en');
    keepLocale('en', buildState('header', true));
    expect(write).not.toHaveBeenCalled();
    expect(document.cookie).toBe('');
  });
});
