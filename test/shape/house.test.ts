/** Checks the rules of CONTRIBUTING.md about the names and the content of files. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT, listFilesBelow } from '../support/scratch-tree.js';

const FOLDERS = ['src', 'web', 'console', 'embedded', 'locales', 'scripts', 'test', 'test-kit', 'docs'];
const SOURCE_FOLDERS = [
  'accounts',
  'config',
  'contract',
  'database',
  'events',
  'flows',
  'gateway',
  'hydra',
  'mail',
  'manage',
  'mfa',
  'operator',
  'passkeys',
  'providers',
  'sources',
  'telemetry',
  'webauthn',
];

const everyFile = FOLDERS.flatMap(listFilesBelow);
const code = everyFile.filter((file) => /\.(ts|tsx|mjs)$/.test(file));

describe('the names of files and folders', () => {
  it('are in kebab-case, with the role as a suffix', () => {
    const wrong = everyFile.filter((file) => /^(src|web|console|embedded|scripts|test|test-kit)\//.test(file) && !isKebab(file));
    expect(wrong).toEqual([]);
  });

  it('say what a file contains, and are not generic words such as "utils"', () => {
    expect(code.filter((file) => /(^|[/-])(utils?|helpers?|misc|manager|base)[./]|(^|\/)common[./]/.test(file))).toEqual([]);
  });

  it('are known for every folder of `src`', () => {
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !SOURCE_FOLDERS.includes(name))).toEqual([]);
  });
});

describe('the content of files', () => {
  it('begins in long modules with a comment that says what the module owns, of at most ten lines', () => {
    const long = code.filter((file) => !/\.test\.tsx?$/.test(file) && readText(file).split('\n').length > 41);
    expect(long.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readText(file)))).toEqual([]);
    const headers = code.map((file) => ({ file, header: /^\/\*\*[\s\S]*?\*\//.exec(readText(file))?.[0] ?? '' }));
    expect(headers.filter(({ header }) => header.split('\n').length > 12).map(({ file }) => file)).toEqual([]);
  });

  it('has no open tasks, and does not disable the linters or the compiler', () => {
    // The words are split, so that this test does not find itself.
    const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'lint-dis' + 'able', '@ts-ig' + 'nore', '@ts-no' + 'check'].join('|'));
    const allowed = ['test/shape/lint.test.ts', 'test/shape/typed-lint.test.ts'];
    expect(code.filter((file) => marks.test(readText(file)) && !allowed.includes(file))).toEqual([]);
  });

  it('mentions no path of a particular machine, and no package registry', () => {
    const machinePaths = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', '/ho' + 'me/[a-z]', '/opt/hy' + 'dra'].join('|'));
    const top = ['README.md', 'package.json', 'package-lock.json', 'jest.config.mjs', '.npmrc', '.ci/run'];
    const files = [...everyFile.filter((file) => /\.(ts|tsx|mjs|json|md|css)$/.test(file)), ...top];
    expect(files.filter((file) => machinePaths.test(readText(file)))).toEqual([]);
    expect(readText('package-lock.json')).not.toContain('"resolved"');
  });
});

function isKebab(file: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(basename(file));
}

function readText(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8');
}
