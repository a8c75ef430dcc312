/**
 * A Vite plugin that splits the locales: one chunk for each page in each language, and `virtual:page-phrases`, which loads
 * them. It does not import the types of Vite, so that only the build needs Vite.
 */
import { readFileSync } from 'node:fs';
import { LOCALES } from '../../src/contract/locale.js';
import type { Locale } from '../../src/contract/locale.js';
import { PAGE_NAMES } from '../../src/contract/paths.js';
import { phrasesForPage } from '../i18n/page-sections.js';
import { phrasesModule } from '../i18n/phrases-module.js';

const LOADERS = 'virtual:page-phrases';

export function pagePhrases() {
  const chunks = new Map<string, string>();
  for (const locale of LOCALES) {
    const phrases = readLocale(locale);
    for (const page of PAGE_NAMES) chunks.set(phrasesModule(locale, page), asModule(phrasesForPage(phrases, page)));
  }
  return {
    name: 'foyer:page-phrases',
    resolveId: (id: string) => (id === LOADERS || chunks.has(id) ? id : null),
    load: (id: string) => (id === LOADERS ? loaders([...chunks.keys()]) : (chunks.get(id) ?? null)),
  };
}

function readLocale(locale: Locale): Record<string, string> {
  const file = new URL(`../../locales/${locale}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}

const asModule = (value: unknown) => `export default ${JSON.stringify(value)}`;

function loaders(ids: readonly string[]): string {
  const lines = ids.map((id) => `${JSON.stringify(id)}: () => import(${JSON.stringify(id)}),`);
  return `export default {\n${lines.join('\n')}\n}`;
}
