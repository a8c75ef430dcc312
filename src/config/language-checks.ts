/**
 * Checks the phrases of a language against the English phrases: keys, variables, tags, and the plural forms of the language. The same
 * checks apply to the files in LOCALES_DIR and to the languages that ship with Foyer.
 */
import { findNearestName } from './nearest-name.js';
import { PHRASES } from '../../locales/phrases.js';
import { ABOUT_LANGUAGE } from '../../locales/languages.js';

type Texts = Readonly<Record<string, unknown>>;

const EN: Readonly<Record<string, string>> = PHRASES.en;
const FORM = /_(zero|one|two|few|many|other)$/;
const ABOUT_KEYS: readonly string[] = Object.values(ABOUT_LANGUAGE);
/** Phrases that only the previous version uses: during a rolling upgrade, both versions read one file. */
export const FORMER_PHRASES: readonly string[] = ['mail.greeting', 'mfa.enrol_text'];
/** The length that every translation may have, because a translation may be several times as long as a short English word. */
const MIN_ALLOWED_LENGTH = 200;
const MAX_RATIO = 3;
/** The largest distance at which an unknown key is taken to be misspelled. */
const MAX_MISTYPED_DISTANCE = 2;
const MAX_KEY_LENGTH = 60;

const STEMS = Object.keys(EN).flatMap((key) =>
  key.endsWith('_other') && EN[key.replace(FORM, '_one')] !== undefined ? [key.replace(FORM, '')] : [],
);

/** @returns what is wrong with a language tag as the name of a file */
export function findLocaleFault(locale: string): string | undefined {
  const fault = (text: string): string => `the name of the file is ${text}; it must be a language tag such as fr or pt-BR`;
  try {
    const [canonical] = Intl.getCanonicalLocales(locale);
    if (canonical !== locale) return fault(`not the canonical form of the language tag (BCP 47), ${canonical}`);
  } catch {
    return fault('not a language tag (BCP 47)');
  }
  return Intl.PluralRules.supportedLocalesOf(locale).length > 0
    ? undefined
    : fault('the tag of a language whose plural forms Node.js does not support');
}

/** Lists the keys that a language must have. */
export function toKeys(locale: string): string[] {
  const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
  const pluralKeys = new Set(STEMS.flatMap((stem) => [`${stem}_one`, `${stem}_other`]));
  const singleKeys = Object.keys(EN).filter((key) => !pluralKeys.has(key) && !ABOUT_KEYS.includes(key));
  return [...singleKeys, ...STEMS.flatMap((stem) => forms.map((form) => `${stem}_${form}`))];
}

export interface PhraseCheckResult {
  /** Each fault begins with the key. */
  faults: string[];
  /** Keys that are absent with all their plural forms, such as the keys of a new version; the English phrases replace them. */
  missingKeys: string[];
}

/**
 * @param phrases the phrases of a file
 * @param completePhrases these phrases, and the phrases that ship for this language
 */
export function checkPhrases(locale: string, phrases: Texts, completePhrases: Texts): PhraseCheckResult {
  const keys = toKeys(locale);
  const absentKeys = keys.filter((key) => completePhrases[key] === undefined);
  const presentStems = new Set(keys.filter((key) => completePhrases[key] !== undefined).flatMap((key) => toStem(key) ?? []));
  // A file with less than half of the phrases is not a translation, so each absent phrase is a fault.
  const isTranslation = absentKeys.length * 2 <= keys.length;
  const missingKeys = isTranslation ? absentKeys.filter((key) => !presentStems.has(toStem(key) ?? '')) : [];
  return {
    faults: [
      ...Object.entries(phrases).flatMap(([key, text]) => findFaults(locale, key, text).map((fault) => `${key}: ${fault}`)),
      ...absentKeys
        .filter((key) => !missingKeys.includes(key))
        .map((key) => `${key}: is missing${toStem(key) === undefined ? '' : `; the language ${locale} has this plural form`}`),
    ],
    missingKeys,
  };
}

/** @returns the English phrases for these keys */
export function toEnglish(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, toSource(key) ?? '']));
}

function findFaults(locale: string, key: string, text: unknown): string[] {
  if (typeof text !== 'string') return ['is not a string'];
  if (text.trim() === '') return ['is empty'];
  if (/[\p{Cc}\u2028-\u202e]/u.test(text)) return ['contains control characters'];
  if (ABOUT_KEYS.includes(key)) return findAboutFaults(locale, key, text);
  if (FORMER_PHRASES.includes(key)) return [];
  const source = toSource(key);
  return source === undefined ? [`is not a key of this version${suggestKey(key)}`] : compareWithEnglish(source, key, text);
}

