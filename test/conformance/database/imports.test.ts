import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountAttributes } from '../../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { AccountExports } from '../../../src/accounts/transfer/exports.js';
import { checkImport } from '../../../src/accounts/transfer/imported-account.js';
import { AccountImports, type InsertRelatedData } from '../../../src/accounts/transfer/imports.js';
import { FactorTransfers } from '../../../src/mfa/factor-transfers.js';
import { FactorsModule } from '../../../src/mfa/factors.module.js';
import { AccountSessions } from '../../../src/accounts/sessions/account-sessions.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { openModules } from '../../support/modules.js';
import { AccountParts, KEYS } from './account-parts.js';
import { NO_SOURCES } from '../../support/no-sources.js';
import { testConfig } from '../../support/test-config.js';

const HASH = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const BY = { actor: 'operator' } as const;

describeOnSampledDatabases('imports and exports', (underTest) => {
  const attributes = new AccountAttributes(testConfig());
  const row = (username: string) => ({
    ...checkImport(
      {
        username,
        email: `${username}@example.org`,
        createdAt: '2019-05-04T08:00:00Z',
        identities: [{ provider: 'google', issuer: 'https://g', subject: 'of all of them', connectedAt: '2020-05-04T08:00:00Z' }],
      },
      attributes,
    ),
    passwordHash: HASH,
    passwordKind: 'bcrypt',
  });

  it('imports people once, and exports them unchanged', async () => {
    const { database } = underTest;
    const { audit, signIn } = new AccountParts(database);
    const modules = await openModules({ keys: KEYS, database }, [FactorsModule]);
    const factors = modules.get(FactorTransfers, { strict: false });
    const factorSecrets = factors.check({ totp_secret: SEED }, []);
    const withSeed: InsertRelatedData = (made, trx) =>
      factors.insert(
        made.map(({ id }) => ({ id, factorSecrets })),
        trx,
      );
    const imports = new AccountImports(database, audit, new AccountNames(database, testConfig(), NO_SOURCES), attributes);
    const rows = [row('first.person'), row('second.person')];
    expect(await imports.check(rows)).toEqual([{ kind: 'free' }, { kind: 'free' }]);
    const made = await imports.insert(rows, BY, withSeed);
    expect(made).toMatchObject([{ kind: 'created' }, { kind: 'created' }]);
    expect(await imports.insert([row('second.person'), row('third.person')], BY, withSeed)).toMatchObject([
      { kind: 'exists', id: (made[1] as { id: string }).id },
      { kind: 'created' },
    ]);
    const names: unknown[] = [];
    const secrets = { passwordHashes: true, totpSecrets: true };
    for await (const page of new AccountExports(database, audit).pages(secrets, BY)) names.push(...page);
    expect(names).toMatchObject(
      ['first.person', 'second.person', 'third.person'].map((username) => ({
        account: { username, createdAt: new Date('2019-05-04T08:00:00Z') },
        passwordHash: HASH,
        identities: [
          {
            provider: 'google',
            issuer: 'https://g',
            subject: 'of all of them',
            label: null,
            connectedAt: new Date('2020-05-04T08:00:00Z'),
          },
        ],
      })),
    );
    const ids = (names as { account: { id: string } }[]).map(({ account }) => account.id);
    expect([...(await factors.readMembers(ids, true)).values()]).toEqual(ids.map(() => ({ totp_secret: SEED })));
    expect((await factors.readMembers(ids, false)).size).toBe(0);
    const attempt = { username: 'first.person', password: 'Grüße, Welt 7', address: '192.0.2.7', device: null, requestId: 'r' };
    expect((await signIn.prove(attempt)).kind).toBe('proven');
  });

  it('looks names up without reading a table for each name, also when the plan was made for few accounts', async () => {
    const { database } = underTest;
    const { audit } = new AccountParts(database);
    const accountNames = new AccountNames(database, testConfig(), NO_SOURCES);
    const names = Array.from({ length: 500 }, (_, index) => row(`imported.${index}`));
    const countRowsRead = async (trx: typeof database.db): Promise<number> => {
      const { rows } = await sql<{ read: string | number }>`
        select sum(pg_stat_get_xact_tuples_returned(oid)) as read
        from pg_class where relname in ('account', 'username_look')`.execute(trx);
      return Number(rows[0]?.read);
    };
    /** @returns how many rows were read */
    const countRows = (): Promise<number> =>
      database.transaction(async (trx) => {
        const within = { db: trx as unknown, now: () => database.now() } as typeof database;
        const before = await countRowsRead(trx);
        const found = await new AccountImports(within, audit, accountNames, attributes).check(names);
        expect(found.every(({ kind }) => kind === 'free')).toBe(true);
        return (await countRowsRead(trx)) - before;
      });
    // A server keeps the plan of a statement after several executions.
    for (let round = 0; round < 8; round++) await countRows();
    await sql`
      insert into account (username, username_key, display_name, created_at, updated_at)
      select name, name, name, now(), now() from (select 'crowd.' || n as name from generate_series(1, 5000) n) crowd`.execute(
      database.db,
    );
    // Statistics of earlier files may still cause a few readings of the table, but not one for each of the 500 names.
    for (let round = 0; round < 8; round++) expect(await countRows()).toBeLessThan(5 * 5000);
    await database.transaction(async (trx) => {
      // The server looks for each deleted account in every table that refers to accounts.
      await sql`set local statement_timeout = 0`.execute(trx);
      await sql`delete from account where username_key like 'crowd.%'`.execute(trx);
    });
  }, 180_000);

  it('gives one person one account, and one subject one account, also in two imports at the same moment', async () => {
    const { database } = underTest;
    const { audit } = new AccountParts(database);
    const imports = new AccountImports(database, audit, new AccountNames(database, testConfig(), NO_SOURCES), attributes);
    const rows = (name: string) =>
      Array.from({ length: 30 }, (_, index) => ({
        ...row(`${name}.person.${index}`),
        person: { source: 'staff', subject: `race|${index}`, isMigrated: index % 3 === name.length % 3 },
        subject: index % 2 === 0 ? `app|${index}` : null,
      }));
    const both = await Promise.all([imports.insert(rows('one'), BY), imports.insert(rows('other').toReversed(), BY)]);
    const kinds = both.flat().map(({ kind }) => kind);
    expect([kinds.filter((kind) => kind === 'created').length, kinds.filter((kind) => kind === 'conflict').length]).toEqual([
      30, 30,
    ]);
    const { rows: people } = await sql<{ accounts: number; people: number; left: number }>`
      select count(distinct account_id)::integer as accounts, count(distinct subject)::integer as people,
        (select count(*)::integer from account where username like '%.person.%') as left
      from (select * from (select account_id, subject from source_account union all select account_id, subject from migrated_account) p
        where subject like 'race|%') found`.execute(database.db);
    expect(people).toEqual([{ accounts: 30, people: 30, left: 30 }]);
  });

  describe('of a person of a SCIM source', () => {
    const importPerson = async (username: string, subject: string) => {
      const { database } = underTest;
      const { audit } = new AccountParts(database);
      const imports = new AccountImports(database, audit, new AccountNames(database, testConfig(), NO_SOURCES), attributes);
      const rows = [{ ...row(username), person: { source: 'scim:entra', subject, isMigrated: false } }];
      return { checked: await imports.check(rows), inserted: await imports.insert(rows, BY) };
    };

    it('offers the account, also if an earlier offer of the person has ended', async () => {
      const { db } = underTest.database;
      await importPerson('scim.former', 'object-1');
      await sql`update scim_offer set expires_at = offered_at where external_id = 'object-1'`.execute(db);
      const { checked, inserted } = await importPerson('scim.later', 'object-1');
      expect(checked).toEqual([{ kind: 'free' }]);
      expect(inserted).toMatchObject([{ kind: 'created' }]);
      const { rows } = await sql`
        select a.username from scim_offer o join account a on a.id = o.account_id where external_id = 'object-1'`.execute(db);
      expect(rows).toEqual([{ username: 'scim.later' }]);
    });

    it('creates no account if the source has sent the person since the check', async () => {
      const { database } = underTest;
      const { accounts } = new AccountParts(database);
      const { id } = await accounts.create({ username: 'scim.sent' });
      await sql`
        insert into scim_user (account_id, source, user_name_key, external_id, emails, active, disabled_here, resource, version,
          created_at, modified_at)
        values (${id}, 'scim:entra', 'scim.sent', 'object-2', '{}', true, false, '{}', 1, now(), now())`.execute(database.db);
      expect((await importPerson('scim.second', 'object-2')).inserted).toMatchObject([{ kind: 'conflict' }]);
      expect(await accounts.findByUsername('scim.second')).toBeNull();
    });
  });

  it('lists active sessions and ends one', async () => {
    const { database } = underTest;
    const { accounts, audit, sessions } = new AccountParts(database);
    const { id } = await accounts.create({ username: 'signed.in' });
    const session = { browser: 'b', accountId: id, upstreamSessionId: 'upstream', acr: 'a', amr: ['pwd'], lifetimeSeconds: 600 };
    await sessions.begin(session);
    const living = new AccountSessions(database, audit, testConfig());
    const [one, ...more] = await living.list(id);
    expect([one?.kind, one?.amr, more]).toEqual(['sign-in', ['pwd'], []]);
    expect(await living.end(id, one?.id ?? '', BY)).toEqual({ endedCount: 1, upstreamSessionId: 'upstream' });
    expect(await living.end(id, one?.id ?? '', BY)).toBeNull();
    expect(await living.list(id)).toEqual([]);
  });
});
