/** Each person of a source gets one account, whatever creates it at the same moment. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../../src/database/schema.js';
import { FakeUserSource } from '../../../src/sources/fake-user-source.js';
import { UserSources } from '../../../src/sources/user-sources.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { startTestOperator, type TestOperator } from '../../support/operator.js';
import { importer } from '../../support/operator-story.js';
import { PASSWORD } from './account-parts.js';

describeOnSampledDatabases('a person of a source', (test) => {
  const shop = new FakeUserSource('shop');
  let operator: TestOperator;
  const { importLines } = importer(() => operator);

  beforeAll(async () => {
    const { database } = test;
    operator = await startTestOperator({ database, foundation: ({ log }) => ({ sources: new UserSources([shop], log) }) });
  });
  afterAll(() => operator.close());

  function add(username: string): void {
    const person = { subject: `id-of-${username}`, username, emailVerified: false, attributes: {}, isActive: true };
    shop.people.push({ ...person, password: PASSWORD });
  }
  const signIn = (username: string) =>
    operator.services.signIn.prove({ username, password: PASSWORD, address: '192.0.2.1', device: null, requestId: 'test' });

  async function link(username: string): Promise<unknown> {
    const { json } = await operator.call('POST', '/accounts', { username: `${username}.linked` });
    return (await operator.call('POST', `/accounts/${String(json['id'])}/source`, { source: 'shop', username })).json['error'];
  }
  async function bring(username: string, more: object): Promise<unknown> {
    const person = { username: `${username}.imported`, source: 'shop', source_subject: `id-of-${username}` };
    return (await importLines([{ ...person, ...more }]))[0]?.error;
  }

  async function findAccounts(username: string): Promise<number> {
    const { db } = test.database;
    const findRows = (table: 'source_account' | 'migrated_account') =>
      db.selectFrom(table).select('account_id').where('subject', '=', `id-of-${username}`).execute();
    return (await Promise.all([findRows('source_account'), findRows('migrated_account')])).flat().length;
  }

  /** Waits until `work` has ended or waits for a lock, or for the connection where there is only one. */
  async function waitForEndOrLock(work: Promise<unknown>, trx: Transaction<Schema>): Promise<void> {
    const state = { isEnded: false };
    void work.then(() => (state.isEnded = true));
    for (let look = 0, waiting = 0; look < 1000 && waiting === 0 && !state.isEnded; look += 1) {
      const { rows } = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(trx);
      waiting = rows[0]?.many ?? 0;
    }
  }

  describe.each([true, false])('who signs in for the first time (migrate: %s)', (migrates) => {
    it.each<[string, (username: string) => Promise<unknown>]>([
      ['is.linked', link],
      ['is.imported', (username) => bring(username, {})],
      ['is.imported.with.the.password', (username) => bring(username, { migrated: true })],
    ])('and %s at the same moment, gets one account', async (what, other) => {
      const username = `${what}.${String(migrates)}`;
      add(username);
      shop.migrates = migrates;
      const { sourceNames } = operator.services;
      const { write } = sourceNames;
      let both: Promise<unknown> | undefined;
      // Runs when all rows of the account are written, and nothing is committed.
      sourceNames.write = async (accountId, keys, trx) => {
        sourceNames.write = write;
        await write.call(sourceNames, accountId, keys, trx);
        both = other(username);
        await waitForEndOrLock(both, trx);
      };
      expect(await signIn(username)).toMatchObject({ kind: 'proven', account: { username } });
      expect(await both).toBe('person_linked');
      expect(await findAccounts(username)).toBe(1);
      expect(await signIn(username)).toMatchObject({ kind: 'proven', account: { username } });
    });

    it('before an import with the password is committed, gets the account of the import', async () => {
      const username = `first.${String(migrates)}`;
      add(username);
      shop.migrates = migrates;
      const { database } = test;
      let resolveWritten = (): void => undefined;
      const both = new Promise<void>((resolve) => (resolveWritten = resolve)).then(() => signIn(username));
      const id = await database.transaction(async (trx) => {
        const { id: account_id } = await operator.services.accounts.createWithin(
          trx,
          { username: `${username}.imported` },
          { actor: 'operator' },
        );
        const row = { account_id, source: 'shop', subject: `id-of-${username}` };
        const now = database.now();
        await trx
          .insertInto('source_account')
          .values({ ...row, profile: '', connected_at: now, seen_at: now })
          .execute();
        await trx.deleteFrom('source_account').where('account_id', '=', account_id).execute();
        await trx
          .insertInto('migrated_account')
          .values({ ...row, migrated_at: now })
          .execute();
        resolveWritten();
        await waitForEndOrLock(both, trx);
        return account_id;
      });
      // The imported account has no password yet.
      expect(await both).toEqual({ kind: 'refused' });
      expect(await findAccounts(username)).toBe(1);
      expect(await operator.services.accounts.findByUsername(username)).toBeNull();
      expect((await operator.services.accounts.find(id))?.username).toBe(`${username}.imported`);
    });
  });
});
