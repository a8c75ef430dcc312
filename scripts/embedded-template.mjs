/**
 * Writes `dist/embedded-database.gz`: an initialised embedded database without tables, which is unpacked at the first start
 * (`src/database/embedded-template.ts` reads it). The argument may name another file.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { ROOT } from './lib/run.mjs';

const file = process.argv[2] ?? join(ROOT, 'dist', 'embedded-database.gz');
const directory = mkdtempSync(join(tmpdir(), 'foyer-template-'));
try {
  await (await PGlite.create(directory)).close();
  writeFileSync(file, gzipSync(pack(directory)));
} finally {
  rmSync(directory, { recursive: true });
}

/** Packs a folder into one buffer. Directories come before their content. */
function pack(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return { path: relative(directory, path), content: entry.isDirectory() ? null : readFileSync(path) };
  });
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  const entries = files.map(({ path, content }) => ({ path, size: content?.length ?? null }));
  return Buffer.concat([Buffer.from(`${JSON.stringify(entries)}\n`), ...files.flatMap(({ content }) => content ?? [])]);
}
