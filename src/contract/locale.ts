/**
 * The languages that ship with the product. A language is a row here and `locales/{code}.json`; everything else follows from
 * the two.
 */
export const LANGUAGES = {
  de: { name: 'Deutsch', dates: 'de-DE' },
  en: { name: 'English', dates: 'en-GB' },
} as const satisfies Record<string, Language>;

interface Language {
  /** In the language itself. */
  name: string;
  /** The language tag (BCP 47) whose forms of dates are used. */
  dates: string;
}

export type Locale = keyof typeof LANGUAGES;

export const LOCALES = Object.keys(LANGUAGES) as readonly Locale[];

/** The source of keys, and the fallback (I18-1). */
export const FALLBACK_LOCALE: Locale = 'en';

/** Where the server found the language. The browser may override only `header` and `default` (I18-2). */
export type LocaleSource = 'query' | 'ui_locales' | 'cookie' | 'header' | 'default';

export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

/** Another language is better than none. @param texts of the installation */
export function inLanguage(texts: Partial<Record<Locale, string>> = {}, locale: Locale): string | undefined {
  return [locale, FALLBACK_LOCALE, ...LOCALES].map((language) => texts[language]).find((text) => text !== undefined);
}
