/** The phrases of every shipped locale at once: for the server, which speaks them all, and for tests. */
import { createInstance } from 'i18next';
import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import type { Locale } from '../../src/contract/locale.js';
import { LOCALES } from '../../src/contract/locale.js';
import { PHRASE_OPTIONS, phrasesOf } from './phrases.js';
import type { Phrases } from './phrases.js';

/** One instance of i18next for each locale, and none ever changes its language. */
const BUILT_IN = new Map<Locale, Phrases>(LOCALES.map((locale) => [locale, phrasesOf(instance(locale), locale)]));

export function builtInPhrases(locale: Locale): Phrases {
  const phrases = BUILT_IN.get(locale);
  if (!phrases) throw new Error(`There is no locale ${locale}.`);
  return phrases;
}

function instance(locale: Locale) {
  const i18n = createInstance();
  const resources = { de: { translation: de }, en: { translation: en } };
  void i18n.init({ ...PHRASE_OPTIONS, lng: locale, resources });
  return i18n;
}
