import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Keys } from '../../../src/config/keys.js';
import { SeedResealer } from '../../../src/mfa/factors/totp/seed-resealer.js';
import { TotpRecords } from '../../../src/mfa/factors/totp/totp.records.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { BOUND_TO, BY, FactorParts, SECRET } from './factor-parts.js';

describeOnSampledDatabases('codes of an authenticator app', (test) => {
  let parts: FactorParts;
  beforeAll(async () => {
    parts = await FactorParts.create(test);
  });
  // Each test begins at the start of a time step, so that no code expires while it runs.
  beforeEach(() => {
    test.clock.advanceSeconds(30 - ((test.clock.now().getTime() / 1000) % 30) + 1);
  });

  const verify = (accountId: string, code: string): ReturnType<FactorParts['totp']['verify']> =>
    parts.totp.verify({ accountId, code, auditContext: BY });

  it('[RPC-3] are set up with a seed of 160 bits, shown as text, as a link and as a picture', async () => {
    const account = await parts.createPerson();
    const setup = await parts.totp.begin({ account, boundTo: BOUND_TO });
    if (typeof setup === 'string') throw new Error(setup);
    expect(setup.secret).toMatch(/^[A-Z2-7]{32}$/);
    const address = new URL(setup.otpauth_url);
    expect(address.protocol).toBe('otpauth:');
    expect(decodeURIComponent(address.pathname)).toContain(`:${account.username}`);
    expect(address.searchParams.get('secret')).toBe(setup.secret);
    expect(Buffer.from(setup.qr_code, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(setup.qr_code.length).toBeLessThan(8000);
    expect(await parts.totp.resume({ account, boundTo: BOUND_TO })).toEqual(setup);
    expect(await parts.totp.resume({ account, boundTo: 'area:another' })).toBeNull();
  });

  it('[RPC-3] count from the first right code on, with ten recovery codes, an audit event and a notice', async () => {
    const account = await parts.createPerson();
    const app = await parts.beginApp(account);
    expect(await parts.confirm(account, app.wrongCode())).toEqual({ kind: 'refused', code: 'invalid verification code' });
    expect(await parts.factors.readCounts(account.id)).toEqual({});
    const added = await parts.confirm(account, app.code());
    expect(added).toEqual({ kind: 'added', recoveryCodes: expect.any(Array) });
    expect(await parts.factors.readCounts(account.id)).toEqual({ totp: 1, 'recovery-codes': 10 });
    expect((await parts.listAuditEvents(account)).map(({ kind }) => kind)).toEqual([
      'factor.refused',
      'factor.added',
      'recovery-codes.made',
    ]);
    expect(await parts.listNotices(account)).toEqual(['totp-added']);
    expect(await parts.totp.resume({ account, boundTo: BOUND_TO })).toBeNull();
  });

  it('[RPC-3] are set up where the set-up began, within ten minutes, with the newest seed', async () => {
    const account = await parts.createPerson();
    const older = await parts.beginApp(account);
    const newer = await parts.beginApp(account);
    expect(await parts.confirm(account, newer.code(), { boundTo: 'area:another' })).toEqual({
      kind: 'refused',
      code: 'session expired',
    });
    expect(await parts.confirm(account, older.code())).toMatchObject({ kind: 'refused' });
    test.clock.advanceSeconds(601);
    expect(await parts.confirm(account, newer.code())).toEqual({ kind: 'refused', code: 'session expired' });
  });

  it('[MFV-8] are checked by the time of the database, also where the clock of a gateway is minutes off', async () => {
    const { clock } = test;
    const fast = {
      get skewMs() {
        return clock.skewMs;
      },
      now: () => new Date(clock.now().getTime() + 300_000),
    };
    const gateway = await FactorParts.create(test, { clock: fast });
    const { account, app } = await gateway.createWithTotp();
    expect(await gateway.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toEqual({ kind: 'proven' });
  });

  it('[ERR-1] are set up once', async () => {
    const { account } = await parts.createWithTotp();
    expect(await parts.totp.begin({ account, boundTo: BOUND_TO })).toBe('totp already registered');
    expect(await parts.confirm(account, '123456')).toEqual({ kind: 'refused', code: 'totp already registered' });
  });

  it('[MFV-2] are not set up at login beside another factor, nor by two browsers at the same moment', async () => {
    const owner = await parts.createPerson();
    const late = await parts.beginApp(owner, 'pending:one');
    await parts.register(owner, parts.createKey());
    expect(await parts.confirm(owner, late.code(), { boundTo: 'pending:one', onlyFirst: true })).toEqual({
      kind: 'refused',
      code: 'fido2 already registered',
    });
    const account = await parts.createPerson();
    const bindings = ['pending:one', 'pending:two', 'pending:three'];
    const apps = await Promise.all(bindings.map((boundTo) => parts.beginApp(account, boundTo)));
    const answers = await Promise.all(
      apps.map((app, index) => parts.confirm(account, app.code(), { boundTo: bindings[index]!, onlyFirst: true })),
    );
    expect(answers.filter(({ kind }) => kind === 'added')).toHaveLength(1);
    expect(answers.filter((answer) => answer.kind === 'refused' && answer.code === 'totp already registered')).toHaveLength(2);
    expect(await parts.listNotices(account)).toEqual(['totp-added']);
  });

  it('are not set up for a disabled account, and prove nothing for one', async () => {
    const account = await parts.createPerson();
    const app = await parts.beginApp(account);
    await parts.accounts.setStatus(account.id, 'disabled');
    expect(await parts.confirm(account, app.code())).toEqual({ kind: 'refused', code: 'unauthorized' });
    const other = await parts.createWithTotp();
    await parts.accounts.setStatus(other.account.id, 'disabled');
    expect(await verify(other.account.id, other.app.code())).toEqual({ kind: 'refused' });
  });

  it('[VAL-4] prove with spaces between their six digits, and are refused in any other form', async () => {
    const { account, app } = await parts.createWithTotp();
    const code = app.code();
    const wide = code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)));
    for (const bad of [`${code}\n`, `\t${code}`, wide, `${code}0`, code.slice(1)]) {
      expect(['refused', 'limited']).toContain((await verify(account.id, bad)).kind);
    }
    for (const nothing of ['', ' \n']) expect(await verify(account.id, nothing)).toEqual({ kind: 'untyped' });
    await parts.attempts.unlock(account, async () => undefined);
    expect(await verify(account.id, `${code.slice(0, 3)} ${code.slice(3)} `)).toEqual({ kind: 'proven' });
  });

  it('[MFV-8] work once in any spelling, and the code of the set-up never works again', async () => {
    const account = await parts.createPerson();
    const app = await parts.beginApp(account);
    const code = app.code();
    await parts.confirm(account, code);
    expect(await verify(account.id, code)).toEqual({ kind: 'refused' });
    test.clock.advanceSeconds(30);
    const next = app.code();
    expect(await verify(account.id, next)).toEqual({ kind: 'proven' });
    expect(await verify(account.id, next)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, `${next.slice(0, 3)} ${next.slice(3)}`)).toEqual({ kind: 'refused' });
    expect(await verify(account.id, app.code(-1))).toEqual({ kind: 'refused' });
  });

  it('[MFV-8] work once when one code is sent several times at the same moment', async () => {
    const { account, app } = await parts.createWithTotp();
    const code = app.code();
    const verdicts = await Promise.all([1, 2, 3, 4].map(() => verify(account.id, code)));
    expect(verdicts.filter(({ kind }) => kind === 'proven')).toHaveLength(1);
  });

  it('[MFV-8] are accepted one time step early or late, unless the setting forbids it', async () => {
    for (const [steps, kind] of [
      [-2, 'refused'],
      [2, 'refused'],
      [-1, 'proven'],
      [0, 'proven'],
      [1, 'proven'],
    ] as const) {
      const { account, app } = await parts.createWithTotp();
      test.clock.advanceSeconds(60);
      expect([steps, await verify(account.id, app.code(steps))]).toEqual([steps, { kind }]);
    }
    const strict = await FactorParts.create(test, { windowSteps: 0 });
    const { account, app } = await strict.createWithTotp();
    test.clock.advanceSeconds(60);
    expect(await strict.totp.verify({ accountId: account.id, code: app.code(-1), auditContext: BY })).toEqual({
      kind: 'refused',
    });
    expect(await strict.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toEqual({ kind: 'proven' });
  });

  it('are missing where there is no factor; a removal sends a notice and removes the recovery codes', async () => {
    const { account, app } = await parts.createWithTotp();
    expect(await parts.totp.describe(account.id)).toMatchObject({ last_used_at: null });
    await verify(account.id, app.code());
    expect(await parts.totp.describe(account.id)).toMatchObject({ last_used_at: expect.stringMatching(/Z$/) });
    expect(await parts.totp.remove({ accountId: account.id, auditContext: BY, mayBeLast: true })).toBe(true);
    expect(await parts.totp.remove({ accountId: account.id, auditContext: BY, mayBeLast: true })).toBe(false);
    expect(await verify(account.id, app.code())).toEqual({ kind: 'missing' });
    expect(await parts.factors.readCounts(account.id)).toEqual({});
    expect(await parts.listNotices(account)).toEqual(['totp-added', 'totp-removed']);
    expect((await parts.listAuditEvents(account)).map(({ kind, detail }) => [kind, detail?.['factor']])).toEqual([
      ['factor.added', 'totp'],
      ['recovery-codes.made', undefined],
      ['factor.ok', 'totp'],
      ['factor.removed', 'totp'],
    ]);
  });

  it('outlive a change of SECRETS_SYSTEM, and their seed is sealed again when they are used', async () => {
    const { account, app } = await parts.createWithTotp();
    const rotated = await FactorParts.create(test, { secrets: ['the newer secret of the installation', SECRET] });
    const newest = await FactorParts.create(test, { secrets: ['the newer secret of the installation'] });
    const verifyWith = (instance: FactorParts): Promise<unknown> =>
      instance.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY });
    await expect(verifyWith(newest)).rejects.toThrow('SECRETS_SYSTEM');
    expect(await verifyWith(rotated)).toEqual({ kind: 'proven' });
    test.clock.advanceSeconds(30);
    expect(await verifyWith(newest)).toEqual({ kind: 'proven' });
  });

  it.each([
    ['the newest secret', [SECRET]],
    ['an older secret', ['the newer secret of the installation', SECRET]],
  ])(
    'prove nothing if another app replaces theirs at the same moment, and its seed remains: sealed with %s',
    async (_what, secrets) => {
      const { account, app } = await parts.createWithTotp();
      const other = await FactorParts.create(test, { secrets });
      const records = other.service(TotpRecords);
      const find = records.find.bind(records);
      let newApp = app;
      records.find = async (accountId) => {
        const found = await find(accountId);
        await parts.totp.remove({ accountId, auditContext: BY, mayBeLast: true });
        newApp = await parts.beginApp(account);
        expect(await parts.confirm(account, newApp.code(-1))).toMatchObject({ kind: 'added' });
        return found;
      };
      expect(await other.totp.verify({ accountId: account.id, code: app.code(), auditContext: BY })).toEqual({ kind: 'refused' });
      records.find = find;
      expect(await other.totp.verify({ accountId: account.id, code: newApp.code(), auditContext: BY })).toEqual({
        kind: 'proven',
      });
    },
  );

  it('are accepted once if their seed is sealed again at the same moment', async () => {
    const { account, app } = await parts.createWithTotp();
    const secrets = ['the newer secret of the installation', SECRET];
    const rotated = await FactorParts.create(test, { secrets });
    const records = rotated.service(TotpRecords);
    const find = records.find.bind(records);
    records.find = async (accountId) => {
      const found = await find(accountId);
      records.find = find;
      expect((await rotated.service(SeedResealer).reseal()).resealed).toBeGreaterThan(0);
      return found;
    };
    const proof = { accountId: account.id, code: app.code(), auditContext: BY };
    try {
      expect(await rotated.totp.verify(proof)).toEqual({ kind: 'proven' });
      expect(await rotated.totp.verify(proof)).toEqual({ kind: 'refused' });
    } finally {
      // For the other tests.
      await new SeedResealer(test.database, new Keys([...secrets].reverse())).reseal();
    }
  });

  it('have a seed that is not readable in the tables', async () => {
    const account = await parts.createPerson();
    const setup = await parts.totp.begin({ account, boundTo: BOUND_TO });
    if (typeof setup === 'string') throw new Error(setup);
    const [waiting] = await test.database.db
      .selectFrom('one_time_secret')
      .selectAll()
      .where('account_id', '=', account.id)
      .execute();
    expect(JSON.stringify(waiting)).not.toContain(setup.secret);
  });
});
