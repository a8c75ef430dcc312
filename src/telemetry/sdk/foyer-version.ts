/** Which version this is, from the package that the code stands in. */
import { existsSync, readFileSync } from 'node:fs';

export function foyerVersion(): string {
  // The source and what is built from it lie at different depths.
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    const file = new URL('package.json', folder);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version ?? 'unknown';
    if (folder.pathname === new URL('../', folder).pathname) return 'unknown';
  }
}
