import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { SystemClock } from '../../../src/config/clock.js';
import { DatabaseNotReleased, DatabaseUnavailable } from '../../../src/database/database.errors.js';
import { Database } from '../../../src/database/database.js';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import { openDatabase, type DatabaseEvent, type DatabaseOptions } from '../../../src/database/open-database.js';
import { PostgresSource } from '../../../src/database/postgres.js';
import { PostgresCluster, whyNoCluster } from '../../support/postgres-cluster.js';

const reason = whyNoCluster();
if (reason !== null) process.stderr.write(`SKIPPED: PostgreSQL that comes and goes: ${reason}\n`);
const describeWithServer = reason === null ? describe : describe.skip;
const TIMEOUT_MS = 180_000;

describeWithServer('PostgreSQL that comes and goes', () => {
  let cluster: PostgresCluster;
  const open: Database[] = [];
  const events: DatabaseEvent[] = [];

  async function connect(more: Partial<DatabaseOptions> & { name?: string } = {}): Promise<Database> {
    const { name = 'postgres', ...options } = more;
    const database = { url: cluster.url(name), poolSize: 4, dataDir: '' };
    const opened = await openDatabase({ database, clock: new SystemClock(), onEvent: (event) => events.push(event), ...options });
    open.push(opened);
    return opened;
  }

  function openPool(options: { url?: string; poolSize: number; acquireTimeoutMs: number }): Database {
    const source = new PostgresSource({ url: cluster.url(), onConnectionLost: () => undefined, ...options });
    const database = new Database({ source, dialect: 'postgresql', clock: new SystemClock(), transactionTimeoutMs: TIMEOUT_MS });
    open.push(database);
    return database;
  }

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
  }, TIMEOUT_MS);

  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    events.length = 0;
  });

  afterAll(async () => {
    await cluster.remove();
  }, TIMEOUT_MS);

  it('is waited for at the start, longer each time, and no longer than the configured time', async () => {
    const pauses: number[] = [];
    const pause = async (milliseconds: number): Promise<void> => void pauses.push(milliseconds);
    await expect(connect({ pause, startTimeoutMs: 20_000 })).rejects.toThrow(/was not available within 20 s/);
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(events.filter(({ kind }) => kind === 'waiting')).toHaveLength(pauses.length);
  });

  it(
    'is used as soon as it has started',
    async () => {
      let pauses = 0;
      const pause = async (): Promise<void> => {
        if (++pauses === 3) await cluster.start();
      };
      const database = await connect({ pause });
      await database.ping();
      expect(pauses).toBe(3);
      expect(events.map(({ kind }) => kind)).toContain('migrated');
    },
    TIMEOUT_MS,
  );

  it('is not waited for when it does not have the database', async () => {
    const pause = async (): Promise<void> => {
      throw new Error('waited');
    };
    const refused = connect({ name: 'nowhere', pause });
    await expect(refused).rejects.toThrow(DatabaseUnavailable);
    await expect(refused).rejects.toThrow(/DATABASE_URL/);
  });

  it(
    'is migrated once when many replicas start at the same moment',
    async () => {
      // Later tests copy this database.
      await cluster.execute('create database fresh');
      await Promise.all(Array.from({ length: 6 }, () => connect({ name: 'fresh' })));
      // Indexes are created step by step, each by whichever replica comes first.
      const migrated = events
        .filter(({ kind }) => kind === 'migrated')
        .map(({ message }) => /: (.*)\.$/.exec(message)?.[1] ?? '');
      expect(migrated.flatMap((names) => names.split(', ')).sort()).toEqual(MIGRATIONS.map(({ name }) => name).sort());
    },
    TIMEOUT_MS,
  );

  it('is refused at once where a version before the first release created its tables', async () => {
    await cluster.execute('create database unreleased template fresh');
    const database = await connect({ name: 'unreleased' });
    await sql`drop table schema_migration`.execute(database.db);
    const refused = connect({ name: 'unreleased' });
    await expect(refused).rejects.toThrow(DatabaseNotReleased);
    await expect(refused).rejects.toThrow(/an empty database \(DATABASE_URL\)/);
    expect(await database.db.selectFrom('account').selectAll().execute()).toEqual([]);
  });

  it('is used when a later version has migrated it further, and one event names the newest migration', async () => {
    await cluster.execute('create database later template fresh');
    const database = await connect({ name: 'later' });
    await sql`insert into schema_migration (number, name) values (998, 'later'), (999, 'latest')`.execute(database.db);
    await sql`alter table account add column later text`.execute(database.db);
    events.length = 0;
    const earlier = await connect({ name: 'later' });
    expect(await earlier.db.selectFrom('account').selectAll().execute()).toEqual([]);
    expect(events).toEqual([
      { kind: 'ahead', message: expect.stringMatching(/^The database has 2 migrations .* newest is 999 \(latest\)\..*update/) },
    ]);
  });

  it(
    'may stop and come back: requests are refused as unavailable, and the pool recovers',
    async () => {
      const database = await connect();
      const between = database.transaction(async (trx) => {
        await sql`select 1`.execute(trx);
        await cluster.stop();
        await sql`select 1`.execute(trx);
      });
      await expect(between).rejects.toThrow(DatabaseUnavailable);
      await expect(database.ping()).rejects.toThrow(DatabaseUnavailable);
      const many = await Promise.allSettled(Array.from({ length: 30 }, () => database.ping()));
      for (const one of many) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
      await cluster.start();
      await database.ping();
    },
    TIMEOUT_MS,
  );

  it('may close a connection that is not in use', async () => {
    const database = await connect();
    // The pool has one connection, so the closed one is noticed before the next use.
    await database.ping();
    await cluster.execute(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'foyer'`);
    const isLost = (): boolean => events.some(({ kind }) => kind === 'connection-lost');
    while (!isLost()) await new Promise((resolve) => setTimeout(resolve, 10));
    await database.ping();
  });

  it('is unavailable while it is read-only, and usable when it takes writes again', async () => {
    await cluster.execute('create database standby template fresh');
    const database = await connect({ name: 'standby' });
    await cluster.execute('alter database standby set default_transaction_read_only = on');
    await cluster.execute(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'standby'`);
    const write = (): Promise<unknown> =>
      sql`insert into schema_migration (number, name) values (1000000, 'x')`.execute(database.db);
    await write().catch(() => undefined);
    await expect(write()).rejects.toThrow(DatabaseUnavailable);
    await cluster.execute('alter database standby set default_transaction_read_only = off');
    await expect(write()).resolves.toBeDefined();
  });

  it('resolves a deadlock by repeating one of the transactions', async () => {
    await cluster.execute('create database crossing template fresh');
    await cluster.execute(`alter database crossing set deadlock_timeout = '30ms'`);
    const database = await connect({ name: 'crossing' });
    await sql`create table side (id integer primary key, value integer)`.execute(database.db);
    await sql`insert into side values (1, 0), (2, 0)`.execute(database.db);
    let arrived = 0;
    let go: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (go = resolve));
    const cross = (first: number, second: number): Promise<void> =>
      database.transaction(async (trx) => {
        await sql`update side set value = value + 1 where id = ${first}`.execute(trx);
        if (++arrived === 2) go();
        await both;
        await sql`update side set value = value + 1 where id = ${second}`.execute(trx);
      });
    await Promise.all([cross(1, 2), cross(2, 1)]);
    expect(arrived).toBeGreaterThan(2);
    const { rows } = await sql`select value from side`.execute(database.db);
    expect(rows).toEqual([{ value: 2 }, { value: 2 }]);
  });

  it('limits the wait for a connection', async () => {
    const database = openPool({ poolSize: 1, acquireTimeoutMs: 5000 });
    let free: () => void = () => undefined;
    let held: Promise<void> | undefined;
    await new Promise<void>((begun) => {
      held = database.transaction(async (trx) => {
        await sql`select 1`.execute(trx);
        begun();
        await new Promise<void>((resolve) => (free = resolve));
      });
    });
    const waiting = await Promise.allSettled(Array.from({ length: 120 }, () => database.ping()));
    for (const one of waiting) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    free();
    await held;
    await database.ping();
  });

  it('[INS-6] [R-09] fails no request while it allows fewer connections than the pool may have', async () => {
    await cluster.execute('create role limited login connection limit 3');
    const url = new URL(cluster.url());
    url.username = 'limited';
    const database = openPool({ url: url.href, poolSize: 10, acquireTimeoutMs: TIMEOUT_MS });
    await Promise.all(Array.from({ length: 40 }, () => sql`select pg_sleep(0.01)`.execute(database.db)));
    const { max, refusalCount } = database.usage();
    expect(max).toBeLessThanOrEqual(3);
    expect(refusalCount).toBeGreaterThan(0);
    expect(refusalCount).toBeLessThan(10);
  });

  it('serves two hundred transactions over four connections', async () => {
    const database = openPool({ poolSize: 4, acquireTimeoutMs: TIMEOUT_MS });
    const asked = Array.from({ length: 200 }, () => database.transaction((trx) => sql`select 1`.execute(trx)));
    expect(await Promise.all(asked)).toHaveLength(200);
  });
});
