import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a directory and its parents for this user only. Node's own `recursive` option never returns for a directory
 * that cannot be created and whose parent exists, if the system reports ENOENT, as Linux does below /proc.
 * @param hasParent whether ENOENT is final, because the parent exists
 */
export async function makeDirectory(path: string, hasParent = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || hasParent || dirname(path) === path) throw error;
    await makeDirectory(dirname(path));
    await makeDirectory(path, true);
  }
}

/** The synchronous version of `makeDirectory`, for the start of a process. */
export function makeDirectorySync(path: string, hasParent = false): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || hasParent || dirname(path) === path) throw error;
    makeDirectorySync(dirname(path));
    makeDirectorySync(path, true);
  }
}
