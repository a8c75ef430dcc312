import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { ChangeUsername } from '../../src/accounts/changes/change-username.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import type { Config } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { openTestDatabase } from '../../test/support/databases.js';
import { OWN_CHANGE } from '../../test/support/proven-session.js';
import { openModules } from '../../test/support/modules.js';
import { TestClock } from '../../test/support/test-clock.js';
import { testConfig } from '../../test/support/test-config.js';
import { ensureDemoAccount, ensureDemoOperator } from './demo-account.js';

describe('ensureDemoAccount', () => {
  const clock = new TestClock();
  const keys = new Keys(['a secret of this installation']);
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase('pglite', clock);
  }, 180_000);

  afterAll(() => database.close());

  const openApp = (config: Config) => openModules({ config, keys, clock, database });
  const findMariaId = async (app: INestApplicationContext): Promise<string> =>
    (await app.get(Accounts).findByUsername('maria.musterfrau'))!.id;

  it('creates the account once, and reports a refused or changed password and a disabled account', async () => {
    const strictApp = await openApp(testConfig((config) => ({ password: { ...config.password, minLength: 60 } })));
    expect(await ensureDemoAccount(strictApp, keys, null)).toMatchObject({ username: 'maria.musterfrau', state: 'refused' });
    const app = await openApp(testConfig());
    const firstResult = await ensureDemoAccount(app, keys, null);
    expect(firstResult).toMatchObject({ username: 'maria.musterfrau', state: 'ready' });
    expect(await ensureDemoAccount(app, keys, null)).toEqual(firstResult);
    const id = await findMariaId(app);
    expect((await app.get(Accounts).find(id))?.displayName).toBe('Maria Musterfrau');

    expect(await app.get(SetPassword).setPassword(id, 'another password 4821')).toEqual([]);
    expect((await ensureDemoAccount(app, keys, null)).state).toBe('changed');
    const changeUsername = app.get(ChangeUsername);
    await changeUsername.change({ id, username: 'maria.musterfrau' }, 'maria.anders', OWN_CHANGE);
    expect((await ensureDemoAccount(app, keys, null)).state).toBe('changed');
    await changeUsername.change({ id, username: 'maria.anders' }, 'maria.musterfrau', OWN_CHANGE);
    await app.get(Accounts).setStatus(id, 'disabled');
    expect((await ensureDemoAccount(app, keys, null)).state).toBe('disabled');
    expect(await findMariaId(app)).toBe(id);
  });

  it('does not set the password again after "That was not me" has removed it', async () => {
    const app = await openApp(testConfig());
    const id = await findMariaId(app);
    await app.get(Accounts).setStatus(id, 'active');
    const token = await app.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: id, lifetimeSeconds: 60 });
    expect((await app.get(SecureAccount).secure(token, { actor: 'person' })).kind).toBe('done');
    expect((await ensureDemoAccount(app, keys, null)).state).toBe('changed');
    expect(await database.db.selectFrom('password_credential').select('hash').where('account_id', '=', id).execute()).toEqual([]);
  });
});

describe('ensureDemoOperator', () => {
  const clock = new TestClock();
  const keys = new Keys(['a secret of this installation']);
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase('pglite', clock);
  }, 180_000);

  afterAll(() => database.close());

  const listRights = async (): Promise<string[]> => {
    const { rows } = await sql<{ grant: string }>`
      select a.username || ' ' || g.right_name as "grant" from operator_grant g join account a on a.id = g.account_id`.execute(
      database.db,
    );
    return rows.map(({ grant }) => grant);
  };

  it('creates an operator with the right admin, and a password that differs from the password of the demo account', async () => {
    const app = await openModules({ config: testConfig(), keys, clock, database });
    const firstResult = await ensureDemoOperator(app, keys);
    expect(firstResult).toMatchObject({ username: 'olga.operator', state: 'ready' });
    expect((await ensureDemoAccount(app, keys, null)).password).not.toBe(firstResult.password);
    expect(await listRights()).toEqual(['olga.operator admin']);
    expect(await ensureDemoOperator(app, keys)).toEqual(firstResult);
    expect(await listRights()).toEqual(['olga.operator admin']);
  });

  it('does not give back a right that was taken away', async () => {
    const app = await openModules({ config: testConfig(), keys, clock, database });
    await sql`delete from operator_grant`.execute(database.db);
    expect((await ensureDemoOperator(app, keys)).state).toBe('ready');
    expect(await listRights()).toEqual([]);
  });
});
