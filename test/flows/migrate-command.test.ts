/** `main.js migrate`, the job that migrates before the gateways of a new version start, also killed during a migration. */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { createDatabase, execute, serverUrl, whyNoServer } from '../support/databases.js';
import { MainProcess } from '../support/main-process.js';
import { waitUntil } from '../support/upstream-waiting.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: the migration as a command: ${reason}\n`);
const TIMEOUT_MS = 180_000;
/** Settings without a warning about short passwords. */
const ENV = { PASSWORD_PROFILE: 'nist' };
/** Indexes of tables that gateways use are created last. */
const ALL = [false, true]
  .flatMap((isLater) => MIGRATIONS.filter(({ indexes }) => (indexes !== undefined) === isLater))
  .map(({ name }) => name)
  .join(', ');
const DONE = 'The database has the tables of this version.\n';
/** The server begins no such statement while a test holds this lock. */
const HELD = 4711;

(reason === null ? describe : describe.skip)('[INS-2] main.js migrate', () => {
  const databases: string[] = [];
  let name: string;

  beforeEach(async () => {
    name = await createDatabase();
    databases.push(name);
  });

  afterAll(async () => {
    for (const database of databases) await execute(`drop database ${database} with (force)`);
  });

  const startMigration = (): MainProcess => new MainProcess(['migrate'], { ...ENV, DATABASE_URL: serverUrl(name) });

  /** @returns a client of the database, which must be ended */
  async function openClient(...statements: string[]): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: serverUrl(name) });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    return client;
  }

  /** Waits until this number of statements with this beginning wait for a lock. */
  async function waitForLocks(beginning: string, count = 1): Promise<void> {
    const waiting = `select from pg_stat_activity
      where datname = '${name}' and query like '${beginning}%' and wait_event_type = 'Lock'`;
    await waitUntil(TIMEOUT_MS, async () => (await execute(waiting)).length === count);
  }

  const listInvalidIndexes = (): Promise<unknown[]> =>
    execute('select indexrelid::regclass::text as name from pg_index where not indisvalid', name);

  it('migrates an empty database, reports that, and has nothing to do the second time', async () => {
    expect(await startMigration().ended).toEqual({ code: 0, out: `The database was migrated: ${ALL}.\n${DONE}`, err: '' });
    expect(await startMigration().ended).toEqual({ code: 0, out: DONE, err: '' });
    expect(await execute('select number from schema_migration', name)).toHaveLength(MIGRATIONS.length);
  });

  it('ends with an explanation if the server does not answer, or does not have the database', async () => {
    const nobody = { ...ENV, DATABASE_URL: 'postgresql://foyer:secret@127.0.0.1:1/foyer' };
    const { code, out, err } = await new MainProcess(['migrate'], nobody, { pauses: false }).ended;
    expect(code).toBe(1);
    expect(err).toBe(
      'The database server in DATABASE_URL was not available within 60 s. The database is not available (ECONNREFUSED): try again later.\n',
    );
    expect(out).toContain('Next try in 250 ms.');
    expect(out + err).not.toContain('secret');
    const unknown = await new MainProcess(['migrate'], { ...ENV, DATABASE_URL: serverUrl('no_such_database') }).ended;
    expect(unknown).toEqual({
      code: 1,
      out: '',
      err: 'The database server refused the user, the password or the database in DATABASE_URL.\n',
    });
  });

  it('names the missing privilege of the database user', async () => {
    const user = `${name}_user`;
    await execute(`create role ${user} login password 'secret'`);
    try {
      const url = new URL(serverUrl(name));
      [url.username, url.password] = [user, 'secret'];
      const { code, err } = await new MainProcess(['migrate'], { ...ENV, DATABASE_URL: url.href }).ended;
      expect([code, err]).toEqual([
        1,
        'The user in DATABASE_URL lacks a privilege: CONNECT on the database, or CREATE on its schema.\n',
      ]);
    } finally {
      await execute(`drop role ${user}`);
    }
  });

  it.each([[['migrate', 'now']], [['--help']]])('ends with an explanation for %p, and changes nothing', async (args) => {
    const { code, out, err } = await new MainProcess(args, { ...ENV, DATABASE_URL: serverUrl(name) }).ended;
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      `${args.join(' ')}: is not a command; the only command is migrate, and without a command a gateway starts`,
    );
    expect(await execute(`select to_regclass('schema_migration') as made`, name)).toEqual([{ made: null }]);
  });

  it('has changed nothing if it is killed between two migrations, and leaves the lock to the next process', async () => {
    const holder = await openClient(
      `create function hold() returns event_trigger language plpgsql as $$ begin
        if current_query() like 'create table external_identity%' then perform pg_advisory_xact_lock_shared(${HELD}); end if;
      end $$`,
      'create event trigger hold on ddl_command_start execute function hold()',
      `select pg_advisory_lock(${HELD})`,
    );
    const first = startMigration();
    await waitForLocks('create table external_identity');
    const second = startMigration();
    await waitForLocks('select pg_advisory_xact_lock');
    await first.kill();
    expect(await execute(`select to_regclass('account') as made`, name)).toEqual([{ made: null }]);
    // The first process stopped at a lock, and the second one reaches the same place.
    await waitForLocks('select pg_advisory_xact_lock', 0);
    await waitForLocks('create table external_identity');
    await holder.end();
    expect(await second.ended).toEqual({ code: 0, out: `The database was migrated: ${ALL}.\n${DONE}`, err: '' });
  });

  it('leaves an invalid index if it is killed while it creates one, and the next start replaces it', async () => {
    await startMigration().ended;
    await execute(`delete from schema_migration where name = 'indexes-in-use'`, name);
    await execute('drop index account_words, account_group', name);
    const change = await openClient(
      'begin',
      `insert into account (username, username_key, display_name, created_at, updated_at) values ('a', 'a', 'a', now(), now())`,
    );
    const first = startMigration();
    await waitForLocks('create index concurrently account_words');
    await first.kill();
    await waitForLocks('create index concurrently account_words', 0);
    expect(await listInvalidIndexes()).toEqual([{ name: 'account_words' }]);
    const second = startMigration();
    await waitForLocks('drop index concurrently account_words');
    await change.end();
    expect(await second.ended).toEqual({ code: 0, out: `The database was migrated: indexes-in-use.\n${DONE}`, err: '' });
    expect(await listInvalidIndexes()).toEqual([]);
    expect(await execute(`select to_regclass('account_group') is not null as made`, name)).toEqual([{ made: true }]);
  });
});
