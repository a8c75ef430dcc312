/** PgBouncer in transaction mode between Foyer and PostgreSQL, with fewer server connections than clients. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { SystemClock } from '../../../src/config/clock.js';
import type { Config } from '../../../src/config/config.js';
import { DatabaseUnavailable, PoolerUnsuitable } from '../../../src/database/database.errors.js';
import { Database } from '../../../src/database/database.js';
import { inspectDatabase } from '../../../src/database/inspection/inspect-database.js';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import { openDatabase, type DatabaseEvent } from '../../../src/database/open-database.js';
import { PostgresSource } from '../../../src/database/postgres.js';
import { PgBouncer, whyNoPgBouncer } from '../../support/pgbouncer.js';
import { PostgresCluster } from '../../support/postgres-cluster.js';
import { AccountParts, PASSWORD } from './account-parts.js';

const reason = whyNoPgBouncer();
if (reason !== null) process.stderr.write(`SKIPPED: PgBouncer in transaction mode: ${reason}\n`);
const TIMEOUT_MS = 180_000;
const TRANSACTION_MODE = { pool_mode: 'transaction', default_pool_size: 3 };

(reason === null ? describe : describe.skip)('PostgreSQL behind PgBouncer', () => {
  let cluster: PostgresCluster;
  let sharing: PgBouncer;
  let keeping: PgBouncer;
  const open: Database[] = [];
  const events: DatabaseEvent[] = [];

  async function connect(url: string, statements?: 'named' | 'unnamed'): Promise<Database> {
    const database = { url, poolSize: 10, dataDir: '', ...(statements ? { statements } : {}) };
    const opened = await openDatabase({
      database,
      clock: new SystemClock(),
      onEvent: (event) => events.push(event),
      startTimeoutMs: 0,
      acquireTimeoutMs: TIMEOUT_MS,
    });
    open.push(opened);
    return opened;
  }

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.start();
    await cluster.execute('create database foyer');
    sharing = await PgBouncer.start(cluster, TRANSACTION_MODE);
    keeping = await PgBouncer.start(cluster, { pool_mode: 'session', default_pool_size: 20 });
  }, TIMEOUT_MS);

  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close()));
    events.length = 0;
  });

  afterAll(async () => {
    await Promise.all([sharing.stop(), keeping.stop()]);
    await cluster.remove();
  }, TIMEOUT_MS);

  it(
    'in transaction mode is migrated once when many replicas start at the same moment',
    async () => {
      await cluster.execute('create database fresh');
      await Promise.all(Array.from({ length: 4 }, () => connect(sharing.url('fresh'))));
      // The replica that creates the indexes need not be the one that creates the tables.
      const applied = events.flatMap(({ message }) => /migrated: (.*)\.$/.exec(message)?.[1]?.split(', ') ?? []);
      expect(applied.sort()).toEqual(MIGRATIONS.map(({ name }) => name).sort());
      expect(events.filter(({ kind }) => kind === 'pooled')).toHaveLength(4);
    },
    TIMEOUT_MS,
  );

  it(
    'in transaction mode serves sign-ins, limits and cleanup to more clients than it has server connections',
    async () => {
      const [one, other] = [await connect(sharing.url('foyer')), await connect(sharing.url('foyer'))];
      const [first, second] = [new AccountParts(one), new AccountParts(other)];
      const { username } = await first.createPerson();
      const rounds = Array.from({ length: 40 }, (_, round) => (round % 2 ? first : second).tryPassword(username, PASSWORD));
      expect(new Set((await Promise.all(rounds)).map(({ kind }) => kind))).toEqual(new Set(['proven']));
      expect(await second.cleanup.deleteExpired()).toBe(0);
    },
    TIMEOUT_MS,
  );

  it('in transaction mode applies the time limits of a transaction to that transaction only', async () => {
    const database = await connect(sharing.url('foyer'));
    const limit = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`;
    const inside = await database.transaction(async (trx) => (await limit.execute(trx)).rows);
    expect(inside).toEqual([{ limit: '5s' }]);
    for (let times = 0; times < 5; times++) expect((await limit.execute(database.db)).rows).toEqual([{ limit: '0' }]);
  });

  it('in transaction mode leaves no named statement on a server connection', async () => {
    const database = await connect(sharing.url('foyer'));
    await database.ping();
    const { rows } = await sql`select name from pg_prepared_statements`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it('in transaction mode cannot keep named statements, and the start reports that at once', async () => {
    const refused = connect(sharing.url('foyer'), 'named');
    await expect(refused).rejects.toThrow(PoolerUnsuitable);
    await expect(refused).rejects.toThrow(/DATABASE_STATEMENTS=named.*max_prepared_statements/);
  });

  it('in session mode keeps named statements', async () => {
    const database = await connect(keeping.url('foyer'), 'named');
    await database.ping();
    const { rows } = await sql`select name from pg_prepared_statements`.execute(database.db);
    expect(rows).toEqual([{ name: 'ping' }]);
  });

  it('reports the loss of a named statement as unavailable, with the reason', async () => {
    const source = (): PostgresSource =>
      new PostgresSource({ url: sharing.url('foyer'), poolSize: 1, pooled: true, onConnectionLost: () => undefined });
    const [one, other] = [source(), source()].map(
      (each) => new Database({ source: each, dialect: 'postgresql', clock: new SystemClock() }),
    );
    if (!one || !other) throw new Error('There are two databases.');
    open.push(one, other);
    await one.ping();
    const refused = other.ping();
    await expect(refused).rejects.toThrow(DatabaseUnavailable);
    await expect(refused).rejects.toThrow(/DATABASE_STATEMENTS=unnamed/);
  });

  it('is recognised by the doctor, with the limits that its user lacks', async () => {
    const look = async (url: string, more: Partial<Config['database']> = {}) => {
      const seen = await inspectDatabase({ url, poolSize: 2, dataDir: '', ...more });
      return seen.state === 'open' ? seen.pooler : seen;
    };
    await connect(cluster.url('foyer'));
    expect(await look(cluster.url('foyer'))).toBeNull();
    expect(await look(sharing.url('foyer'))).toEqual({ hasLimits: false, keepsStatements: true });
    expect(await look(sharing.url('foyer'), { statements: 'named' })).toEqual({ hasLimits: false, keepsStatements: false });
    await cluster.execute(`alter database foyer set statement_timeout = '10s'`);
    expect(await look(cluster.url('foyer'))).toBeNull();
    const later = await PgBouncer.start(cluster, TRANSACTION_MODE);
    expect(await look(later.url('foyer'))).toEqual({ hasLimits: true, keepsStatements: true });
    await later.stop();
  });

  it('is quoted in the error when it refuses the database', async () => {
    const refusing = await PgBouncer.start(cluster, { ...TRANSACTION_MODE, max_client_conn: 0 });
    await expect(connect(refusing.url('foyer'))).rejects.toThrow(/no more connections allowed/);
    await refusing.stop();
  });
});
