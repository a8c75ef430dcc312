/** Indexes on tables with traffic: gateways of the previous version continue while the indexes are created. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { SystemClock } from '../../../src/config/clock.js';
import { AuditLog } from '../../../src/accounts/audit/audit-log.js';
import { IndexInterrupted } from '../../../src/database/database.errors.js';
import type { Database } from '../../../src/database/database.js';
import { SessionDialect } from '../../../src/database/driver.js';
import { migrate } from '../../../src/database/migrate.js';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import type { Migration } from '../../../src/database/migrations/migration.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { PostgresSource } from '../../../src/database/postgres.js';
import type { Schema } from '../../../src/database/schema.js';
import { TransactionScope } from '../../../src/database/transaction-scope.js';
import { PostgresCluster, whyNoCluster } from '../../support/postgres-cluster.js';
import { waitUntil } from '../../support/upstream-waiting.js';

const reason = whyNoCluster();
if (reason !== null) process.stderr.write(`SKIPPED: indexes made under load: ${reason}\n`);
const TIMEOUT_MS = 180_000;
const BY_REQUEST: Migration = {
  number: 9000,
  name: 'events-by-request',
  statements: [],
  indexes: [{ name: 'audit_event_request', on: 'audit_event (request_id)' }],
};

const TWO_TABLES: Migration = {
  number: 9001,
  name: 'two-tables',
  statements: ['alter table totp_factor add column later text', 'alter table known_device add column later text'],
};

(reason === null ? describe : describe.skip)('an index on a table with traffic', () => {
  let cluster: PostgresCluster;
  let before: Database;
  const sources: PostgresSource[] = [];
  let databases = 0;
  let name: string;

  function open(database: string): Promise<Database> {
    const settings = { url: cluster.url(database), poolSize: 4, dataDir: '' };
    return openDatabase({ database: settings, clock: new SystemClock(), acquireTimeoutMs: TIMEOUT_MS });
  }

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.start();
    await cluster.execute('create database migrated');
    await (await open('migrated')).close();
  }, TIMEOUT_MS);

  beforeEach(async () => {
    name = `traffic_${++databases}`;
    await cluster.execute(`create database ${name} template migrated`);
    before = await open(name);
  });

  afterEach(async () => {
    await Promise.all([before.close(), ...sources.splice(0).map((source) => source.close())]);
  });

  afterAll(() => cluster.remove(), TIMEOUT_MS);

  /** A replica of the next version starts. */
  function startNextVersion({ isPooled = false, step = BY_REQUEST } = {}): Promise<string[]> {
    const source = new PostgresSource({
      url: cluster.url(name),
      poolSize: 2,
      unlimited: true,
      acquireTimeoutMs: TIMEOUT_MS,
      onConnectionLost: () => undefined,
    });
    sources.push(source);
    const db = new Kysely<Schema>({ dialect: new SessionDialect(source, new TransactionScope()) });
    return migrate(db, [...MIGRATIONS, step], { isShared: true, isPooled });
  }

  it('tables that a gateway of the previous version locks in another order are still changed', async () => {
    const client = new pg.Client({ connectionString: cluster.url(name) });
    await client.connect();
    // A connection that waits longer than this looks for a deadlock, and its transaction is the one that ends.
    await client.query(`set deadlock_timeout = '1min'`);
    await client.query('begin');
    await client.query('lock table known_device');
    const migrated = startNextVersion({ step: TWO_TABLES });
    const waiting = `select 1 from pg_locks where not granted and relation = 'known_device'::regclass`;
    await waitUntil(TIMEOUT_MS, async () => (await cluster.query(waiting, name)).length > 0);
    await client.query('lock table totp_factor');
    await client.query('commit');
    await client.end();
    expect(await migrated).toEqual(['two-tables']);
  });

  /** Begins a change that an ordinary `create index` waits for, and that everybody else would then wait for. */
  async function beginChange(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: cluster.url(name) });
    await client.connect();
    await client.query('begin');
    await client.query(`insert into audit_event (at, kind, actor) values (now(), 'password.ok', 'person')`);
    return client;
  }

  /** @returns ids of the server processes that wait to finish an index */
  async function findIndexBuilds(): Promise<number[]> {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where query like 'create index%' and wait_event_type = 'Lock'`.execute(before.db);
    return rows.map(({ pid }) => pid);
  }

  /** @returns whether the removal of an index has waited for longer than the limits of the test */
  async function isPastTheLimits(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity where query like 'drop index%' and wait_event_type = 'Lock'
        and query_start < clock_timestamp() - interval '1 s'`.execute(before.db);
    return rows.length > 0;
  }

  /** @returns null while there is no such index */
  async function isValid(): Promise<boolean | null> {
    const { rows } = await sql<{ valid: boolean | null }>`
      select (select indisvalid from pg_index where indexrelid = to_regclass('audit_event_request')) as valid`.execute(before.db);
    return rows[0]?.valid ?? null;
  }

  it(
    'does not stop writes of gateways of the previous version',
    async () => {
      const change = await beginChange();
      const begun = startNextVersion();
      await waitUntil(TIMEOUT_MS, async () => (await findIndexBuilds()).length > 0);
      const audit = new AuditLog(before);
      await Promise.all(Array.from({ length: 20 }, () => audit.record({ actor: 'person', kind: 'password.ok' })));
      expect(await isValid()).toBe(false);
      await change.end();
      expect(await begun).toEqual(['events-by-request']);
      expect(await isValid()).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'is made once when many replicas start at the same moment',
    async () => {
      const applied = await Promise.all(Array.from({ length: 5 }, () => startNextVersion()));
      expect(applied.flat()).toEqual(['events-by-request']);
      expect(await startNextVersion()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'waits longer than the time limits of the database user, and ignores those of a pooler in between',
    async () => {
      await cluster.execute(`alter database ${name} set lock_timeout = '500ms'`);
      await cluster.execute(`alter database ${name} set statement_timeout = '500ms'`);
      const change = await beginChange();
      await expect(startNextVersion({ isPooled: true })).rejects.toThrow(IndexInterrupted);
      const begun = startNextVersion();
      await Promise.race([begun, waitUntil(TIMEOUT_MS, isPastTheLimits)]);
      await change.end();
      expect(await begun).toEqual(['events-by-request']);
      expect(await isValid()).toBe(true);
    },
    TIMEOUT_MS,
  );

  it(
    'is made again by the next start after it was interrupted',
    async () => {
      const change = await beginChange();
      const refused = expect(startNextVersion()).rejects.toThrow(IndexInterrupted);
      await waitUntil(TIMEOUT_MS, async () => (await findIndexBuilds()).length > 0);
      for (const pid of await findIndexBuilds()) await cluster.execute(`select pg_cancel_backend(${pid})`);
      await refused;
      await change.end();
      expect(await isValid()).toBe(false);
      expect(await startNextVersion()).toEqual(['events-by-request']);
      expect(await isValid()).toBe(true);
    },
    TIMEOUT_MS,
  );
});
