/**
 * The one place that talks to i18next: its options and the small reader that pages use. Pages never see i18next, so a
 * key outside the locales cannot be asked for.
 */
import type { InitOptions, i18n as I18n } from 'i18next';
import { FALLBACK_LOCALE, LOCALES } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';
import { parsePhrase, placeholders, plainText } from './parse-phrase.js';
import type { Part } from './parse-phrase.js';
import type { MessageKey, Phrase, Values } from './phrase.js';

/** I18-4. The backend's limits are read by i18next's connector from the same object. */
export const PHRASE_OPTIONS = {
  supportedLngs: [...LOCALES],
  fallbackLng: FALLBACK_LOCALE,
  load: 'currentOnly',
  // Keys are flat: a dot or a colon in one is part of its name.
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  // React escapes. The values do not even pass through i18next, see parse-phrase.
  interpolation: { escapeValue: false },
  maxParallelReads: 10,
  maxRetries: 5,
  retryTimeout: 350,
} satisfies InitOptions;

export interface Phrases {
  locale: Locale;
  text(phrase: MessageKey | Phrase): string;
  parts(phrase: Phrase): Part[];
}

/** A reader of the instance's phrases in one language. */
export function phrasesOf(i18n: I18n, locale: Locale): Phrases {
  const translate = i18n.getFixedT(locale);
  const read = (key: MessageKey, values: Values) => parsePhrase(translate(key, placeholders(values)), values);
  // Most phrases hold no value: read once, they are the same for everybody. There are as many as keys.
  const fixed = new Map<MessageKey, Part[]>();
  const parts = ({ key, values }: Phrase) => {
    if (values) return read(key, values);
    const known = fixed.get(key) ?? read(key, {});
    fixed.set(key, known);
    return known;
  };
  return {
    locale,
    parts,
    text: (phrase) => plainText(parts(typeof phrase === 'string' ? { key: phrase } : phrase)),
  };
}
