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
    parts.recovery.verify({ accountId, code, auditContext: BY });

  it('are created with the first factor, ten in groups of four, and are not stored in plain text', async () => {
    const { account, recoveryCodes } = await parts.createWithTotp();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    const rows = await test.database.db.selectFrom('recovery_code').selectAll().where('account_id', '=', account.id).execute();
    const kept = JSON.stringify(rows);
    for (const code of recoveryCodes) expect(kept).not.toContain(code.replaceAll('-', ''));
    expect(await parts.recovery.countLeft(account.id)).toBe(10);
  });

  it('prove once each, in any spelling, and their owner is notified', async () => {
    const { account, recoveryCodes } = await parts.createWithTotp();
    const [first, second, third] = recoveryCodes as [string, string, string];
    expect(await verify(account.id, first)).toEqual({ kind: 'proven' });
    expect(await verify(account.id, first)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, ` ${second.replaceAll('-', ' ').toLowerCase()}\n`)).toEqual({ kind: 'proven' });
    const lookAlike = third.replaceAll('0', 'o').replaceAll('1', 'l').replaceAll('-', '\u2013');
    expect(await verify(account.id, lookAlike)).toEqual({ kind: 'proven' });
    expect(await parts.recovery.countLeft(account.id)).toBe(7);
    expect(await parts.listNotices(account)).toEqual(['totp-added', ...Array<string>(3).fill('recovery-code-used')]);
    expect(
      (await parts.listAuditEvents(account)).filter(({ kind }) => kind === 'recovery-code.used').map(({ detail }) => detail),
    ).toEqual([{ left: 9 }, { left: 8 }, { left: 7 }]);
  });

  it('prove once when one code is sent several times at the same moment', async () => {
    const { account, recoveryCodes } = await parts.createWithTotp();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => verify(account.id, recoveryCodes[0]!)));
    expect(verdicts.filter(({ kind }) => kind === 'proven')).toHaveLength(1);
    expect(await parts.recovery.countLeft(account.id)).toBe(9);
  });

  it.each([['x'], ['0000-0000-0000-0000'], ['U'.repeat(16)], ['\u0000'.repeat(16)], ['A'.repeat(100_000)]])(
    'are refused without an error when they have the wrong form (%#)',
    async (code) => {
      const { account } = await parts.createWithTotp();
      expect(await verify(account.id, code)).toEqual({ kind: 'refused' });
    },
  );

  it('[MFV-8] are not counted as failures where nothing was entered', async () => {
    const { account } = await parts.createWithTotp();
    for (let time = 0; time < 6; time++) expect(await verify(account.id, ' ')).toEqual({ kind: 'untyped' });
    expect((await parts.listAuditEvents(account)).filter(({ kind }) => kind === 'factor.refused')).toEqual([]);
  });

  it('belong to one account, and are missing without a factor or for a disabled account', async () => {
    const [one, other, bare] = [await parts.createWithTotp(), await parts.createWithTotp(), await parts.createPerson()];
    expect(await verify(one.account.id, other.recoveryCodes[0]!)).toEqual({ kind: 'refused' });
    expect(await verify(bare.id, other.recoveryCodes[0]!)).toEqual({ kind: 'missing' });
    expect(await parts.recovery.renew(bare.id, BY)).toEqual([]);
    await parts.accounts.setStatus(one.account.id, 'disabled');
    expect(await verify(one.account.id, one.recoveryCodes[0]!)).toEqual({ kind: 'refused' });
  });

  it('are replaced all together', async () => {
    const { account, recoveryCodes } = await parts.createWithTotp();
    await verify(account.id, recoveryCodes[0]!);
    const renewed = await parts.recovery.renew(account.id, BY);
    expect(renewed).toHaveLength(10);
    expect(await verify(account.id, recoveryCodes[1]!)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, renewed[1]!)).toEqual({ kind: 'proven' });
    expect((await parts.listNotices(account)).filter((kind) => kind === 'recovery-codes-made')).toHaveLength(1);
  });

  it('remain valid while seeds are sealed again, after which the older secret can be removed', async () => {
    const { account, app } = await parts.createWithTotp();
    const newer = 'the newer secret of the installation';
    const rotated = new SeedResealer(test.database, new Keys([newer, SECRET]));
    expect((await rotated.reseal()).resealed).toBeGreaterThan(0);
    expect(await rotated.reseal()).toEqual({ resealed: 0, lost: 0 });
    const alone = await FactorParts.create(test, { secrets: [newer] });
    expect(await alone.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toEqual({ kind: 'proven' });
    expect((await new SeedResealer(test.database, new Keys([SECRET])).reseal()).lost).toBeGreaterThan(0);
    await new SeedResealer(test.database, new Keys([SECRET, newer])).reseal();
  });

  it('outlive a change of SECRETS_SYSTEM', async () => {
    const { account, recoveryCodes } = await parts.createWithTotp();
    const rotated = await FactorParts.create(test, { secrets: ['the newer secret of the installation', SECRET] });
    const given = { accountId: account.id, code: recoveryCodes[0]!, auditContext: BY };
    expect(await rotated.recovery.verify(given)).toEqual({ kind: 'proven' });
  });
});

