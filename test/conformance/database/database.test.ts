import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { DatabaseUnavailable, StatementFailed, TransactionMisuse } from '../../../src/database/database.errors.js';
import type { Database } from '../../../src/database/database.js';
import { Statement } from '../../../src/database/statement.js';
import { describeOnDatabases } from '../../support/databases.js';
import { newName } from './account-parts.js';

async function readTime(database: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${database.now()} as now`.execute(database.db);
  return rows[0]?.now ?? new Date(0);
}

function row(
  username: string,
): Record<'username' | 'username_key' | 'display_name', string> & Record<'created_at' | 'updated_at', Date> {
  const now = new Date();
  return { username, username_key: username, display_name: username, created_at: now, updated_at: now };
}

const NOW = new Statement<Record<string, never>, { now: Date }>('test.now', ({ now }) => sql`select ${now} as now`);
const SUM = new Statement<{ one: number; two: number }, { sum: number }>(
  'test.sum',
  ({ param }) => sql`select ${param('one')}::integer + ${param('two')}::integer + ${param('one')}::integer as sum`,
);

describeOnDatabases('database', (test, kind) => {
  const isThere = async (username: string): Promise<boolean> =>
    (await test.database.db.selectFrom('account').select('id').where('username_key', '=', username).execute()).length > 0;

  it('answers, and names its kind', async () => {
    await test.database.ping();
    expect(test.database.dialect).toBe(kind);
  });

  it('has a time of its own, which moves with the test clock', async () => {
    const before = await readTime(test.database);
    expect(Math.abs(before.getTime() - test.clock.now().getTime())).toBeLessThan(60_000);
    test.clock.advanceSeconds(3600);
    const after = await readTime(test.database);
    expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(3_600_000);
    expect(after.getTime() - before.getTime()).toBeLessThan(3_660_000);
    const [run] = await test.database.run(NOW, {});
    expect(Math.abs((run?.now.getTime() ?? 0) - after.getTime())).toBeLessThan(60_000);
  });

  it('refuses a second statement with the same name', () => {
    expect(() => new Statement('test.now', () => sql`select 2`)).toThrow('Two statements have the name test.now.');
  });

  it('returns the same types on both databases', async () => {
    const { rows } = await sql`
      select count(*) as count, 2147483648::bigint as big, null::text as nothing, true as yes, 'ä€😀' as text,
        array['a', 'b,"c'] as list, ${['x', 'y"z']}::text[] as given, ${JSON.stringify({ a: [1, 'ö'] })}::jsonb as json,
        timestamptz '2026-11-21 10:00:00.123Z' as at, extract(epoch from interval '1.5 s')::double precision as seconds`.execute(
      test.database.db,
    );
    expect(rows).toEqual([
      {
        count: 1,
        big: 2147483648,
        nothing: null,
        yes: true,
        text: 'ä€😀',
        list: ['a', 'b,"c'],
        given: ['x', 'y"z'],
        json: { a: [1, 'ö'] },
        at: new Date('2026-11-21T10:00:00.123Z'),
        seconds: 1.5,
      },
    ]);
  });

  it('fills in the parameters of a statement at each run', async () => {
    expect(await test.database.run(SUM, { one: 1, two: 10 })).toEqual([{ sum: 12 }]);
    expect(await test.database.run(SUM, { one: 5, two: 100 })).toEqual([{ sum: 110 }]);
  });

  it('commits a transaction completely or not at all', async () => {
    const [kept, dropped] = [newName(), newName()];
    expect(
      await test.database.transaction(async (trx) => trx.insertInto('account').values(row(kept)).returning('username').execute()),
    ).toEqual([{ username: kept }]);
    const failing = test.database.transaction(async (trx) => {
      await trx.insertInto('account').values(row(dropped)).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect([await isThere(kept), await isThere(dropped)]).toEqual([true, false]);
  });

  it('continues a transaction after a failed statement whose error was ignored', async () => {
    const dropped = newName();
    const failing = test.database.transaction(async (trx) => {
      await trx.insertInto('account').values(row(dropped)).execute();
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
      await trx.insertInto('account').values(row(newName())).execute();
    });
    await expect(failing).rejects.toThrow(StatementFailed);
    expect(await isThere(dropped)).toBe(false);
  });

  it('refuses at once a use of the database beside the current transaction', async () => {
    const { database } = test;
    const { db } = database;
    await expect(database.transaction(() => db.selectFrom('account').select('id').execute())).rejects.toThrow(TransactionMisuse);
    await expect(database.transaction(() => database.ping())).rejects.toThrow(TransactionMisuse);
    await expect(database.transaction(() => database.transaction(async () => 1))).rejects.toThrow(TransactionMisuse);
    const later = await database.transaction(async () => () => db.selectFrom('account').select('id').limit(1).execute());
    await expect(later()).resolves.toBeInstanceOf(Array);
    await database.ping();
  });

  it('lets work that a transaction started continue outside after the transaction is over', async () => {
    const { database } = test;
    let finish: () => void = () => undefined;
    const end = new Promise<void>((resolve) => (finish = resolve));
    let outside: Promise<void> | undefined;
    await database.transaction(async () => {
      outside = end.then(() => database.ping());
    });
    finish();
    await expect(outside).resolves.toBeUndefined();
  });

  it('refuses the handle of a transaction that is over', async () => {
    const kept = await test.database.transaction(async (trx) => trx);
    await expect(kept.selectFrom('account').select('id').execute()).rejects.toThrow();
    await test.database.ping();
  });

  it('runs fifty transactions at once without losing an update', async () => {
    const username = newName();
    await test.database.db
      .insertInto('account')
      .values({ ...row(username), display_name: '0' })
      .execute();
    await Promise.all(
      Array.from({ length: 50 }, () =>
        test.database.transaction(async (trx) => {
          const query = trx.selectFrom('account').select('display_name').where('username_key', '=', username).forUpdate();
          const { display_name } = await query.executeTakeFirstOrThrow();
          const next = String(Number(display_name) + 1);
          await trx.updateTable('account').set({ display_name: next }).where('username_key', '=', username).execute();
        }),
      ),
    );
    const { display_name } = await test.database.db
      .selectFrom('account')
      .select('display_name')
      .where('username_key', '=', username)
      .executeTakeFirstOrThrow();
    expect(display_name).toBe('50');
  });

  it('names what the database refused without repeating values', async () => {
    const username = newName();
    await test.database.db.insertInto('account').values(row(username)).execute();
    const twice = await test.database.db
      .insertInto('account')
      .values(row(username))
      .execute()
      .catch((error: unknown) => error);
    expect(twice).toBeInstanceOf(StatementFailed);
    expect(twice).toMatchObject({ sqlState: '23505', constraint: 'account_username_key' });
    const malformed = await sql`select ${'s3cret'}::uuid`.execute(test.database.db).catch((error: unknown) => error);
    expect(malformed).toMatchObject({ sqlState: '22P02' });
    for (const error of [twice, malformed]) {
      const serialized = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).cause);
      expect(serialized).not.toContain(username);
      expect(serialized).not.toContain('s3cret');
    }
    await test.database.ping();
  });

  it('repeats work after a serialization failure, and gives up after some attempts', async () => {
    let tries = 0;
    const fail = sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`;
    const worked = test.database.transaction(async (trx) => {
      tries++;
      if (tries < 3) await fail.execute(trx);
      return tries;
    });
    expect(await worked).toBe(3);
    tries = 0;
    const never = test.database.transaction(async (trx) => {
      tries++;
      await fail.execute(trx);
    });
    await expect(never).rejects.toMatchObject({ sqlState: '40001' });
    expect(tries).toBe(4);
  });

  it('reports errors of the server as unavailable', async () => {
    for (const state of ['57P01', '53300', '25006', '08006', '55P03']) {
      const raised = sql.raw(`do $$ begin raise exception 'x' using errcode = '${state}'; end $$`).execute(test.database.db);
      await expect(raised).rejects.toThrow(DatabaseUnavailable);
    }
    await test.database.ping();
  });
});
