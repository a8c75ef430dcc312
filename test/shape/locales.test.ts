/** A language is one file, the locales hold the same phrases, all of them are used, and each page can say what it has to say. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PHRASES as LISTED } from '../../locales/phrases.js';
import { LANGUAGES, LOCALES } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';
import { PAGE_NAMES } from '../../src/contract/paths.js';
import { PAGE_SECTIONS, phrasesForPage } from '../../web/i18n/page-sections.js';

type Phrases = Record<string, string>;

const PHRASES: Readonly<Record<Locale, Phrases>> = LISTED;
const EN = PHRASES.en;
const KEYS = Object.keys(EN);
const STEMS = KEYS.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -'_one'.length));

/** Files that name a language and do not have to name the next one. */
const NAMING_A_LANGUAGE = [
  'src/contract/locale.ts',
  // The links of the footer are settings, each in German and in English (GEN-5); other languages get one of the two.
  'src/config/load-config.ts',
  'src/gateway/page/page-composer.ts',
  'web/ui/footer.tsx',
  // The example of CONSENT_SCOPES, and a sample of it.
  'src/config/settings.ts',
  'web/fixtures/consent.ts',
  // Written by `npm run openapi`.
  'src/operator/client/operator-api.ts',
];

/** Beyond `_one` and `_other`, the forms that the plural of whole numbers has in a language: `few` and `many` in Polish. */
function furtherForms(locale: Locale): string[] {
  const rules = new Intl.PluralRules(locale);
  const forms = new Set(Array.from({ length: 1000 }, (_, count) => rules.select(count)));
  return [...forms].filter((form) => form !== 'one' && form !== 'other');
}

const furtherKeys = (locale: Locale) => furtherForms(locale).flatMap((form) => STEMS.map((stem) => `${stem}_${form}`));

/** Values and marks of a phrase, each as often as it stands there: `{{client}}`, `<policy>`. */
const parts = (text: string) => (text.match(/\{\{[^}]*\}\}|<\/?\w+>/g) ?? []).sort();

/** Sections of the locales that only the server uses; pages must not load them. */
const SERVER_SECTIONS = ['mail', 'operator'];
const sectionOf = (key: string) => key.slice(0, key.indexOf('.'));

/** Source files of the product by path. */
function sources(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]);
}

const CODE = ['web', 'src', 'locales', 'test-kit'].flatMap(sources);

/** A literal is a key, a template stands for every key that fits it. */
function usedKeys(): (key: string) => boolean {
  const code = CODE.map(([, text]) => text).join('\n');
  const literals = new Set([...code.matchAll(/['"]([a-z_]+\.[a-z_]+)['"]/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`([a-z_]+\.[^`]*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  );
  return (key) => literals.has(key) || templates.some((template) => template.test(key));
}

describe('a language', () => {
  it('[I18-1] is a file and a row of the list', () => {
    const files = readdirSync('locales').filter((name) => name.endsWith('.json'));
    expect(files).toEqual(LOCALES.map((locale) => `${locale}.json`).sort());
  });

  it.each(LOCALES)('[I18-5] %s: its dates are in the language itself', (locale) => {
    expect(new Intl.Locale(LANGUAGES[locale].dates).language).toBe(locale);
    expect(Intl.DateTimeFormat.supportedLocalesOf(LANGUAGES[locale].dates)).toHaveLength(1);
  });

  it('is named by no other file: there is no second table to extend', () => {
    const german = /['"]de(-DE)?['"]|\bde:|\.de\b|\/de\.json/;
    const naming = CODE.filter(([, text]) => german.test(text)).map(([path]) => path);
    expect(naming.sort()).toEqual([...NAMING_A_LANGUAGE].sort());
  });
});

describe('locales', () => {
  it.each(LOCALES)('[I18-1] %s: the same keys as en and the further plurals of the language, none empty, in order', (locale) => {
    const phrases = PHRASES[locale];
    expect(Object.keys(phrases)).toEqual([...KEYS, ...furtherKeys(locale)].sort());
    expect(Object.entries(phrases).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(LOCALES)('[I18-1] %s: the same values and marks as en', (locale) => {
    const phrases = PHRASES[locale];
    const source = (key: string) => EN[key] ?? EN[key.replace(/_[a-z]+$/, '_other')] ?? '';
    const differing = Object.keys(phrases).filter((key) => parts(phrases[key] ?? '').join() !== parts(source(key)).join());
    expect(differing).toEqual([]);
  });

  it('every plural has both forms', () => {
    expect(KEYS.filter((key) => key.endsWith('_other'))).toEqual(STEMS.map((stem) => `${stem}_other`));
  });

  it('no key is unused', () => {
    const used = usedKeys();
    const stems = KEYS.map((key) => key.replace(/_(one|other)$/, ''));
    expect(stems.filter((stem, index) => !used(stem) && !used(KEYS[index] ?? ''))).toEqual([]);
  });

  it('every section is used by a page or by the server alone', () => {
    const known: readonly string[] = [...PAGE_NAMES, ...Object.values(PAGE_SECTIONS).flat(), 'app', 'footer', ...SERVER_SECTIONS];
    expect(KEYS.filter((key) => !known.includes(sectionOf(key)))).toEqual([]);
  });

  it('a page loads nothing that only the server says, nor the phrases of other pages', () => {
    const all = { ...EN, 'mail.subject': 'Your account', 'operator.help': 'Help' };
    const login = Object.keys(phrasesForPage(all, 'login'));
    expect(login).toContain('login.submit');
    expect(login).toContain('footer.imprint');
    expect(login.filter((key) => SERVER_SECTIONS.includes(sectionOf(key)) || sectionOf(key) === 'consent')).toEqual([]);
  });
});
