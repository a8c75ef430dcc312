/**
 * Bundles the programs of `dist` with the packages that they use, because finding and loading 2,400 files takes 2.3 s of CPU time at
 * every start, and loading a few files takes 0.7 s. The programs keep their paths, and each imports its bundle.
 */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { PROGRAMS, toUnbundledPath } from './lib/programs.mjs';
import { ROOT } from './lib/run.mjs';

/**
 * Packages with native code, WebAssembly or threads; packages that a setting loads; optional packages of Nest and `pg`, which are not
 * installed; and `reflect-metadata`, which must run before all modules.
 */
const SEPARATE =
  /^(?:@electric-sql\/|@node-rs\/|@opentelemetry\/|@nestjs\/(?:websockets|microservices)|class-transformer|pg-native|pino|thread-stream|reflect-metadata)/;

for (const [folder, programs] of Object.entries(PROGRAMS)) {
  const programFolder = join(ROOT, 'dist', folder);
  const target = join(programFolder, 'bundle');
  for (const path of programs) renameSync(join(programFolder, path), join(programFolder, toUnbundledPath(path)));
  rmSync(target, { recursive: true, force: true });
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map((path) => [toName(path), join(programFolder, toUnbundledPath(path))])),
    platform: 'node',
    external: (id) => SEPARATE.test(id),
    plugins: [
      { name: 'address-of-a-module', transform: (code, id) => keepAddress(code, relative(target, id)) },
      { name: 'one-byte-characters', generateBundle: (_, bundle) => Object.values(bundle).forEach(escapeWideCharacters) },
    ],
    // Warnings about packages cannot be fixed in this project. Errors are thrown.
    logLevel: 'silent',
  });
  await bundle.write({
    dir: target,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    keepNames: true,
    // V8 keeps the source of a module in memory.
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  for (const path of programs) {
    const importPath = relative(dirname(join(programFolder, path)), join(target, `${toName(path)}.js`));
    writeFileSync(join(programFolder, path), `#!/usr/bin/env node\nimport './${importPath}';\n`);
  }
}

function toName(path) {
  return path.replace(/\.js$/, '').replaceAll('/', '-');
}

/** Keeps the original address of a module in its code, so that a bundled module still finds the files next to its source. */
function keepAddress(code, path) {
  // The ids of Rolldown's own modules contain a NUL.
  if (path.includes('\0') || path.includes('node_modules') || !code.includes('import.meta.url')) return null;
  return { code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`) };
}

/**
 * The source of a module has two bytes for each character in memory if any of them is beyond Latin-1, which adds 8 MiB in total.
 *
 * @throws if an escape would mean something else than its character: after a backslash, in `String.raw`, or for a line separator, which
 * can end a comment
 */
function escapeWideCharacters(chunk) {
  if (chunk.type !== 'chunk') return;
  if (/\\[^\u0000-\u00ff]|[\u2028\u2029]|String\.raw`[^`]*[^\u0000-\u00ff]/.test(chunk.code))
    throw new Error(`${chunk.fileName} has a character that cannot be escaped.`);
  chunk.code = chunk.code.replace(/[^\u0000-\u00ff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