function suggestKey(key: string): string {
  if (key.length > MAX_KEY_LENGTH) return '';
  const { nearestName, distance } = findNearestName(key, Object.keys(EN));
  return distance <= MAX_MISTYPED_DISTANCE ? `; did you mean ${nearestName}?` : '';
}

/** Finds the English phrase for a comparison; plural forms that English does not have are compared with `_other`. */
function toSource(key: string): string | undefined {
  if (Object.hasOwn(EN, key)) return EN[key];
  const stem = toStem(key);
  return stem === undefined ? undefined : EN[`${stem}_other`];
}

/** @returns the key of a plural without its ending, or undefined for other keys */
function toStem(key: string): string | undefined {
  const stem = key.replace(FORM, '');
  return stem !== key && STEMS.includes(stem) ? stem : undefined;
}

function findAboutFaults(locale: string, key: string, text: string): string[] {
  if (key === ABOUT_LANGUAGE.name) {
    if (text.length > 40) return ['is longer than 40 characters'];
    return text === EN[key] && !/^en\b/.test(locale) ? ['is the name of another language'] : [];
  }
  try {
    const isSameLanguage = new Intl.Locale(text).language === new Intl.Locale(locale).language;
    return isSameLanguage && Intl.DateTimeFormat.supportedLocalesOf(text).length > 0
      ? []
      : ['is not a language tag for dates in this language'];
  } catch {
    return ['is not a language tag (BCP 47)'];
  }
}

function compareWithEnglish(source: string, key: string, text: string): string[] {
  const maxLength = Math.max(MIN_ALLOWED_LENGTH, source.length * MAX_RATIO);
  return [
    ...findVariableFaults(source, key, text),
    ...findTagFaults(source, text),
    ...(text.includes('$t(') ? ['refers to another phrase with $t(…)'] : []),
    ...(text.length > maxLength ? [`is longer than ${maxLength} characters`] : []),
  ];
}

const VARIABLE = /\{\{[^}]*\}\}/g;
const TAG = /<\/?\w+\/?>/g;

function findVariableFaults(source: string, key: string, text: string): string[] {
  const [sourceNames, textNames] = [findVariables(source), findVariables(text)];
  // Some plural forms spell out their number: "in one day", "in two days".
  const optionalName = /_(zero|one|two)$/.test(key) ? '{{count}}' : '';
  const allowedNames = FORM.test(key) ? [...sourceNames, '{{count}}'] : sourceNames;
  return [
    ...sourceNames.filter((name) => !textNames.includes(name) && name !== optionalName).map((name) => `lacks ${name}`),
    ...textNames
      .filter((name) => !allowedNames.includes(name))
      .map((name) => `has ${name}, which the English phrase does not have`),
    ...(/\{\{|\}\}/.test(text.replaceAll(VARIABLE, '')) ? ['has braces that do not match'] : []),
  ];
}

function findVariables(text: string): string[] {
  return [...new Set(text.match(VARIABLE))];
}

/** Finds tags (`<way>…</way>`, `<client/>`) that occur more or less often than in English, or are not closed. */
function findTagFaults(source: string, text: string): string[] {
  const sourceTags = source.match(TAG) ?? [];
  const textTags = text.match(TAG) ?? [];
  const faults = [
    ...subtract(sourceTags, textTags).map((tag) => `lacks ${tag}`),
    ...subtract(textTags, sourceTags).map((tag) => `has ${tag}, which the English phrase does not have`),
  ];
  if (faults.length > 0) return faults;
  const rest = text.replaceAll(/<\w+\/>/g, '').replaceAll(/<(\w+)>[^<]*<\/\1>/g, '');
  return sourceTags.length > 0 && rest.includes('<') ? ['has tags that are not closed'] : [];
}

/** @returns the tags that occur more often in `tags` than in `subtractedTags` */
function subtract(tags: readonly string[], subtractedTags: readonly string[]): string[] {
  const remainingTags = [...subtractedTags];
  return tags.filter((tag) => {
    const index = remainingTags.indexOf(tag);
    if (index >= 0) remainingTags.splice(index, 1);
    return index < 0;
  });
}
