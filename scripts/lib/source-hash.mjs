/** Calculates a hash of source files, which shows whether a result made from them is up to date. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * @param {string} root
 * @param {readonly string[]} entries files and folders below `root`; missing ones are skipped
 * @param {(path: string) => boolean} [isIncluded] which files are included
 * @returns {string} SHA-256, hex
 */
export function hashFiles(root, entries, isIncluded = () => true) {
  const hash = createHash('sha256');
  const files = entries.flatMap((entry) => listFiles(join(root, entry))).filter(isIncluded);
  for (const file of files.sort()) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** @returns {string[]} every file at or below `path`, except in `node_modules` */
function listFiles(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .flatMap((entry) => listFiles(join(path, entry.name)));
}
