/** Compares the languages of the console, and finds phrases that nothing uses. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { KINDS } from '../activity/event-words.js';
import { LANGUAGES } from './languages.js';

const FOLDER = 'locales/console';

const PHRASES = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Record<string, string>,
  ]),
);
const EN = PHRASES['en']!;

const listVariables = (text: string): string =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort().join();

const SOURCES = readdirSync('console', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^fixtures/.test(name))
  .map((name) => readFileSync(join('console', name), 'utf8'))
  .join('\n');

/** Keys that are built from parts: `action.${name}_title`. */
const TEMPLATES = [...SOURCES.matchAll(/`([a-z_]+\.?[^`\s]*\$\{[^`\s]*)`/g)].map(
  ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replaceAll(/\$\{[^}]*\}/g, '.+')}$`),
);

const isUsed = (key: string): boolean =>
  SOURCES.includes(`'${key}'`) || SOURCES.includes(`"${key}"`) || TEMPLATES.some((template) => template.test(key));

describe('the phrases of the console', () => {
  it('exist for exactly the languages that it offers', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort());
  });

  it.each(LANGUAGES)('have in %s the keys of en, in order, and none is empty', (language) => {
    const phrases = PHRASES[language]!;
    expect(Object.keys(phrases)).toEqual(Object.keys(EN).sort());
    expect(Object.entries(phrases).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it.each(LANGUAGES)('have in %s the variables of en', (language) => {
    const phrases = PHRASES[language]!;
    expect(Object.keys(EN).filter((key) => listVariables(phrases[key]!) !== listVariables(EN[key]!))).toEqual([]);
  });

  it('are all used', () => {
    const stems = Object.keys(EN).map((key) => key.replace(/_(one|other)$/, ''));
    expect(stems.filter((key) => !isUsed(key) && !isUsed(`${key}_one`))).toEqual([]);
  });

  it.each(LANGUAGES)('name scopes in %s as the consent page does', (language) => {
    const pagePhrases = JSON.parse(readFileSync(join('locales', `${language}.json`), 'utf8')) as Record<string, string>;
    const scopePhrases = Object.entries(PHRASES[language]!).filter(([key]) => key.startsWith('scope.'));
    expect(scopePhrases.length).toBeGreaterThan(0);
    expect(scopePhrases).toEqual(scopePhrases.map(([key]) => [key, pagePhrases[key]]));
  });

  it('have words for every kind of event in both languages', () => {
    for (const kind of KINDS)
      expect([kind, LANGUAGES.map((language) => typeof PHRASES[language]?.[`event.${kind}`])]).toEqual([
        kind,
        ['string', 'string'],
      ]);
  });
});
