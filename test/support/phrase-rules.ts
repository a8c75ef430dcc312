/** Finds names and sentences that read as translated: participles and prepositions as names of functions, "is no" before a noun. */
import ts from 'typescript';

export interface FoundPhrase {
  file: string;
  /** Starts at 1. */
  line: number;
  rule: 'function' | 'letter' | 'sentence';
  /** The name, or the words of the sentence. */
  what: string;
}

/** Words that are not a name on their own. */
const NOT_ALONE =
  /^(of|by|at|in|on|to|for|from|with|without|until|under|over|about|above|below|beside|between|against|into|since|through|during|via|than|again|once|all|both|same|older|newer|empty|everything|anything)$/;
/** A preposition at the start; `to`, `from`, `with`, `without`, `on`, `before` and `after` are usual there. */
const IN_FRONT = /^(of|by|at|in|about|under|until|up)[A-Z]/;
/** A preposition at the end says nothing about the result. */
const AT_THE_END = /[a-z](Of|By)$/;
const IRREGULAR =
  /^(left|said|told|seen|shown|known|found|held|kept|sent|spent|begun|bound|broken|built|chosen|drawn|driven|forgotten|frozen|given|gone|grown|hidden|lost|made|meant|met|paid|proven|sought|spoken|stolen|taken|taught|thought|thrown|understood|worn|written|heard|led|lent|brought|bought|caught|fallen)$/;
/** Verbs and nouns that end like a participle. */
const NOT_A_PARTICIPLE = /^(need|feed|seed|speed|exceed|proceed|succeed|embed|string|heading|setting|ping|ring|bring)$/;

const SENTENCES: readonly RegExp[] = [
  // "is not a", never "is no"; "there is no" and "is no longer" are right.
  /(?<!\b[Tt]here )\b(is|are|was|were|be|been) (no (?!longer\b)[a-z]+|none\b|nobody\b)/,
  /(^\s*(\/\/|\/?\*\*?)|@\w+) Of [a-z]+/,
  /\bOAuth server\b/,
  /\bsources? of people\b/,
];

/** @param source TypeScript */
export function findPhrases(file: string, source: string): FoundPhrase[] {
  return [...findNames(file, source), ...findSentences(file, source)];
}

/** @returns what is wrong with the name of a function; null for a noun or a verb, and for a component */
export function explainFunctionName(name: string): string | null {
  const [first = ''] = name.match(/^[a-z0-9]+/) ?? [];
  if (/^[A-Z]/.test(name)) return null;
  if (NOT_ALONE.test(name) || IN_FRONT.test(name) || AT_THE_END.test(name)) return 'a preposition';
  if (IRREGULAR.test(first) || (/(ed|ing)$/.test(first) && !NOT_A_PARTICIPLE.test(first))) return 'a participle';
  return null;
}

function findSentences(file: string, source: string): FoundPhrase[] {
  return source.split('\n').flatMap((text, index) =>
    SENTENCES.flatMap((pattern) => {
      const [what] = pattern.exec(text) ?? [];
      return what === undefined ? [] : [{ file, line: index + 1, rule: 'sentence' as const, what: what.trim() }];
    }),
  );
}

let parsed: ts.SourceFile | undefined;

/** Parses a file, once if it is asked for several times in a row. */
export function parseSource(file: string, source: string): ts.SourceFile {
  if (parsed?.fileName !== file || parsed.text !== source) {
    const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  }
  return parsed;
}

function findNames(file: string, source: string): FoundPhrase[] {
  const tree = parseSource(file, source);
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const found: FoundPhrase[] = [];
  const collect = (node: ts.Node): void => {
    const name = findName(node);
    if (name) {
      const line = lineAt(name.getStart());
      const what = name.text.replace('#', '');
      if (isFunction(node) && explainFunctionName(what) !== null) found.push({ file, line, rule: 'function', what });
      if (/^[A-Za-z]$/.test(what) && isVariable(node) && !isInOneLine(node, lineAt)) {
        found.push({ file, line, rule: 'letter', what });
      }
    }
    ts.forEachChild(node, collect);
  };
  collect(tree);
  return found;
}

function findName(node: ts.Node): ts.Identifier | ts.PrivateIdentifier | undefined {
  const name = (node as Partial<ts.NamedDeclaration>).name;
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name : undefined;
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node)) return true;
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node);
  return isHolder && node.initializer !== undefined && isFunctionValue(node.initializer);
}

function isFunctionValue(node: ts.Node): boolean {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function isVariable(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
}

function isInOneLine(node: ts.Node, lineAt: (position: number) => number): boolean {
  const holder = ts.findAncestor(
    node,
    (one) => ts.isArrowFunction(one) || ts.isFunctionDeclaration(one) || ts.isMethodDeclaration(one),
  );
  return holder !== undefined && ts.isArrowFunction(holder) && lineAt(holder.getStart()) === lineAt(holder.getEnd());
}
