/**
 * The part of language detection that runs in the browser (I18-2). The server has checked the query, `ui_locales`, the
 * cookie and Accept-Language; a choice in the storage of the browser has priority over Accept-Language. If the installation has no
 * language links, it uses Accept-Language alone, and nothing is read or stored (I18-3).
 */
import { findNearestLocale, type Locale, type LocaleSource } from '../../src/contract/locale.js';
import { LANGUAGE_KEYS } from '../../src/contract/form-fields.js';
import type { PageState } from '../../src/contract/page-state.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The sources over which a stored choice has priority. */
const WEAK_SOURCES: readonly LocaleSource[] = ['header', 'default'];

export function choosePreferredLocale({ locale, locale_source: source, app }: PageState): Locale {
  if (!app.language_links || !WEAK_SOURCES.includes(source)) return locale;
  return findStoredLocale(app.language_links) ?? locale;
}

function findStoredLocale(links: readonly { locale: Locale }[]): Locale | null {
  const locales = links.map((link) => link.locale);
  return readStoredLocale(() => localStorage, locales) ?? readStoredLocale(() => sessionStorage, locales);
}

/**
 * Stores the language that the person has chosen. The browser's language and `ui_locales`, which is valid for one request, are not a
 * choice.
 */
export function keepLocale(locale: Locale, { locale_source: source, app }: PageState): void {
  if (!app.language_links || source === 'ui_locales') return;
  if (WEAK_SOURCES.includes(source) && findStoredLocale(app.language_links) === null) return;
  tryAccess(() => localStorage.setItem(LANGUAGE_KEYS.storage, locale));
  const secureAttribute = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_KEYS.cookie}=${locale}; Path=/; SameSite=Lax; Max-Age=${ONE_YEAR_SECONDS}${secureAttribute}`;
}

function readStoredLocale(storage: () => Storage, offeredLocales: readonly Locale[]): Locale | null {
  const value = tryAccess(() => storage().getItem(LANGUAGE_KEYS.storage));
  return (value && findNearestLocale(value, offeredLocales)) || null;
}

/** @returns null if the browser has disabled storage, which makes the access throw */
function tryAccess<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
