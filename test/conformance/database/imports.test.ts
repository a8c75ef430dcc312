import { expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { AccountAttributes } from '../../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { AccountExports } from '../../../src/accounts/transfer/exports.js';
import { checkImport } from '../../../src/accounts/transfer/imported-account.js';
import { AccountImports } from '../../../src/accounts/transfer/imports.js';
import type { AlsoInsert } from '../../../src/accounts/transfer/imports.js';
import { FactorTransfers } from '../../../src/mfa/factor-transfers.js';
import { FactorsModule } from '../../../src/mfa/factors.module.js';
import { AccountSessions } from '../../../src/accounts/sessions/account-sessions.js';
import { describeOnDatabases } from '../../support/databases.js';
import { openRooms } from '../../support/rooms.js';
import { AccountParts, KEYS } from './account-parts.js';
import { testConfig } from '../../support/test-config.js';

const HASH = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const BY = { actor: 'operator' } as const;

describeOnDatabases('imports and exports', (underTest) => {
  const row = (username: string) => ({
    ...checkImport(
      {
        username,
        email: `${username}@example.org`,
        createdAt: '2019-05-04T08:00:00Z',
        identities: [{ provider: 'google', issuer: 'https://g', subject: 'of all of them', connectedAt: '2020-05-04T08:00:00Z' }],
      },
      new AccountAttributes(testConfig()),
    ),
    passwordHash: HASH,
    passwordKind: 'bcrypt',
  });

  it('brings people in once, and out as they came', async () => {
    const { database } = underTest;
    const { audit, signIn } = new AccountParts(database);
    const rooms = await openRooms({ keys: KEYS, database }, [FactorsModule]);
    const factors = rooms.get(FactorTransfers, { strict: false });
    const carried = factors.check({ totp_secret: SEED }, []);
    const withSeed: AlsoInsert = (made, trx) =>
      factors.insert(
        made.map(({ id }) => ({ id, carried })),
        trx,
      );
    const imports = new AccountImports(database, audit, new AccountNames(database, testConfig()));
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
    expect([...(await factors.members(ids, true)).values()]).toEqual(ids.map(() => ({ totp_secret: SEED })));
    expect((await factors.members(ids, false)).size).toBe(0);
    const attempt = { username: 'first.person', password: 'Grüße, Welt 7', address: '192.0.2.7', device: null, requestId: 'r' };
    expect((await signIn.prove(attempt)).kind).toBe('proven');
  });

  it('looks names up as fast when there are many accounts as when it began', async () => {
    const { database } = underTest;
    const imports = new AccountImports(database, new AccountParts(database).audit, new AccountNames(database, testConfig()));
    const names = Array.from({ length: 500 }, (_, index) => row(`imported.${index}`));
    const look = async (): Promise<number> => {
      const began = performance.now();
      expect((await imports.check(names)).every(({ kind }) => kind === 'free')).toBe(true);
      return performance.now() - began;
    };
    const fastest = async (): Promise<number> => {
      const times: number[] = [];
      for (let round = 0; round < 8; round++) times.push(await look());
      return Math.min(...times);
    };
    // As often as a server wants to see a statement before it keeps the plan.
    const before = await fastest();
    await sql`
      insert into account (username, username_key, display_name, created_at, updated_at)
      select name, name, name, now(), now() from (select 'crowd.' || n as name from generate_series(1, 20000) n) crowd`.execute(
      database.db,
    );
    expect((await fastest()) / before).toBeLessThan(30);
    await sql`delete from account where username_key like 'crowd.%'`.execute(database.db);
  }, 60_000);

  it('lists living sessions and ends one', async () => {
    const { database } = underTest;
    const { accounts, audit, sessions } = new AccountParts(database);
    const { id } = await accounts.create({ username: 'signed.in' });
    const session = { browser: 'b', accountId: id, upstreamSessionId: 'upstream', acr: 'a', amr: ['pwd'], lifetimeSeconds: 600 };
    await sessions.begin(session);
    const living = new AccountSessions(database, audit);
    const [one, ...more] = await living.list(id);
    expect([one?.kind, one?.amr, more]).toEqual(['sign-in', ['pwd'], []]);
    expect(await living.end(id, one?.id ?? '', BY)).toEqual({ ended: 1, upstreamSessionId: 'upstream' });
    expect(await living.end(id, one?.id ?? '', BY)).toBeNull();
    expect(await living.list(id)).toEqual([]);
  });
});
