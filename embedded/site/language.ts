/** The language of an embedded page: the language that a cookie or the request names, otherwise the browser's preference. */
import Negotiator from 'negotiator';

export type SiteLanguage = 'de' | 'en';

/** The first language is used for browsers that accept any language. */
const LANGUAGES: readonly SiteLanguage[] = ['en', 'de'];

export function isSiteLanguage(value: unknown): value is SiteLanguage {
  return LANGUAGES.some((language) => language === value);
}

/**
 * @param chosenLanguage for example from a cookie, `ui_locales` or a registration ticket; other languages than `en` and `de` are ignored
 * @param acceptLanguage the `Accept-Language` header (RFC 9110, section 12.5.4)
 */
export function chooseLanguage(chosenLanguage: string | undefined, acceptLanguage: string | undefined): SiteLanguage {
  if (isSiteLanguage(chosenLanguage)) return chosenLanguage;
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return new Negotiator({ headers }).languages(LANGUAGES).find(isSiteLanguage) ?? 'en';
}
