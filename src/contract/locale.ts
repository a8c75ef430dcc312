/**
 * Languages, for server and browser. The files in `locales` and `LOCALES_DIR` define the languages;
 * `locales/languages.ts` and `src/config/language-files.ts` read them.
 */

/** The language tag (BCP 47) of a language that this installation offers; its file has this name. */
export type Locale = string;

/** The language that defines the keys of the texts (I18-1), and that is shown to people whose languages are not offered. */
export const FALLBACK_LOCALE: Locale = 'en';

/** Where the server found the language. The browser may override only `header` and `default` (I18-2). */
export type LocaleSource = 'query' | 'ui_locales' | 'cookie' | 'header' | 'default';

export type TextDirection = 'ltr' | 'rtl';

/**
 * The limit is longer than any tag has to be (RFC 5646, section 4.4.1). It exists because the time of a search grows with the square of
 * the length.
 */
const MAX_TAG_LENGTH = 64;

/**
 * `fr-CA` finds `fr` (RFC 4647, section 3.4: lookup), and `pt` finds `pt-BR`, because another region is better than
 * another language.
 * @returns undefined if no locale has the language of the tag, or if the tag is too long
 */
export function findNearestLocale(tag: string, offeredLocales: readonly Locale[]): Locale | undefined {
  if (tag.length > MAX_TAG_LENGTH) return undefined;
  const parts = tag.toLowerCase().split('-');
  for (let count = parts.length; count > 0; count -= 1) {
    const range = parts.slice(0, count).join('-');
    const match = offeredLocales.find((locale) => locale.toLowerCase() === range);
    if (match !== undefined) return match;
  }
  return offeredLocales.find((locale) => locale.toLowerCase().split('-')[0] === parts[0]);
}

/**
 * @returns the text in the nearest language, or else in English, or else in any language; undefined if there is no text
 * @param texts from the settings or from a client
 */
export function chooseText(texts: Readonly<Record<Locale, string>> = {}, locale: Locale): string | undefined {
  const languages = Object.keys(texts);
  const nearestLocale = findNearestLocale(locale, languages) ?? findNearestLocale(FALLBACK_LOCALE, languages) ?? languages[0];
  return nearestLocale === undefined ? undefined : texts[nearestLocale];
}
