/**
 * Time limits of the database server and connections that it refuses: a request is answered with 503 and a page that offers to try
 * again, or with the error of a call. Nothing that it had begun remains half done, and everything recovers by itself.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { inspectDatabase } from '../../src/database/inspection/inspect-database.js';
import { RevocationRunner } from '../../src/hydra/revocation-runner.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { copyTemplate, createDatabase, execute, serverUrl, whyNoServer } from '../support/databases.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { IS_FULL } from '../support/matrix.js';
import { MailServer } from '../support/mail-server.js';
import { ManageUser } from '../support/manage.js';
import { CHANGE_NAMES, OwnChange, type ChangeName } from '../support/own-changes.js';
import { openMailModule } from '../support/modules.js';
import type { TestPage } from '../support/test-browser.js';
import { waitUntil } from '../support/upstream-waiting.js';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED: limits of the database server: ${reason}\n`);
const TIMEOUT_MS = 60_000;
/** The time limit of the server for a statement. Statements that do not wait must stay below it on a busy machine, planning included. */
const LIMIT_MS = 1000;
/** An advisory lock that a trigger of the test waits for. */
const HELD = 4711;
const describeOnServer = reason === null ? describe : describe.skip;

function expectOffersToTryAgain(page: TestPage): void {
  expect(page.status).toBe(503);
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(page.state('server_error').server_error).toMatchObject({ status: 503, code: 'unavailable' });
}

/** What people and clients send, each with what it requires. */
async function findRequests(gateway: TestGateway) {
  const user = await ManageUser.enter(gateway, { fresh: true });
  const calls = await user.rpc();
  const browser = gateway.browser();
  gateway.hydra.addLogin({ challenge: 'limits', sessionId: 'limits' });
  const { xsrf_token: _xsrf } = (await browser.get(`${PATHS.login}?login_challenge=limits`)).state('login').login;
  const login = { _xsrf, login_challenge: 'limits', username: user.account.username, password: PASSWORD };
  return {
    pages: [
      () => browser.post(PATHS.loginNative, login),
      () => user.browser.get(PATHS.manage),
      () => user.browser.get(PATHS.managePassword),
      () => browser.get(`${PATHS.passwordResetForm}?reset_token=${'a'.repeat(43)}`),
    ],
    calls: [() => calls.get('/userinfo'), () => calls.put('/username', { username: 'limited' })],
  };
}

const LIMITS = ['lock_timeout', 'statement_timeout'] as const;

