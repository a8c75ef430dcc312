/** Loads the phrases of one language at a time, and provides every component with the function that translates. */
import i18next, { type i18n, type ParseKeys } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { DATE_TAGS, findLanguage, type ConsoleLanguage } from './languages.js';

/** The key of a phrase. */
export type PhraseKey = ParseKeys;

const FILES: Readonly<Record<ConsoleLanguage, () => Promise<{ default: object }>>> = {
  en: () => import('../../locales/console/en.json'),
  de: () => import('../../locales/console/de.json'),
};

const OPTIONS = {
  // Every language has all phrases (`console/i18n/phrases.test.ts`).
  fallbackLng: false,
  load: 'currentOnly',
  keySeparator: false,
  nsSeparator: false,
  // React escapes values. A value that looks like a variable or a nested key stays text.
  interpolation: { escapeValue: false, skipOnVariables: true },
  react: { useSuspense: false },
} as const;

export async function startPhrases(language: ConsoleLanguage): Promise<i18n> {
  await i18next.use(initReactI18next).init({ ...OPTIONS, lng: language, resources: {} });
  await showLanguage(language);
  return i18next;
}

export async function showLanguage(language: ConsoleLanguage): Promise<void> {
  const { default: phrases } = await FILES[language]();
  i18next.addResourceBundle(language, 'translation', phrases);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** @param language a language of i18next @returns the tag with which dates and numbers are formatted */
export const toDateTag = (language: string): string => DATE_TAGS[findLanguage(language) ?? 'en'];
