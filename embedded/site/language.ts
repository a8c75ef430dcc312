/** The language of an embedded page: the person's choice (a cookie), otherwise the browser's preference. */
import Negotiator from 'negotiator';

export type SiteLanguage = 'de' | 'en';

/** The first language is used for browsers that accept any language. */
const LANGUAGES: readonly SiteLanguage[] = ['en', 'de'];

export function isSiteLanguage(value: unknown): value is SiteLanguage {
  return LANGUAGES.some((language) => language === value);
}

/**
 * @param chosen value of the language cookie
 * @param accepted the `Accept-Language` header (RFC 9110, section 12.5.4)
 */
export function chooseLanguage(chosen: string | undefined, accepted: string | undefined): SiteLanguage {
  if (isSiteLanguage(chosen)) return chosen;
  const headers = { 'accept-language': accepted ?? '' };
  return new Negotiator({ headers }).languages(LANGUAGES).find(isSiteLanguage) ?? 'en';
}
