/**
 * Allows one process per data directory, because two would overwrite each other's data. The lock contains the owner's process id, so
 * a lock left by a crash does not block a new start, unless another process has this id by then.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

export class DirectoryInUse extends Error {}

/** @returns a function that releases the lock. @throws DirectoryInUse, or the system's error if the lock cannot be written */
export function lock(path: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(path)) return () => release(path);
    requireUnused(path);
    // Only one process at a time removes it: a slower one would remove the lock that a faster one has just taken.
    const unlock = lock(`${path}.removal`);
    try {
      requireUnused(path);
      rmSync(path, { force: true });
    } finally {
      unlock();
    }
  }
  throw new DirectoryInUse(`Another process has just taken ${path}.`);
}

/** @throws DirectoryInUse */
function requireUnused(path: string): void {
  const owner = readOwner(path);
  if (owner !== null && owner !== process.pid && isRunning(owner)) {
    throw new DirectoryInUse(`Process ${owner} already uses this data directory. If that is not true, remove ${path}.`);
  }
  if (owner === process.pid && ownLocks.has(path)) throw new DirectoryInUse(`This process already holds ${path}.`);
}

/** The locks of this process. After a restart in a container, a new process may have the id in the file by accident. */
const ownLocks = new Set<string>();

function release(path: string): void {
  ownLocks.delete(path);
  rmSync(path, { force: true });
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    ownLocks.add(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(path: string): number | null {
  try {
    const id = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(id) && id > 0 ? id : null;
  } catch {
    return null;
  }
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
