/**
 * One process for one data directory: two would overwrite each other. The lock holds the owner's process id, so that one
 * left behind by a crash does not keep anybody out.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

export class DirectoryInUse extends Error {}

/** @returns what gives the lock back. @throws DirectoryInUse */
export function lock(path: string): () => void {
  for (let attempt = 0; attempt < 2; attempt++) {
    if (create(path)) return () => release(path);
    const owner = ownerOf(path);
    if (owner !== null && owner !== process.pid && isRunning(owner)) {
      throw new DirectoryInUse(`Process ${owner} uses this data already. If it does not, remove ${path}.`);
    }
    if (owner === process.pid && held.has(path)) throw new DirectoryInUse(`This process uses ${path} already.`);
    rmSync(path, { force: true });
  }
  throw new DirectoryInUse(`Another process has just taken ${path}.`);
}

/** A number in the file may be ours by accident, after a restart in a container; what we hold we know. */
const held = new Set<string>();

function release(path: string): void {
  held.delete(path);
  rmSync(path, { force: true });
}

function create(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 });
    held.add(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function ownerOf(path: string): number | null {
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
    // Somebody else's process is running too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
