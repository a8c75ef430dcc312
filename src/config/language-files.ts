/**
 * Reads the languages of an installation from LOCALES_DIR. A file such as `pt-BR.json` adds a language, or replaces phrases of a language
 * that ships with Foyer. The faults of all files are reported together; `language-checks.ts` checks the phrases. English phrases replace
 * missing ones.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PHRASES, type Phrases } from '../../locales/phrases.js';
import type { Locale } from '../contract/locale.js';
import { findJsonFault } from './json-fault.js';
import { checkPhrases, toEnglish, findLocaleFault } from './language-checks.js';
import { ABOUT_LANGUAGE, Languages, SHIPPED, toLanguage } from '../../locales/languages.js';
import { SETTINGS } from './settings.js';
import { isObject } from './settings-kinds.js';
import { toCode } from './system-error.js';

const MAX_FAULTS_OF_A_FILE = 50;
const EXAMPLE_KEYS = 3;

export interface LanguageSettings {
  /** Tags of the languages that ship, or `all`. */
  offered: readonly string[];
  directory?: string;
}

export interface LanguagesReading {
  languages: Languages;
  /** Each fault begins with the name of its setting and a colon. */
  faults: string[];
  /** Files without faults that lack phrases. */
  incompleteFiles: IncompleteFile[];
}

export interface IncompleteFile {
  locale: Locale;
  /** The keys that the file lacks. */
  missingKeys: string[];
}

/** The phrases and the faults of one file. */
interface LanguageFile extends IncompleteFile {
  phrases: Phrases;
  faults: string[];
}

/** Reads the languages that the settings offer. A file with a fault is ignored. */
export function readLanguages({ offered: tags, directory }: LanguageSettings): LanguagesReading {
  const { files, fault } = directory === undefined ? { files: [] } : readFolder(directory);
  const validFiles = files.filter(({ faults }) => faults.length === 0);
  const ownPhrases = new Map(validFiles.map(({ locale, phrases }) => [locale, phrases]));
  const addedLocales = [...ownPhrases.keys()].filter((locale) => !SHIPPED.find(locale));
  // A list that consists of commas is set, but empty; files alone can determine the languages then.
  const isEmpty = tags.length === 0 && addedLocales.length === 0;
  const listedLocales = isEmpty ? SETTINGS.language.offered.fallback : tags;
  const requestedLocales = tags.includes('all') ? SHIPPED.locales : listedLocales;
  const unknownLocales = requestedLocales.filter(
    (locale) => !SHIPPED.find(locale) && !files.some((file) => file.locale === locale),
  );
  const languages = [...new Set([...requestedLocales, ...addedLocales])].flatMap((locale) => {
    const phrases = ownPhrases.get(locale);
    return phrases ? [toLanguage(locale, phrases)] : (SHIPPED.find(locale) ?? []);
  });
  return {
    languages: languages.length > 0 ? new Languages(languages) : SHIPPED,
    faults: [
      ...unknownLocales.map(
        (locale) => `LANGUAGES: there is no language ${JSON.stringify(locale)}; Foyer ships with ${SHIPPED.locales.join(', ')}`,
      ),
      ...(fault === undefined ? [] : [`LOCALES_DIR: ${fault}`]),
      ...files.flatMap((file) => limitFaults(file).map((each) => `LOCALES_DIR: ${file.locale}.json: ${each}`)),
    ],
    incompleteFiles: validFiles.filter(({ missingKeys }) => missingKeys.length > 0),
  };
}

/** @returns warnings, each of which begins with the name of its setting and a colon */
export function toMissingWarnings(incompleteFiles: readonly IncompleteFile[]): string[] {
  return incompleteFiles.map(({ locale, missingKeys }) => {
    const examples = missingKeys.slice(0, EXAMPLE_KEYS).join(', ');
    const phrases = missingKeys.length === 1 ? '1 missing phrase is' : `${missingKeys.length} missing phrases are`;
    return `LOCALES_DIR: ${locale}.json: ${phrases} shown in English, ${missingKeys.length > EXAMPLE_KEYS ? 'such as' : 'namely'} ${examples}`;
  });
}

function limitFaults({ faults }: LanguageFile): string[] {
  const firstFaults = faults.slice(0, MAX_FAULTS_OF_A_FILE);
  return faults.length > firstFaults.length ? [...firstFaults, `and ${faults.length - firstFaults.length} more`] : firstFaults;
}

function readFolder(folder: string): { files: LanguageFile[]; fault?: string } {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch (error) {
    return { files: [], fault: `the directory ${JSON.stringify(folder)} cannot be read (${toCode(error) ?? 'unknown reason'})` };
  }
  return { files: names.sort().map((name) => readLanguageFile(join(folder, name), name.slice(0, -'.json'.length))) };
}

/** @param locale the name of the file, without `.json` */
function readLanguageFile(path: string, locale: string): LanguageFile {
  const toBrokenFile = (fault: string): LanguageFile => ({ locale, phrases: {} as Phrases, faults: [fault], missingKeys: [] });
  const nameFault = findLocaleFault(locale);
  if (nameFault !== undefined) return toBrokenFile(nameFault);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return toBrokenFile(`cannot be read (${toCode(error) ?? 'unknown reason'})`);
  }
  const phrases = parsePhrases(text.replace(/^\uFEFF/, ''));
  if (typeof phrases === 'string') return toBrokenFile(phrases);
  const completePhrases = { ...inheritPhrases(locale), ...phrases };
  const { faults, missingKeys } = checkPhrases(locale, phrases, completePhrases);
  return { locale, phrases: { ...completePhrases, ...toEnglish(missingKeys) } as Phrases, faults, missingKeys };
}

/** @returns the phrases that ship for `de` or `pt`, which complete a file such as `de`, `de-AT` or `pt-BR` */
function inheritPhrases(locale: Locale): Readonly<Record<string, string>> {
  const parent = SHIPPED.locales.find((shipped) => locale === shipped || locale.startsWith(`${shipped}-`));
  const phrases = Object.entries(parent === undefined ? {} : (PHRASES[parent] ?? {}));
  // The name and the date format of the language are not inherited.
  const languageKeys: readonly string[] = parent === locale ? [] : Object.values(ABOUT_LANGUAGE);
  return Object.fromEntries(phrases.filter(([key]) => !languageKeys.includes(key)));
}

/** @returns the phrases by key, or what is wrong with the text */
function parsePhrases(text: string): Record<string, unknown> | string {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : 'is not a JSON object of phrases by key';
  } catch (error) {
    const { position, what } = findJsonFault(text, error);
    return `is not JSON: ${position}: ${what}`;
  }
}
