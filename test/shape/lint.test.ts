/**
 * Breaks each lint rule without types that the project configures, and the unused-code check, and checks that the violations are
 * found. Rules with types are in `typed-lint.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScratchTree } from '../support/scratch-tree.js';

const TOO_LONG = `export function long(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(41)}  return sum;\n}\n`;
const CHAIN = Array.from({ length: 16 }, (_, index) => `  if (value === ${index}) return ${index + 1};\n`).join('');

/** The rule, the file, and source that breaks the rule. One rule of a preset shows that the preset is enabled. */
const BROKEN: readonly [rule: string, file: string, source: string][] = [
  ['@typescript-eslint/no-explicit-any', 'src/any.ts', 'export const value: any = 1;'],
  ['@typescript-eslint/ban-ts-comment', 'src/expected.ts', '// @ts-expect-error because\nexport const value: number = "x";'],
  ['complexity', 'src/complex.ts', `export function pick(value: number): number {\n${CHAIN}  return 0;\n}`],
  ['max-lines-per-function', 'src/long.ts', TOO_LONG],
  [
    'no-restricted-syntax',
    'src/parameters.ts',
    'export const go = (one: number, two: number, three: number, four: number): number => one + two + three + four;',
  ],
  ['no-restricted-syntax', 'src/now.ts', 'export const now = new Date();'],
  ['no-restricted-properties', 'src/date-now.ts', 'export const now = Date.now();'],
  ['no-restricted-properties', 'src/random.ts', 'export const drawn = Math.random();'],
  ['no-restricted-properties', 'src/gateway/environment.ts', "export const port = process.env['PORT'];"],
  ['no-restricted-properties', 'src/gateway/taken.ts', 'export const { env } = process;'],
  ['no-restricted-properties', 'embedded/environment.ts', "export const port = process.env['PORT'];"],
  ['no-restricted-imports', 'src/gateway/imported.ts', "export { env } from 'node:process';"],
  ['no-console', 'src/console.ts', 'console.log(1);'],
  ['no-restricted-syntax', 'src/enum.ts', 'export enum Kind {\n  One = 1,\n}'],
  ['no-restricted-syntax', 'test/support/enum.ts', 'export enum Kind {\n  One = 1,\n}'],
  ['no-restricted-syntax', 'web/ui/markup.tsx', 'export const Raw = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;'],
  ['no-restricted-globals', 'web/ui/global.tsx', 'export const path = (): string => window.location.pathname;'],
  [
    'react-hooks/rules-of-hooks',
    'web/ui/hook.tsx',
    "import { useState } from 'react';\nexport function Box({ open }: { open: boolean }) {\n  if (open) useState(1);\n  return null;\n}",
  ],
  [
    'no-restricted-properties',
    'test/flows/narrowed.test.ts',
    "import { it } from '@jest/globals';\nit.only('x', () => undefined);",
  ],
];

const ALLOWED: readonly [file: string, source: string][] = [
  ['src/config/environment.ts', "export const port = process.env['PORT'];"],
  ['src/config/clock.ts', 'export const now = (): Date => new Date();'],
  ['src/main.ts', "console.log('ready');"],
  ['web/browser/page.ts', 'export const path = (): string => window.location.pathname;'],
  [
    'src/six.ts',
    `export class Six {\n  constructor(${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `readonly ${name}: number`).join(', ')}) {}\n}`,
  ],
];

interface LintResult {
  filePath: string;
  messages: { ruleId: string | null; message: string }[];
}

describe('the linter', () => {
  const tree = new ScratchTree();
  let results: LintResult[] = [];

  beforeAll(() => {
    tree.write('eslint.config.mjs', "export { default } from '../../eslint.config.mjs';\n");
    for (const [, file, source] of BROKEN) tree.write(file, `${source}\n`);
    for (const [file, source] of ALLOWED) tree.write(file, `${source}\n`);
    tree.write('src/silenced.ts', '/* eslint-disable no-console */\nconsole.log(1);\n');
    results = JSON.parse(tree.run('eslint', ['--format', 'json', 'src', 'web', 'embedded', 'test'])) as LintResult[];
  }, 120_000);
  afterAll(() => tree.remove());

  const findMessages = (file: string): LintResult['messages'] =>
    results.find(({ filePath }) => filePath.endsWith(`/${file}`))?.messages ?? [
      { ruleId: null, message: `${file} was not linted.` },
    ];

  it.each(BROKEN)('reports %s in %s', (rule, file) => {
    expect(findMessages(file).map(({ ruleId }) => ruleId)).toContain(rule);
  });

  it.each(ALLOWED)('reports nothing in %s', (file) => {
    expect(findMessages(file)).toEqual([]);
  });

  it('cannot be disabled in a file', () => {
    expect(findMessages('src/silenced.ts').map(({ ruleId }) => ruleId)).toContain('no-console');
  });
});

describe('the unused-code check', () => {
  const tree = new ScratchTree();
  afterAll(() => tree.remove());

  it('finds unused files, exports and packages', () => {
    const settings = JSON.parse(tree.projectFile('knip.json')) as object;
    tree.write('knip.json', JSON.stringify({ ...settings, entry: ['src/main.ts'] }));
    tree.write('package.json', '{ "name": "scratch", "type": "module", "dependencies": { "kysely": "*" } }');
    tree.write('src/main.ts', "import { used } from './part.js';\nused();\n");
    tree.write('src/part.ts', 'export function used(): void {}\nexport function idle(): void {}\n');
    tree.write('src/forgotten.ts', 'export const forgotten = 1;\n');
    const found = tree.run('knip', ['--reporter', 'json', '--no-exit-code']);
    expect(found).toContain('src/forgotten.ts');
    expect(found).toContain('"idle"');
    expect(found).toContain('"kysely"');
    expect(found).not.toContain('"used"');
  }, 60_000);
});
