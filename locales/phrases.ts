/** The phrases of the languages that ship, for the server and for tests. A browser loads those of one page in one language. */
import { readFileSync, readdirSync } from 'node:fs';
import type en from './en.json';

export type PhraseKey = keyof typeof en;

/** By key; those of `en`, and the plural forms that a language has beside them. */
export type Phrases = Readonly<Record<PhraseKey, string>> & Readonly<Record<string, string>>;

const FOLDER = new URL('.', import.meta.url);
const LANGUAGE_FILE = /^([A-Za-z\d-]+)\.json$/;

const locales = readdirSync(FOLDER).flatMap((name) => LANGUAGE_FILE.exec(name)?.[1] ?? []);

/** By language tag. Each file is tested (`test/shape/locales.test.ts`). */
export const PHRASES = Object.fromEntries(
  locales.sort().map((locale) => [locale, JSON.parse(readFileSync(new URL(`${locale}.json`, FOLDER), 'utf8')) as Phrases]),
) as Readonly<Record<string, Phrases>> & { readonly en: Phrases };
