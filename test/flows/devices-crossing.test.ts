/** Signing out all other devices while one of them comes to the end of a sign-in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { PATHS } from '../../src/contract/paths.js';
import { dropDatabases, whyNoServer } from '../support/databases.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, signIn } from '../support/manage.js';
import { waitUntil } from '../support/upstream-waiting.js';

const PATIENCE_MS = 180_000;

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: devices and sign-ins at once: ${reason}\n`);

(reason === null ? describe : describe.skip)('[SES-2] all other devices', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ kind: 'postgresql' });
  });

  afterAll(async () => {
    await gateway.close();
    await dropDatabases();
  });

  it('include one whose browser gets a new id meanwhile', async () => {
    const { db } = gateway.database;
    const user = await ManageUser.enter(gateway, { fresh: true });
    await signIn(gateway, gateway.browser(), user.account);
    const { id } = user.account;
    const others = db.selectFrom('browser_session').select('upstream_session_id').where('account_id', '=', id);
    const { upstream_session_id: other } = await others
      .orderBy('auth_time', 'desc')
      .orderBy('upstream_session_id', 'desc')
      .executeTakeFirstOrThrow();
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const ending = await db.transaction().execute(async (trx) => {
      // As the end of a sign-in does (`finished-sign-ins.ts`).
      await trx.selectFrom('account').select('id').where('id', '=', id).forKeyShare().execute();
      const moved = trx.updateTable('browser_session').set({ browser_hash: 'moved' });
      await moved.where('account_id', '=', id).where('upstream_session_id', '=', other).execute();
      const begun = user.post(PATHS.manageDevices);
      await waitUntil(PATIENCE_MS, async () => (await waits.execute(db)).rows.length > 0);
      return { begun };
    });
    expect((await ending.begun).location).toBe(`${PATHS.manageDevices}?status=devices-ended`);
    expect((await user.page(PATHS.manageDevices, 'manage_devices')).manage_devices.devices).toMatchObject([{ is_this: true }]);
  });
});
