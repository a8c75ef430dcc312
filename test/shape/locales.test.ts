/** The locales hold the same phrases, all of them are used, and each page can say what it has to say. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LOCALES } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';
import { PAGE_SECTIONS, phrasesForPage } from '../../web/i18n/page-sections.js';

type Phrases = Record<string, string>;

const read = (locale: Locale) => JSON.parse(readFileSync(`locales/${locale}.json`, 'utf8')) as Phrases;
const PHRASES = new Map(LOCALES.map((locale) => [locale, read(locale)]));
const EN = PHRASES.get('en') ?? {};
const KEYS = Object.keys(EN);

/** Values and marks of a phrase, each as often as it stands there: `{{client}}`, `<policy>`. */
const parts = (text: string) => (text.match(/\{\{[^}]*\}\}|<\/?\w+>/g) ?? []).sort();

/** Sections of the locales that only the server uses; pages must not load them. */
const SERVER_SECTIONS = ['mail', 'operator'];
const sectionOf = (key: string) => key.slice(0, key.indexOf('.'));

function sources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** A literal is a key, a template stands for every key that fits it. */
function usedKeys(): (key: string) => boolean {
  const code = sources('web') + sources('src');
  const literals = new Set([...code.matchAll(/['"]([a-z_]+\.[a-z_]+)['"]/g)].map(([, key]) => key));
  const templates = [...code.matchAll(/`([a-z_]+\.[^`]*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
  );
  return (key) => literals.has(key) || templates.some((template) => template.test(key));
}

describe('locales', () => {
  it.each(LOCALES)('[I18-1] %s: the same keys as en, none empty, in order', (locale) => {
    const phrases = PHRASES.get(locale) ?? {};
    expect(Object.keys(phrases)).toEqual(KEYS);
    expect(KEYS).toEqual([...KEYS].sort());
    expect(Object.entries(phrases).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(LOCALES)('[I18-1] %s: the same values and marks as en', (locale) => {
    const phrases = PHRASES.get(locale) ?? {};
    const differing = KEYS.filter((key) => parts(phrases[key] ?? '').join() !== parts(EN[key] ?? '').join());
    expect(differing).toEqual([]);
  });

  it('every plural has both forms', () => {
    const stems = KEYS.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -'_one'.length));
    expect(KEYS.filter((key) => key.endsWith('_other'))).toEqual(stems.map((stem) => `${stem}_other`));
  });

  it('no key is unused', () => {
    const used = usedKeys();
    const stems = KEYS.map((key) => key.replace(/_(one|other)$/, ''));
    expect(stems.filter((stem, index) => !used(stem) && !used(KEYS[index] ?? ''))).toEqual([]);
  });

  it('every section is used by a page or by the server alone', () => {
    const known: readonly string[] = [...Object.values(PAGE_SECTIONS).flat(), 'app', 'footer', ...SERVER_SECTIONS];
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
