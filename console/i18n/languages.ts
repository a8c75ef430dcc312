/** The languages of the console, and which one an operator gets: the chosen one, that of the account, or that of the browser. */
import { keep, readKept } from '../browser/kept.js';

export const LANGUAGES = ['en', 'de'] as const;
export type ConsoleLanguage = (typeof LANGUAGES)[number];

/** The names in the languages themselves. */
export const LANGUAGE_NAMES: Readonly<Record<ConsoleLanguage, string>> = { en: 'English', de: 'Deutsch' };

/** Language tags with which dates and numbers are formatted. */
export const DATE_TAGS: Readonly<Record<ConsoleLanguage, string>> = { en: 'en-GB', de: 'de-DE' };

/** @param tag a language tag such as `de-AT` */
export function findLanguage(tag: string | null | undefined): ConsoleLanguage | undefined {
  const [primary = ''] = (tag ?? '').toLowerCase().split('-');
  return LANGUAGES.find((language) => language === primary);
}

/** @param ofAccount the language of the operator's account, if it is known */
export function selectLanguage(ofAccount: string | null, ofBrowser: readonly string[]): ConsoleLanguage {
  const candidates = [readKept('language'), ofAccount, ...ofBrowser];
  for (const candidate of candidates) {
    const language = findLanguage(candidate);
    if (language) return language;
  }
  return 'en';
}

export const keepLanguage = (language: ConsoleLanguage): void => keep('language', language);
