/** Sessions that end while another request ends or moves sessions of the same account, on PostgreSQL. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { lockAccount } from '../../src/accounts/account/lock.js';
import type { Account } from '../../src/accounts/account/accounts.js';
import { AccountSessions } from '../../src/accounts/sessions/account-sessions.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { whyNoServer } from '../support/databases.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { waitForBlocked } from '../support/lock-waits.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import type { TestBrowser } from '../support/test-browser.js';
import { waitUntil } from '../support/upstream-waiting.js';

const TIMEOUT_MS = 180_000;

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: devices and sign-ins at once: ${reason}\n`);

const onPostgresql = reason === null ? describe : describe.skip;

onPostgresql('[SES-2] all other devices', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ kind: 'postgresql' });
  });

  afterAll(async () => {
    await gateway.close();
  });

  it('include a session whose browser gets a new id meanwhile', async () => {
    const { db } = gateway.database;
    const user = await ManageUser.enter(gateway, { fresh: true });
    await signIn(gateway, gateway.browser(), user.account);
    const { id } = user.account;
    const others = db.selectFrom('browser_session').select('upstream_session_id').where('account_id', '=', id);
    const { upstream_session_id: other } = await others
      .orderBy('auth_time', 'desc')
      .orderBy('upstream_session_id', 'desc')
      .executeTakeFirstOrThrow();
    const ending = await db.transaction().execute(async (trx) => {
      // The account is locked and the session is moved as at the end of a sign-in (`finished-sign-ins.ts`).
      await trx.selectFrom('account').select('id').where('id', '=', id).forKeyShare().execute();
      const moved = trx.updateTable('browser_session').set({ browser_hash: 'moved' });
      await moved.where('account_id', '=', id).where('upstream_session_id', '=', other).execute();
      const begun = user.post(PATHS.manageDevices);
      await waitForBlocked(TIMEOUT_MS, trx);
      return { begun };
    });
    expect((await ending.begun).location).toBe(`${PATHS.manageDevices}?status=devices-ended`);
    expect((await user.page(PATHS.manageDevices, 'manage_devices')).manage_devices.devices).toMatchObject([{ is_this: true }]);
  });
});

onPostgresql('[R-08] the end of sessions', () => {
  let gateway: TestGateway;
  let account: Account;
  let browser: TestBrowser;

  beforeAll(async () => {
    gateway = await startTestGateway({ kind: 'postgresql' });
  });

  beforeEach(async () => {
    account = await newPerson(gateway);
    browser = gateway.browser();
    await signIn(gateway, browser, account);
  });

  afterAll(async () => {
    await gateway.close();
  });

  const endInBrowser = () => {
    const cookie = browser.cookies(PATHS.login).find((pair) => pair.startsWith('foyer=')) ?? '';
    return gateway.get(BrowserSessions).endForBrowser(cookie.slice('foyer='.length));
  };

  it.each([
    [
      'by an operator',
      async () => {
        const [session] = await gateway.get(AccountSessions).list(account.id);
        return gateway.get(AccountSessions).end(account.id, session?.id ?? '', { actor: 'system' });
      },
    ],
    ['by a logout', endInBrowser],
  ])('%s waits for no lock of the account, so it cannot deadlock with the start of a session', async (_case, end) => {
    await gateway.database.db.transaction().execute(async (trx) => {
      await lockAccount(account.id, trx);
      await end();
    });
    expect(await gateway.get(AccountSessions).list(account.id)).toEqual([]);
  });

  it('by an operator ends the account area of a browser that gets a new id meanwhile', async () => {
    const { db } = gateway.database;
    const { account: person } = await ManageUser.enter(gateway, { fresh: true });
    const sessions = gateway.get(AccountSessions);
    const listed = await sessions.list(person.id);
    expect(listed.map(({ kind }) => kind).toSorted()).toEqual(['account-area', 'sign-in']);
    const id = listed.find(({ kind }) => kind === 'sign-in')?.id ?? '';
    const { ending } = await db.transaction().execute(async (trx) => {
      // The sessions are moved as at the end of a sign-in (`finished-sign-ins.ts`).
      await trx.updateTable('browser_session').set({ browser_hash: 'new' }).where('account_id', '=', person.id).execute();
      await trx.updateTable('manage_session').set({ entry_browser_hash: 'new' }).where('account_id', '=', person.id).execute();
      const begun = sessions.end(person.id, id, { actor: 'system' });
      await waitForBlocked(TIMEOUT_MS, trx);
      return { ending: begun };
    });
    expect(await ending).toMatchObject({ endedCount: 2 });
    expect(await sessions.list(person.id)).toEqual([]);
  });

  it('by a logout ends all of them after a deadlock with a request that locks them in another order', async () => {
    const { db } = gateway.database;
    await signIn(gateway, browser, account);
    const sessions = db.selectFrom('browser_session').where('account_id', '=', account.id);
    const inOrder = await sessions
      .select('upstream_session_id as id')
      .orderBy(sql`ctid`)
      .execute();
    const [first, last] = inOrder.map(({ id }) => id);
    const countDeadlocks = async () => {
      const counted = sql<{ deadlocks: number }>`select deadlocks from pg_stat_database where datname = current_database()`;
      return Number((await counted.execute(db)).rows[0]?.deadlocks);
    };
    const before = await countDeadlocks();
    const { ending } = await db.transaction().execute(async (trx) => {
      const lock = (id = '') =>
        trx.selectFrom('browser_session').select('browser_hash').where('upstream_session_id', '=', id).forUpdate();
      // The logout is the side that the database interrupts.
      await sql`set local deadlock_timeout = '1min'`.execute(trx);
      await lock(last).execute();
      const begun = endInBrowser();
      await waitForBlocked(TIMEOUT_MS, trx);
      await lock(first).execute();
      return { ending: begun };
    });
    expect(await ending).toEqual({ accountIds: [account.id], existsUpstream: true });
    const jobs = db.selectFrom('revocation_job').select(['kind', 'session_ids']).where('account_id', '=', account.id);
    expect(await jobs.execute()).toEqual([{ kind: 'named', session_ids: [first, last] }]);
    expect(await sessions.select('account_id').execute()).toEqual([]);
    await waitUntil(TIMEOUT_MS, async () => (await countDeadlocks()) > before);
  });
});
