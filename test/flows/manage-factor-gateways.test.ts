/** A first factor that is set up at one of two gateways of one installation: what the other one takes from then on (S-78b). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { dropDatabases, serverUrl, whyNoServer } from '../support/databases.js';
import { PASSWORD, startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson } from '../support/manage.js';
import { RpcClient } from '../support/rpc-client.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const NEW_PASSWORD = 'silber ahorn 7733';

const reason = whyNoServer();
if (reason !== null) process.stderr.write(`SKIPPED ON POSTGRESQL: a first factor at two gateways: ${reason}\n`);

(reason === null ? describe : describe.skip)('a first factor, at two gateways', () => {
  let gateways: [TestGateway, TestGateway];

  beforeAll(async () => {
    const first = await startTestGateway({ kind: 'postgresql' });
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(first.database.db);
    gateways = [first, await startTestGateway({ databaseUrl: serverUrl(rows[0]?.name ?? ''), hydra: first.hydra })];
  }, 60_000);

  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await dropDatabases();
  });

  it('[S-78b] ends the power of the password in the sessions at the other one', async () => {
    const [first, second] = gateways;
    const account = await newPerson(first);
    const older = new RpcClient(second.url, (await (await ManageUser.enter(first, { account, fresh: true })).rpc()).token);
    expect((await older.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    const owner = await (await ManageUser.enter(first, { account, fresh: true })).rpc();
    const app = new TotpApp(String((await owner.post('/mfa-init-totp')).body['secret']), first.clock);
    expect((await owner.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
    const refused = { status: 403, body: { error: 'proof required', methods: ['totp'] } };
    expect(await older.delete('/mfa/totp')).toMatchObject(refused);
    expect(await older.post('/proof/password', { password: PASSWORD })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    });
    const changed = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
    expect(await older.put('/password', changed)).toMatchObject(refused);
    expect(await older.delete('/mfa/totp')).toMatchObject(refused);
  });
});
