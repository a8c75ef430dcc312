/** Breaks each lint rule that needs types, and checks that the violation is found. Rules without types are in `lint.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScratchTree } from '../support/scratch-tree.js';

const DEPRECATED = '/** @deprecated */\nfunction old(): void {}\n';

/** For each rule of typescript-eslint, source that breaks it. */
const BROKEN: Readonly<Record<string, string>> = {
  'await-thenable': 'export async function go(): Promise<void> {\n  await 1;\n}',
  'consistent-type-exports': "export { Shape } from './shape.js';",
  'no-array-delete': 'export const go = (list: string[]): boolean => delete list[0];',
  'no-base-to-string': 'export const text = (value: object): string => String(value);',
  'no-deprecated': `${DEPRECATED}old();`,
  'no-duplicate-type-constituents': 'export type Twice = string | string;',
  'no-floating-promises': 'export function go(): void {\n  Promise.resolve(1);\n}',
  'no-for-in-array': 'export function go(list: string[]): void {\n  for (const key in list) console.log(key);\n}',
  'no-generated-empty-object-type': 'export const pick = (value: Omit<{ a: string }, "a">): unknown => value;',
  'no-implied-eval': "setTimeout('go()', 1);",
  'no-meaningless-void-operator': 'export function go(value: undefined): void {\n  void value;\n}',
  'no-misused-promises': 'export const go = (list: string[]): void => list.forEach(async (one) => Promise.resolve(one));',
  'no-misused-spread': 'export const copy = (list: string[]): object => ({ ...list });',
  'no-mixed-enums': "export enum Mixed {\n  A = 1,\n  B = 'b',\n}",
  'no-redundant-type-constituents': 'export type Any = unknown | string;',
  'no-unnecessary-boolean-literal-compare': 'export const go = (value: boolean): boolean => value === true;',
  'no-unnecessary-condition': "export const go = (value: object): string => (value ? 'a' : 'b');",
  'no-unnecessary-template-expression': "export const go = `${'a'}b`;",
  'no-unnecessary-type-arguments':
    'function call<T = string>(value: T): T {\n  return value;\n}\nexport const one = call<string>("a");',
  'no-unnecessary-type-assertion': 'export const go = (value: string): string => value as string;',
  'no-unnecessary-type-conversion': 'export const go = (value: string): string => String(value);',
  'no-unnecessary-type-parameters': 'export function go<T>(value: T): void {\n  console.log(value);\n}',
  'no-unsafe-argument': 'function take(value: string): void {\n  console.log(value);\n}\ntake(JSON.parse(""));',
  'no-unsafe-assignment': 'export const value = JSON.parse("");',
  'no-unsafe-call': 'JSON.parse("")();',
  'no-unsafe-enum-comparison': 'enum One {\n  A = 1,\n}\nexport const go = (value: One): boolean => value === 1;',
  'no-unsafe-member-access': 'export const go = (): unknown => JSON.parse("").member;',
  'no-unsafe-return': 'export const go = (): string => JSON.parse("");',
  'no-unsafe-unary-minus': 'export const go = (value: string): number => -value;',
  'no-useless-default-assignment': 'export const go = ({ a = 1 }: { a: number }): number => a;',
  'only-throw-error': "export function go(): never {\n  throw 'text';\n}",
  'prefer-promise-reject-errors': "export const go = (): Promise<never> => Promise.reject('text');",
  'prefer-reduce-type-parameter':
    'export const go = (list: string[]): string[] => list.reduce((all, one) => [...all, one], [] as string[]);',
  'prefer-return-this-type': 'export class Chain {\n  add(): Chain {\n    return this;\n  }\n}',
  'related-getter-setter-pairs':
    'export class Pair {\n  get a(): string {\n    return "";\n  }\n  set a(value: number) {\n    console.log(value);\n  }\n}',
  'restrict-plus-operands': "export const go = (value: number): string => value + 'a';",
  'restrict-template-expressions': 'export const go = (value: object): string => `${value}`;',
  'return-await':
    'export async function go(): Promise<number> {\n  try {\n    return Promise.resolve(1);\n  } catch {\n    return 0;\n  }\n}',
  'switch-exhaustiveness-check':
    "export function go(value: 'a' | 'b'): void {\n  switch (value) {\n    case 'a':\n      return;\n  }\n}",
  'use-unknown-in-catch-callback-variable':
    'export const go = (): Promise<unknown> => Promise.resolve(1).catch((error: Error) => error);',
};

/** Source that the options of a rule allow. */
const ALLOWED: Readonly<Record<string, string>> = {
  'misused-spread': 'export const points = (text: string): string[] => [...text];',
  numbers: 'export const go = (value: number): string => `${value}`;',
  default:
    "export function go(value: 'a' | 'b'): void {\n  switch (value) {\n    case 'a':\n      return;\n    default:\n      return;\n  }\n}",
};

describe('the linter that knows types', () => {
  const tree = new ScratchTree();
  let found: { code: string; filename: string }[] = [];

  beforeAll(() => {
    tree.writeLinter();
    tree.write('src/shape.ts', 'export interface Shape {\n  a: string;\n}\n');
    for (const [rule, source] of Object.entries(BROKEN)) tree.write(`src/${rule}.ts`, `${source}\n`);
    for (const [name, source] of Object.entries(ALLOWED)) tree.write(`src/allowed/${name}.ts`, `${source}\n`);
    tree.write('test/support/parameter.ts', `${BROKEN['no-unnecessary-type-parameters']}\n`);
    tree.write('src/silenced.ts', `/* eslint-disable */\n${BROKEN['no-floating-promises']}\n`);
    found = (JSON.parse(tree.run('oxlint', ['--format', 'json', '.'])) as { diagnostics: typeof found }).diagnostics;
  }, 120_000);
  afterAll(() => tree.remove());

  const toRules = (file: string): string[] => found.filter(({ filename }) => filename === file).map(({ code }) => code);

  it.each(Object.keys(BROKEN))('reports %s', (rule) => {
    expect(toRules(`src/${rule}.ts`)).toContain(`typescript(${rule})`);
  });

  it('has a broken example of each enabled rule', () => {
    const enabled = tree
      .projectFile('.oxlintrc.json')
      .split('need types')[1]
      ?.split('"files"')[1]
      ?.matchAll(/"typescript\/([\w-]+)": (?!"off")/g);
    expect([...(enabled ?? [])].map(([, rule]) => rule).sort()).toEqual(Object.keys(BROKEN).sort());
  });

  it.each(Object.keys(ALLOWED))('reports nothing in the allowed source "%s"', (name) => {
    expect(toRules(`src/allowed/${name}.ts`)).toEqual([]);
  });

  it('allows a test to name the type of an answer', () => {
    expect(toRules('test/support/parameter.ts')).toEqual([]);
  });

  it('cannot be disabled in a file', () => {
    expect(toRules('src/silenced.ts')).toContain('typescript(no-floating-promises)');
  });
});
