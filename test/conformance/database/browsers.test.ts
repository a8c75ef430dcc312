import { beforeAll, expect, it } from '@jest/globals';
import { sql, type Transaction } from 'kysely';
import { ProofOutdated } from '../../../src/accounts/account/account.errors.js';
import type { Account } from '../../../src/accounts/account/accounts.js';
import type { PasswordVerdict } from '../../../src/accounts/password/password-attempts.js';
import type { NewBrowserSession } from '../../../src/accounts/sessions/browser-sessions.js';
import { fingerprint, randomToken } from '../../../src/config/keys.js';
import type { Schema } from '../../../src/database/schema.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts, PASSWORD, newAddress, newName } from './account-parts.js';

const DAY = 86_400;

function toSession({ id }: Account, more: Partial<NewBrowserSession> = {}): NewBrowserSession {
  const fresh = {
    browser: randomToken(),
    upstreamSessionId: randomToken(),
    acr: 'urn:foyer:acr:pwd',
    amr: ['pwd'],
    lifetimeSeconds: DAY,
  };
  return { accountId: id, ...fresh, ...more };
}

describeOnSampledDatabases('browser sessions and known devices', (test) => {
  let parts: AccountParts;
  let account: Account;
  let other: Account;
  beforeAll(async () => {
    parts = new AccountParts(test.database);
    account = await parts.accounts.create({ username: newName() });
    other = await parts.accounts.create({ username: newName() });
  });

  it('record who signed in, how, when and until when', async () => {
    const given = toSession(account, { amr: ['pwd', 'otp', 'a,"b}'] });
    const { hasRevocations, subject, isNew, ...begun } = await parts.sessions.begin(given);
    expect([hasRevocations, subject, isNew]).toEqual([false, account.id, true]);
    const { browser, upstreamSessionId } = given;
    expect(begun).toMatchObject({ accountId: account.id, upstreamSessionId, acr: given.acr, amr: given.amr });
    expect(Math.abs(begun.authTime.getTime() - test.clock.now().getTime())).toBeLessThan(5000);
    expect(begun.expiresAt.getTime() - begun.authTime.getTime()).toBe(DAY * 1000);
    expect(await parts.sessions.find(browser, account.id)).toEqual(begun);
    expect(await parts.sessions.findByUpstreamSession(upstreamSessionId, account.id)).toEqual(begun);
  });

  it('[S-44] do not begin by a password that another transaction is about to replace', async () => {
    const person = await parts.createPerson();
    const verdict = await parts.tryPassword(person.username, PASSWORD);
    if (verdict.kind !== 'proven') throw new Error(verdict.kind);
    const { passwordVersion } = verdict;
    await parts.sessions.begin(toSession(person, { passwordVersion }));
    const change = startChange(replacePassword, person);
    const begun = change.isWritten.then(() => parts.sessions.begin(toSession(person, { passwordVersion })));
    const late = expect(begun).rejects.toThrow(ProofOutdated);
    await change.isOver;
    await late;
    await parts.sessions.begin(toSession(person));
  });

  it.each([
    ['replaces the password', replacePassword],
    ['disables the account', disable],
  ])('[S-44] do not begin with the proof while another transaction %s', async (_, write) => {
    const person = await parts.createPerson();
    const one = new AccountParts(test.database);
    const verify = one.hasher.verify.bind(one.hasher);
    const change: { isOver?: Promise<void> } = {};
    const verifyMeanwhile: typeof verify = async (...given) => {
      const { isWritten, isOver } = startChange(write, person);
      change.isOver = isOver;
      await isWritten;
      return verify(...given);
    };
    Object.assign(one.hasher, { verify: verifyMeanwhile });
    expect(await signIn(one, person)).toEqual({ kind: 'refused' });
    await change.isOver;
    const { rows } = await sql`select from browser_session where account_id = ${person.id}`.execute(test.database.db);
    expect(rows).toEqual([]);
  });

  type Write = (person: Account, trx: Transaction<Schema>) => Promise<unknown>;

  function replacePassword({ id }: Account, trx: Transaction<Schema>): Promise<unknown> {
    const changed_at = test.database.now();
    return trx.updateTable('password_credential').set({ changed_at }).where('account_id', '=', id).execute();
  }

  function disable({ id }: Account, trx: Transaction<Schema>): Promise<unknown> {
    return trx.updateTable('account').set({ status: 'disabled' }).where('id', '=', id).execute();
  }

  /** The lock of this transaction keeps another connection waiting; a database with one connection keeps it in its queue. */
  async function waitForOther(trx: Transaction<Schema>): Promise<void> {
    for (let look = 0, waiting = 0; look < 300 && waiting === 0; look++) {
      const locks = await sql<{ many: number }>`select count(*)::integer as many from pg_locks where not granted`.execute(trx);
      waiting = locks.rows[0]?.many ?? 0;
    }
  }

  /** Continues after `isWritten` until another connection waits for the lock, and ends the sessions that it can see. */
  function startChange(write: Write, person: Account): Record<'isWritten' | 'isOver', Promise<void>> {
    let resolveWritten = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      resolveWritten = resolve;
    });
    const isOver = test.database.transaction(async (trx) => {
      await write(person, trx);
      resolveWritten();
      await waitForOther(trx);
      await trx.deleteFrom('browser_session').where('account_id', '=', person.id).execute();
    });
    return { isWritten, isOver };
  }

  function signIn({ signIn: passwords }: AccountParts, { username }: Account): Promise<PasswordVerdict> {
    return passwords.attempt({ username, password: PASSWORD, address: newAddress(), device: null, requestId: 'test' });
  }

  it('belong to one account and one browser', async () => {
    const given = toSession(account);
    await parts.sessions.begin(given);
    expect(await parts.sessions.find(given.browser, other.id)).toBeNull();
    expect(await parts.sessions.find(randomToken(), account.id)).toBeNull();
    expect(await parts.sessions.findByUpstreamSession(given.upstreamSessionId, other.id)).toBeNull();
    expect(await parts.sessions.findByUpstreamSession(randomToken(), account.id)).toBeNull();
    for (const odd of ['', '\u0000', "' OR 1=1--"]) {
      expect(await parts.sessions.find(odd, account.id)).toBeNull();
      expect(await parts.sessions.find(given.browser, odd)).toBeNull();
      expect(await parts.sessions.findByUpstreamSession(odd, account.id)).toBeNull();
    }
  });

  it('end by themselves, by the time of the database', async () => {
    const given = toSession(account, { lifetimeSeconds: 60 });
    await parts.sessions.begin(given);
    test.clock.advanceSeconds(30);
    expect(await parts.sessions.find(given.browser, account.id)).not.toBeNull();
    test.clock.advanceSeconds(31);
    expect(await parts.sessions.find(given.browser, account.id)).toBeNull();
    expect(await parts.sessions.findByUpstreamSession(given.upstreamSessionId, account.id)).toBeNull();
  });

  it('continue with the new proof when the same person signs in again in the same session of Hydra', async () => {
    const given = toSession(account);
    const first = await parts.sessions.begin(given);
    test.clock.advanceSeconds(10);
    const again = { ...given, browser: randomToken(), amr: ['pwd', 'otp'], acr: 'urn:foyer:acr:mfa' };
    const { hasRevocations: _, subject: __, isNew, ...renewed } = await parts.sessions.begin(again);
    expect(isNew).toBe(false);
    expect(renewed).toMatchObject({ acr: again.acr, amr: again.amr });
    expect(renewed.authTime.getTime() - first.authTime.getTime()).toBeGreaterThanOrEqual(10_000);
    expect(await parts.sessions.find(given.browser, account.id)).toBeNull();
    expect(await parts.sessions.find(again.browser, account.id)).toEqual(renewed);
  });

  it('are listed newest first', async () => {
    const browser = randomToken();
    await parts.sessions.begin(toSession(account, { browser, acr: 'old' }));
    test.clock.advanceSeconds(1);
    await parts.sessions.begin(toSession(account, { browser, acr: 'new' }));
    expect(await parts.sessions.find(browser, account.id)).toMatchObject({ acr: 'new' });
  });

  it('stay apart when the upstream names no session', async () => {
    const [one, two] = [toSession(account, { upstreamSessionId: '' }), toSession(account, { upstreamSessionId: '' })];
    await parts.sessions.begin(one);
    await parts.sessions.begin(two);
    expect(await parts.sessions.find(one.browser, account.id)).not.toBeNull();
    expect(await parts.sessions.find(two.browser, account.id)).not.toBeNull();
    expect(await parts.sessions.findByUpstreamSession('', account.id)).toBeNull();
  });

  it('[OUT-6] end for a browser, for a session of Hydra or for a person, and for no other', async () => {
    const kept = toSession(other);
    await parts.sessions.begin(kept);
    const [one, two, three] = [toSession(account), toSession(account), toSession(account)];
    for (const session of [one, two, three]) await parts.sessions.begin(session);
    expect(await parts.sessions.endForBrowser(one.browser)).toEqual({ accountIds: [account.id], existsUpstream: true });
    expect(await parts.sessions.find(one.browser, account.id)).toBeNull();
    expect(await parts.sessions.endForUpstreamSession(two.upstreamSessionId)).toBe(1);
    expect(await parts.sessions.find(two.browser, account.id)).toBeNull();
    expect(await parts.sessions.find(three.browser, account.id)).not.toBeNull();
    expect(await parts.sessions.endForAccount(account.id)).toBeGreaterThan(0);
    expect(await parts.sessions.find(three.browser, account.id)).toBeNull();
    expect(await parts.sessions.find(kept.browser, other.id)).not.toBeNull();
    expect(await parts.sessions.endForUpstreamSession('\u0000')).toBe(0);
    expect(await parts.sessions.endForAccount('nobody')).toBe(0);
  });

  it('end when their account is disabled at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await parts.accounts.create({ username: newName() });
      const sessions = Array.from({ length: 8 }, () => toSession(person));
      const begun = sessions.map((session) => parts.sessions.begin(session).catch(() => null));
      await Promise.all([...begun.slice(0, 4), parts.accounts.setStatus(person.id, 'disabled'), ...begun.slice(4)]);
      const left = await test.database.db
        .selectFrom('browser_session')
        .select('acr')
        .where('account_id', '=', person.id)
        .execute();
      expect(left).toEqual([]);
    }
  });

  it('end when all sessions of the account are ended while they are written', async () => {
    const person = await parts.accounts.create({ username: newName() });
    const row = {
      account_id: person.id,
      upstream_session_id: randomToken(),
      browser_hash: fingerprint(randomToken()),
      auth_time: test.clock.now(),
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
      expires_at: new Date(test.clock.now().getTime() + DAY * 1000),
    };
    let resolveWritten = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => {
      resolveWritten = resolve;
    });
    const ended = isWritten.then(() => parts.sessions.endForAccount(person.id));
    await test.database.transaction(async (trx) => {
      // The account is locked first and the session is written afterwards, as in a sign-in.
      await sql`select from account where id = ${person.id} for share`.execute(trx);
      await trx.insertInto('browser_session').values(row).execute();
      resolveWritten();
      await waitForOther(trx);
    });
    expect(await ended).toBe(1);
    const rows = await sql`select from browser_session where account_id = ${person.id}`.execute(test.database.db);
    expect(rows.rows).toEqual([]);
  });

  it('store no browser id in plain text', async () => {
    const given = toSession(account);
    await parts.sessions.begin(given);
    await parts.rememberDevice('device secret', account.id);
    const { db } = test.database;
    const rows = [
      await db.selectFrom('browser_session').selectAll().execute(),
      await db.selectFrom('known_device').selectAll().execute(),
    ];
    expect(JSON.stringify(rows)).not.toContain(given.browser);
    expect(JSON.stringify(rows)).not.toContain('device secret');
  });

  const isKnown = async (device: string, accountId: string): Promise<boolean> => {
    const { db } = test.database;
    const devices = db.selectFrom('known_device').select('expires_at').where('account_id', '=', accountId);
    const rows = await devices
      .where('device_hash', '=', fingerprint(device))
      .where('expires_at', '>', test.database.now())
      .execute();
    return rows.length > 0;
  };

  it('remember a device for one person, for 180 days after it was last used', async () => {
    const device = randomToken();
    expect(await isKnown(device, account.id)).toBe(false);
    await parts.rememberDevice(device, account.id);
    expect(await isKnown(device, account.id)).toBe(true);
    expect(await isKnown(device, other.id)).toBe(false);
    expect(await isKnown(randomToken(), account.id)).toBe(false);
    test.clock.advanceSeconds(100 * DAY);
    await parts.rememberDevice(device, account.id);
    test.clock.advanceSeconds(179 * DAY);
    expect(await isKnown(device, account.id)).toBe(true);
    test.clock.advanceSeconds(1.1 * DAY);
    expect(await isKnown(device, account.id)).toBe(false);
  });

  it('report whether a device is known for anybody, as long as it is', async () => {
    const device = randomToken();
    expect(await parts.devices.isKnownToAnyone(device)).toBe(false);
    await parts.rememberDevice(device, other.id);
    expect(await parts.devices.isKnownToAnyone(device)).toBe(true);
    expect(await parts.devices.isKnownToAnyone(randomToken())).toBe(false);
    test.clock.advanceSeconds(180.1 * DAY);
    expect(await parts.devices.isKnownToAnyone(device)).toBe(false);
  });

  it('remember no device for an account that another transaction is about to delete', async () => {
    const person = await parts.accounts.create({ username: newName() });
    let resolveDeleted = (): void => undefined;
    const isDeleted = new Promise<void>((resolve) => {
      resolveDeleted = resolve;
    });
    const remembered = isDeleted.then(() => parts.rememberDevice(randomToken(), person.id));
    const late = expect(remembered).resolves.toBeUndefined();
    await test.database.transaction(async (trx) => {
      await trx.deleteFrom('account').where('id', '=', person.id).execute();
      resolveDeleted();
      await waitForOther(trx);
    });
    await late;
  });

  it('remember the twenty newest devices of a person, also when many are added at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await parts.accounts.create({ username: newName() });
      const [old, fresh] = [20, 10].map((count) => Array.from({ length: count }, () => randomToken())) as [string[], string[]];
      for (const device of old) {
        await parts.rememberDevice(device, person.id);
        test.clock.advanceSeconds(1);
      }
      await Promise.all(fresh.map((device) => parts.rememberDevice(device, person.id)));
      const known = await Promise.all([...old, ...fresh].map((device) => isKnown(device, person.id)));
      expect(known).toEqual([...Array<boolean>(10).fill(false), ...Array<boolean>(20).fill(true)]);
    }
  });

  it('remember nothing for an account that does not exist', async () => {
    for (const nobody of ['00000000-0000-4000-8000-000000000000', 'nobody']) {
      const device = randomToken();
      await parts.rememberDevice(device, nobody);
      expect(await parts.devices.isKnownToAnyone(device)).toBe(false);
    }
  });
});
