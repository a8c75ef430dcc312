import type { INestApplicationContext, Type } from '@nestjs/common';
import { beforeAll, expect, it } from '@jest/globals';
import { UsernameTaken } from '../../../src/accounts/account/account.errors.js';
import { Accounts } from '../../../src/accounts/account/accounts.js';
import { TicketExpired, RegistrationTickets } from '../../../src/accounts/secrets/registration-tickets.js';
import { Cleanup } from '../../../src/accounts/cleanup.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases } from '../../support/databases.js';
import { openModules } from '../../support/modules.js';
import { KEYS } from './account-parts.js';

const BY = { actor: 'person' } as const;
const CONTEXT = { requestUrl: null, hints: { invitation: 'A' } };
let count = 0;

describeOnDatabases('registrations', (test) => {
  let modules: INestApplicationContext;
  const get = <Part>(type: Type<Part>): Part => modules.get(type);

  beforeAll(async () => {
    modules = await openModules({ keys: KEYS, database: test.database });
  });

  const newName = () => `registered.${(count += 1)}`;

  async function beginRegistration(challenge = `challenge-${randomToken()}`) {
    const browser = randomToken();
    return { browser, handle: await get(RegistrationTickets).begin(browser, { ...CONTEXT, challenge }), hasHandle: true };
  }

  it('[REG-3] are found only by their browser, with neither handle nor challenge readable in the table', async () => {
    const challenge = 'challenge-of-this';
    const key = await beginRegistration(challenge);
    expect(await get(RegistrationTickets).find(key)).toEqual({ ...CONTEXT, challenge, accountId: null });
    expect(await get(RegistrationTickets).find({ ...key, browser: randomToken() })).toBeNull();
    expect(await get(RegistrationTickets).find({ ...key, handle: randomToken() })).toBeNull();
    const rows = JSON.stringify(await test.database.db.selectFrom('registration_ticket').selectAll().execute());
    for (const secret of [key.handle, key.browser, challenge]) expect(rows).not.toContain(secret);
  });

  it('[REG-1] exist once for each sign-in, and the newest one counts', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => beginRegistration('challenge-of-many')));
    const found = await Promise.all(keys.map((key) => get(RegistrationTickets).find(key)));
    expect(found.filter((ticket) => ticket !== null)).toHaveLength(1);
    const newest = await beginRegistration('challenge-of-many');
    expect(await get(RegistrationTickets).find(newest)).not.toBeNull();
    const [old] = keys;
    await expect(get(RegistrationTickets).settle(old!, { account: { username: newName() } }, BY)).rejects.toThrow(TicketExpired);
  });

  it('[REG-3] become one account when thirty answers come at the same moment', async () => {
    const key = await beginRegistration();
    const answers = Array.from({ length: 30 }, () =>
      get(RegistrationTickets).settle(key, { account: { username: newName() } }, BY),
    );
    const ids = new Set(await Promise.all(answers));
    expect(ids.size).toBe(1);
    expect(await get(RegistrationTickets).find(key)).toMatchObject({ accountId: [...ids][0] });
    const made = await test.database.db.selectFrom('account').select('id').where('username', 'like', 'registered.%').execute();
    expect(made.map(({ id }) => id)).toEqual([...ids]);
  });

  it('[REG-3] leave nothing behind when the name is taken, and may be answered again', async () => {
    const [one, other] = [await beginRegistration(), await beginRegistration()];
    const username = newName();
    await get(RegistrationTickets).settle(one, { account: { username } }, BY);
    const clash = get(RegistrationTickets).settle(other, { account: { username: username.toUpperCase() } }, BY);
    await expect(clash).rejects.toThrow(UsernameTaken);
    expect(await get(RegistrationTickets).find(other)).toMatchObject({ accountId: null });
    const free = newName();
    await get(RegistrationTickets).settle(other, { account: { username: free } }, BY);
    expect(await get(Accounts).findByUsername(free)).not.toBeNull();
  });

  it('[REG-3] create one of several accounts that want the same name at the same moment', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => beginRegistration()));
    const username = newName();
    const tries = keys.map((key) => get(RegistrationTickets).settle(key, { account: { username } }, BY));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(reasons.every((reason) => reason instanceof UsernameTaken)).toBe(true);
  });

  it('[REG-3] are sent back five times at most, and only by the browser that they belong to', async () => {
    const key = await beginRegistration();
    expect(await get(RegistrationTickets).refuse({ ...key, browser: randomToken() })).toBe(false);
    const tries = await Promise.all(Array.from({ length: 12 }, () => get(RegistrationTickets).refuse(key)));
    expect(tries.filter(Boolean)).toHaveLength(5);
  });

  it('[REG-3] expire after an hour and are removed, while the account remains', async () => {
    const [settled, open] = [await beginRegistration(), await beginRegistration()];
    const id = await get(RegistrationTickets).settle(settled, { account: { username: newName() } }, BY);
    test.clock.advanceSeconds(3601);
    expect(await get(RegistrationTickets).find(settled)).toBeNull();
    await expect(get(RegistrationTickets).settle(open, { account: { username: newName() } }, BY)).rejects.toThrow(TicketExpired);
    await get(Cleanup).deleteExpired();
    expect(await test.database.db.selectFrom('registration_ticket').selectAll().execute()).toEqual([]);
    expect(await get(Accounts).find(id)).not.toBeNull();
  });
});
