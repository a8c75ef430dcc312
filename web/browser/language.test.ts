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

function buildState(source: LocaleSource, hasLanguageLinks = true): PageState {
  const state = FIXTURES[0]!.state('en');
  const { language_links: _links, ...app } = state.app;
  return { ...state, locale_source: source, app: hasLanguageLinks ? state.app : app };
}

describe('the language that the browser shows', () => {
  it.each<LocaleSource>(['header', 'default'])(
    '[I18-2] is an earlier choice, which has priority over the source "%s"',
    (source) => {
      localStorage.setItem('i18nextLng', 'de');
      expect(choosePreferredLocale(buildState(source))).toBe('de');
    },
  );

  it.each<LocaleSource>(['query', 'ui_locales', 'cookie'])(
    '[I18-2] comes from the source "%s", which has priority over an earlier choice',
    (source) => {
      localStorage.setItem('i18nextLng', 'de');
      expect(choosePreferredLocale(buildState(source))).toBe('en');
    },
  );

  it('[I18-2] is read from localStorage before sessionStorage', () => {
    sessionStorage.setItem('i18nextLng', 'de');
    expect(choosePreferredLocale(buildState('header'))).toBe('de');
    localStorage.setItem('i18nextLng', 'en-GB');
    expect(choosePreferredLocale(buildState('header'))).toBe('en');
  });

  it.each(['fr', '', '__proto__', 'x'.repeat(10_000)])(
    '[I18-2] is never a stored language that is not offered (%#)',
    (storedLanguage) => {
      localStorage.setItem('i18nextLng', storedLanguage);
      expect(choosePreferredLocale(buildState('header'))).toBe('en');
    },
  );

  it('[I18-2] is stored in localStorage and in the cookie after a choice', () => {
    const cookie = jest.spyOn(document, 'cookie', 'set');
    keepLocale('de', buildState('query'));
    expect(localStorage.getItem('i18nextLng')).toBe('de');
    expect(cookie).toHaveBeenCalledWith('i18next=de; Path=/; SameSite=Lax; Max-Age=31536000');
  });

  it('[I18-2] is not stored if the app has requested it', () => {
    keepLocale('de', buildState('ui_locales'));
    expect(localStorage.getItem('i18nextLng')).toBeNull();
    expect(document.cookie).toBe('');
  });

  it.each<LocaleSource>(['header', 'default'])('[I18-2] is not stored if nobody has chosen it (%s)', (source) => {
    keepLocale('en', buildState(source));
    expect([localStorage.getItem('i18nextLng'), document.cookie]).toEqual([null, '']);
  });

  it('[I18-2] is copied from the storage into the cookie', () => {
    localStorage.setItem('i18nextLng', 'de');
    keepLocale('de', buildState('header'));
    expect(document.cookie).toBe('i18next=de');
  });

  it('[I18-2] is stored in the cookie if the browser has disabled storage', () => {
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

  it('[I18-3] is neither read nor stored if the installation has no language links', () => {
    localStorage.setItem('i18nextLng', 'de');
    const write = jest.spyOn(Storage.prototype, 'setItem');
    expect(choosePreferredLocale(buildState('header', false))).toBe('en');
    keepLocale('en', buildState('header', false));
    expect(write).not.toHaveBeenCalled();
    expect(document.cookie).toBe('');
  });
});
