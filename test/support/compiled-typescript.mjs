/**
 * Compiles TypeScript with swc, for Jest and for the module hooks of Node. Keeps one output with its source map for each
 * source file in a folder that git ignores.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export const SWC_OPTIONS = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    keepClassNames: true,
    experimental: { keepImportAttributes: true },
  },
  module: { type: 'es6' },
};

const require = createRequire(import.meta.url);
const { version } = require('@swc/core/package.json');
const FOLDER = join(import.meta.dirname, '..', '..', '.cache', 'typescript');
const KEY_LENGTH = 40;

/** @param {string} path of a source file @returns {string} JavaScript */
export function compile(path) {
  const source = readFileSync(path, 'utf8');
  const key = sha1(version + JSON.stringify(SWC_OPTIONS) + source);
  const kept = readKept(`${toOutput(path)}.js`);
  if (kept?.startsWith(key)) return kept.slice(KEY_LENGTH);
  const { code, map } = require('@swc/core').transformSync(source, {
    ...SWC_OPTIONS,
    filename: path,
    swcrc: false,
    sourceMaps: true,
  });
  mkdirSync(FOLDER, { recursive: true });
  write(toMap(path), map);
  write(`${toOutput(path)}.js`, key + code);
  return code;
}

/** @param {string} path of a source file @returns {string} path of the source map of its output */
export function toMap(path) {
  return `${toOutput(path)}.map`;
}

function toOutput(path) {
  return join(FOLDER, sha1(path));
}

function sha1(text) {
  return createHash('sha1').update(text).digest('hex');
}

function readKept(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Other processes read and write the same files. */
function write(path, text) {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, path);
}
