/** The rules of CONTRIBUTING.md that a machine can see in names and words of files. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT } from '../support/scratch-tree.js';

const FOLDERS = ['src', 'web', 'embedded', 'locales', 'scripts', 'test', 'test-kit', 'docs'];
const SOURCE_FOLDERS = [
  'accounts',
  'config',
  'contract',
  'database',
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

const everyFile = FOLDERS.flatMap((folder) => filesBelow(join(PROJECT, folder)));
const code = everyFile.filter((file) => /\.(ts|tsx|mjs)$/.test(file));

describe('names', () => {
  it('are in kebab-case, with the role as a suffix', () => {
    const odd = everyFile.filter((file) => /^(src|web|embedded|scripts|test|test-kit)\//.test(file) && !isKebab(file));
    expect(odd).toEqual([]);
  });

  it('say what is inside: no attic', () => {
    expect(code.filter((file) => /(^|[/-])(utils?|helpers?|misc|manager|base)[./]|(^|\/)common[./]/.test(file))).toEqual([]);
  });

  it('of folders are those of docs/architecture.md', () => {
    const folders = readdirSync(join(PROJECT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !SOURCE_FOLDERS.includes(name))).toEqual([]);
  });
});

describe('words', () => {
  it('at the top of a module say what it owns, in ten lines at most', () => {
    const long = code.filter((file) => !/\.test\.tsx?$/.test(file) && readText(file).split('\n').length > 41);
    expect(long.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readText(file)))).toEqual([]);
    const headers = code.map((file) => ({ file, header: /^\/\*\*[\s\S]*?\*\//.exec(readText(file))?.[0] ?? '' }));
    expect(headers.filter(({ header }) => header.split('\n').length > 12).map(({ file }) => file)).toEqual([]);
  });

  it('leave nothing open and silence no machine', () => {
    // Written so that this file does not find itself.
    const marks = new RegExp(['TO' + 'DO', 'FIX' + 'ME', 'lint-dis' + 'able', '@ts-ig' + 'nore', '@ts-no' + 'check'].join('|'));
    const allowed = ['test/shape/lint.test.ts', 'test/shape/typed-lint.test.ts'];
    expect(code.filter((file) => marks.test(readText(file)) && !allowed.includes(file))).toEqual([]);
  });

  it("name no place on somebody's machine and no registry", () => {
    const machinePaths = new RegExp(['/wo' + 'rk/', '/ro' + 'ot/', '/ho' + 'me/[a-z]', '/opt/hy' + 'dra'].join('|'));
    const top = ['README.md', 'package.json', 'package-lock.json', 'jest.config.mjs', 'eslint.config.mjs', '.npmrc', '.ci/run'];
    const files = [...everyFile.filter((file) => /\.(ts|tsx|mjs|json|md|css)$/.test(file)), ...top];
    expect(files.filter((file) => machinePaths.test(readText(file)))).toEqual([]);
    expect(readText('package-lock.json')).not.toContain('"resolved"');
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return [relative(PROJECT, path)];
  });
}

function isKebab(file: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/.test(basename(file));
}

function readText(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8');
}
