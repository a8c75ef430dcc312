/**
 * New, migrated databases for tests. PGlite starts from a dump of a migrated template, PostgreSQL from a template
 * database on the server in TEST_DATABASE_URL.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../src/config/clock.js';
import { randomToken } from '../../src/config/keys.js';
import { Database } from '../../src/database/database.js';
import { SessionDialect } from '../../src/database/driver.js';
import { PGLITE_OPTIONS } from '../../src/database/embedded-directory.js';
import { EmbeddedSource } from '../../src/database/embedded.js';
import { migrate } from '../../src/database/migrate.js';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { openDatabase } from '../../src/database/open-database.js';
import { PostgresSource } from '../../src/database/postgres.js';
import type { Schema } from '../../src/database/schema.js';
import { TransactionScope } from '../../src/database/transaction-scope.js';
import { TELEMETRY_OFF, type Telemetry } from '../../src/telemetry/telemetry.js';
import { FirstState, takePglite, type Statements } from './kept-databases.js';
import { IS_FULL } from './matrix.js';
import { whyNoCluster } from './postgres-cluster.js';
import { TestClock } from './test-clock.js';

export type DatabaseKind = 'pglite' | 'postgresql';

const POOL_SIZE = 10;
const OPEN_TIMEOUT_MS = 60_000;

/**
 * @param kind `either` for tests that need neither in particular: PostgreSQL if the project has a server, because PGlite needs
 * half again as much processor time (docs/decisions/0085) @returns a separate database; close it in `afterAll`
 */
export function openTestDatabase(
  kind: DatabaseKind | 'either',
  clock: Clock = new TestClock(),
  telemetry?: Telemetry,
): Promise<Database> {
  if (kind === 'postgresql') return openOnServer(clock, telemetry);
  return kind === 'pglite' || !hasServer() ? openInMemory(clock, telemetry) : openOnServer(clock, telemetry);
}

export interface DatabaseUnderTest {
  readonly clock: TestClock;
  readonly database: Database;
}

/** Opens further connections to the same database, as another process would. */
export async function openBeside(database: Database, clock: Clock = new TestClock()): Promise<Database> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db);
  return onServer(patientSource(rows[0]?.name ?? ''), clock);
}

type Suite = (test: DatabaseUnderTest, kind: DatabaseKind) => void;

/** Runs the same tests on both databases. If one cannot run, prints the reason and counts its tests as skipped. */
export function describeOnDatabases(title: string, suite: Suite): void {
  describeOn(['pglite', 'postgresql'], title, suite);
}

/** For suites that take longer than three seconds on PGlite: they run on PGlite only in the full matrix, or without a server. */
export function describeOnSampledDatabases(title: string, suite: Suite): void {
  if (IS_FULL || whyNoServer() !== null) describeOnDatabases(title, suite);
  else describeOn(['postgresql'], title, suite);
}

function describeOn(kinds: readonly DatabaseKind[], title: string, suite: Suite): void {
  for (const kind of kinds) {
    const reason = kind === 'postgresql' ? whyNoServer() : null;
    if (reason !== null) {
      process.stderr.write(`SKIPPED ON POSTGRESQL: ${title}: ${reason}\n`);
      describe.skip(`${title} on ${kind}`, () => it('needs a server', () => undefined));
      continue;
    }
    describe(`${title} on ${kind}`, () => {
      const clock = new TestClock();
      let opened: Database | undefined;
      beforeAll(async () => {
        opened = await openTestDatabase(kind, clock);
      }, OPEN_TIMEOUT_MS);
      afterAll(async () => {
        await opened?.close();
      }, OPEN_TIMEOUT_MS);
      const underTest: DatabaseUnderTest = {
        clock,
        get database() {
          if (!opened) throw new Error('The database is open inside tests only.');
          return opened;
        },
      };
      suite(underTest, kind);
    });
  }
}

/** @returns why there is no PostgreSQL server for these tests, or null */
export function whyNoServer(): string | null {
  return process.env['TEST_DATABASE_URL'] ? null : (whyNoCluster() ?? 'jest.config.mjs starts no server for this project');
}

/** Whether `postgres-server.setup.mjs` ran, which also removes what remains. */
function hasServer(): boolean {
  return Boolean(process.env['TEST_DATABASE_URL'] && process.env['TEST_DATABASE_PREFIX']);
}

