import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SHIPPED } from '../../locales/languages.js';
import { PHRASES } from '../../locales/phrases.js';
import { ConfigError } from './config.js';
import { FORMER_PHRASES } from './language-checks.js';
import { loadConfig } from './load-config.js';

const { 'language.name': _name, 'language.dates': _dates, ...EN } = PHRASES.en;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'languages-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

function readOffered(env: Record<string, string> = {}) {
  return loadConfig({ LOCALES_DIR: folder, ...env }).config.language.offered;
}

function findAllFaults(env: Record<string, string> = {}): readonly string[] {
  try {
    readOffered(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replace(/^LOCALES_DIR: /, ''));
    throw error;
  }
  return [];
}

/** @returns the faults of individual German phrases */
const findFaults = (phrases: Record<string, unknown>) => {
  write('de.json', phrases);
  return findAllFaults();
};

describe('the languages that ship', () => {
  it('[I18-6] are offered if LANGUAGES lists them; by default, German and English', () => {
    expect(loadConfig({}).config.language.offered.locales).toEqual(['de', 'en']);
    expect(loadConfig({ LANGUAGES: 'en' }).config.language.offered.locales).toEqual(['en']);
    expect(loadConfig({ LANGUAGES: ',' }).config.language.offered.locales).toEqual(['de', 'en']);
    expect(loadConfig({ LANGUAGES: 'all' }).config.language.offered.locales).toEqual(SHIPPED.locales);
    expect(() => loadConfig({ LANGUAGES: 'de,german' })).toThrow('LANGUAGES: there is no language "german"; ');
  });

  it('[I18-6] fall back to the first language if English is not offered', () => {
    const german = loadConfig({ LANGUAGES: 'de' }).config.language.offered;
    expect([german.fallback, german.get('fr').locale, german.get('en').locale]).toEqual(['de', 'de', 'de']);
  });
});

describe('a language of an installation', () => {
  it('[I18-6] is added by a file, and has its name and direction', () => {
    write('he.json', { ...EN, ...buildDual(EN) });
    write('notes.txt', 'not read');
    const languages = readOffered();
    expect(languages.locales).toEqual(['de', 'en', 'he']);
    expect(languages.find('he')).toMatchObject({ name: 'עברית', dates: 'he-u-nu-latn', dir: 'rtl' });
    expect(languages.get('he-IL').phrases['login.submit']).toBe('Sign in');
  });

  it('[I18-6] may set its name, and use the date format of another language tag', () => {
    write('nl-BE.json', { ...EN, 'language.name': 'Vlaams', 'language.dates': 'nl-NL' });
    expect(readOffered().find('nl-BE')).toMatchObject({ name: 'Vlaams', dates: 'nl-NL', dir: 'ltr' });
  });

  it('[I18-6] may replace individual phrases of a language that ships, for all regions or only for one', () => {
    write('de.json', { 'login.submit': 'Rein' });
    write('de-AT.json', { 'login.submit': 'Servus' });
    const languages = readOffered();
    const readSubmit = (tag: string) => languages.get(tag).phrases['login.submit'];
    expect([readSubmit('de'), readSubmit('de-AT'), readSubmit('de-CH'), readSubmit('en')]).toEqual([
      'Rein',
      'Servus',
      'Rein',
      'Sign in',
    ]);
    expect(languages.get('de').phrases['login.heading']).toBe(PHRASES['de']?.['login.heading']);
    expect(languages.find('de-AT')?.name).toBe('Österreichisches Deutsch');
  });

  it('[I18-6] that ships is offered only if LANGUAGES lists it, even if a file changes its phrases', () => {
    write('de.json', { 'login.submit': 'Rein' });
    expect(readOffered({ LANGUAGES: 'en' }).locales).toEqual(['en']);
  });
});

/** @returns phrases for the dual, which Hebrew has */
function buildDual(texts: Readonly<Record<string, string>>): Record<string, string> {
  const stems = Object.keys(texts).flatMap((key) => (/_one$/.test(key) ? [key.slice(0, -4)] : []));
  return Object.fromEntries(stems.map((stem) => [`${stem}_two`, texts[`${stem}_other`] ?? '']));
}

