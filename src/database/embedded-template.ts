/**
 * Copies an initialised embedded database from the build (`scripts/embedded-template.mjs`), because initialising one costs the
 * first start several seconds of CPU. If the build has no template, PGlite initialises the directory itself.
 */
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { makeDirectory } from '../config/make-directory.js';

/** A file in `dist`, compressed: a line of JSON that lists the entries, then the contents of the files in the same order. */
const TEMPLATE = new URL('../../embedded-database.gz', import.meta.url);
const FILE_MODE = 0o600;

interface Entry {
  path: string;
  /** Bytes; null for a directory. */
  size: number | null;
}

/**
 * Fills an empty directory completely or not at all: a process that is killed during the copy leaves it empty. Never fails, because
 * PGlite can start without the template.
 *
 * @param directory a directory that this process has locked
 */
export async function copyTemplate(directory: string, template: string | URL = TEMPLATE): Promise<void> {
  const draft = `${directory}.unfinished`;
  try {
    if ((await readdir(directory)).length > 0) return;
    const content = await readFile(template);
    await rm(draft, { recursive: true, force: true });
    await makeDirectory(draft);
    await unpack(await promisify(gunzip)(content), draft);
    await rename(draft, directory);
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function unpack(archive: Buffer, target: string): Promise<void> {
  const contentStart = archive.indexOf('\n') + 1;
  const entries = JSON.parse(archive.toString('utf8', 0, contentStart)) as Entry[];
  let offset = contentStart;
  for (const { path, size } of entries) {
    if (size === null) await makeDirectory(join(target, path));
    else await writeFile(join(target, path), archive.subarray(offset, (offset += size)), { mode: FILE_MODE });
  }
  if (offset !== archive.length) throw new Error(`The template for ${dirname(target)} is incomplete.`);
}
