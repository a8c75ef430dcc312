/** i18next with the phrases of every locale, for the server and for tests. */
import { createInstance } from 'i18next';
import type { i18n as I18n } from 'i18next';
import { PHRASES } from '../../locales/phrases.js';
import type { Locale } from '../../src/contract/locale.js';
import { LOCALES } from '../../src/contract/locale.js';
import { I18N_OPTIONS } from './options.js';

const RESOURCES = Object.fromEntries(LOCALES.map((locale) => [locale, { translation: PHRASES[locale] }]));

/** One instance for each locale. Requests share them, so their language must not change. */
const BUILT_IN = new Map<Locale, I18n>(LOCALES.map((locale) => [locale, instance(locale)]));

export function builtInI18n(locale: Locale): I18n {
  const i18n = BUILT_IN.get(locale);
  if (!i18n) throw new Error(`There is no locale ${locale}.`);
  return i18n;
}

function instance(locale: Locale): I18n {
  const i18n = createInstance();
  void i18n.init({ ...I18N_OPTIONS, lng: locale, resources: RESOURCES });
  return i18n;
}
