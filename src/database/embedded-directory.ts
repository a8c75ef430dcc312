/**
 * Opens the embedded database: first the lock, then PGlite, with a message for the operator if either fails. `database/` belongs
 * to PGlite; `database.lock/` contains the claims of the lock.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { lockDataDirectory, type DataDirectoryLock } from './data-directory-lock.js';
import { DatabaseError, DataDirectoryUnusable } from './database.errors.js';
import { copyTemplate } from './embedded-template.js';
import { EmbeddedSource } from './embedded.js';
import { makeDirectory } from '../config/make-directory.js';

/** The major version of PostgreSQL in PGlite. PGlite cannot open a directory of another major version. */
const MAJOR_VERSION = '18';
const INT8 = 20;

export const PGLITE_OPTIONS = { relaxedDurability: false, parsers: { [INT8]: Number } } satisfies PGliteOptions;

/** @param onLockLost called when another process has taken the lock, because it considered this process dead; the database is then closed */
export async function openEmbedded(dataDir: string, onLockLost: () => void): Promise<EmbeddedSource> {
  const directory = join(dataDir, 'database');
  const lockLoss = new AbortController();
  const lock = await requireWritable(directory, async () => {
    await makeDirectory(directory);
    return lockDataDirectory(join(dataDir, 'database.lock'), { onLost: () => lockLoss.abort() });
  });
  try {
    await copyTemplate(directory);
    const pglite = await createPglite(directory);
    const stop = (): void => {
      // This process must no longer write.
      pglite.close().catch(() => undefined);
      onLockLost();
    };
    if (lockLoss.signal.aborted) stop();
    else lockLoss.signal.addEventListener('abort', stop);
    return new LockedSource(pglite, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class LockedSource extends EmbeddedSource {
  constructor(
    pglite: PGlite,
    private readonly lock: DataDirectoryLock,
  ) {
    super(pglite);
  }

  override async close(): Promise<void> {
    try {
      await super.close();
    } finally {
      await this.lock.release();
    }
  }
}

async function requireWritable<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new DataDirectoryUnusable(
      `The data directory ${directory} cannot be written (${reason}). Give this user write permission, or set another DATA_DIR.`,
    );
  }
}

async function createPglite(directory: string): Promise<PGlite> {
  await requireMajorVersion(directory);
  const { PGlite } = await import('@electric-sql/pglite');
  try {
    return await PGlite.create({ ...PGLITE_OPTIONS, dataDir: directory });
  } catch {
    throw new DataDirectoryUnusable(
      `The embedded database in ${directory} does not open: it is damaged, or its disk is full. Restore it from a backup, ` +
        `or move it away to start with an empty database.`,
    );
  }
}

async function requireMajorVersion(directory: string): Promise<void> {
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => MAJOR_VERSION);
  if (version.trim() === MAJOR_VERSION) return;
  throw new DataDirectoryUnusable(
    `The embedded database in ${directory} was created by PostgreSQL ${version.trim().slice(0, 8)}, but this version of Foyer ` +
      `reads only PostgreSQL ${MAJOR_VERSION}. Export the data with the version of Foyer that created it.`,
  );
}