describeOnSampledDatabases('the last second factor', (test) => {
  it('is kept where one is required, also when two are removed at the same moment', async () => {
    const parts = await FactorParts.create(test);
    const { account } = await parts.createWithTotp();
    await parts.register(account, parts.createKey());
    const [key] = await parts.fido2.list(account.id);
    const removed = { accountId: account.id, auditContext: BY, mayBeLast: false };
    const both = await Promise.allSettled([parts.totp.remove(removed), parts.fido2.remove(key?.id ?? '', removed)]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { totp = 0, webauthn = 0, 'recovery-codes': codes } = await parts.factors.readCounts(account.id);
    expect([totp + webauthn, codes]).toEqual([1, 10]);
  });
});

describeOnSampledDatabases('limits on second factors', (test) => {
  let parts: FactorParts;
  beforeAll(async () => {
    parts = await FactorParts.create(test);
  });

  it('[MFV-8] delay from the fifth failure on, across processes, and end in time', async () => {
    const { account, app } = await parts.createWithTotp();
    const wrong = { accountId: account.id, code: app.wrongCode(), auditContext: BY };
    const verdicts = await repeatInOrder(5, () => parts.totp.verify(wrong));
    expect(verdicts.map(({ kind }) => kind)).toEqual(Array<string>(5).fill('refused'));
    const another = await FactorParts.create(test);
    const right = { accountId: account.id, code: app.code(), auditContext: BY };
    expect(await another.totp.verify(right)).toEqual({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    expect(await another.totp.verify(right)).toMatchObject({ kind: 'limited' });
    expect((await parts.listAuditEvents(account)).filter(({ kind }) => kind === 'factor.limited')).toHaveLength(1);
    test.clock.advanceSeconds(31);
    expect(await another.totp.verify({ ...right, code: app.code() })).toEqual({ kind: 'proven' });
    test.clock.advanceSeconds(30);
    expect((await repeatInOrder(4, () => parts.totp.verify(wrong))).every(({ kind }) => kind === 'refused')).toBe(true);
    expect(await parts.totp.verify({ ...right, code: app.code() })).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] check no more wrong codes in parallel than one after the other', async () => {
    const { account, app } = await parts.createWithTotp();
    const wrong = { accountId: account.id, code: app.wrongCode(), auditContext: BY };
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => parts.totp.verify(wrong)));
    expect(verdicts.filter(({ kind }) => kind === 'refused')).toHaveLength(5);
    expect(verdicts.filter(({ kind }) => kind === 'limited')).toHaveLength(15);
  });

  it('[MFV-8] count each kind of factor separately from the others and from passwords', async () => {
    const { account, app, recoveryCodes } = await parts.createWithTotp();
    const passwords = new AccountParts(test.database);
    await passwords.setPassword.setPassword(account.id, PASSWORD);
    await repeatInOrder(5, () => parts.totp.verify({ accountId: account.id, code: app.wrongCode(), auditContext: BY }));
    expect(await passwords.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await parts.recovery.verify({ accountId: account.id, code: recoveryCodes[0]!, auditContext: BY })).toEqual({
      kind: 'proven',
    });
    expect(await parts.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toMatchObject({
      kind: 'limited',
    });
    const other = await parts.createWithTotp();
    await passwords.fail(other.account.username, 5);
    expect(await parts.totp.verify({ accountId: other.account.id, code: other.app.code(), auditContext: BY })).toEqual({
      kind: 'proven',
    });
  });

  it('[MFV-8] delay a set-up too, without delaying a sign-in', async () => {
    const account = await parts.createPerson();
    const app = await parts.beginApp(account);
    await repeatInOrder(5, () => parts.confirm(account, app.wrongCode()));
    expect(await parts.confirm(account, app.code())).toEqual({ kind: 'limited', retryAfterSeconds: expect.any(Number) });
    test.clock.advanceSeconds(31);
    expect(await parts.confirm(account, app.code())).toMatchObject({ kind: 'added' });
  });

  it('[MFV-8] stop a factor until it is unlocked, notify its owner once, and do not stop other factors', async () => {
    const strict = await FactorParts.create(test, { stopAt: 7 });
    const { account, app, recoveryCodes } = await strict.createWithTotp();
    const tried = await repeatInOrder(7, () => {
      test.clock.advanceSeconds(901);
      return strict.totp.verify({ accountId: account.id, code: app.wrongCode(), auditContext: BY });
    });
    expect(tried.map(({ kind }) => kind)).toEqual(Array<string>(7).fill('refused'));
    test.clock.advanceSeconds(100 * 86_400);
    const verifyRightCode = (): ReturnType<typeof strict.totp.verify> =>
      strict.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY });
    expect(await verifyRightCode()).toEqual({ kind: 'stopped' });
    expect(await verifyRightCode()).toEqual({ kind: 'stopped' });
    expect(await strict.listNotices(account)).toEqual(['totp-added', 'factor-stopped']);
    expect((await strict.listAuditEvents(account)).filter(({ detail }) => detail?.['stopped'] === true)).toHaveLength(1);
    const code = recoveryCodes[0]!;
    expect(await strict.recovery.verify({ accountId: account.id, code, auditContext: BY })).toEqual({ kind: 'proven' });
    await strict.attempts.unlock(account, async () => undefined);
    expect(await verifyRightCode()).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] notify its owner again if the factor is stopped at a limit that was raised meanwhile', async () => {
    const strict = await FactorParts.create(test, { stopAt: 2 });
    const { account, app } = await strict.createWithTotp();
    const raised = await FactorParts.create(test, { stopAt: 3 });
    const enterWrongCode = ({ totp }: FactorParts) =>
      totp.verify({ accountId: account.id, code: app.wrongCode(), auditContext: BY });
    for (const parts of [strict, strict, strict]) await enterWrongCode(parts);
    expect(await strict.listNotices(account)).toEqual(['totp-added', 'factor-stopped']);
    for (const parts of [raised, raised, raised]) await enterWrongCode(parts);
    expect(await strict.listNotices(account)).toEqual(['totp-added', 'factor-stopped', 'factor-stopped']);
  });

  it('[MFV-8] stop a set-up without a time to wait until an operator unlocks the account', async () => {
    const strict = await FactorParts.create(test, { stopAt: 3 });
    const account = await strict.createPerson();
    const app = await strict.beginApp(account);
    await repeatInOrder(3, () => strict.confirm(account, app.wrongCode()));
    test.clock.advanceSeconds(500);
    expect(await strict.confirm(account, app.code())).toEqual({ kind: 'refused', code: 'factor unavailable' });
    await strict.attempts.unlock(account, async () => undefined);
    expect(await strict.confirm(account, app.code())).toMatchObject({ kind: 'added' });
  });

  it('[MFV-8] start again with a new factor', async () => {
    const strict = await FactorParts.create(test, { stopAt: 3 });
    const { account, app } = await strict.createWithTotp();
    await repeatInOrder(3, () => strict.totp.verify({ accountId: account.id, code: app.wrongCode(), auditContext: BY }));
    expect(await strict.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toEqual({ kind: 'stopped' });
    await strict.totp.remove({ accountId: account.id, auditContext: BY, mayBeLast: true });
    const next = await strict.beginApp(account);
    await strict.confirm(account, next.code());
    test.clock.advanceSeconds(30);
    expect(await strict.totp.verify({ accountId: account.id, code: next.code(), auditContext: BY })).toEqual({ kind: 'proven' });
  });
});