describe('a language of an installation after an upgrade that adds phrases', () => {
  it('[I18-7] shows the new phrases in English, with one warning at the start', () => {
    const {
      'login.submit': _submit,
      'login.heading': _heading,
      'login.password': _password,
      'login.username': _name,
      ...rest
    } = EN;
    write('he.json', { ...rest, ...buildDual(EN), 'app.back_to': 'חזרה {{name}}' });
    const { config, warnings } = loadConfig({ LOCALES_DIR: folder });
    const { phrases } = config.language.offered.get('he');
    expect([phrases['login.submit'], phrases['app.back_to']]).toEqual(['Sign in', 'חזרה {{name}}']);
    expect(warnings.filter((warning) => warning.startsWith('LOCALES_DIR'))).toEqual([
      expect.stringMatching(
        /^LOCALES_DIR: he\.json: 4 missing phrases are shown in English, such as login\.\w+, login\.\w+, login\.\w+$/,
      ),
    ]);
  });

  it('[I18-7] has the English text in each plural form if a plural is missing', () => {
    const isPlural = (key: string): boolean => key.startsWith('wait.minutes_');
    const rest = Object.entries({ ...EN, ...buildDual(EN) }).filter(([key]) => !isPlural(key));
    write('he.json', Object.fromEntries(rest));
    const { phrases } = readOffered().get('he');
    const otherForm = PHRASES.en['wait.minutes_other'];
    expect([phrases['wait.minutes_one'], phrases['wait.minutes_two'], phrases['wait.minutes_other']]).toEqual([
      PHRASES.en['wait.minutes_one'],
      otherForm,
      otherForm,
    ]);
  });

  it('[I18-7] may contain the phrases of the previous version, which reads the same file during an upgrade', () => {
    write('he.json', { ...EN, ...buildDual(EN), ...Object.fromEntries(FORMER_PHRASES.map((key) => [key, 'x'])) });
    expect(findAllFaults()).toEqual([]);
    expect(FORMER_PHRASES.filter((key) => key in PHRASES.en)).toEqual([]);
  });

  it('[I18-7] is refused if a phrase is wrong; a missing phrase is not a fault', () => {
    const { 'login.submit': _submit, ...rest } = EN;
    write('he.json', { ...rest, ...buildDual(EN), 'login.submti': 'x' });
    expect(findAllFaults()).toEqual(['he.json: login.submti: is not a key of this version; did you mean login.submit?']);
  });
});

