/**
 * Locks an embedded database for one process, because PGlite lets two processes open a directory and then loses data.
 *
 * A process first writes a claim with a unique name and then looks for other claims. If two processes start together, at
 * least one sees the other, so they never both continue. The claim of a dead process is deleted by its unique
 * name, so a newer claim is never deleted in its place. If the process table cannot show whether the owner is alive (another
 * container, another system), the claim's heartbeat decides.
 */
import { randomInt } from 'node:crypto';
import { readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemClock, type Clock } from '../config/clock.js';
import { randomToken } from '../config/keys.js';
import { DataDirectoryInUse } from './database.errors.js';
import { makeDirectory } from '../config/make-directory.js';
import { realPause, type Pause } from './pause.js';
import { toLiveness, systemProcesses, type ProcessIdentity, type ProcessTable } from './process-identity.js';

const HEARTBEAT_MS = 2000;
/** If the process table does not decide, a claim without a heartbeat for this time is considered abandoned. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
const CHECKS = 20;
const TRIES = 5;
const MAX_RETRY_MS = 400;

/** Stands for the owner of a claim that cannot be read. */
const UNKNOWN_OWNER: ProcessIdentity = { pid: 0, host: '', start: '' };

export interface LockOptions {
  clock?: Clock;
  processes?: ProcessTable;
  pause?: Pause;
  /** Called when another process has removed the claim: this process must then stop writing. */
  onLost?: () => void;
}

export interface DataDirectoryLock {
  release(): Promise<void>;
}

/**
 * @param directory the directory of the claims; created if missing
 * @throws DataDirectoryInUse
 */
export async function lockDataDirectory(directory: string, options: LockOptions = {}): Promise<DataDirectoryLock> {
  const { clock = new SystemClock(), processes = systemProcesses, pause = realPause, onLost } = options;
  await makeDirectory(directory);
  for (let attempt = 1; ; attempt++) {
    const ownPath = await writeClaim(directory, processes.self());
    const heartbeat = startHeartbeat(ownPath, clock, onLost);
    const release = async (): Promise<void> => {
      clearInterval(heartbeat);
      await rm(ownPath, { force: true });
    };
    const otherOwner = await findOtherOwner(ownPath, { directory, processes, pause }).catch(async (error: unknown) => {
      await release();
      throw error;
    });
    // Our claim is missing only if this process was suspended for so long that another process considered it dead.
    if (!otherOwner && (await findHeartbeat(ownPath)) !== null) return { release };
    await release();
    if (attempt >= TRIES) throw new DataDirectoryInUse(toInUseMessage(directory, otherOwner ?? UNKNOWN_OWNER));
    await pause(randomInt(MAX_RETRY_MS));
  }
}

function toInUseMessage(directory: string, { pid }: ProcessIdentity): string {
  const owner = pid > 0 ? `pid ${pid}, ` : '';
  return (
    `The embedded database is in use by another process (${owner}see ${directory}). Stop that process first, set another ` +
    `DATA_DIR, or set DATABASE_URL: several processes need a PostgreSQL server.`
  );
}

/** Writes the claim to a temporary file and renames it, so that nobody reads an incomplete claim. */
async function writeClaim(directory: string, self: ProcessIdentity): Promise<string> {
  const name = randomToken(12);
  const temporaryPath = join(directory, `new-${name}`);
  const path = join(directory, `claim-${name}.json`);
  await writeFile(temporaryPath, JSON.stringify(self), { flag: 'wx', mode: 0o600 });
  await rename(temporaryPath, path);
  return path;
}

interface Search {
  directory: string;
  processes: ProcessTable;
  pause: Pause;
}

/** Deletes the claims of dead processes. @returns another owner that is alive, or null */
async function findOtherOwner(ownPath: string, search: Search): Promise<ProcessIdentity | null> {
  for (const name of await readdir(search.directory)) {
    const path = join(search.directory, name);
    if (path === ownPath || !name.startsWith('claim-')) continue;
    const claimant = await readClaim(path);
    if (claimant === 'gone') continue;
    if (await isAlive(path, claimant, search)) return claimant;
    await rm(path, { force: true });
  }
  return null;
}

async function readClaim(path: string): Promise<ProcessIdentity | 'gone'> {
  try {
    const { pid, host, start } = JSON.parse(await readFile(path, 'utf8')) as Partial<ProcessIdentity>;
    return { pid: Number(pid), host: String(host), start: String(start) };
  } catch (error) {
    // The claim may be damaged, for example by a full disk, so its heartbeat decides.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : UNKNOWN_OWNER;
  }
}

async function isAlive(path: string, claimant: ProcessIdentity, { processes, pause }: Search): Promise<boolean> {
  const liveness = toLiveness(claimant, processes);
  if (liveness !== 'unknown') return liveness === 'alive';
  const lastHeartbeat = await findHeartbeat(path);
  for (let check = 0; check < CHECKS; check++) {
    await pause(HEARTBEAT_TIMEOUT_MS / CHECKS);
    const heartbeat = await findHeartbeat(path);
    if (heartbeat === null) return false;
    if (heartbeat !== lastHeartbeat) return true;
  }
  return false;
}

/**
 * @returns the time of the last heartbeat in milliseconds; null if the claim is missing. It is compared only within one claim, because
 *   clocks of two machines may differ
 */
async function findHeartbeat(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  );
}

function startHeartbeat(ownPath: string, clock: Clock, onLost?: () => void): NodeJS.Timeout {
  const heartbeat = setInterval(() => {
    const now = clock.now();
    utimes(ownPath, now, now).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return;
      clearInterval(heartbeat);
      onLost?.();
    });
  }, HEARTBEAT_MS);
  return heartbeat.unref();
}
