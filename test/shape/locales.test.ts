/** A language is one file, the locales hold the same phrases, all of them are used, and each page can say what it has to say. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { PHRASES } from '../../locales/phrases.js';
import { checkPhrases, toKeys, findLocaleFault } from '../../src/config/language-checks.js';
import { PAGE_NAMES } from '../../src/contract/paths.js';
import { PAGE_SECTIONS, phrasesForPage } from '../../web/i18n/page-sections.js';

const EN: Readonly<Record<string, string>> = PHRASES.en;
const KEYS = Object.keys(EN);
const STEMS = KEYS.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -'_one'.length));
/** What a file says of its language. */
const ABOUT = KEYS.filter((key) => key.startsWith('language.'));

/** Files that name a language and do not have to name the next one. */
const NAMING_A_LANGUAGE = [
  // What is offered by default.
  'src/config/settings.ts',
  // The links of the footer are settings, each in German and in English (GEN-5); other languages get one of the two.
  'src/gateway/page/page-composer.ts',
  'web/ui/footer.tsx',
  // Samples.
  'web/fixtures/fixture.ts',
  'web/fixtures/consent.ts',
  // Written by `npm run openapi`.
  'src/operator/client/operator-api.ts',
];

/** Sections of the locales that only the server uses; pages must not load them. */
const SERVER_SECTIONS = ['mail', 'operator'];
const toSection = (key: string) => key.slice(0, key.indexOf('.'));

/** Source files of the product by path. */
function sources(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')]);
}

const CODE = ['web', 'src', 'locales', 'test-kit'].flatMap(sources);

/** A literal is a key, a template stands for every key that fits it. */
function findUsedKeys(): (key: string) => boolean {
  const code = CODE.map(([, text]) => text).join('\n');
  const literals = new Set([...code.matchAll(/['"]([a-z_]+\.[a-z_]+)['"]/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`([a-z_]+\.[^`]*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  );
  return (key) => literals.has(key) || templates.some((template) => template.test(key));
}

describe('a language', () => {
  it('[I18-1] is a file and nothing else', () => {
    const files = readdirSync('locales').filter((name) => name.endsWith('.json'));
    expect(SHIPPED.locales.map((locale) => `${locale}.json`)).toEqual(files.sort());
    expect(SHIPPED.locales.map(findLocaleFault)).toEqual(files.map(() => undefined));
  });

  it.each(SHIPPED.all())('[I18-5] $locale: has a name and dates in the language itself', ({ locale, name, dates }) => {
    expect(name).toMatch(/^\p{L}/u);
    expect(new Intl.Locale(dates).language).toBe(locale);
    expect(Intl.DateTimeFormat.supportedLocalesOf(dates)).toHaveLength(1);
  });

  it('is named by no other file: there is no second table to extend', () => {
    const german = /['"]de(-DE)?['"]|\bde:|\.de\b|\/de\.json/;
    const naming = CODE.filter(([, text]) => german.test(text)).map(([path]) => path);
    expect(naming.sort()).toEqual([...NAMING_A_LANGUAGE].sort());
  });
});

describe('locales', () => {
  it.each(SHIPPED.locales)('[I18-1] %s: the same keys as en and the plurals of the language, in order', (locale) => {
    const keys = Object.keys(PHRASES[locale] ?? {});
    expect(keys.filter((key) => !ABOUT.includes(key))).toEqual(toKeys(locale).sort());
    expect(keys).toEqual([...keys].sort());
  });

  it.each(SHIPPED.locales)('[I18-1] %s: the same values and marks as en, and what else is asked of a language', (locale) => {
    expect(checkPhrases(locale, PHRASES[locale] ?? {}, PHRASES[locale] ?? {})).toEqual({ faults: [], missing: [] });
  });

  it('every plural has both forms', () => {
    expect(KEYS.filter((key) => key.endsWith('_other'))).toEqual(STEMS.map((stem) => `${stem}_other`));
  });

  it('no key is unused', () => {
    const used = findUsedKeys();
    const stems = KEYS.map((key) => key.replace(/_(one|other)$/, ''));
    expect(stems.filter((stem, index) => !used(stem) && !used(KEYS[index] ?? ''))).toEqual([]);
  });

  it('every section is used by a page or by the server alone', () => {
    const known: readonly string[] = [
      ...PAGE_NAMES,
      ...Object.values(PAGE_SECTIONS).flat(),
      'app',
      'footer',
      'language',
      ...SERVER_SECTIONS,
    ];
    expect(KEYS.filter((key) => !known.includes(toSection(key)))).toEqual([]);
  });

  it('a page loads nothing that only the server says, nor the phrases of other pages', () => {
    const all = { ...EN, 'mail.subject': 'Your account', 'operator.help': 'Help' };
    const login = Object.keys(phrasesForPage(all, 'login'));
    expect(login).toContain('login.submit');
    expect(login).toContain('footer.imprint');
    expect(login.filter((key) => SERVER_SECTIONS.includes(toSection(key)) || toSection(key) === 'consent')).toEqual([]);
  });
});
