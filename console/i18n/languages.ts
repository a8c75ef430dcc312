/** The languages of the console, and the selection for an operator: the chosen language, or else that of the account or the browser. */
import { readPreference, storePreference } from '../browser/preferences.js';

export const LANGUAGES = ['en', 'de'] as const;
export type ConsoleLanguage = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<ConsoleLanguage, string>> = { en: 'English', de: 'Deutsch' };

/** Language tags with which dates and numbers are formatted. */
export const DATE_TAGS: Readonly<Record<ConsoleLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

/** @param tag a language tag such as `de-AT` */
export function findLanguage(tag: string | null | undefined): ConsoleLanguage | undefined {
  const [primarySubtag = ''] = (tag ?? '').toLowerCase().split('-');
  return LANGUAGES.find((language) => language === primarySubtag);
}

/** @param accountLanguage the language of the operator's account, if it is known */
export function selectLanguage(accountLanguage: string | null, browserLanguages: readonly string[]): ConsoleLanguage {
  const candidates = [readPreference('language'), accountLanguage, ...browserLanguages];
  for (const candidate of candidates) {
    const language = findLanguage(candidate);
    if (language) return language;
  }
  return 'en';
}

export const storeLanguage = (language: ConsoleLanguage): void => storePreference('language', language);