describe('faults of language files', () => {
  it('[I18-7] are all reported together, with file and key', () => {
    write('de.json', { 'login.submti': 'Rein' });
    write('he.json', { ...EN, ...buildDual(EN), 'login.submit': '' });
    write('Deutsch.json', '{}');
    expect(findAllFaults({ PORT: 'x' })).toEqual([
      expect.stringMatching(/^PORT: /),
      expect.stringMatching(/^Deutsch\.json: the name of the file is /),
      'de.json: login.submti: is not a key of this version; did you mean login.submit?',
      'he.json: login.submit: is empty',
    ]);
  });

  it('[I18-7] are reported for missing plural forms, and for a file that lacks most phrases', () => {
    write('he.json', { ...EN, ...buildDual(EN), 'wait.minutes_other': undefined, 'wait.minutes_two': undefined });
    expect([...findAllFaults()].sort()).toEqual([
      'he.json: wait.minutes_other: is missing; the language he has this plural form',
      'he.json: wait.minutes_two: is missing; the language he has this plural form',
    ]);
    write('he.json', {});
    expect(findAllFaults()).toHaveLength(51);
    expect(findAllFaults().at(-1)).toMatch(/^he\.json: and \d+ more$/);
  });

  it.each([
    [{ 'login.submit': 7 }, 'login.submit: is not a string'],
    [{ 'login.submit': { text: 'x' } }, 'login.submit: is not a string'],
    [{ 'login.submit': ' ' }, 'login.submit: is empty'],
    [{ 'login.submit': 'a\u0007' }, 'login.submit: contains control characters'],
    [{ 'login.submit': 'a\u202e' }, 'login.submit: contains control characters'],
    [{ 'login.submit': 'x'.repeat(201) }, 'login.submit: is longer than 200 characters'],
    [{ 'login.submit': 'Rein {{app}}' }, 'login.submit: has {{app}}, which the English phrase does not have'],
    [{ 'app.back_to': 'Zurück' }, 'app.back_to: lacks {{name}}'],
    [{ 'app.back_to': 'Zurück {{name}} {{' }, 'app.back_to: has braces that do not match'],
    [{ 'app.back_to': 'Zurück {{- name}}' }, 'app.back_to: lacks {{name}}'],
    [{ 'login.submit': '$t(login.submit)' }, 'login.submit: refers to another phrase with $t(…)'],
    [{ 'login.submit': '<b>Rein</b>' }, 'login.submit: has <b>, which the English phrase does not have'],
    [{ 'login_hint.then': 'Weiter zu <client/>.' }, 'login_hint.then: lacks <name>'],
    [
      { 'login_hint.then': '<name><client/><client/></name>' },
      'login_hint.then: has <client/>, which the English phrase does not have',
    ],
    [{ 'login_hint.then': '</name>Weiter<name> zu <client/>.' }, 'login_hint.then: has tags that are not closed'],
    [{ 'wait.minutes_few': 'x {{minutes}}' }, 'wait.minutes_few: has {{minutes}}, which the English phrase does not have'],
    [{ 'login.submit_few': 'x' }, 'login.submit_few: is not a key of this version'],
    [{ 'language.dates': 'en-GB' }, 'language.dates: is not a language tag for dates in this language'],
    [{ 'language.dates': 'de_DE' }, 'language.dates: is not a language tag (BCP 47)'],
    [{ 'language.name': 'English' }, 'language.name: is the name of another language'],
  ])('[I18-7] are reported for the phrases %j', (phrases, fault) => {
    expect(findFaults(phrases)).toContain(`de.json: ${fault}`);
  });

  it('[I18-7] are not reported for plural forms that spell out their number', () => {
    expect(findFaults({ 'wait.minutes_one': 'Bitte in einer Minute noch einmal.' })).toEqual([]);
  });

  it.each([
    ['{\n  "login.submit": "Rein",\n}', 'is not JSON: line 3, column 1: Expected double-quoted property name'],
    [
      '{\n  "login.submit": "Rein"\n  "login.title": "x"\n}',
      "is not JSON: line 3, column 3: Expected ',' or '}' after property value",
    ],
    ['{\n  "login.submit": Rein,\n  "a": "b"\n}', "is not JSON: line 2, column 19: Unexpected token 'R'"],
    ['\uFEFF{\n  "login.submit": "Rein" }}', 'is not JSON: line 2, column 27: Unexpected non-whitespace character after JSON'],
    ['{\n  "login.submit": "Rein"', "is not JSON: line 2, column 25: Expected ',' or '}' after property value"],
    ['{\n', "is not JSON: line 2, column 1: Expected property name or '}'"],
    ['', 'is not JSON: line 1, column 1: Unexpected end of JSON input'],
    ['[]', 'is not a JSON object of phrases by key'],
  ])('[I18-7] are reported for a file that contains %j', (content, fault) => {
    write('de.json', content);
    expect(findAllFaults()).toEqual([`de.json: ${fault}`]);
  });

  it('[I18-7] are reported for a directory that cannot be read, and for file names that are not languages', () => {
    expect(findAllFaults({ LOCALES_DIR: join(folder, 'none') })[0]).toMatch(/^the directory ".*none" cannot be read \(ENOENT\)$/);
    write('xx.json', '{}');
    write('pt-br.json', '{}');
    expect(findAllFaults()).toEqual([
      'pt-br.json: the name of the file is not the canonical form of the language tag (BCP 47), pt-BR; it must be a language tag such as fr or pt-BR',
      'xx.json: the name of the file is the tag of a language whose plural forms Node.js does not support; it must be a language tag such as fr or pt-BR',
    ]);
  });
});

it('a defect in the check of a file is not reported as a directory that cannot be read', () => {
  write('pt.json', {});
  const find = jest.spyOn(SHIPPED.locales as string[], 'find').mockImplementation(() => {
    throw new TypeError('a defect');
  });
  expect(() => findAllFaults()).toThrow('a defect');
  find.mockRestore();
});