describeOnServer.each(LIMITS)('%s of the server', (limit) => {
  let name: string;
  let gateway: TestGateway;
  let server: MailServer;

  beforeAll(async () => {
    name = await copyTemplate();
    server = await MailServer.start();
    const mail = { from: { name: 'Konten', address: 'konten@example.com' } };
    const smtp = { host: 'localhost', port: server.port, encryption: 'none' } as const;
    const databaseUrl = `${serverUrl(name)}&${limit}=${LIMIT_MS}`;
    gateway = await startTestGateway({ databaseUrl, config: () => ({ mail: { ...mail, server: smtp } }) });
  });

  afterAll(async () => {
    await gateway.close();
    await server.stop();
    await execute(`drop database ${name} with (force)`);
  });

  /** @returns a client that has run this statement, and must be ended */
  async function openClient(statement: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: serverUrl(name) });
    await client.connect();
    await client.query(statement);
    return client;
  }

  /** Runs `work` while nobody else can use the tables (`access exclusive`) or change them (`share`). */
  function withLock<T>(tables: string, mode: 'access exclusive' | 'share', work: () => Promise<T>): Promise<T> {
    return withStatement(`begin; lock table ${tables} in ${mode} mode`, work);
  }

  /** @param statement takes a lock that ends with its connection, after `work` */
  async function withStatement<T>(statement: string, work: () => Promise<T>): Promise<T> {
    const holder = await openClient(statement);
    try {
      return await work();
    } finally {
      await holder.end();
    }
  }

  it('[INS-6] [R-06] interrupts requests, which answer 503 and work afterwards', async () => {
    const { pages, calls } = await findRequests(gateway);
    const tables = await execute<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'public'`, name);
    const all = tables.map((table) => table.name).join(', ');
    await withLock(all, 'access exclusive', async () => {
      for (const ask of pages) expectOffersToTryAgain(await ask());
      for (const call of calls) {
        const { status, body, headers } = await call();
        expect([status, body['error']]).toEqual([503, 'unavailable']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
    });
    for (const ask of pages) expect((await ask()).status).toBeLessThan(500);
    for (const call of calls) expect((await call()).status).toBeLessThan(500);
    const reasons = gateway.logLines.filter(({ msg }) => msg === 'request failed');
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['unavailable']));
  });

  it('[INS-6] [R-06] leaves no change of an account half done, wherever it is interrupted', async () => {
    const tables: Record<ChangeName, string[]> = {
      password: [
        'attempt_counter',
        'password_credential',
        'browser_session',
        'manage_session',
        'known_device',
        'outbox',
        'rpc_change',
      ],
      username: ['account', 'held_username', 'audit_event', 'outbox'],
      totp: ['totp_factor', 'recovery_code', 'audit_event', 'outbox'],
      removal: ['totp_factor', 'recovery_code', 'audit_event', 'outbox'],
      codes: ['recovery_code', 'audit_event', 'outbox'],
    };
    for (const [index, change] of CHANGE_NAMES.entries()) {
      for (const [position, table] of tables[change].entries()) {
        // One limit at each table of each change, by turns; the full matrix has both.
        if (!IS_FULL && LIMITS[(index + position) % LIMITS.length] !== limit) continue;
        const own = await OwnChange.prepare(gateway, change);
        const { status, body } = await withLock(table, 'share', () => own.make());
        expect([change, table, status, body['error']]).toEqual([change, table, 503, 'unavailable']);
        expect([change, table, await own.wasMade(gateway.database)]).toEqual([change, table, false]);
        expect([change, table, (await own.make()).status]).toEqual([change, table, 200]);
        expect([change, table, await own.wasMade(gateway.database)]).toEqual([change, table, true]);
      }
    }
  });

  it('[R-06] keeps the change and the answer when only the storage of the answer is interrupted', async () => {
    await execute(
      `create function wait() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock_shared(${HELD}); return new; end $$;
      create trigger wait before update of answer on rpc_change for each row when (new.answer is not null) execute function wait();
      create trigger wait_removed before delete on rpc_change for each row execute function wait()`,
      name,
    );
    const own = await OwnChange.prepare(gateway, 'codes');
    const { status, body } = await withStatement(`select pg_advisory_lock(${HELD})`, () => own.make());
    expect([status, body['codes']]).toEqual([200, expect.any(Array)]);
    expect(await own.wasMade(gateway.database)).toBe(true);
    await execute(`drop function wait cascade`, name);
  });

  it('[R-06] interrupts workers, which continue afterwards', async () => {
    const own = await OwnChange.prepare(gateway, 'password');
    await own.make();
    const mailModule = await openMailModule(gateway);
    const worker = mailModule.get(OutboxWorker);
    await withLock('outbox, revocation_job', 'access exclusive', async () => {
      await worker.deliver();
      expect(await gateway.get(RevocationRunner).settle(own.user.account.id)).toBe(false);
    });
    expect(server.taken).toEqual([]);
    await worker.deliver();
    expect(server.taken.length).toBeGreaterThan(0);
    expect(await gateway.get(RevocationRunner).settle(own.user.account.id)).toBe(true);
    await mailModule.close();
  });
});

describeOnServer('a server without a free connection', () => {
  const role = 'foyer_limited';
  let name: string;
  let url: URL;
  let gateway: TestGateway;

  beforeAll(async () => {
    name = await createDatabase();
    await execute(`create role ${role} login`);
    await execute(`alter database ${name} owner to ${role}`);
    await execute(`alter schema public owner to ${role}`, name);
    url = new URL(serverUrl(name));
    url.username = role;
    gateway = await startTestGateway({ databaseUrl: url.href });
  });

  afterAll(async () => {
    await gateway.close();
    await execute(`drop database ${name} with (force)`);
    await execute(`drop role ${role}`);
  });

  async function allow(connections: number): Promise<void> {
    await execute(`alter role ${role} connection limit ${connections}`);
    // Waits for the end of the connections, because the server counts them until then.
    await execute(`select pg_terminate_backend(pid, ${TIMEOUT_MS}) from pg_stat_activity where usename = '${role}'`);
  }

  const readReadiness = async (): Promise<{ status: number; body: unknown }> => {
    const answer = await fetch(gateway.url + SERVER_PATHS.healthReady);
    return { status: answer.status, body: await answer.json() };
  };

  it('[INS-6] [R-09] is not ready and answers 503, and recovers by itself', async () => {
    const { pages, calls } = await findRequests(gateway);
    expect((await readReadiness()).status).toBe(200);
    await allow(0);
    await waitUntil(TIMEOUT_MS, async () => (await readReadiness()).status === 503);
    expect((await readReadiness()).body).toMatchObject({ status: 'unavailable', database: 'unavailable' });
    const many = Array.from({ length: 5 }, () => pages).flat();
    for (const page of await Promise.all(many.map((ask) => ask()))) expectOffersToTryAgain(page);
    for (const call of calls) expect(await call()).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    expect((await fetch(gateway.url + SERVER_PATHS.healthLive)).status).toBe(200);
    expect(gateway.logLines.map((line) => String(line['reason'])).join()).toContain('53300: no connection is left');
    await allow(-1);
    for (const ask of pages) expect((await ask()).status).toBeLessThan(500);
    await waitUntil(TIMEOUT_MS, async () => (await readReadiness()).status === 200);
  });

  it('[R-09] is inspected by the doctor: its limits, and the gateways that are connected', async () => {
    await allow(3);
    // Both sides must notice the end of a connection.
    await waitUntil(
      TIMEOUT_MS,
      async () => (await execute(`select from pg_stat_activity where usename = '${role}'`)).length === 0,
    );
    await waitUntil(TIMEOUT_MS, async () => gateway.database.usage().idleCount === 0);
    await gateway.database.ping();
    const database = { ...gateway.config.database, url: url.href };
    const seen = await inspectDatabase(database);
    const [settings] = await execute<{ most: string; kept: string }>(
      `select current_setting('max_connections') as most, current_setting('superuser_reserved_connections') as kept`,
    );
    const server = Number(settings?.most) - Number(settings?.kept);
    expect(seen).toMatchObject({ state: 'open', connections: { server, user: 3, database: null, gateways: 1 } });
    await execute(`alter database ${name} connection limit 5`);
    expect(await inspectDatabase(database)).toMatchObject({ connections: { user: 3, database: 5 } });
    await allow(-1);
  });
});
