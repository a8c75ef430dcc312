/** The phrases of every language, for the server and for tests. A browser loads those of one page in one language. */
import { LOCALES } from '../src/contract/locale.js';
import type { Locale } from '../src/contract/locale.js';
import type en from './en.json';

/** By key; the keys of all languages are those of `en`, which a shape test checks. */
export type Phrases = Readonly<Record<keyof typeof en, string>>;

const read: [Locale, Phrases][] = [];
for (const locale of LOCALES) {
  const { default: phrases } = (await import(`./${locale}.json`, { with: { type: 'json' } })) as { default: Phrases };
  read.push([locale, phrases]);
}

export const PHRASES = Object.fromEntries(read) as Readonly<Record<Locale, Phrases>>;
