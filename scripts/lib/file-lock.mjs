/**
 * Allows one setup at a time, so that `npm start` and `npm test` in two terminals do not install or build at the same
 * time. The lock is a file with the process id; a lock of a process that no longer runs is replaced.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 250;
/** A process writes its id directly after it has created the file. */
const MAX_WRITE_MS = 5000;

/**
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {(owner: number) => void} onWait called once if another process holds the lock
 * @returns {Promise<T>}
 */
export async function withFileLock(path, work, onWait) {
  mkdirSync(dirname(path), { recursive: true });
  let hasWaited = false;
  while (!takeLock(path)) {
    if (isLeft(path)) {
      // Only one process at a time removes it: a slower one would remove the lock that a faster one has just taken.
      await withFileLock(
        `${path}.removal`,
        async () => isLeft(path) && rmSync(path, { force: true }),
        () => undefined,
      );
      continue;
    }
    if (!hasWaited) onWait(readOwner(path) ?? 0);
    hasWaited = true;
    await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function takeLock(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the process that created the file no longer runs. */
function isLeft(path) {
  const owner = readOwner(path);
  return owner === null ? isAbandoned(path) : !isAlive(owner);
}

/** @returns the process that holds the lock, or null if the file is missing or not yet written */
function readOwner(path) {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}

/** Whether the process that created the file ended before it wrote its id. */
function isAbandoned(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > MAX_WRITE_MS;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
