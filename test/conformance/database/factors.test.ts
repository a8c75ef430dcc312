import { beforeAll, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { SeedResealer } from '../../../src/mfa/factors/totp/seed-resealer.js';
import { Keys } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, PASSWORD } from './account-parts.js';
import { BY, FactorParts, SECRET, repeatInOrder } from './factor-parts.js';

describeOnSampledDatabases('recovery codes', (test) => {
  let parts: FactorParts;
  beforeAll(async () => {
    parts = await FactorParts.create(test);
  });
  const verify = (accountId: string, code: string): ReturnType<FactorParts['recovery']['verify']> =>
    parts.recovery.verify({ accountId, code, by: BY });

  it('come ten with the first factor, in groups of four, and stand nowhere', async () => {
    const { account, recoveryCodes } = await parts.withTotp();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const rows = await test.database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', account.id).execute();
    const kept = JSON.stringify(rows);
    for (const code of recoveryCodes) expect(kept).not.toContain(code.replaceAll('-', ''));
    expect(await parts.recovery.countLeft(account.id)).toBe(10);
  });

  it('prove once each, in any spelling, with a notice', async () => {
    const { account, recoveryCodes } = await parts.withTotp();
    const [first, second, third] = recoveryCodes as [string, string, string];
    expect(await verify(account.id, first)).toEqual({ kind: 'proven' });
    expect(await verify(account.id, first)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, ` ${second.replaceAll('-', ' ').toLowerCase()}\n`)).toEqual({ kind: 'proven' });
    const lookAlike = third.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', '\u2013');
    expect(await verify(account.id, lookAlike)).toEqual({ kind: 'proven' });
    expect(await parts.recovery.countLeft(account.id)).toBe(7);
    expect(await parts.notices(account)).toEqual(['totp-added', ...Array<string>(3).fill('recovery-code-used')]);
    expect(
      (await parts.auditLog(account)).filter(({ kind }) => kind === 'recovery-code.used').map(({ detail }) => detail),
    ).toEqual([{ left: 9 }, { left: 8 }, { left: 7 }]);
  });

  it('prove once when they are sent several times at once', async () => {
    const { account, recoveryCodes } = await parts.withTotp();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => verify(account.id, recoveryCodes[0]!)));
    expect(verdicts.filter(({ kind }) => kind === 'proven')).toHaveLength(1);
    expect(await parts.recovery.countLeft(account.id)).toBe(9);
  });

  it.each([['x'], ['0000-0000-0000-0000'], ['U'.repeat(16)], ['\u0000'.repeat(16)], ['A'.repeat(100_000)]])(
    'refuse what is not a code, without an error (%#)',
    async (code) => {
      const { account } = await parts.withTotp();
      expect(await verify(account.id, code)).toEqual({ kind: 'refused' });
    },
  );

  it('[MFV-8] count nothing where nothing was typed', async () => {
    const { account } = await parts.withTotp();
    for (let time = 0; time < 6; time++) expect(await verify(account.id, ' ')).toEqual({ kind: 'untyped' });
    expect((await parts.auditLog(account)).filter(({ kind }) => kind === 'factor.refused')).toEqual([]);
  });

  it("are the account's own, missing without a factor, and nothing for a disabled one", async () => {
    const [one, other, bare] = [await parts.withTotp(), await parts.withTotp(), await parts.person()];
    expect(await verify(one.account.id, other.recoveryCodes[0]!)).toEqual({ kind: 'refused' });
    expect(await verify(bare.id, other.recoveryCodes[0]!)).toEqual({ kind: 'missing' });
    expect(await parts.recovery.renew(bare.id, BY)).toEqual([]);
    await parts.accounts.setStatus(one.account.id, 'disabled');
    expect(await verify(one.account.id, one.recoveryCodes[0]!)).toEqual({ kind: 'refused' });
  });

  it('are renewed all at once', async () => {
    const { account, recoveryCodes } = await parts.withTotp();
    await verify(account.id, recoveryCodes[0]!);
    const renewed = await parts.recovery.renew(account.id, BY);
    expect(renewed).toHaveLength(10);
    expect(await verify(account.id, recoveryCodes[1]!)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, renewed[1]!)).toEqual({ kind: 'proven' });
    expect((await parts.notices(account)).filter((kind) => kind === 'recovery-codes-made')).toHaveLength(1);
  });

  it('seeds are sealed anew after a rotation, so that the older secret can go', async () => {
    const { account, app } = await parts.withTotp();
    const newer = 'the newer secret of the installation';
    const rotated = new SeedResealer(test.database, new Keys([newer, SECRET]));
    expect((await rotated.reseal()).resealed).toBeGreaterThan(0);
    expect(await rotated.reseal()).toEqual({ resealed: 0, lost: 0 });
    const alone = await FactorParts.create(test, { secrets: [newer] });
    expect(await alone.totp.verify({ accountId: account.id, code: app.code(), by: BY })).toEqual({ kind: 'proven' });
    expect((await new SeedResealer(test.database, new Keys([SECRET])).reseal()).lost).toBeGreaterThan(0);
    await new SeedResealer(test.database, new Keys([SECRET, newer])).reseal();
  });

  it('outlive a change of SECRETS_SYSTEM', async () => {
    const { account, recoveryCodes } = await parts.withTotp();
    const rotated = await FactorParts.create(test, { secrets: ['the newer secret of the installation', SECRET] });
    const given = { accountId: account.id, code: recoveryCodes[0]!, by: BY };
    expect(await rotated.recovery.verify(given)).toEqual({ kind: 'proven' });
  });
});

