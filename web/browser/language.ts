/**
 * The browser's share of language detection (I18-2). The server has looked at the query, the app's wish, the cookie and
 * Accept-Language; what a person chose earlier and only the browser remembers stands before the last of these.
 * Without language links the installation follows the browser alone, and nothing is read or kept (I18-3).
 */
import { isLocale } from '../../src/contract/locale.js';
import type { Locale, LocaleSource } from '../../src/contract/locale.js';
import { LANGUAGE_KEYS } from '../../src/contract/form-fields.js';
import type { PageState } from '../../src/contract/page-state.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** What the server found in these places gives way to what the browser remembers. */
const WEAK_SOURCES: readonly LocaleSource[] = ['header', 'default'];

export function preferredLocale({ locale, locale_source: source, app }: PageState): Locale {
  if (!app.language_links || !WEAK_SOURCES.includes(source)) return locale;
  return remembered(() => localStorage) ?? remembered(() => sessionStorage) ?? locale;
}

/** An app's wish (`ui_locales`) holds for its own request; it is not the person's choice, so it is not kept. */
export function keepLocale(locale: Locale, { locale_source: source, app }: PageState): void {
  if (!app.language_links || source === 'ui_locales') return;
  quietly(() => localStorage.setItem(LANGUAGE_KEYS.storage, locale));
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_KEYS.cookie}=${locale}; Path=/; SameSite=Lax; Max-Age=${ONE_YEAR_SECONDS}${secure}`;
}

function remembered(storage: () => Storage): Locale | null {
  const value = quietly(() => storage().getItem(LANGUAGE_KEYS.storage));
  const language = value?.split('-')[0];
  return isLocale(language) ? language : null;
}

/** Storage throws where a person has forbidden it. */
function quietly<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
