/**
 * The part of language detection that runs in the browser (I18-2). The server has checked the query, `ui_locales`, the
 * cookie and Accept-Language; a choice in the storage of the browser has priority over Accept-Language. Without language
 * links the installation uses Accept-Language alone, and nothing is read or stored (I18-3).
 */
import { nearestLocale, type Locale, type LocaleSource } from '../../src/contract/locale.js';
import { LANGUAGE_KEYS } from '../../src/contract/form-fields.js';
import type { PageState } from '../../src/contract/page-state.js';

const ONE_YEAR_SECONDS = 365 * 24 * 60 * 60;

/** A stored choice has priority over these. */
const WEAK_SOURCES: readonly LocaleSource[] = ['header', 'default'];

export function preferredLocale({ locale, locale_source: source, app }: PageState): Locale {
  if (!app.language_links || !WEAK_SOURCES.includes(source)) return locale;
  return chosenEarlier(app.language_links) ?? locale;
}

function chosenEarlier(links: readonly { locale: Locale }[]): Locale | null {
  const offered = links.map((link) => link.locale);
  return remembered(() => localStorage, offered) ?? remembered(() => sessionStorage, offered);
}

/** Stores what the person has chosen, which the language of the browser and `ui_locales`, valid for one request, are not. */
export function keepLocale(locale: Locale, { locale_source: source, app }: PageState): void {
  if (!app.language_links || source === 'ui_locales') return;
  if (WEAK_SOURCES.includes(source) && chosenEarlier(app.language_links) === null) return;
  quietly(() => localStorage.setItem(LANGUAGE_KEYS.storage, locale));
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${LANGUAGE_KEYS.cookie}=${locale}; Path=/; SameSite=Lax; Max-Age=${ONE_YEAR_SECONDS}${secure}`;
}

function remembered(storage: () => Storage, offered: readonly Locale[]): Locale | null {
  const value = quietly(() => storage().getItem(LANGUAGE_KEYS.storage));
  return (value && nearestLocale(value, offered)) || null;
}

/** Access to storage throws if it is disabled in the browser. */
function quietly<T>(access: () => T): T | null {
  try {
    return access();
  } catch {
    return null;
  }
}