/** @returns a migrated PGlite for tests that set time limits of their own; close it in `afterAll` */
export async function openPglite(): Promise<PGlite> {
  return takePglite(await template());
}

async function openInMemory(clock: Clock, telemetry = TELEMETRY_OFF): Promise<Database> {
  const source = new EmbeddedSource(await openPglite(), OPEN_TIMEOUT_MS);
  return new Database({ source, dialect: 'pglite', clock, telemetry, transactionTimeoutMs: OPEN_TIMEOUT_MS });
}

let templatePath: Promise<string> | undefined;

/**
 * Creates the template, which takes seconds, once for all test processes, in a file named after its content. @returns its
 * path
 */
function template(): Promise<string> {
  return (templatePath ??= (async () => {
    const directory = join(process.cwd(), 'node_modules', '.cache', 'foyer');
    const version = createHash('sha256').update(JSON.stringify(MIGRATIONS)).digest('hex').slice(0, 16);
    const path = join(directory, `pglite-template-${version}.tar`);
    if (!existsSync(path)) await makeAlone(path);
    return path;
  })());
}

interface FileLock {
  withFileLock(path: string, work: () => Promise<void>, onWait: () => void): Promise<void>;
}

/** In an empty clone several parts need the template in their first seconds. */
async function makeAlone(path: string): Promise<void> {
  const lock = pathToFileURL(join(process.cwd(), 'scripts', 'lib', 'file-lock.mjs')).href;
  const { withFileLock } = (await import(lock)) as FileLock;
  const make = async (): Promise<void> => {
    if (existsSync(path)) return;
    const unfinished = `${path}.${process.pid}`;
    await writeFile(unfinished, await makeTemplate());
    await rename(unfinished, path);
  };
  await withFileLock(`${path}.lock`, make, () => undefined);
}

let directoryTemplate: Promise<string> | undefined;

/** @returns a new DATA_DIR with a migrated embedded database, because migrating one takes several seconds of CPU */
export async function makeMigratedDataDirectory(name: string): Promise<string> {
  const template = await (directoryTemplate ??= makeDirectoryTemplate());
  const dataDir = await mkdtemp(join(tmpdir(), `${name}-`));
  await cp(template, join(dataDir, 'database'), { recursive: true });
  return dataDir;
}

/**
 * @param statements further statements for the empty database
 * @returns a new DATA_DIR whose embedded database has no tables, as PostgreSQL initialises it
 */
export async function makeEmptyDataDirectory(name: string, statements = ''): Promise<string> {
  const dataDir = await makeMigratedDataDirectory(name);
  const pglite = await PGlite.create(join(dataDir, 'database'));
  await pglite.exec(`drop schema public cascade; create schema public; ${statements}`);
  await pglite.close();
  return dataDir;
}

async function makeDirectoryTemplate(): Promise<string> {
  const tar = await template();
  const path = tar.replace(/\.tar$/, '');
  if (existsSync(path)) return path;
  const unfinished = `${path}.${process.pid}`;
  const loadDataDir = new Blob([await readFile(tar)]);
  await (await PGlite.create({ ...PGLITE_OPTIONS, dataDir: unfinished, loadDataDir })).close();
  // Another process may have created it meanwhile.
  await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true }));
  return path;
}

async function makeTemplate(): Promise<Uint8Array<ArrayBuffer>> {
  const pglite = await PGlite.create(PGLITE_OPTIONS);
  const db = new Kysely<Schema>({ dialect: new SessionDialect(new EmbeddedSource(pglite), new TransactionScope()) });
  await migrate(db, MIGRATIONS);
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  return new Uint8Array(await dump.arrayBuffer());
}

/** The prefix of the databases of one run; `postgres-server.setup.mjs` removes them at the end. */
const PREFIX = process.env['TEST_DATABASE_PREFIX'] ?? `foyer_test_${randomToken(6).toLowerCase().replaceAll('-', '_')}`;
const TEMPLATE = `${PREFIX}_${process.pid}`;
let migratedTemplate: Promise<void> | undefined;
let databaseCount = 0;
const kept: string[] = [];

