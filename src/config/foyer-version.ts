/** Finds the version of Foyer in its package.json; `unknown` if the file or the version is missing. */
import { existsSync, readFileSync } from 'node:fs';

export function findFoyerVersion(): string {
  // The source and the build output have different depths in the tree.
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const file = new URL('package.json', folder);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version ?? 'unknown';
    if (folder.pathname === new URL('../', folder).pathname) return 'unknown';
  }
}
