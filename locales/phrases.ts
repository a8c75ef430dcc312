/** The phrases of every language, for the server and for tests. A browser loads those of one page in one language. */
import { createRequire } from 'node:module';
import { LOCALES } from '../src/contract/locale.js';
import type { Locale } from '../src/contract/locale.js';
import type en from './en.json';

/** By key; the keys of all languages are those of `en`, which a shape test checks. */
export type Phrases = Readonly<Record<keyof typeof en, string>>;

/** Without a top-level await, which would let jest load most modules several times; from `dist/ssr` the address leads here, too. */
const read = createRequire(import.meta.url);

export const PHRASES = Object.fromEntries(
  LOCALES.map((locale) => [locale, read(`../locales/${locale}.json`) as Phrases]),
) as Readonly<Record<Locale, Phrases>>;
