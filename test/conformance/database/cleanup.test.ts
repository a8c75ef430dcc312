import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, WRONG, PASSWORD, newName } from './account-parts.js';

const DAY = 86_400;
const TABLES = ['challenge_record', 'browser_session', 'known_device', 'attempt_counter', 'audit_event'] as const;

describeOnSampledDatabases('cleanup', (test) => {
  async function countRows(): Promise<Record<string, number>> {
    const counted: Record<string, number> = {};
    for (const table of TABLES) {
      const { count } = await test.database.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      counted[table] = count;
    }
    return counted;
  }

  it('removes what is past its time and leaves the rest', async () => {
    // The database deletes events of the audit log only after their time by its own clock, so the test begins in the past.
    test.clock.advanceSeconds(-201 * DAY);
    const parts = new AccountParts(test.database);
    const account = await parts.createPerson();
    const hour = { acr: 'x', amr: ['pwd'], accountId: account.id, lifetimeSeconds: 3600 };
    await parts.sessions.begin({ ...hour, browser: randomToken(), upstreamSessionId: randomToken() });
    await parts.sessions.begin({ ...hour, lifetimeSeconds: 30 * DAY, browser: randomToken(), upstreamSessionId: randomToken() });
    await parts.challenges.claim({ kind: 'consent', challenge: 'short', browser: 'b' }, 3600);
    await parts.challenges.claim({ kind: 'consent', challenge: 'long', browser: 'b' }, 30 * DAY);
    const [device, remembered_at] = [{ account_id: account.id, device_hash: randomToken() }, test.clock.now()];
    const expires_at = new Date(remembered_at.getTime() + 180 * DAY * 1000);
    await test.database.db
      .insertInto('known_device')
      .values({ ...device, remembered_at, expires_at })
      .execute();
    await parts.fail(newName(), 1);
    await parts.tryPassword(account.username, PASSWORD);
    expect(await parts.cleanup.deleteExpired()).toBe(0);
    expect(await countRows()).toEqual({
      challenge_record: 2,
      browser_session: 2,
      known_device: 1,
      attempt_counter: 3,
      audit_event: 4,
    });

    test.clock.advanceSeconds(2 * 3600);
    await parts.cleanup.deleteExpired();
    expect(await countRows()).toEqual({
      challenge_record: 1,
      browser_session: 1,
      known_device: 1,
      attempt_counter: 2,
      audit_event: 4,
    });

    test.clock.advanceSeconds(200 * DAY);
    await parts.cleanup.deleteExpired();
    // The events of the creation and of the password remain; those of sign-ins do not.
    expect(await countRows()).toEqual({
      challenge_record: 0,
      browser_session: 0,
      known_device: 0,
      attempt_counter: 0,
      audit_event: 2,
    });
  });

  it('removes expired second factors, manage sessions and held names, and leaves the rest', async () => {
    const parts = new AccountParts(test.database);
    const { id } = await parts.createPerson();
    const { db } = test.database;
    const [past, future] = [new Date(0), new Date('2100-01-01')];
    for (const expires_at of [past, future]) {
      const row = { account_id: id, expires_at };
      const name = expires_at.toISOString();
      await db
        .insertInto('one_time_secret')
        .values({ ...row, secret_hash: name, purpose: 'p' })
        .execute();
      await db
        .insertInto('sign_in')
        .values({ ...row, challenge_hash: name, browser_hash: 'b' })
        .execute();
      const times = { created_at: past, seen_at: past, expires_at: past, kept_until: expires_at };
      const session = { ...times, account_id: id, scope: 'manage' as const, browser_hash: 'b' };
      await db.insertInto('manage_session').values(session).execute();
      await db.insertInto('held_username').values({ username_key: name, account_id: id, held_until: expires_at }).execute();
    }
    expect(await parts.cleanup.deleteExpired()).toBe(4);
    expect(await db.selectFrom('manage_session').select('kept_until').execute()).toEqual([{ kept_until: future }]);
    for (const table of ['one_time_secret', 'sign_in'] as const) {
      expect(await db.selectFrom(table).select('expires_at').execute()).toEqual([{ expires_at: future }]);
    }
    expect(await db.selectFrom('held_username').select('held_until').execute()).toEqual([{ held_until: future }]);
    await db.deleteFrom('account').where('id', '=', id).execute();
  });

  it('removes more than one batch, also when several cleanups run', async () => {
    const parts = new AccountParts(test.database);
    const rows = Array.from({ length: 1700 }, (_, index) => ({
      challenge_hash: `bulk ${index}`,
      kind: 'consent' as const,
      browser_hash: 'b',
      expires_at: new Date(0),
    }));
    await test.database.db.insertInto('challenge_record').values(rows).execute();
    const swept = await Promise.all([
      parts.cleanup.deleteExpired(),
      parts.cleanup.deleteExpired(),
      parts.cleanup.deleteExpired(),
    ]);
    expect(swept.reduce((sum, count) => sum + count)).toBe(1700);
    expect((await countRows())['challenge_record']).toBe(0);
  });

  it('[R-22] catches up after a flood that has left more than forty batches', async () => {
    const parts = new AccountParts(test.database);
    await sql`
      insert into attempt_counter (key, expires_at)
      select 'flood ' || number, '1970-01-01' from generate_series(1, 20700) number`.execute(test.database.db);
    expect(await parts.cleanup.deleteExpired()).toBe(20_700);
  });

  it('continues with the other tables if the rows of one cannot be deleted', async () => {
    const parts = new AccountParts(test.database);
    const { db } = test.database;
    await parts.challenges.claim({ kind: 'consent', challenge: 'kept', browser: 'b' }, 3600);
    const { id } = await parts.createPerson();
    const expires_at = new Date(0);
    await db
      .insertInto('known_device')
      .values({ account_id: id, device_hash: 'old', remembered_at: expires_at, expires_at })
      .execute();
    await db.updateTable('challenge_record').set({ expires_at }).execute();
    await sql`create rule keep_challenges as on delete to challenge_record do instead select 1 / 0`.execute(db);
    try {
      await expect(parts.cleanup.deleteExpired()).rejects.toThrow();
      expect(await countRows()).toMatchObject({ known_device: 0 });
    } finally {
      await sql`drop rule keep_challenges on challenge_record`.execute(db);
    }
    await parts.cleanup.deleteExpired();
    expect(await countRows()).toMatchObject({ challenge_record: 0 });
  });

  it('keeps a counter while an attempt is being checked', async () => {
    const parts = new AccountParts(test.database);
    const username = newName();
    const held = await parts.holdAttempt({
      username,
      accountId: null,
      device: null,
      address: '10.9.9.9',
      requestId: 'test',
    });
    await test.database.db
      .updateTable('attempt_counter')
      .set({ expires_at: new Date(0) })
      .where('pending', '=', 1)
      .execute();
    expect(await parts.cleanup.deleteExpired()).toBe(0);
    await held.end(WRONG);
    expect((await countRows())['attempt_counter']).toBe(2);
  });
});
