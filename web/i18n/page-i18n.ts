/**
 * Creates i18next instances, each with the phrases of one language, for the server and for tests. Requests share an instance, so its
 * language must not change.
 */
import { createInstance, type i18n as I18n } from 'i18next';
import type { Locale } from '../../src/contract/locale.js';
import { I18N_OPTIONS } from './options.js';

/** The phrases of all keys in one language. */
export interface Texts {
  locale: Locale;
  phrases: Readonly<Record<string, string>>;
}

export function createPageI18n({ locale, phrases }: Texts): I18n {
  const i18n = createInstance();
  void i18n.init({ ...I18N_OPTIONS, lng: locale, resources: { [locale]: { translation: phrases } } });
  return i18n;
}
