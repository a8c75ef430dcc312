/**
 * Keeps the words that `docs/glossary.md` replaces out of names, comments, public JSON and documents, and keeps names nouns or
 * verbs and comments sentences.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findWords, parseReplacedWords, type FoundWord } from '../support/glossary-words.js';
import { explainFunctionName, findPhrases, type FoundPhrase } from '../support/phrase-rules.js';
import { PROJECT, listFilesBelow } from '../support/scratch-tree.js';

const FOLDERS = ['.ci', 'console', 'deploy', 'docs', 'embedded', 'locales', 'scripts', 'src', 'test', 'test-kit', 'web'];
const TEXT = /(\.(tsx?|mjs|json|md|css|ya?ml|tpl|html|sh)|Dockerfile|Caddyfile|\.ci\/run)$/;

/** The files to which the rules about names and sentences apply. */
const CODE = /^(((console|embedded|scripts|src|test|test-kit|web)\/.*\.(tsx?|mjs))|[^/]+\.mjs)$/;

/** Files and folders whose words have not been replaced yet. The list only gets shorter. */
const NOT_YET = ['docs/hydra-behaviour.md', 'docs/requirements.md', 'docs/specification.md'];

/** Files about the replaced words: the table, this test, and the functions that find the words. */
const ABOUT_WORDS = [
  'docs/glossary.md',
  'test/shape/words.test.ts',
  'test/support/glossary-words.ts',
  'test/support/phrase-rules.ts',
];

/** Generated from the OpenAPI document. */
const GENERATED = 'src/operator/client/operator-api.ts';

interface Allowed {
  words: readonly string[];
  file: RegExp;
  text: RegExp;
  because: string;
}

