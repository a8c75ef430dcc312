/** The languages of the product. `en` is the source of keys and the fallback (I18-1). */
export const LOCALES = ['de', 'en'] as const;

export type Locale = (typeof LOCALES)[number];

export const FALLBACK_LOCALE: Locale = 'en';

/** Where the server found the language. The browser may override only `header` and `default` (I18-2). */
export type LocaleSource = 'query' | 'ui_locales' | 'cookie' | 'header' | 'default';

export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}
