/** Language detection on the server (I18-2, I18-3): query, the request's ui_locales, cookie, Accept-Language. */
import Negotiator from 'negotiator';
import type { Locale, LocaleSource } from '../../contract/locale.js';
import type { Config } from '../../config/config.js';

const MAX_HEADER_LENGTH = 1000;

export interface LanguageHints {
  query: string | null;
  uiLocales: readonly string[];
  cookie: string | null;
  accept: string;
}

export interface DetectedLanguage {
  locale: Locale;
  source: LocaleSource;
}

export function detectLanguage(hints: LanguageHints, { detection, offered }: Config['language']): DetectedLanguage {
  const candidates: { source: LocaleSource; tags: readonly string[] }[] = [
    { source: 'query', tags: hints.query === null ? [] : [hints.query] },
    { source: 'ui_locales', tags: hints.uiLocales },
    { source: 'cookie', tags: hints.cookie === null ? [] : [hints.cookie] },
    { source: 'header', tags: readAcceptedTags(hints.accept) },
  ];
  const usedCandidates = detection === 'browser' ? candidates.filter(({ source }) => source === 'header') : candidates;
  for (const { source, tags } of usedCandidates) {
    const locale = tags.map((tag) => offered.findNearest(tag)).find((nearest) => nearest !== undefined);
    if (locale !== undefined) return { locale, source };
  }
  return { locale: offered.fallback, source: 'default' };
}

/** @returns undefined if no hint names an offered language */
export function findNamedLanguage(hints: LanguageHints, settings: Config['language']): Locale | undefined {
  const { locale, source } = detectLanguage(hints, settings);
  return source === 'default' ? undefined : locale;
}

/** Tags of Accept-Language (RFC 9110, section 12.5.4), most preferred first; tags with q=0 are excluded. */
function readAcceptedTags(header: string): string[] {
  return new Negotiator({ headers: { 'accept-language': header.slice(0, MAX_HEADER_LENGTH) } }).languages();
}
