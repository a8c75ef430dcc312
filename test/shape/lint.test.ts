/**
 * Breaks lint rules without types, those with options of the project among them, and the unused-code check, and checks that the violations are
 * found. Rules with types are in `typed-lint.test.ts`, rules that the linter does not have in `syntax.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScratchTree } from '../support/scratch-tree.js';

const TOO_LONG = `export function long(): number {\n  let sum = 0;\n${'  sum += 1;\n'.repeat(41)}  return sum;\n}\n`;
const CHAIN = Array.from({ length: 16 }, (_, index) => `  if (value === ${index}) return ${index + 1};\n`).join('');

const HOOK =
  "import { useState } from 'react';\nexport function Box({ open }: { open: boolean }) {\n  if (open) useState(1);\n  return null;\n}";

/** The rule, the file, and source that breaks the rule. One rule of a category shows that the category is on. */
const BROKEN: readonly [rule: string, file: string, source: string][] = [
  ['typescript(no-explicit-any)', 'src/any.ts', 'export const value: any = 1;'],
  ['typescript(ban-ts-comment)', 'src/expected.ts', '// @ts-expect-error because\nexport const value: number = "x";'],
  ['typescript(no-extraneous-class)', 'src/empty.ts', 'export class Empty {}'],
  ['typescript(no-non-null-assertion)', 'src/asserted.ts', 'export const go = (value?: string): string => value!;'],
  ['typescript(consistent-type-imports)', 'web/ui/import.ts', "import { Page } from './page.js';\nexport type Own = Page;"],
  ['eslint(no-unused-vars)', 'src/unused.ts', 'export function go(value: number): void {}'],
  ['eslint(no-dupe-keys)', 'src/twice.ts', 'export const twice = { a: 1, a: 2 };'],
  ['eslint(complexity)', 'src/complex.ts', `export function pick(value: number): number {\n${CHAIN}  return 0;\n}`],
  ['eslint(max-lines-per-function)', 'src/long.ts', TOO_LONG],
  [
    'eslint(no-param-reassign)',
    'src/reassigned.ts',
    'export function go(value: number): number {\n  value = 1;\n  return value;\n}',
  ],
  ['eslint(no-undef)', 'scripts/unknown.mjs', 'console.log(unknown);'],
  ['eslint(no-restricted-properties)', 'src/date-now.ts', 'export const now = Date.now();'],
  ['eslint(no-restricted-properties)', 'src/random.ts', 'export const drawn = Math.random();'],
  ['eslint(no-restricted-properties)', 'src/gateway/environment.ts', "export const port = process.env['PORT'];"],
  ['eslint(no-restricted-properties)', 'src/gateway/taken.ts', 'export const { env } = process;'],
  ['eslint(no-restricted-properties)', 'embedded/environment.ts', "export const port = process.env['PORT'];"],
  ['eslint(no-restricted-imports)', 'src/gateway/imported.ts', "export { env } from 'node:process';"],
  ['eslint(no-console)', 'src/console.ts', 'console.log(1);'],
  ['react(no-danger)', 'web/ui/markup.tsx', 'export const Raw = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;'],
  ['eslint(no-restricted-globals)', 'web/ui/global.tsx', 'export const path = (): string => window.location.pathname;'],
  ['react-hooks(rules-of-hooks)', 'web/ui/hook.tsx', HOOK],
  ['react-hooks(rules-of-hooks)', 'web/ui/hook.test.tsx', HOOK],
  [
    'react(static-components)',
    'web/ui/inner.tsx',
    'export function Outer({ text }: { text: string }) {\n  const Inner = () => <p>{text}</p>;\n  return <Inner />;\n}',
  ],
  [
    'react-hooks(exhaustive-deps)',
    'web/ui/effect.tsx',
    "import { useEffect } from 'react';\nexport function Log({ text }: { text: string }) {\n  useEffect(() => void text.trim(), []);\n  return null;\n}",
  ],
  [
    'eslint(no-restricted-properties)',
    'test/flows/narrowed.test.ts',
    "import { it } from '@jest/globals';\nit.only('x', () => undefined);",
  ],
];

const ALLOWED: readonly [file: string, source: string][] = [
  ['src/config/environment.ts', "export const port = process.env['PORT'];"],
  ['src/config/clock.ts', 'export const now = (): number => Date.now();'],
  ['src/main.ts', "console.log('ready');"],
  ['web/browser/page.ts', 'export const path = (): string => window.location.pathname;'],
  ['test/support/logged.ts', "console.log('x');"],
];

describe('the linter', () => {
  const tree = new ScratchTree();
  let found: { code: string; filename: string }[] = [];

  beforeAll(() => {
    tree.writeLinter();
    for (const [, file, source] of BROKEN) tree.write(file, `${source}\n`);
    for (const [file, source] of ALLOWED) tree.write(file, `${source}\n`);
    tree.write('src/silenced.ts', '/* eslint-disable no-console */\nconsole.log(1);\n');
    found = (JSON.parse(tree.run('oxlint', ['--format', 'json', '.'])) as { diagnostics: typeof found }).diagnostics;
  }, 120_000);
  afterAll(() => tree.remove());

  const toRules = (file: string): string[] => found.filter(({ filename }) => filename === file).map(({ code }) => code);

  it.each(BROKEN)('reports %s in %s', (rule, file) => {
    expect(toRules(file)).toContain(rule);
  });

  it.each(ALLOWED)('reports nothing in %s', (file) => {
    expect(toRules(file)).toEqual([]);
  });

  it('cannot be disabled in a file', () => {
    expect(toRules('src/silenced.ts')).toContain('eslint(no-console)');
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
