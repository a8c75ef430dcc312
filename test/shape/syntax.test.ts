/** Rules about syntax that the linter (`.oxlintrc.json`) does not have. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { parseAst } from 'rolldown/parseAst';
import { PROJECT, ScratchTree, listFilesBelow } from '../support/scratch-tree.js';

const FOLDERS = ['src', 'web', 'console', 'embedded', 'test-kit', 'test', 'locales', 'scripts', 'deploy'];
const MAX_PARAMETERS = 3;
/** Nest injects into the constructor what a class needs. */
const MAX_INJECTED = 6;
/** A log line says when it was written, whatever the injected clock says. */
const OWN_TIME = ['src/config/clock.ts', 'src/gateway/http/log.ts'];

interface Node {
  type: string;
  [member: string]: unknown;
}

const files = [...readdirSync(PROJECT), ...FOLDERS.flatMap(listFilesBelow)].filter((file) => /\.(ts|tsx|js|mjs)$/.test(file));
const isTest = (file: string): boolean => file.startsWith('test/') || /\.test\.tsx?$/.test(file);

function findFaults(file: string, text: string): string[] {
  const lang = /\.(tsx?)$/.exec(file)?.[1] === 'ts' ? 'ts' : 'tsx';
  const faults: string[] = [];
  const judge = (node: Node, parent: Node | null): void => {
    const fault = findFault(file, node, parent);
    if (fault !== null) faults.push(`${file}: ${fault}`);
    for (const name in node) {
      const member = node[name];
      if (Array.isArray(member)) member.forEach((one) => isNode(one) && judge(one, node));
      else if (isNode(member)) judge(member, node);
    }
  };
  judge(parseAst(text, { lang }) as unknown as Node, null);
  return faults;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The parser gives regular expressions, texts and types the member `type`, too; none of them is of these kinds. */
function findFault(file: string, node: Node, parent: Node | null): string | null {
  const { type, params, callee } = node as Node & { params?: unknown[]; callee?: Node };
  if (type === 'TSEnumDeclaration') return 'an enum accepts every number: use a union of strings';
  if (type === 'NewExpression' && callee?.['name'] === 'Date' && (node['arguments'] as unknown[]).length === 0 && isTimed(file))
    return 'the injected Clock knows the time';
  const max = parent?.['kind'] === 'constructor' ? MAX_INJECTED : MAX_PARAMETERS;
  if (/^(Function|ArrowFunction)/.test(type) && Array.isArray(params) && params.length > max && !isTest(file))
    return `more than ${max} parameters: pass one object`;
  return null;
}

const isTimed = (file: string): boolean => file.startsWith('src/') && !isTest(file) && !OWN_TIME.includes(file);

it('no file has an enum, the product no long list of parameters, and src no time of its own', () => {
  expect(files.flatMap((file) => findFaults(file, readFileSync(join(PROJECT, file), 'utf8')))).toEqual([]);
});

it.each([
  ['test/support/kind.ts', 'export enum Kind {\n  One = 1,\n}', 1],
  ['src/now.ts', 'export const now = new Date();', 1],
  ['src/then.ts', 'export const then = new Date(0);', 0],
  ['src/config/clock.ts', 'export const now = (): Date => new Date();', 0],
  ['scripts/four.mjs', 'export const go = (a, b, c, d) => a + b + c + d;', 1],
  ['src/four.ts', 'export function go(a: A, b: B, c: C, d: D): void {}', 1],
  ['web/ui/four.tsx', 'export const four = { go(a: A, b: B, c: C, d: D) { return <p />; } };', 1],
  ['src/six.ts', 'export class Six {\n  constructor(readonly a: A, b: B, c: C, d: D, e: E, f: F) {}\n}', 0],
  ['src/seven.ts', 'export class Seven {\n  constructor(readonly a: A, b: B, c: C, d: D, e: E, f: F, g: G) {}\n}', 1],
  ['test/flows/four.test.ts', 'const go = (a: A, b: B, c: C, d: D): void => undefined;', 0],
])('judges %s', (file, text, count) => {
  expect(findFaults(file, text)).toHaveLength(count);
});

/** A class with a decorator keeps the types of its constructor's parameters, so their imports are values there. */
const DECORATED = /^\s*@[A-Z]\w*\(/m;

const tree = new ScratchTree();
afterAll(() => tree.remove());

it('the other files of src mark the imports that are only types', () => {
  const rule = ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }];
  const settings = {
    plugins: ['typescript'],
    categories: { correctness: 'off' },
    options: { respectEslintDisableDirectives: false },
    rules: { 'typescript/consistent-type-imports': rule },
  };
  tree.write('rule.json', JSON.stringify(settings));
  const undecorated = files
    .filter((file) => file.startsWith('src/'))
    .map((file) => join(PROJECT, file))
    .filter((path) => !DECORATED.test(readFileSync(path, 'utf8')));
  tree.write('src/unmarked.ts', "import { Clock } from './clock.js';\nexport const now = (clock: Clock): Date => clock.now();\n");
  const found = JSON.parse(
    tree.run('oxlint', ['-c', 'rule.json', '--no-ignore', '--format', 'json', ...undecorated, 'src/unmarked.ts']),
  ) as { diagnostics: { filename: string }[] };
  expect(found.diagnostics.map(({ filename }) => filename)).toEqual(['src/unmarked.ts']);
});