describeOnSampledDatabases('account_factor', (test) => {
  const key = (account_id: string, credential_id: string) => ({
    ...{ account_id, credential_id, public_key: Buffer.alloc(1), algorithm: -7, counter: 0 },
    ...{ backup_eligible: false, transports: [], name: credential_id, created_at: test.clock.now() },
  });

  it('counts the factors of an account by kind, and only unused recovery codes', async () => {
    const parts = await FactorParts.create(test);
    const { account, recoveryCodes } = await parts.createWithTotp();
    const { account: other } = await parts.createWithTotp();
    const factors = (id: string) =>
      test.database.db
        .selectFrom('account_factor')
        .select(['kind', 'count'])
        .where('account_id', '=', id)
        .orderBy('kind')
        .execute();
    expect(await factors((await parts.createPerson()).id)).toEqual([]);
    const { db } = test.database;
    await db
      .insertInto('security_key')
      .values([key(account.id, `${account.id}-1`), key(account.id, `${account.id}-2`)])
      .execute();
    expect(await parts.recovery.verify({ accountId: account.id, code: recoveryCodes[0] ?? '', auditContext: BY })).toEqual({
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

  it('reads the rows of one account only', async () => {
    const plan = await test.database.transaction(async (trx) => {
      // Reading a whole table would be cheaper while the tables of a test are small.
      await sql`set local enable_seqscan = off`.execute(trx);
      const one = sql.raw(`'00000000-0000-0000-0000-000000000001'`);
      return (await sql`explain select * from account_factor where account_id = ${one}`.execute(trx)).rows;
    });
    const conditions = JSON.stringify(plan).match(/(Index|Recheck) Cond: \(account_id = /g) ?? [];
    expect(conditions.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(plan)).not.toContain('Seq Scan');
  });
});
