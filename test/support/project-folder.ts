import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Jest and the scripts run in the project's folder. */
export const CACHE = join(process.cwd(), '.cache');

/** @returns a temporary folder inside the project, where its packages and settings apply; the end of the run removes it at the latest */
export function makeProjectFolder(name: string): string {
  mkdirSync(CACHE, { recursive: true });
  return mkdtempSync(join(CACHE, `${basename(tmpdir())}-${name}-`));
}
