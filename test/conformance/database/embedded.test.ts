import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import { SystemClock } from '../../../src/config/clock.js';
import {
  DatabaseNotReleased,
  DatabaseUnavailable,
  DataDirectoryInUse,
  DataDirectoryUnusable,
} from '../../../src/database/database.errors.js';
import type { Database } from '../../../src/database/database.js';
import { inspectDatabase } from '../../../src/database/inspection/inspect-database.js';
import { openDatabase, type DatabaseEvent } from '../../../src/database/open-database.js';
import { makeEmptyDataDirectory, makeMigratedDataDirectory } from '../../support/databases.js';
import { IS_FULL } from '../../support/matrix.js';
import { findWritten, type Written } from './written.js';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const TYPESCRIPT = new URL('../../support/register-typescript.mjs', import.meta.url).href;
const TIMEOUT_MS = 180_000;
/** Each kill costs the start of a process. */
const KILLS = Number(process.env['DATABASE_KILLS'] ?? (IS_FULL ? 4 : 1));
/** Each rival is a process. */
const RIVALS = IS_FULL ? 3 : 2;

/** A process that has the database open (`child.ts`). */
class Child {
  readonly lines: string[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(dataDir: string, work: 'wait' | 'write') {
    const args = ['--no-deprecation', '--import', TYPESCRIPT, CHILD, dataDir, work];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#ended = new Promise((resolve) => this.#process.once('close', () => resolve()));
    if (this.#process.stdout) createInterface(this.#process.stdout).on('line', (line) => this.#hear(line));
    void this.#ended.then(() => this.#wake());
  }

  async waitUntil(isEnough: (lines: string[]) => boolean): Promise<void> {
    while (!isEnough(this.lines) && this.#process.exitCode === null && this.#process.signalCode === null) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    this.#process.kill(signal);
    await this.#ended;
  }

  #hear(line: string): void {
    this.lines.push(line);
    this.#wake();
  }
}

describe('embedded database on its directory', () => {
  let dataDir: string;
  const open: Database[] = [];
  const children: Child[] = [];

  async function connect(directory = dataDir, onEvent: (event: DatabaseEvent) => void = () => undefined): Promise<Database> {
    const database = await openDatabase({ database: { dataDir: directory, poolSize: 2 }, clock: new SystemClock(), onEvent });
    open.push(database);
    return database;
  }

  function start(work: 'wait' | 'write'): Child {
    const child = new Child(dataDir, work);
    children.push(child);
    return child;
  }

  beforeAll(async () => {
    dataDir = await makeMigratedDataDirectory('foyer-embedded');
  }, TIMEOUT_MS);

  afterEach(async () => {
    for (const child of children.splice(0)) await child.end('SIGKILL');
    for (const database of open.splice(0)) await database.close();
  });

  afterAll(async () => {
    await rm(dataDir, { recursive: true });
  });

  it(
    'keeps what was written, cannot be opened twice in the same process, and leaves no lock behind when it is closed',
    async () => {
      const first = await connect();
      await expect(connect()).rejects.toThrow(DataDirectoryInUse);
      await sql`create table kept (text text)`.execute(first.db);
      await sql`insert into kept values ('here')`.execute(first.db);
      await first.close();
      expect(await readdir(join(dataDir, 'database.lock'))).toEqual([]);
      const second = await connect();
      expect((await sql`select text from kept`.execute(second.db)).rows).toEqual([{ text: 'here' }]);
    },
    TIMEOUT_MS,
  );

  it(
    'is refused while another process has it open, with an instruction, and is free when that process is killed',
    async () => {
      const child = start('wait');
      await child.waitUntil((lines) => lines.includes('open'));
      await expect(connect()).rejects.toThrow(DataDirectoryInUse);
      await expect(connect()).rejects.toThrow(/Stop that process first/);
      await child.end('SIGKILL');
      await (await connect()).ping();
    },
    TIMEOUT_MS,
  );

  it(
    'is opened by one of several processes that start at the same moment',
    async () => {
      const started = Array.from({ length: RIVALS }, () => start('wait'));
      await Promise.all(started.map((child) => child.waitUntil((lines) => lines.length > 0)));
      const said = started.map(({ lines }) => lines[0] ?? '');
      expect(said.filter((line) => line === 'open')).toHaveLength(1);
      const refusal = /^DataDirectoryInUse: The embedded database is in use by another process/;
      expect(said.filter((line) => refusal.test(line))).toHaveLength(RIVALS - 1);
    },
    TIMEOUT_MS,
  );

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'loses nothing that it has acknowledged when it receives %s, and opens again',
    async (signal) => {
      let acknowledged = 0;
      const expectAll = ({ last, count, torn }: Written): void => {
        expect({ torn, count }).toEqual({ torn: 0, count: last });
        expect(last).toBeGreaterThanOrEqual(acknowledged);
      };
      for (let round = 0; round < KILLS; round++) {
        const child = start('write');
        const enough = 20 + Math.floor(Math.random() * 60);
        await child.waitUntil((lines) => lines.length > enough);
        await child.end(signal);
        const [opened, found = '{}', ...numbers] = child.lines;
        expect(opened).toBe('open');
        expectAll(JSON.parse(found) as Written);
        acknowledged = Number(numbers.findLast((line) => /^\d+$/.test(line)));
      }
      expectAll(await findWritten(await connect()));
    },
    TIMEOUT_MS,
  );

  it(
    'stops writing when another process has taken its lock',
    async () => {
      const events: DatabaseEvent[] = [];
      const database = await connect(dataDir, (event) => events.push(event));
      const claims = join(dataDir, 'database.lock');
      for (const claim of await readdir(claims)) await rm(join(claims, claim));
      while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      expect(events[0]?.kind).toBe('lock-lost');
      await expect(database.ping()).rejects.toThrow(DatabaseUnavailable);
      await (await connect()).ping();
    },
    TIMEOUT_MS,
  );

  it('names a directory that cannot be created or written', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, '');
    for (const directory of [file, join(file, 'below'), '/proc/foyer']) {
      await expect(connect(directory)).rejects.toThrow(DataDirectoryUnusable);
      await expect(connect(directory)).rejects.toThrow(/DATA_DIR/);
    }
    if (process.getuid?.() === 0) return;
    const locked = join(dataDir, 'read-only');
    await mkdir(locked);
    await chmod(locked, 0o500);
    await expect(connect(locked)).rejects.toThrow(DataDirectoryUnusable);
  });