/** @returns the name of a new, migrated database of the server, which `dropDatabases` deletes */
export async function createMigratedDatabase(): Promise<string> {
  const name = await copyTemplate();
  kept.push(name);
  return name;
}

/** Migrated databases of this process that were closed. */
const free: string[] = [];
let firstState: FirstState | undefined;

/** Opens a database on the server that is given back when it is closed. */
async function openOnServer(clock: Clock, telemetry?: Telemetry): Promise<Database> {
  const name = await takeFree();
  const source = patientSource(name);
  const close = source.close.bind(source);
  let isClosed = false;
  source.close = async () => {
    if (isClosed) return;
    isClosed = true;
    await close();
    free.push(name);
  };
  return onServer(source, clock, telemetry);
}

/** @returns the name of a database that is as it was migrated; what remains is dropped with the server, or by its prefix */
async function takeFree(): Promise<string> {
  const name = free.pop();
  if (name === undefined) return copyTemplateForReuse();
  if (await useClient(name, restore).catch(rethrowUnlessNoSuperuser)) return name;
  await execute(`drop database ${name} with (force)`);
  return copyTemplateForReuse();
}

async function copyTemplateForReuse(): Promise<string> {
  const name = await copyTemplate();
  firstState ??= await useClient(name, (client) => FirstState.read(toStatements(client)));
  return name;
}

/** Only a superuser can turn off foreign keys and triggers. @returns false, because such a database cannot be restored */
function rethrowUnlessNoSuperuser(error: Error & { code?: string }): boolean {
  if (error.code === '42501') return false;
  throw error;
}

async function restore(client: pg.Client): Promise<boolean> {
  // Connections that a test has left open hold locks, and could write later.
  await client.query(`select pg_terminate_backend(pid, ${OPEN_TIMEOUT_MS}) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`);
  return (await firstState?.restore(toStatements(client))) ?? false;
}

const toStatements = (client: pg.Client): Statements => ({
  exec: (text) => client.query(text),
  query: async <Row>(text: string) => ({ rows: (await client.query(text)).rows as Row[] }),
});

/** As in PGlite, no wait for a statement, a lock or a connection ends because the machine is busy. */
function patientSource(name: string): PostgresSource {
  return new PostgresSource({
    url: serverUrl(name),
    poolSize: POOL_SIZE,
    onConnectionLost: () => undefined,
    unlimited: true,
    acquireTimeoutMs: OPEN_TIMEOUT_MS,
  });
}

function onServer(source: PostgresSource, clock: Clock, telemetry = TELEMETRY_OFF): Database {
  return new Database({ source, dialect: 'postgresql', clock, telemetry, transactionTimeoutMs: OPEN_TIMEOUT_MS });
}

/** @returns the name of a new, migrated database; drop it in `afterAll` */
export async function copyTemplate(): Promise<string> {
  await (migratedTemplate ??= createTemplate());
  const name = `${TEMPLATE}_${++databaseCount}`;
  // This strategy needs half the processor time of the default strategy.
  await execute(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return name;
}

async function createTemplate(): Promise<void> {
  await execute(`create database ${TEMPLATE}`);
  const database = { url: serverUrl(TEMPLATE), poolSize: 2, dataDir: '' };
  await (await openDatabase({ database, clock: new TestClock() })).close();
}

/** Address of a database of the server in TEST_DATABASE_URL. */
export function serverUrl(database: string): string {
  const address = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  address.pathname = database;
  return address.href;
}

/** @param database the database; by default the one in TEST_DATABASE_URL @returns the rows */
export async function execute<Row>(statement: string, database?: string): Promise<Row[]> {
  return useClient(database, async (client) => (await client.query(statement)).rows as Row[]);
}

async function useClient<Result>(database: string | undefined, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: database === undefined ? process.env['TEST_DATABASE_URL'] : serverUrl(database),
  });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** @returns the name of a new, empty database of the server; drop it in `afterAll` */
export async function createDatabase(): Promise<string> {
  const name = `${TEMPLATE}_${++databaseCount}`;
  await execute(`create database ${name}`);
  return name;
}

/** Deletes the databases of `createMigratedDatabase`; they must be closed. */
export async function dropDatabases(): Promise<void> {
  for (const name of kept.splice(0)) await execute(`drop database if exists ${name} with (force)`);
}