const ALLOWED: readonly Allowed[] = [
  { words: ['sign'], file: /^web\//, text: /\bsignIn\b/, because: '`signIn` is the address of the sign-in' },
  { words: ['sign-on'], file: /./, text: /single sign-on/i, because: 'single sign-on is the name of the technique' },
  { words: ['trail'], file: /./, text: /trailing/i, because: 'a trailing slash, comma or byte' },
  {
    words: ['area'],
    file: /^(src\/(contract|manage)|test|web)\//,
    text: /\barea: \{$|\{ area \}: ManageFrame|\barea\.xsrf_token|\{ area \} = await|\barea: \{ xsrf_token/,
    because: 'the page state has this member, and pages rely on it',
  },
  {
    words: ['area'],
    file: /^src\/operator\/|^test\//,
    text: /\baccount_area\b/,
    because: 'the operator API has this name for a kind of session',
  },
  {
    words: ['answer'],
    file: /^src\/(flows|manage)\//,
    text: /^(?!.*\banswer\w*flow\b)/i,
    because: 'the rule is only about the names of flows; calls, forms and registration tickets have answers',
  },
  {
    words: ['visit'],
    file: /conformance\.(md|test\.ts)$/,
    text: /\/api\/runner\/browser\/[^ ]*\/visit\b/,
    because: 'the path is part of the API of the conformance suite',
  },
  {
    words: ['area'],
    file: /^scripts\/|^test\/requirements\.json$/,
    text: /\b(area|inArea)\b/,
    because: 'a requirement has an area',
  },
];

interface AllowedName {
  names: readonly string[];
  file: RegExp;
  because: string;
}

/** Names of functions and variables that break a rule for a reason. */
const ALLOWED_NAMES: readonly AllowedName[] = [
  { names: ['t'], file: /^(console|web)\//, because: 'i18next has this name for the function that translates' },
  {
    names: ['e', 'n', 'x', 'y'],
    file: /(tokens\/signer|config\/signing-keys|test-kit\/synthetic-key)\.ts$/,
    because: 'a JSON Web Key has these members (RFC 7518, section 6)',
  },
  { names: ['a', 'b', 'x', 'y', 'z'], file: /gateway\/page\/oklch\.ts$/, because: 'the letters are coordinates of a colour' },
  {
    names: ['ofAccount', 'ofAll'],
    file: /operator\/api\/audit\.controller\.ts$/,
    because: 'the names are operation ids of the operator API',
  },
  {
    names: ['defined'],
    file: /config\/defined\.ts$/,
    because: 'the function copies the members that are defined, and nearly every file calls it',
  },
];

const words = parseReplacedWords(readText('docs/glossary.md'));
const files = [...listTopFiles(), ...FOLDERS.flatMap(listFilesBelow)];
const searched = files.filter((file) => !ABOUT_WORDS.includes(file)).map(search);

describe('the words that the glossary replaces', () => {
  it('are read from the table of the glossary', () => {
    expect(words.map(({ word }) => word)).toEqual(
      expect.arrayContaining(['errand', 'caller', 'hand-over', 'answer desk', 'place']),
    );
  });

  it('are found in names, in text and in compound names, but not in longer words', () => {
    const found = (file: string, source: string): string[] => findWords(file, source, words).map(({ word }) => word);
    expect(found('src/a.ts', 'const openErrands = 1;')).toEqual(['errand']);
    expect(found('src/a.ts', '// The callers wait.')).toEqual(['caller']);
    expect(found('src/a.ts', 'const handOver = 1; class AnswerDesk {}')).toEqual(['answer desk', 'hand-over']);
    expect(found('src/visit-list.ts', '')).toEqual(['visit']);
    expect(found('docs/a.md', 'Findings have a `mend`.')).toEqual(['mend']);
    expect(found('src/a.ts', 'const toldExporter = foretold(replaced, textarea);')).toEqual(['told']);
    expect(found('src/flows/a.ts', 'class AnswerFlow {}')).toEqual(['answer']);
    expect(found('src/a.ts', '// In place of a sign on the board, an answer about the area.')).toEqual([]);
    expect(found('web/a.css', '.row { place-items: center; }')).toEqual([]);
  });

  it('are not used', () => {
    const found = searched.flatMap((file) => file.words).filter((one) => !isAllowed(one));
    expect(found.map(({ file, line, word, text }) => `${file}:${line} ${word}: ${text}`)).toEqual([]);
  });
});

describe('the rules about names and sentences', () => {
  const found = searched.flatMap(({ phrases }) => phrases);

  it.each(['of', 'by', 'left', 'said', 'stateOf', 'inTurn', 'storedSubject', 'generatedPassword', 'waiting'])(
    'refuse the function name %s',
    (name) => expect(explainFunctionName(name)).not.toBeNull(),
  );

  it.each(['toState', 'withTimeout', 'fromJson', 'onClose', 'seedAccounts', 'heading', 'WantedBy', 'address'])(
    'allow the function name %s',
    (name) => expect(explainFunctionName(name)).toBeNull(),
  );

  it('find violations in code and comments', () => {
    const find = (source: string): string[] => findPhrases('src/a.ts', source).map(({ what }) => what);
    expect(find('class Row { #listed() {} left(): void {} }')).toEqual(['listed', 'left']);
    expect(find('const x = 1;\nfunction toRow(y: string) {}')).toEqual(['x', 'y']);
    expect(find('rows.sort((a, b) => a - b);')).toEqual([]);
    expect(find('// Of another gateway.\n/** @returns what is no command */')).toEqual(['// Of another', 'is no command']);
    expect(find('// There is no command, and a row is no longer there.')).toEqual([]);
  });

  it('are followed everywhere', () => {
    const wrong = found.filter(
      ({ file, what }) => !ALLOWED_NAMES.some((rule) => rule.names.includes(what) && rule.file.test(file)),
    );
    expect(wrong.map(({ file, line, what }) => `${file}:${line} ${what}`)).toEqual([]);
  });

  it('have no unused exceptions', () => {
    const unused = ALLOWED_NAMES.flatMap(({ names, file: pattern }) =>
      names.filter((name) => !found.some(({ file, what }) => what === name && pattern.test(file))),
    );
    expect(unused).toEqual([]);
  });
});

/** Finds the words and the phrases of a file together, because both need it parsed. */
function search(file: string): { words: FoundWord[]; phrases: FoundPhrase[] } {
  const text = TEXT.test(file) ? readText(file) : '';
  return {
    words: NOT_YET.some((path) => file === path || isBelow(file, path)) ? [] : findWords(file, text, words),
    phrases: CODE.test(file) && file !== GENERATED ? findPhrases(file, text) : [],
  };
}

function isAllowed({ file, text, word }: FoundWord): boolean {
  return ALLOWED.some((rule) => rule.words.includes(word) && rule.file.test(file) && rule.text.test(text));
}

function isBelow(file: string, folder: string): boolean {
  return folder.endsWith('/') && file.startsWith(folder);
}

function listTopFiles(): string[] {
  const entries = readdirSync(PROJECT, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && TEXT.test(entry.name) && entry.name !== 'package-lock.json')
    .map(({ name }) => name);
}

/** @returns the text of a file; of the locales only the keys, because the phrases are for people */
function readText(file: string): string {
  const text = readFileSync(join(PROJECT, file), 'utf8');
  if (!/^locales\/.+\.json$/.test(file)) return text;
  return Object.keys(JSON.parse(text) as object).join('\n');
}
