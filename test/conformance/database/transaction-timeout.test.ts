import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { DatabaseUnavailable } from '../../../src/database/database.errors.js';
import { Database } from '../../../src/database/database.js';
import { EmbeddedSource } from '../../../src/database/embedded.js';
import { openPglite } from '../../support/databases.js';
import { TestClock } from '../../support/test-clock.js';

describe('a database with a transaction that does not end', () => {
  let opened: Database | undefined;

  afterAll(async () => {
    await opened?.close();
  });

  it('rolls the transaction back, and refuses other statements in the meantime', async () => {
    const source = new EmbeddedSource(await openPglite(), 50);
    opened = new Database({ source, dialect: 'pglite', clock: new TestClock(), transactionTimeoutMs: 300 });
    const database = opened;
    // The first transaction compiles WebAssembly, which may take longer than the limits.
    await database.transaction((trx) => sql`delete from attempt_counter`.execute(trx));
    const hanging = database.transaction(async (trx) => {
      await sql`insert into attempt_counter (key, expires_at) values ('never', now())`.execute(trx);
      await new Promise(() => undefined);
    });
    const ended = expect(hanging).rejects.toThrow(DatabaseUnavailable);
    await expect(database.ping()).rejects.toThrow(DatabaseUnavailable);
    await ended;
    const { rows } = await sql`select * from attempt_counter`.execute(database.db);
    expect(rows).toEqual([]);
  });

  it('limits its queue', async () => {
    if (!opened) throw new Error('opened above');
    const database = opened;
    const asked = Array.from({ length: 1000 }, () => database.ping());
    const settled = await Promise.allSettled(asked);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(400);
    for (const one of refused) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(DatabaseUnavailable);
    await database.ping();
  });
});

describe('the embedded database with a full queue', () => {
  it('closes all the same, and refuses the sessions that wait', async () => {
    const pglite = await openPglite();
    const close = jest.spyOn(pglite, 'close');
    const source = new EmbeddedSource(pglite, 50);
    await source.acquire();
    const waiting = Promise.allSettled(Array.from({ length: 500 }, () => source.acquire()));
    await source.close();
    expect(close).toHaveBeenCalled();
    expect((await waiting).every(({ status }) => status === 'rejected')).toBe(true);
  });
});