describeOnSampledDatabases('the last second factor', (test) => {
  it('stays where one has to, also when both are taken away at the same moment', async () => {
    const parts = await FactorParts.create(test);
    const { account } = await parts.withTotp();
    await parts.register(account, parts.newKey());
    const [key] = await parts.fido2.list(account.id);
    const removed = { accountId: account.id, by: BY, mayBeLast: false };
    const both = await Promise.allSettled([parts.totp.remove(removed), parts.fido2.remove(key?.id ?? '', removed)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { totp = 0, webauthn = 0, 'recovery-codes': codes } = await parts.factors.status(account.id);
    expect([totp + webauthn, codes]).toEqual([1, 10]);
  });
});

describeOnSampledDatabases('limits on second factors', (test) => {
  let parts: FactorParts;
  beforeAll(async () => {
    parts = await FactorParts.create(test);
  });

  it('[MFV-8] hold up from the fifth failure on, across processes, and let go in time', async () => {
    const { account, app } = await parts.withTotp();
    const wrong = { accountId: account.id, code: app.wrongCode(), by: BY };
    const verdicts = await repeatInOrder(5, () => parts.totp.verify(wrong));
    expect(verdicts.map(({ kind }) => kind)).toEqual(Array<string>(5).fill('refused'));
    const another = await FactorParts.create(test);
    const right = { accountId: account.id, code: app.code(), by: BY };
    expect(await another.totp.verify(right)).toEqual({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    expect(await another.totp.verify(right)).toMatchObject({ kind: 'limited' });
    expect((await parts.auditLog(account)).filter(({ kind }) => kind === 'factor.limited')).toHaveLength(1);
    test.clock.advanceSeconds(31);
    expect(await another.totp.verify({ ...right, code: app.code() })).toEqual({ kind: 'proven' });
    test.clock.advanceSeconds(30);
    expect((await repeatInOrder(4, () => parts.totp.verify(wrong))).every(({ kind }) => kind === 'refused')).toBe(true);
    expect(await parts.totp.verify({ ...right, code: app.code() })).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] look at no more wrong codes at once than one after the other', async () => {
    const { account, app } = await parts.withTotp();
    const wrong = { accountId: account.id, code: app.wrongCode(), by: BY };
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => parts.totp.verify(wrong)));
    expect(verdicts.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
    expect(verdicts.filter(({ kind }) => kind === 'limited')).toHaveLength(15);
  });

  it('[MFV-8] count each kind by itself, and none with the passwords', async () => {
    const { account, app, recoveryCodes } = await parts.withTotp();
    const passwords = new AccountParts(test.database);
    await passwords.setPassword.setPassword(account.id, PASSWORD);
    await repeatInOrder(5, () => parts.totp.verify({ accountId: account.id, code: app.wrongCode(), by: BY }));
    expect(await passwords.try(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await parts.recovery.verify({ accountId: account.id, code: recoveryCodes[0]!, by: BY })).toEqual({ kind: 'proven' });
    expect(await parts.totp.verify({ accountId: account.id, code: app.code(), by: BY })).toMatchObject({ kind: 'limited' });
    const other = await parts.withTotp();
    await passwords.fail(other.account.username, 5);
    expect(await parts.totp.verify({ accountId: other.account.id, code: other.app.code(), by: BY })).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] hold up a set-up too, without holding up a sign-in', async () => {
    const account = await parts.person();
    const app = await parts.beginApp(account);
    await repeatInOrder(5, () => parts.confirm(account, app.wrongCode()));
    expect(await parts.confirm(account, app.code())).toEqual({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    test.clock.advanceSeconds(31);
    expect(await parts.confirm(account, app.code())).toMatchObject({ kind: 'added' });
  });

  it('[MFV-8] stop a factor until it is unlocked, notify its owner once, and do not stop other factors', async () => {
    const strict = await FactorParts.create(test, { stopAt: 7 });
    const { account, app, recoveryCodes } = await strict.withTotp();
    const tried = await repeatInOrder(7, () => {
      test.clock.advanceSeconds(901);
      return strict.totp.verify({ accountId: account.id, code: app.wrongCode(), by: BY });
    });
    expect(tried.map(({ kind }) => kind)).toEqual(Array<string>(7).fill('refused'));
    test.clock.advanceSeconds(100 * 86_400);
    const right = (): ReturnType<typeof strict.totp.verify> =>
      strict.totp.verify({ accountId: account.id, code: app.code(), by: BY });
    expect(await right()).toEqual({ kind: 'stopped' });
    expect(await right()).toEqual({ kind: 'stopped' });
    expect(await strict.notices(account)).toEqual(['totp-added', 'factor-stopped']);
    expect((await strict.auditLog(account)).filter(({ detail }) => detail?.['stopped'] === true)).toHaveLength(1);
    const code = recoveryCodes[0]!;
    expect(await strict.recovery.verify({ accountId: account.id, code, by: BY })).toEqual({ kind: 'proven' });
    await strict.attempts.unlock(account, async () => undefined);
    expect(await right()).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] stop a set-up, without a time to wait, until an operator unlocks the account', async () => {
    const strict = await FactorParts.create(test, { stopAt: 3 });
    const account = await strict.person();
    const app = await strict.beginApp(account);
    await repeatInOrder(3, () => strict.confirm(account, app.wrongCode()));
    test.clock.advanceSeconds(500);
    expect(await strict.confirm(account, app.code())).toEqual({ kind: 'refused', code: 'factor unavailable' });
    await strict.attempts.unlock(account, async () => undefined);
    expect(await strict.confirm(account, app.code())).toMatchObject({ kind: 'added' });
  });

  it('[MFV-8] begin anew with a new factor', async () => {
    const strict = await FactorParts.create(test, { stopAt: 3 });
    const { account, app } = await strict.withTotp();
    await repeatInOrder(3, () => strict.totp.verify({ accountId: account.id, code: app.wrongCode(), by: BY }));
    expect(await strict.totp.verify({ accountId: account.id, code: app.code(), by: BY })).toEqual({ kind: 'stopped' });
    await strict.totp.remove({ accountId: account.id, by: BY, mayBeLast: true });
    const next = await strict.beginApp(account);
    await strict.confirm(account, next.code());
    test.clock.advanceSeconds(30);
    expect(await strict.totp.verify({ accountId: account.id, code: next.code(), by: BY })).toEqual({ kind: 'proven' });
  });
});

describeOnSampledDatabases('account_factor', (test) => {
  const key = (account_id: string, credential_id: string) => ({
    ...{ account_id, credential_id, public_key: Buffer.alloc(1), algorithm: -7, counter: 0 },
    ...{ backup_eligible: false, transports: [], name: credential_id, created_at: test.clock.now() },
  });

  it('counts what one account has of each kind, recovery codes while they are unused', async () => {
    const parts = await FactorParts.create(test);
    const { account, recoveryCodes } = await parts.withTotp();
    const { account: other } = await parts.withTotp();
    const factors = (id: string) =>
      test.database.db
        .selectFrom('account_factor')
        .select(['kind', 'count'])
        .where('account_id', '=', id)
        .orderBy('kind')
        .execute();
    expect(await factors((await parts.person()).id)).toEqual([]);
    const { db } = test.database;
    await db
      .insertInto('security_key')
      .values([key(account.id, `${account.id}-1`), key(account.id, `${account.id}-2`)])
      .execute();
    expect(await parts.recovery.verify({ accountId: account.id, code: recoveryCodes[0] ?? '', by: BY })).toEqual({
      kind: 'proven',
    });
    expect(await factors(account.id)).toEqual([
      { kind: 'recovery-codes', count: 9 },
      { kind: 'totp', count: 1 },
      { kind: 'webauthn', count: 2 },
    ]);
    await db.updateTable('recovery_code').set({ used_at: test.clock.now() }).where('account_id', '=', other.id).execute();
    expect(await factors(other.id)).toEqual([{ kind: 'totp', count: 1 }]);
  });

  it('looks at the rows of that account alone', async () => {
    const plan = await test.database.transaction(async (trx) => {
      // Tables of a test are so small that reading all of them would be cheaper.
      await sql`set local enable_seqscan = off`.execute(trx);
      const one = sql.raw(`'00000000-0000-0000-0000-000000000001'`);
      return (await sql`explain select * from account_factor where account_id = ${one}`.execute(trx)).rows;
    });
    const conditions = JSON.stringify(plan).match(/(Index|Recheck) Cond: \(account_id = /g) ?? [];
    expect(conditions.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  });
});