  it(
    'refuses a database of a version before the first release with an explanation, and leaves it unchanged',
    async () => {
      const directory = await makeEmptyDataDirectory(
        'foyer-unreleased',
        `create table schema_step (number integer primary key, name text);
        insert into schema_step values (1, 'first-light');
        create table account (username text, secured_at timestamptz);
        insert into account values ('maria')`,
      );
      const refused = connect(directory);
      await expect(refused).rejects.toThrow(/fresh data directory \(DATA_DIR\).*nothing was changed or deleted\.$/);
      await expect(refused).rejects.toThrow(DatabaseNotReleased);
      const config = { dataDir: directory, poolSize: 1 };
      expect(await inspectDatabase(config)).toMatchObject({ state: 'not-released' });
      expect(await readdir(join(directory, 'database.lock'))).toEqual([]);
      const after = await PGlite.create(join(directory, 'database'));
      expect((await after.query('select username from account')).rows).toEqual([{ username: 'maria' }]);
      expect((await after.query(`select to_regclass('schema_migration') as made`)).rows).toEqual([{ made: null }]);
      await after.close();
      await rm(directory, { recursive: true });
    },
    TIMEOUT_MS,
  );

  it(
    'names a database of another version and a damaged one, and leaves them unlocked',
    async () => {
      for (const [name, version, sentence] of [
        ['older', '16', /created by PostgreSQL 16/],
        ['damaged', '18', /damaged/],
      ] as const) {
        const directory = join(dataDir, name);
        await mkdir(join(directory, 'database'), { recursive: true });
        await writeFile(join(directory, 'database', 'PG_VERSION'), `${version}\n`);
        await expect(connect(directory)).rejects.toThrow(sentence);
        await expect(connect(directory)).rejects.toThrow(DataDirectoryUnusable);
        expect(await readdir(join(directory, 'database.lock'))).toEqual([]);
      }
    },
    TIMEOUT_MS,
  );
});
