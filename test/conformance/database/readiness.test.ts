import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTo, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { SystemClock, type Clock } from '../../../src/config/clock.js';
import { DatabaseUnavailable } from '../../../src/database/database.errors.js';
import type { Database } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { DatabaseReadiness } from '../../../src/database/readiness.js';
import { READINESS_PROBES, type ReadinessProbe } from '../../../src/gateway/http/health.controller.js';
import { PostgresCluster, serverUser, whyNoCluster } from '../../support/postgres-cluster.js';
import { openModules } from '../../support/modules.js';

const reason = whyNoCluster();
if (reason !== null) process.stderr.write(`SKIPPED: readiness of PostgreSQL: ${reason}\n`);
const TIMEOUT_MS = 180_000;
/** The time limit of the wait for a connection in a test that reaches it. */
const LIMIT_MS = 3000;
/** Longer than the longest wait for a statement and a connection on a busy machine, and shorter than the timeout of TCP. */
const BOUNDED_MS = 180_000;

(reason === null ? describe : describe.skip)('readiness of PostgreSQL', () => {
  let cluster: PostgresCluster;
  const open: Database[] = [];

  async function connect(url: string, acquireTimeoutMs = TIMEOUT_MS): Promise<Database> {
    const database = { url, poolSize: 4, dataDir: '' };
    const opened = await openDatabase({ database, clock: new SystemClock(), acquireTimeoutMs });
    open.push(opened);
    return opened;
  }

  /** Raises the time limits of the check for a busy machine. */
  function withTimeout(readiness: DatabaseReadiness): DatabaseReadiness {
    readiness.timeoutMs = TIMEOUT_MS;
    return readiness;
  }

  const toState = (database: Database): ReturnType<DatabaseReadiness['state']> =>
    withTimeout(new DatabaseReadiness(database, new SystemClock())).state();

  beforeAll(async () => {
    cluster = await PostgresCluster.create();
    await cluster.start();
    await cluster.execute('create database migrated');
    await (await connect(cluster.url('migrated'))).close();
  }, TIMEOUT_MS);

  afterEach(async () => {
    await Promise.all(open.splice(0).map((database) => database.close().catch(() => undefined)));
  });

  afterAll(() => cluster.remove(), TIMEOUT_MS);

  it('needs a database that takes changes, and leaves no row in it', async () => {
    const database = await connect(cluster.url('migrated'));
    expect((await toState(database)).takesChanges).toBe(true);
    expect((await sql`select * from write_probe`.execute(database.db)).rows).toEqual([]);
  });

  it('is refused while the database is read-only', async () => {
    await cluster.execute('create database standby template migrated');
    const database = await connect(cluster.url('standby'));
    await cluster.execute('alter database standby set default_transaction_read_only = on');
    await cluster.execute(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'standby'`);
    await database.ping().catch(() => undefined);
    await database.ping();
    expect((await toState(database)).takesChanges).toBe(false);
    await cluster.execute('alter database standby set default_transaction_read_only = off');
    expect((await toState(database)).takesChanges).toBe(true);
  });

  it('is refused while the volume is full', async () => {
    const volume = mkdtempSync(join(tmpdir(), 'foyer-volume-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', volume], { stdio: 'ignore' });
    } catch {
      process.stderr.write('SKIPPED: readiness of a full volume: this process may not mount one\n');
      rmSync(volume, { recursive: true });
      return;
    }
    try {
      const user = serverUser();
      if (user) chownSync(volume, user.uid, user.gid);
      await cluster.execute('create database crowded template migrated');
      const database = await connect(cluster.url('crowded'));
      await cluster.execute(`create tablespace small location '${volume}'`);
      await cluster.execute('alter table write_probe set tablespace small', 'crowded');
      const ballast = join(volume, 'ballast');
      expect(() => writeFileSync(ballast, Buffer.alloc(2 ** 21))).toThrow('ENOSPC');
      expect((await toState(database)).takesChanges).toBe(false);
      await database.ping();
      rmSync(ballast);
      expect((await toState(database)).takesChanges).toBe(true);
      await database.close();
      await cluster.execute('drop database crowded with (force)');
      await cluster.execute('drop tablespace small');
    } finally {
      execFileSync('umount', ['-l', volume]);
      rmSync(volume, { recursive: true });
    }
  });

  it('compares the clock with the time of the server', async () => {
    const database = await connect(cluster.url('migrated'));
    const looks: number[] = [Date.now()];
    const clock: Clock = { skewMs: 0, now: () => new Date(looks[looks.push(Date.now()) - 1] ?? 0) };
    const { clockOffsetMs } = await withTimeout(new DatabaseReadiness(database, clock)).state();
    const [begun = 0, before = 0, after = 0] = looks;
    // The server read its time between the first two readings; the middle of the last two is compared with it.
    expect(clockOffsetMs).toBeGreaterThanOrEqual((after - before) / 2 - 1);
    expect(clockOffsetMs).toBeLessThanOrEqual((after + before) / 2 - begun + 1);
  });

  /** Fixes the time of the database. @returns a clock that is `aheadMs` ahead of it */
  function clockAhead(database: Database, aheadMs: number): Clock {
    const now = Date.now();
    jest.spyOn(database, 'now').mockReturnValue(sql<Date>`${new Date(now)}::timestamptz`);
    return { skewMs: 0, now: () => new Date(now + aheadMs) };
  }

  it.each([
    [2000, 0],
    [-4000, 1],
    [31_000, 1],
  ])('recognises a clock that is %d ms ahead, and reports it %d times', async (aheadMs, reports) => {
    const reported: number[] = [];
    const database = await connect(cluster.url('migrated'));
    const clock = clockAhead(database, aheadMs);
    const readiness = withTimeout(new DatabaseReadiness(database, clock, (offsetMs) => reported.push(offsetMs)));
    expect((await readiness.state()).clockOffsetMs).toBe(aheadMs);
    await readiness.state();
    expect(reported).toHaveLength(reports);
  });

  it.each([
    [29_000, true],
    [-31_000, false],
    [31_000, false],
  ])('a gateway whose clock is %d ms ahead is ready: %s', async (aheadMs, isReady) => {
    const database = await connect(cluster.url('migrated'));
    const modules = await openModules({ database, clock: clockAhead(database, aheadMs) });
    withTimeout(modules.get(DatabaseReadiness, { strict: false }));
    const probes = modules.get<readonly ReadinessProbe[]>(READINESS_PROBES, { strict: false });
    const states = await Promise.all(probes.map(async (probe) => [probe.name, await probe.isReady()]));
    expect(Object.fromEntries(states)).toEqual({ database: true, clock: isReady, upstream: true });
    await modules.close();
  });

  describe('behind a network that loses everything', () => {
    let lossy: LossyNetwork;

    beforeAll(async () => {
      lossy = await LossyNetwork.before(new URL(cluster.url()).searchParams.get('host') ?? '');
    });

    afterAll(() => lossy.close());

    it(
      'ends statements, transactions and its check within the time limits, and recovers',
      async () => {
        const database = await connect(lossy.url, LIMIT_MS);
        await database.ping();
        lossy.lose();
        const asked = [
          database.ping(),
          database.transaction((trx) => sql`select 1`.execute(trx)),
          sql`select 1`.execute(database.db),
        ];
        expect((await new DatabaseReadiness(database, new SystemClock()).state()).takesChanges).toBe(false);
        for (const one of await Promise.allSettled(asked)) {
          expect(one).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
        }
        lossy.deliver();
        await database.ping();
      },
      BOUNDED_MS,
    );
  });
});

/** A TCP address in front of the socket file of the server that can drop everything silently. */
class LossyNetwork {
  #isLosing = false;

  private constructor(
    private readonly server: Server,
    private readonly sockets: Set<Socket>,
  ) {}

  static async before(directory: string): Promise<LossyNetwork> {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connectTo(join(directory, '.s.PGSQL.5432'));
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
      client.on('data', (data) => network.#isLosing || upstream.write(data)).on('close', () => upstream.destroy());
      upstream.on('data', (data) => network.#isLosing || client.write(data)).on('close', () => client.destroy());
    });
    const network = new LossyNetwork(server, sockets);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return network;
  }

  get url(): string {
    return `postgresql://postgres@127.0.0.1:${(this.server.address() as AddressInfo).port}/migrated`;
  }

  lose(): void {
    this.#isLosing = true;
  }

  deliver(): void {
    this.#isLosing = false;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
