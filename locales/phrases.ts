/** The phrases of the languages that ship, for the server and for tests. A browser loads only the phrases of one page in one language. */
import { readFileSync, readdirSync } from 'node:fs';
import type en from './en.json';

export type PhraseKey = keyof typeof en;

/** Phrases by key: the keys of `en`, and the additional plural forms of a language. */
export type Phrases = Readonly<Record<PhraseKey, string>> & Readonly<Record<string, string>>;

const FOLDER = new URL('.', import.meta.url);
const LANGUAGE_FILE = /^([A-Za-z\d-]+)\.json$/;

const locales = readdirSync(FOLDER).flatMap((name) => LANGUAGE_FILE.exec(name)?.[1] ?? []);

/** The phrases by language tag. Not validated here, because `test/shape/locales.test.ts` tests each file. */
export const PHRASES = Object.fromEntries(
  locales.sort().map((locale) => [locale, JSON.parse(readFileSync(new URL(`${locale}.json`, FOLDER), 'utf8')) as Phrases]),
) as Readonly<Record<string, Phrases>> & { readonly en: Phrases };
