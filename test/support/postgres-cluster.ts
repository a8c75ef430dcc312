/**
 * A private PostgreSQL server in a temporary directory, reachable over a socket file, and over TCP only if asked for. It stops when the test
 * process ends in any way: a shell holds the other end of a pipe and stops the server when the pipe closes.
 */
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** Debian's folder of each major version. */
const DEBIAN_DIRECTORY = '/usr/lib/postgresql';
const OLDEST_MAJOR = 15;
const START_TIMEOUT_MS = 180_000;
const KEPT = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'foyer');

/** PostgreSQL refuses to run as root, so it runs as its own user then. */
export const asServerUser: readonly string[] = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];

/** @returns why no server can be started here, or null */
export function whyNoCluster(): string | null {
  if (!findBinaries())
    return `no PostgreSQL ${OLDEST_MAJOR} or later (set TEST_DATABASE_URL or POSTGRES_IMAGE, or install it below ${DEBIAN_DIRECTORY})`;
  if (asServerUser.length > 0 && !serverUser()) return 'this runs as root and there is no user "postgres" for the server';
  return null;
}

function findBinaries(): string | null {
  const own = process.env['POSTGRES_BIN'];
  if (own) return existsSync(join(own, 'initdb')) ? own : null;
  if (!existsSync(DEBIAN_DIRECTORY)) return null;
  const majors = readdirSync(DEBIAN_DIRECTORY).map(Number);
  const newest = Math.max(...majors.filter((major) => major >= OLDEST_MAJOR));
  const directory = join(DEBIAN_DIRECTORY, String(newest), 'bin');
  return existsSync(join(directory, 'initdb')) ? directory : null;
}

/** @returns null if the server runs as this process's user */
export function serverUser(): { uid: number; gid: number } | null {
  if (asServerUser.length === 0) return null;
  try {
    const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}

/** Initialises a data directory once for each version of the server and keeps it, because a copy takes a tenth of the processor time. */
async function makeDataDirectory(binDirectory: string, directory: string): Promise<void> {
  const { stdout } = await run(join(binDirectory, 'postgres'), ['--version']);
  const kept = join(KEPT, `postgres-${createHash('sha256').update(`${binDirectory} ${stdout}`).digest('hex').slice(0, 16)}`);
  const data = join(directory, 'data');
  if (!existsSync(kept)) {
    await initialise(binDirectory, directory);
    await keep(data, kept);
    return;
  }
  await run('cp', ['-R', kept, data]);
  const user = serverUser();
  if (user) await run('chown', ['-R', `${user.uid}:${user.gid}`, data]);
}

async function initialise(binDirectory: string, directory: string): Promise<void> {
  const options = ['-D', join(directory, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const [program = '', ...rest] = [...asServerUser, join(binDirectory, 'initdb'), ...options];
  await run(program, rest, { cwd: directory });
}

async function keep(data: string, kept: string): Promise<void> {
  const unfinished = `${kept}.${process.pid}`;
  await mkdir(KEPT, { recursive: true });
  await run('cp', ['-R', data, unfinished]);
  // Another process may have kept one meanwhile.
  await rename(unfinished, kept).catch(() => rm(unfinished, { recursive: true }));
}

export class PostgresCluster {
  #server: ChildProcess | undefined;
  /** Part of the name of the socket file; default: the port of PostgreSQL. */
  #port: number | undefined;

  private constructor(
    readonly directory: string,
    private readonly binDirectory: string,
  ) {}

  /** Creates an empty cluster without starting it. */
  static async create(): Promise<PostgresCluster> {
    const binDirectory = findBinaries();
    if (!binDirectory) throw new Error(whyNoCluster() ?? 'no PostgreSQL');
    const directory = await mkdtemp(join(tmpdir(), 'foyer-postgres-'));
    const user = serverUser();
    if (user) await chown(directory, user.uid, user.gid);
    const cluster = new PostgresCluster(directory, binDirectory);
    await makeDataDirectory(binDirectory, directory);
    return cluster;
  }

  /** Folder of pg_dump and similar tools. */
  get tools(): string {
    return this.binDirectory;
  }

  /** The process id of the running server, the parent of all its processes. */
  get pid(): number {
    return Number(readFileSync(join(this.directory, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  url(database = 'postgres'): string {
    const port = this.#port === undefined ? '' : `:${this.#port}`;
    return `postgresql://postgres@localhost${port}/${database}?host=${encodeURIComponent(this.directory)}`;
  }

  /** @param tcpPort on the loopback interface, for programs that know no socket files */
  async start(tcpPort?: number): Promise<void> {
    const server = [join(this.binDirectory, 'postgres'), '-D', join(this.directory, 'data'), '-k', this.directory];
    this.#port = tcpPort;
    const addresses = tcpPort === undefined ? ['listen_addresses='] : ['listen_addresses=127.0.0.1', `port=${tcpPort}`];
    const settings = [...addresses, 'fsync=off', 'logging_collector=off'].flatMap((setting) => ['-c', setting]);
    const script = '"$@" >/dev/null 2>&1 & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';
    const [program = '', ...rest] = [...asServerUser, 'sh', '-c', script, 'sh', ...server, ...settings];
    this.#server = spawn(program, rest, { cwd: this.directory, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#server.unref();
    (this.#server.stdin as (NodeJS.WritableStream & { unref(): void }) | null)?.unref();
    await this.#waitUntilItAnswers();
  }

  /** Stops the server immediately, as a crash does. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    this.#server = undefined;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.ref();
    server.stdin?.end();
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  async execute(statement: string, database = 'postgres'): Promise<void> {
    await this.query(statement, database);
  }

  async query<Row extends pg.QueryResultRow>(statement: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async #waitUntilItAnswers(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.execute('select 1');
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    }
  }
}
