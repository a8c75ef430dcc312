/**
 * Removes everything that a test run leaves behind. All processes of a run have one folder as their TMPDIR, by which they are found
 * on systems with `/proc`. Folders of the run that must be inside the project have names that begin with the name of this folder. At
 * the end of a run, its processes are ended and its folders are removed; after SIGKILL, the next run does this.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { CACHE } from './run.mjs';

const PREFIX = 'foyer-run-';
/** How long to wait until processes have ended. */
const END_TIMEOUT_MS = 3000;
const POLL_MS = 50;

/** @returns whether this process belongs to a run that it or a parent process has begun */
export function isInRun() {
  return basename(tmpdir()).startsWith(PREFIX);
}

/**
 * Makes the folder, and sets TMPDIR for this process and the processes that it starts.
 *
 * @returns {(timeoutMs?: number) => string[]} a function that ends the run, as the exit of this process does. It returns a line for
 * each process, file and folder that the run has left behind
 */
export function beginRun() {
  const temporaryFolder = tmpdir();
  for (const name of readdirSync(temporaryFolder))
    if (isAbandoned(join(temporaryFolder, name))) endRun(join(temporaryFolder, name), 0);
  const folder = join(temporaryFolder, `${PREFIX}${process.pid}`);
  mkdirSync(folder);
  // A database server runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  // The compile cache is kept for later runs, so it must not be in the folder.
  process.env.NODE_COMPILE_CACHE ??= join(CACHE, 'compiled');
  let leftovers;
  const end = (timeoutMs = END_TIMEOUT_MS) => (leftovers ??= endRun(folder, timeoutMs));
  process.once('exit', (code) => end(code > 128 ? 0 : END_TIMEOUT_MS));
  return end;
}

/** @param {() => unknown} [cleanUp] awaited before the process exits with the code of the signal */
export function exitOnSignals(cleanUp = () => undefined) {
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(name, async () => {
      try {
        await cleanUp();
      } finally {
        process.exit(128 + constants.signals[name]);
      }
    });
  }
}

/** In a folder that all users share, the name is not enough: another user's link with this name could lead anywhere. */
function isAbandoned(path) {
  const name = basename(path);
  const pid = Number(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : NaN);
  if (!Number.isInteger(pid) || !isOwnFolder(path)) return false;
  try {
    return pid === process.pid || !process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

function isOwnFolder(path) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isDirectory() && stats.uid === process.getuid?.();
}

/** This function is synchronous, because asynchronous work does not continue while a process exits. */
function endRun(folder, timeoutMs) {
  waitForEnd(folder, timeoutMs);
  const leftovers = [
    ...findProcesses(folder).map(({ pid, command }) => `process ${pid}: ${command}`),
    ...listPaths(folder).map((path) => `file or folder ${path}`),
  ];
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    for (const { pid } of findProcesses(folder)) kill(pid, signal);
    waitForEnd(folder, END_TIMEOUT_MS);
  }
  for (const volume of listVolumes(folder)) spawnSync('umount', ['-l', volume]);
  for (const path of [...listPaths(folder), folder]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  return leftovers;
}

function waitForEnd(folder, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && findProcesses(folder).length > 0) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function findProcesses(folder) {
  const pids = existsSync('/proc/self/environ') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids.map(Number).flatMap((pid) => {
    const isPartOfRun =
      pid !== process.pid &&
      read(`/proc/${pid}/environ`)
        .split('\0')
        .some((line) => isBelow(line, `TMPDIR=${folder}`));
    return isPartOfRun ? [{ pid, command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200) }] : [];
  });
}

const isBelow = (path, folder) => path === folder || path.startsWith(`${folder}/`);

function listPaths(folder) {
  const projectFolders = existsSync(CACHE) ? readdirSync(CACHE).filter((name) => name.startsWith(`${basename(folder)}-`)) : [];
  const contents = existsSync(folder) ? readdirSync(folder) : [];
  return [...contents.map((name) => join(folder, name)), ...projectFolders.map((name) => join(CACHE, name))];
}

function listVolumes(folder) {
  const mounts = read('/proc/self/mounts').split('\n');
  return mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => isBelow(path, folder));
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** @returns the content of the file; '' if it cannot be read, for example because the process has ended or belongs to another user */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
