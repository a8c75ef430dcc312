import { beforeAll, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import type { Account } from '../../../src/accounts/account/accounts.js';
import { toNameCounter } from '../../../src/accounts/limits/attempt-keys.js';
import { RESERVE } from '../../../src/accounts/limits/attempt-statements.js';
import type { Attempt } from '../../../src/accounts/limits/attempts.js';
import type { PasswordVerdict } from '../../../src/accounts/password/password-attempts.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { watchWait } from '../../support/waits.js';
import { AccountParts, KEYS, PASSWORD, UNCHECKED, WRONG, countKinds, newAddress, newName } from './account-parts.js';

const DAY = 86_400;

/** Null if it is not limited. */
const toWait = (verdict: PasswordVerdict | undefined): number | null =>
  verdict?.kind === 'limited' ? verdict.retryAfterSeconds : null;

/** The right password of somebody who is not signed in. */
const toSignIn = ({ username }: Account) => {
  return { username, password: PASSWORD, address: newAddress(), device: null, requestId: 'test' };
};

/** Takes all slots and the queue when a hash of the attempt is computed or verified, however long the database took before. @returns the hashes that take them */
function fillQueue({ hasher }: AccountParts): Promise<unknown>[] {
  const others: Promise<unknown>[] = [];
  const [hash, verify, verifyDummy] = [hasher.hash.bind(hasher), hasher.verify.bind(hasher), hasher.verifyDummy.bind(hasher)];
  const fill = (): void => {
    while (!hasher.isFull({})) others.push(hash('something else'));
  };
  hasher.hash = (...given) => (fill(), hash(...given));
  hasher.verify = (...given) => (fill(), verify(...given));
  hasher.verifyDummy = (...given) => (fill(), verifyDummy(...given));
  return others;
}

describeOnSampledDatabases('signing in with a password', (test) => {
  let parts: AccountParts;
  beforeAll(() => {
    parts = new AccountParts(test.database);
  });

  it('[LOG-9] proves the account with the right password, in any spelling of the name', async () => {
    const account = await parts.createPerson();
    const verdict = await parts.tryPassword(` ${account.username.toUpperCase()} `, PASSWORD);
    expect(verdict).toEqual({
      kind: 'proven',
      account,
      isDeviceStored: false,
      factors: {},
      isOwnedDevice: false,
      passwordVersion: expect.any(String),
    });
  });

  it('reports the account as it is after the hash was computed', async () => {
    const { id, username } = await parts.createPerson();
    const slow = new AccountParts(test.database);
    const verify = slow.hasher.verify.bind(slow.hasher);
    const verifyMeanwhile: typeof verify = async (...given) => {
      await parts.accounts.update(id, { secondFactor: 'required' });
      return verify(...given);
    };
    Object.assign(slow.hasher, { verify: verifyMeanwhile });
    expect(await slow.tryPassword(username, PASSWORD)).toMatchObject({
      kind: 'proven',
      account: { id, secondFactor: 'required' },
    });
  });

  it('[LOG-6] refuses a wrong password, an unknown name, a disabled account and one without a password with the same answer', async () => {
    const account = await parts.createPerson();
    const disabled = await parts.createPerson();
    await parts.accounts.setStatus(disabled.id, 'disabled');
    const bare = await parts.accounts.create({ username: newName() });
    expect(await parts.tryPassword(account.username, 'wrong')).toEqual({ kind: 'refused' });
    expect(await parts.tryPassword(newName(), PASSWORD)).toEqual({ kind: 'refused' });
    expect(await parts.tryPassword(disabled.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await parts.tryPassword(bare.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await parts.tryPassword(bare.username, '')).toEqual({ kind: 'refused' });
  });

  it('[LOG-6] counts the right password of a disabled account like a wrong one', async () => {
    const account = await parts.createPerson();
    await parts.accounts.setStatus(account.id, 'disabled');
    const verdicts = [];
    for (let time = 0; time < 6; time++) verdicts.push(await parts.tryPassword(account.username, PASSWORD));
    expect(countKinds(verdicts)).toEqual({ refused: 5, limited: 1 });
  });

  it.each([
    ['a NUL', 'anna\u0000'],
    ['a lone surrogate', '\uD800'],
    ['SQL', "' OR 1=1--"],
    ['nothing', ''],
    ['100 kB', 'x'.repeat(100_000)],
    ['a pattern', '%'],
    ['a backslash', '\\'],
  ])('refuses %s as a name without an error, and counts it like any other', async (_, username) => {
    expect(countKinds(await parts.fail(username, 6))).toEqual({ refused: 5, limited: 1 });
  });

  it.each([
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['a lone surrogate', '\uD800'],
    ['a NUL', 'a\u0000b'],
  ])('refuses %s as a password', async (_, password) => {
    const account = await parts.createPerson();
    expect(await parts.tryPassword(account.username, password)).toEqual({ kind: 'refused' });
  });

  it('delays from the fifth failure on, doubling up to a quarter of an hour, for known and unknown names alike', async () => {
    const account = await parts.createPerson();
    for (const username of [account.username, newName()]) {
      let expectWait = watchWait();
      expect(countKinds(await parts.fail(username, 5))).toEqual({ refused: 5 });
      for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
        const verdict = await parts.tryPassword(username, PASSWORD);
        expect(verdict).toEqual({ kind: 'limited', counter: 'account', retryAfterSeconds: expect.any(Number) });
        expectWait(toWait(verdict), seconds);
        // The time that the attempts themselves take.
        test.clock.advanceSeconds(seconds - 20);
        expect(await parts.tryPassword(username, PASSWORD)).toMatchObject({ kind: 'limited' });
        test.clock.advanceSeconds(20.5);
        expectWait = watchWait();
        expect(await parts.tryPassword(username, 'wrong')).toEqual({ kind: 'refused' });
      }
    }
  });

  it('resets the failures when the right password comes', async () => {
    const account = await parts.createPerson();
    await parts.fail(account.username, 4);
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(countKinds(await parts.fail(account.username, 5))).toEqual({ refused: 5 });
    test.clock.advanceSeconds(31);
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(countKinds(await parts.fail(account.username, 5))).toEqual({ refused: 5 });
  });

  it('stops at a hundred failures, with the answer of a wrong password, until a new password is set', async () => {
    // The database deletes events of the audit log only after their time by its own clock, so the test begins in the past.
    test.clock.advanceSeconds(-402 * 86_400 - test.clock.skewMs / 1000);
    const account = await parts.createPerson();
    for (let failure = 0; failure < 100; failure++) {
      expect(await parts.tryPassword(account.username, 'wrong')).toEqual({ kind: 'refused' });
      test.clock.advanceSeconds(901);
    }
    expect(await parts.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    test.clock.advanceSeconds(400 * 86_400);
    await parts.cleanup.deleteExpired();
    expect(await parts.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    await parts.setPassword.setPassword(account.id, 'Kastanie im Hof');
    expect(await parts.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await parts.tryPassword(account.username, 'Kastanie im Hof')).toMatchObject({ kind: 'proven' });
  });

  it.each([
    ['lowered', 100, 7, null],
    ['raised', 7, 100, undefined],
  ])(
    'reports an account as locked exactly where it is stopped, also after the limit was %s',
    async (_, former, current, lock) => {
      const before = new AccountParts(test.database, { limits: { accountStopAt: former } });
      const account = await before.createPerson();
      for (let failure = 0; failure < 7; failure++) {
        await before.fail(account.username, 1);
        test.clock.advanceSeconds(901);
      }
      const after = new AccountParts(test.database, { limits: { accountStopAt: current } });
      expect((await after.attempts.findLock(account))?.until).toBe(lock);
      expect(await after.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: lock === null ? 'refused' : 'proven' });
      expect((await after.attempts.findLock(account))?.until).toBe(lock);
    },
  );

  it('reports an account as locked if the last allowed attempt has no result', async () => {
    const stopping = new AccountParts(test.database, { limits: { accountStopAt: 7 } });
    const account = await stopping.createPerson();
    for (let failure = 0; failure < 6; failure++) {
      await stopping.fail(account.username, 1);
      test.clock.advanceSeconds(901);
    }
    const attempt = { username: account.username, accountId: account.id, device: null, address: newAddress(), requestId: 'test' };
    const { end } = await new AccountParts(test.database, { limits: { accountStopAt: 7 } }).holdAttempt(attempt);
    test.clock.advanceSeconds(901);
    expect(await stopping.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await stopping.attempts.findLock(account)).toEqual({ until: null });
    await end(UNCHECKED);
  });

  it('admits twenty sign-ins with the right password at the same moment, also after some failures', async () => {
    const account = await parts.createPerson();
    for (const failures of [0, 3, 4]) {
      await parts.fail(account.username, failures);
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => parts.tryPassword(account.username, PASSWORD)));
      expect(countKinds(verdicts)).toEqual({ proven: 20 });
    }
  });

  it('checks no more than five of a hundred parallel guesses, whether the name is known or not', async () => {
    const account = await parts.createPerson();
    for (const username of [account.username, newName()]) {
      const verdicts = await Promise.all(
        Array.from({ length: 100 }, (_, guess) => parts.tryPassword(username, `guess ${guess}`)),
      );
      expect(countKinds(verdicts)).toEqual({ refused: 5, limited: 95 });
    }
  });

  it('limits guesses that come through several replicas at the same moment', async () => {
    const account = await parts.createPerson();
    const replicas = [parts, new AccountParts(test.database), new AccountParts(test.database)];
    const guesses = Array.from(
      { length: 60 },
      (_, guess) => replicas[guess % 3]?.tryPassword(account.username, `guess ${guess}`) ?? parts.tryPassword('', ''),
    );
    expect(countKinds(await Promise.all(guesses))).toEqual({ refused: 5, limited: 55 });
  });

  it('checks no other attempt while a guess after the wait is being checked', async () => {
    const account = await parts.createPerson();
    await parts.fail(account.username, 5);
    test.clock.advanceSeconds(31);
    const guess = await parts.holdAttempt(toAttempt(account));
    const others = Promise.all(Array.from({ length: 9 }, () => parts.tryPassword(account.username, PASSWORD)));
    await guess.end(WRONG);
    expect(countKinds(await others)).toEqual({ limited: 9 });
  });

  it('counts a guess as a failure when the process that checks it dies', async () => {
    const account = await parts.createPerson();
    const dying = new AccountParts(test.database, { limits: { accountFreeFailures: 2 } });
    await dying.holdAttempt(toAttempt(account));
    await dying.holdAttempt(toAttempt(account));
    const restarted = new AccountParts(test.database, { limits: { accountFreeFailures: 2 } });
    test.clock.advanceSeconds(61);
    const expectWait = watchWait();
    expect(await restarted.tryPassword(account.username, 'wrong')).toEqual({ kind: 'refused' });
    expectWait(toWait(await restarted.tryPassword(account.username, PASSWORD)), 60);
    expect(await countPendingTries()).toBe(0);
  });

  it('[LOG-6] counts a right password as one failure a minute later if its result could not be stored, until the next right one', async () => {
    const account = await parts.createPerson();
    await parts.holdAttempt(toAttempt(account));
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await findCounter(account)).toEqual({ failures: 0, pending: 1 });
    test.clock.advanceSeconds(61);
    expect(await parts.tryPassword(account.username, 'wrong')).toEqual({ kind: 'refused' });
    expect(await findCounter(account)).toEqual({ failures: 2, pending: 0 });
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await findCounter(account)).toEqual({ failures: 0, pending: 0 });
  });

  it('after four failures, delays the next attempt while such a result may still come, and no longer', async () => {
    const account = await parts.createPerson();
    await parts.fail(account.username, 4);
    await parts.holdAttempt(toAttempt(account));
    const decisions: boolean[] = [];
    const run = test.database.run.bind(test.database);
    const runAndRecord: typeof run = async (statement, ...given) => {
      const rows = await run(statement, ...given);
      for (const row of statement.name === RESERVE.name ? (rows as { admitted: boolean }[]) : []) {
        decisions.push(row.admitted);
        if (!row.admitted) test.clock.advanceSeconds(61);
      }
      return rows;
    };
    Object.assign(test.database, { run: runAndRecord });
    const next = await parts.holdAttempt(toAttempt(account));
    Object.assign(test.database, { run });
    expect(decisions).toEqual([false, true]);
    expect(await findCounter(account)).toEqual({ failures: 5, pending: 1 });
    await next.end(UNCHECKED);
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await findCounter(account)).toEqual({ failures: 0, pending: 0 });
  });

  it('limits an address whatever names it tries, and no other address', async () => {
    const few = new AccountParts(test.database, { limits: { addressFailures: 5 } });
    const account = await few.createPerson();
    const address = newAddress();
    const expectWait = watchWait();
    const spray = Array.from({ length: 20 }, () => few.tryPassword(newName(), PASSWORD, { address }));
    expect(countKinds(await Promise.all(spray))).toEqual({ refused: 5, limited: 15 });
    expectWait(toWait(await few.tryPassword(account.username, PASSWORD, { address })), 900);
    expect(await few.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    test.clock.advanceSeconds(901);
    expect(await few.tryPassword(account.username, PASSWORD, { address })).toMatchObject({ kind: 'proven' });
  });

  it('reports the end of the window where the limit of an address was lowered below its failures', async () => {
    const account = await parts.createPerson();
    const address = newAddress();
    const expectWait = watchWait();
    for (let failure = 0; failure < 3; failure++) await parts.tryPassword(newName(), 'wrong', { address });
    const lowered = new AccountParts(test.database, { limits: { addressFailures: 2 } });
    const limited = { kind: 'limited', counter: 'network', retryAfterSeconds: expect.any(Number) };
    for (let time = 0; time < 2; time++) {
      const verdict = await lowered.tryPassword(account.username, PASSWORD, { address });
      expect(verdict).toEqual(limited);
      expectWait(toWait(verdict), 900);
    }
    const noted = await test.database.db
      .selectFrom('audit_event')
      .select('kind')
      .where('address', '=', address)
      .where('kind', '=', 'password.limited')
      .execute();
    expect(noted).toHaveLength(1);
    test.clock.advanceSeconds(901);
    expect(await lowered.tryPassword(account.username, PASSWORD, { address })).toMatchObject({ kind: 'proven' });
  });

  it('does not count sign-ins with the right password against their address', async () => {
    const few = new AccountParts(test.database, { limits: { addressFailures: 3 } });
    const address = newAddress();
    const people = await Promise.all(Array.from({ length: 12 }, () => few.createPerson()));
    const verdicts = await Promise.all(people.map(({ username }) => few.tryPassword(username, PASSWORD, { address })));
    expect(countKinds(verdicts)).toEqual({ proven: 12 });
  });

  it('admits the owner from a known device while others wait, even when they have stopped the account', async () => {
    const stopping = new AccountParts(test.database, { limits: { accountStopAt: 7 } });
    const account = await stopping.createPerson();
    const device = randomToken();
    await stopping.rememberDevice(device, account.id);
    await stopping.fail(account.username, 5);
    expect(await stopping.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'limited' });
    expect(await stopping.tryPassword(account.username, PASSWORD, { device: randomToken() })).toMatchObject({ kind: 'limited' });
    expect(await stopping.tryPassword(account.username, PASSWORD, { device })).toMatchObject({
      kind: 'proven',
      isDeviceStored: true,
    });
    // The owner has signed in, so the failures are no longer consecutive.
    expect(await stopping.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven', isDeviceStored: false });
    for (let failure = 0; failure < 7; failure++) {
      await stopping.fail(account.username, 1);
      test.clock.advanceSeconds(901);
    }
    expect(await stopping.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await stopping.tryPassword(account.username, PASSWORD, { device })).toMatchObject({ kind: 'proven' });
    expect(await stopping.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
  });

  it('treats a device that is known for another account as unknown', async () => {
    const [account, other] = [await parts.createPerson(), await parts.createPerson()];
    const device = randomToken();
    await parts.rememberDevice(device, other.id);
    await parts.fail(account.username, 5);
    expect(await parts.tryPassword(account.username, PASSWORD, { device })).toMatchObject({ kind: 'limited' });
  });

  it('limits and stops a known device for its own failures, without delaying other devices', async () => {
    const stopping = new AccountParts(test.database, { limits: { accountStopAt: 7 } });
    const account = await stopping.createPerson();
    const device = randomToken();
    await stopping.rememberDevice(device, account.id);
    expect(countKinds(await stopping.fail(account.username, 6, device))).toEqual({ refused: 5, limited: 1 });
    expect(await stopping.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    for (let failure = 0; failure < 2; failure++) {
      test.clock.advanceSeconds(901);
      await stopping.fail(account.username, 1, device);
    }
    test.clock.advanceSeconds(901);
    expect(await stopping.tryPassword(account.username, PASSWORD, { device })).toEqual({ kind: 'refused' });
    await stopping.setPassword.setPassword(account.id, 'Kastanie im Hof');
    expect(await stopping.tryPassword(account.username, 'Kastanie im Hof', { device })).toMatchObject({ kind: 'proven' });
  });

  it('admits the owner from a known device when others have reached the limit of its address', async () => {
    const few = new AccountParts(test.database, { limits: { addressFailures: 2 } });
    const account = await few.createPerson();
    const device = randomToken();
    await few.rememberDevice(device, account.id);
    const address = newAddress();
    await Promise.all([few.tryPassword(newName(), 'x', { address }), few.tryPassword(newName(), 'x', { address })]);
    expect(await few.tryPassword(account.username, PASSWORD, { address })).toMatchObject({ kind: 'limited' });
    expect(await few.tryPassword(account.username, PASSWORD, { address, device: randomToken() })).toMatchObject({
      kind: 'limited',
    });
    expect(await few.tryPassword(account.username, PASSWORD, { address, device })).toMatchObject({ kind: 'proven' });
  });

  it('does not delay a known device for attempts of others at its address that are being checked', async () => {
    const few = new AccountParts(test.database, { limits: { addressFailures: 1 } });
    const [account, stranger] = [await few.createPerson(), await few.createPerson()];
    const device = randomToken();
    await few.rememberDevice(device, account.id);
    const address = newAddress();
    const held = await few.holdAttempt({ ...toAttempt(stranger), address });
    expect(await few.tryPassword(account.username, PASSWORD, { address, device })).toMatchObject({ kind: 'proven' });
    await held.end(UNCHECKED);
  });

  it('counts the failures of a known device for its address, and limits it there by its own', async () => {
    const few = new AccountParts(test.database, { limits: { addressFailures: 2 } });
    const account = await few.createPerson();
    const device = randomToken();
    await few.rememberDevice(device, account.id);
    const address = newAddress();
    const verdicts = [];
    const expectWait = watchWait();
    for (let time = 0; time < 7; time++) verdicts.push(await few.tryPassword(account.username, 'wrong', { address, device }));
    expect(countKinds(verdicts)).toEqual({ refused: 5, limited: 2 });
    expectWait(toWait(verdicts.at(-1)), 30);
    expectWait(toWait(await few.tryPassword(newName(), PASSWORD, { address })), 900);
  });

  it('answers busy when the queue of hashes is full, and counts nothing', async () => {
    const account = await parts.createPerson();
    const slow = new AccountParts(test.database, { hashing: { queueLength: 1, memoryKiB: 65_536, iterations: 8 } });
    const others = fillQueue(slow);
    expect(await slow.signIn.attempt(toSignIn(account))).toEqual({ kind: 'busy' });
    await Promise.all(others);
    expect(await countPendingTries()).toBe(0);
    expect(countKinds(await parts.fail(account.username, 5))).toEqual({ refused: 5 });
  });

  it('admits the owner from a known device while others fill the queue of hashes', async () => {
    const account = await parts.createPerson();
    const device = randomToken();
    await parts.rememberDevice(device, account.id);
    const full = new AccountParts(test.database, { hashing: { queueLength: 1, memoryKiB: 65_536, iterations: 8 } });
    const strangers = fillQueue(full);
    const verdict = await full.signIn.attempt({ ...toSignIn(account), device });
    await Promise.all(strangers);
    expect(verdict).toMatchObject({ kind: 'proven' });
  });

  it.each([
    ['the same address', 'proven', '203.0.113.7', '203.0.113.7'],
    ['the same address, written as one of IPv6', 'proven', '203.0.113.7', '::ffff:203.0.113.7'],
    ['another address of the same /64', 'proven', '2001:db8:0:7::1', '2001:db8:0:7:ffff::9'],
    ['a neighbouring address', 'busy', '203.0.113.7', '203.0.113.8'],
    ['a neighbouring /64', 'busy', '2001:db8:0:7::1', '2001:db8:0:8::1'],
  ])('while strangers fill the queue of hashes, answers an owner who comes from %s: %s', async (_, kind, first, second) => {
    const account = await parts.createPerson();
    await beginSession(account, first);
    expect(await tryInFullQueue(account, second)).toBe(kind);
  });

  const HERE = '203.0.113.7';
  it.each<[string, string, (account: Account) => Promise<unknown>]>([
    ['within the last day', 'proven', (account) => beginSession(account, HERE, DAY - 60)],
    ['more than a day ago', 'busy', (account) => beginSession(account, HERE, DAY + 1)],
    ['only with another account', 'busy', async () => beginSession(await parts.createPerson(), HERE)],
    ['in a session without an address', 'busy', (account) => beginSession(account, null)],
    ['19 sessions ago', 'proven', (account) => beginSessions(account, [HERE, ...Array<string>(19).fill('192.0.2.1')])],
    ['20 sessions ago', 'busy', (account) => beginSessions(account, [HERE, ...Array<string>(20).fill('192.0.2.1')])],
  ])('while strangers fill the queue of hashes, answers an owner who came from there %s: %s', async (_, kind, begin) => {
    const account = await parts.createPerson();
    await begin(account);
    expect(await tryInFullQueue(account, HERE)).toBe(kind);
  });

  it('while strangers fill the queue of hashes, does not prefer a name that nobody has, whoever signed in from there', async () => {
    await beginSession(await parts.createPerson(), HERE);
    expect(await tryInFullQueue({ username: newName() }, HERE)).toBe('busy');
  });

  it('[LOG-6] refuses strangers while the queue is full before anything is written, whoever has the name, and nobody who is known', async () => {
    const account = await parts.createPerson();
    await beginSession(account, HERE);
    const full = new AccountParts(test.database);
    Object.assign(full.hasher, { isFull: ({ isPreferred }: { isPreferred: boolean }) => !isPreferred });
    const run = jest.spyOn(test.database, 'run');
    const judged = [toSignIn(account), { ...toSignIn(account), username: newName() }, { ...toSignIn(account), address: HERE }];
    const found: [string, string[]][] = [];
    for (const attempt of judged) {
      run.mockClear();
      const { kind } = await full.signIn.attempt(attempt);
      found.push([kind, run.mock.calls.map(([{ name }]) => name)]);
    }
    run.mockRestore();
    const refused = ['busy', ['sign-in.candidate']];
    expect(found).toEqual([refused, refused, ['proven', expect.arrayContaining(['sign-in.confirm'])]]);
  });

  it('takes a network from which the owner signed in for a stranger in everything but the queue', async () => {
    const account = await parts.createPerson();
    await beginSession(account, HERE);
    expect(await parts.tryPassword(account.username, PASSWORD, { address: HERE, device: randomToken() })).toMatchObject({
      isDeviceStored: false,
      isOwnedDevice: false,
    });
    await parts.fail(account.username, 5);
    expect(await parts.tryPassword(account.username, PASSWORD, { address: HERE })).toMatchObject({
      kind: 'limited',
      counter: 'account',
    });
  });

  it('computes a new hash at a sign-in when the parameters have risen', async () => {
    const account = await parts.createPerson();
    const dearer = new AccountParts(test.database, { hashing: { memoryKiB: 128 } });
    expect(await dearer.tryPassword(account.username, 'wrong')).toEqual({ kind: 'refused' });
    expect(await toHash(account.id)).toContain('m=64,');
    expect(await dearer.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await toHash(account.id)).toContain('m=128,');
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
    expect(await toHash(account.id)).toContain('m=128,');
  });

  it('computes the new hash for a known device while others fill the queue of hashes', async () => {
    const account = await parts.createPerson();
    const device = randomToken();
    await parts.rememberDevice(device, account.id);
    const full = new AccountParts(test.database, { hashing: { queueLength: 1, memoryKiB: 128 } });
    const strangers = fillQueue(full);
    expect(await full.signIn.attempt({ ...toSignIn(account), device })).toMatchObject({ kind: 'proven' });
    await Promise.all(strangers);
    expect(await toHash(account.id)).toContain('m=128,');
  });

  it('refuses an account that is disabled while its password is being checked', async () => {
    const account = await parts.createPerson();
    const slow = new AccountParts(test.database);
    const verify = slow.hasher.verify.bind(slow.hasher);
    const disable = () => parts.accounts.setStatus(account.id, 'disabled');
    Object.assign(slow.hasher, { verify: async (...given: Parameters<typeof verify>) => (await disable(), verify(...given)) });
    expect(await slow.tryPassword(account.username, PASSWORD)).toEqual({ kind: 'refused' });
    expect(await countPendingTries()).toBe(0);
  });

  it('records what was proven, refused and limited, with one event for each wait', async () => {
    const account = await parts.createPerson();
    await parts.fail(account.username, 9);
    test.clock.advanceSeconds(31);
    await parts.tryPassword(account.username, PASSWORD, { address: '192.0.2.9' });
    const { entries } = await parts.audit.list(account.id);
    const signIns = entries.filter(({ kind }) => /^(sign-in|password)[.](?!changed)/.test(kind));
    expect(signIns.map(({ kind }) => kind)).toEqual([
      'password.ok',
      'password.limited',
      ...Array<string>(5).fill('password.refused'),
    ]);
    expect(signIns[0]).toMatchObject({ actor: 'person', address: '192.0.2.9', requestId: 'test', accountId: account.id });
  });

  /** @returns what the right password is answered with where strangers fill the queue of hashes */
  async function tryInFullQueue({ username }: Pick<Account, 'username'>, address: string): Promise<string> {
    const full = new AccountParts(test.database, { hashing: { queueLength: 1 } });
    const strangers = fillQueue(full);
    const verdict = await full.signIn.attempt({ username, password: PASSWORD, address, device: null, requestId: 'test' });
    await Promise.all(strangers);
    return verdict.kind;
  }

  async function beginSession({ id }: Account, address: string | null, ageSeconds = 0): Promise<void> {
    const upstreamSessionId = randomToken();
    const session = {
      browser: randomToken(),
      accountId: id,
      upstreamSessionId,
      acr: 'pwd',
      amr: ['pwd'],
      lifetimeSeconds: 30 * DAY,
    };
    await parts.sessions.begin(
      address === null ? session : { ...session, requestInfo: { clientId: 'demo', address, userAgent: '' } },
    );
    const age = sql<Date>`auth_time - make_interval(secs => ${ageSeconds})`;
    const begun = test.database.db.updateTable('browser_session').where('upstream_session_id', '=', upstreamSessionId);
    await begun.set({ auth_time: age }).execute();
  }

  /** One after the other, the oldest first. */
  async function beginSessions(account: Account, addresses: readonly string[]): Promise<void> {
    for (const [index, address] of addresses.entries()) await beginSession(account, address, addresses.length - index);
  }

  function toAttempt({ id, username }: Account): Attempt {
    return { username, accountId: id, device: null, address: newAddress(), requestId: 'test' };
  }

  async function findCounter({ username }: Account): Promise<unknown> {
    const counters = test.database.db.selectFrom('attempt_counter').select(['failures', 'pending']);
    return counters.where('key', '=', toNameCounter(KEYS, username)).executeTakeFirst();
  }

  async function countPendingTries(): Promise<number> {
    return (await test.database.db.selectFrom('attempt_counter').select('key').where('pending', '>', 0).execute()).length;
  }

  async function toHash(accountId: string): Promise<string> {
    const query = test.database.db.selectFrom('password_credential').select('hash').where('account_id', '=', accountId);
    return (await query.executeTakeFirstOrThrow()).hash;
  }
});
