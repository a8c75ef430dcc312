/** Reads the words that `docs/glossary.md` replaces, and finds them in the text and the names of a file. */
import ts from 'typescript';
import { parseSource } from './phrase-rules.js';

/** Where a word is forbidden: in all text, in names in code, or in names of one kind. */
type Scope = 'text' | 'names' | 'flow names' | 'component names' | 'prefixes';

export interface ReplacedWord {
  word: string;
  instead: string;
  scope: Scope;
  pattern: RegExp;
}

export interface FoundWord {
  file: string;
  /** Starts at 1; 0 is the path itself. */
  line: number;
  word: string;
  text: string;
}

/** Meaning of the table's third column. Rows that only a reader can judge have no scope. */
const SCOPES: readonly [column: RegExp, scope: Scope | null][] = [
  [/^everywhere\b/, 'text'],
  [/^names in code\b/, 'names'],
  [/^names of flows\b/, 'flow names'],
  [/^names of components\b/, 'component names'],
  [/^prefixes of names\b/, 'prefixes'],
  [/^for the act\b/, null],
];

/** @throws for a row with an unknown third column, so that no row is ignored */
export function parseReplacedWords(glossary: string): ReplacedWord[] {
  const table = glossary.split('<!-- words:begin -->')[1]?.split('<!-- words:end -->')[0] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => {
    const [left = '', instead = '', where = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const known = SCOPES.find(([column]) => column.test(where));
    if (known === undefined) throw new Error(`The glossary has a row for "${where}", which this test does not know`);
    const scope = known[1];
    if (scope === null) return [];
    return [...left.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({
      word,
      instead,
      scope,
      pattern: buildPattern(word, scope),
    }));
  });
}

/** @param source the content of the file, empty for binary files */
export function findWords(file: string, source: string, words: readonly ReplacedWord[]): FoundWord[] {
  const lines = [file, ...source.split('\n')];
  const path = { line: 0, text: file.slice(file.indexOf('/') + 1) };
  const text = new SplitTexts(lines.map((content, line) => ({ line, text: content })));
  const names = new SplitTexts([path, ...findNames(file, source)]);
  return words.flatMap(({ word, scope, pattern }) => {
    if (!isInScope(file, scope)) return [];
    const found = (scope === 'text' ? text : names).findLines(pattern);
    return found.map((line) => ({ file, line, word, text: lines[line]?.trim() ?? '' }));
  });
}

/** Texts of one line each, with their words separated. */
class SplitTexts {
  readonly #all: string;

  constructor(private readonly texts: readonly { line: number; text: string }[]) {
    this.#all = splitWords(texts.map(({ text }) => text).join('\n'));
  }

  /** Most words are in no text of a file, so all texts are searched at once first. */
  findLines(pattern: RegExp): number[] {
    if (!pattern.test(this.#all)) return [];
    const split = this.#all.split('\n');
    return this.texts.flatMap(({ line }, index) => (pattern.test(split[index] ?? '') ? [line] : []));
  }
}

/** Matches whole words, also inside camelCase, kebab-case and snake_case, with their usual endings. */
function buildPattern(word: string, scope: Scope): RegExp {
  const body = word.replaceAll('-', '[_-]?').replaceAll(' ', '[\\s_-]+');
  const ending = scope === 'text' ? '(s|ed|ing)?' : 's?';
  const start = scope === 'prefixes' ? '(^|[./])' : '(?<![a-z])';
  return new RegExp(`${start}${body}${ending}(?![a-z])`, 'm');
}

function isInScope(file: string, scope: Scope): boolean {
  if (scope === 'flow names') return file.startsWith('src/flows/') || file.startsWith('src/manage/');
  if (scope === 'component names') return file.startsWith('web/');
  return true;
}

/** `ManageSession` becomes `manage_session`. */
function splitWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

function findNames(file: string, source: string): { line: number; text: string }[] {
  if (!/\.(tsx?|mjs)$/.test(file)) return [];
  const tree = parseSource(file, source);
  const names: { line: number; text: string }[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      names.push({ line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1, text: node.text });
    }
    ts.forEachChild(node, collect);
  };
  collect(tree);
  return names;
}
