import { beforeEach, expect, it } from '@jest/globals';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { AccountDisabled, AccountFieldInvalid, UsernameTaken } from '../../../src/accounts/account/account.errors.js';
import type { Account } from '../../../src/accounts/account/accounts.js';
import { ChangeUsername } from '../../../src/accounts/changes/change-username.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { Outbox } from '../../../src/accounts/queue/outbox.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { NO_SOURCES } from '../../support/no-sources.js';
import { OWN_CHANGE } from '../../support/proven-session.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS, PASSWORD, countKinds, newName } from './account-parts.js';

const HELD_SECONDS = 3600;

describeOnSampledDatabases('changing the username', (test) => {
  let parts: AccountParts;
  let usernames: ChangeUsername;
  let account: Account;
  let other: Account;

  const buildUsernames = (heldNameSeconds: number) => {
    const { attempts, audit, database } = parts;
    const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
    const names = new AccountNames(database, testConfig(), NO_SOURCES);
    return new ChangeUsername(database, attempts, audit, outbox, names, { manage: { ...testConfig().manage, heldNameSeconds } });
  };

  beforeEach(async () => {
    parts = new AccountParts(test.database);
    usernames = buildUsernames(HELD_SECONDS);
    account = await parts.createPerson({ email: `${newName()}@example.org` });
    other = await parts.createPerson();
  });

  const findName = async ({ id }: Account) => (await parts.accounts.find(id))?.username;

  it('[VAL-5] holds a former name for its owner, in any spelling, until the hold ends', async () => {
    await usernames.change(account, newName(), OWN_CHANGE);
    const upper = account.username.toUpperCase();
    await expect(usernames.change(other, upper, OWN_CHANGE)).rejects.toThrow(UsernameTaken);
    await expect(parts.accounts.create({ username: upper })).rejects.toThrow(UsernameTaken);
    await expect(parts.accounts.update(other.id, { username: upper })).rejects.toThrow(UsernameTaken);
    expect(await findName(other)).toBe(other.username);
    await usernames.change(account, upper, OWN_CHANGE);
    expect(await findName(account)).toBe(upper);
    await usernames.change(account, newName(), OWN_CHANGE);
    test.clock.advanceSeconds(HELD_SECONDS + 5);
    await usernames.change(other, upper, OWN_CHANGE);
  });

  it('[VAL-5] holds no former name where the installation does not want it', async () => {
    await buildUsernames(0).change(account, newName(), OWN_CHANGE);
    await usernames.change(other, account.username, OWN_CHANGE);
  });

  it('[VAL-5] gives a name to one of several people; nobody gets a name that is released at that moment', async () => {
    const people = [account, other, await parts.createPerson(), await parts.createPerson()];
    const wanted = newName();
    const results = await Promise.allSettled(people.map((person) => usernames.change(person, wanted, OWN_CHANGE)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const owner = people[results.findIndex(({ status }) => status === 'fulfilled')] ?? account;
    const others = people.filter((person) => person !== owner);
    const [, ...taken] = await Promise.allSettled([
      usernames.change(owner, newName(), OWN_CHANGE),
      ...others.map((person) => usernames.change(person, wanted, OWN_CHANGE)),
    ]);
    expect(taken.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('is recorded once and announced by mail; the same name again changes nothing', async () => {
    const renamed = newName();
    await usernames.change(account, renamed, OWN_CHANGE);
    await usernames.change(account, renamed, OWN_CHANGE);
    const { entries } = await parts.audit.list(account.id);
    expect(entries.filter(({ kind }) => kind === 'username.changed')).toHaveLength(1);
    const mails = await test.database.db.selectFrom('outbox').select('kind').where('account_id', '=', account.id).execute();
    expect(mails).toEqual([{ kind: 'username-changed' }]);
  });

  it('changes nothing for an invalid name or a disabled account', async () => {
    for (const name of ['', 'a', 'a b', '\u0000']) {
      await expect(usernames.change(account, name, OWN_CHANGE)).rejects.toThrow(AccountFieldInvalid);
    }
    await parts.accounts.setStatus(account.id, 'disabled');
    await expect(usernames.change(account, newName(), OWN_CHANGE)).rejects.toThrow(AccountDisabled);
    expect(await findName(account)).toBe(account.username);
  });

  it('[S-78] counts failures on under the new name, and none for the former name', async () => {
    await parts.fail(account.username, 5);
    const renamed = newName();
    await parts.fail(renamed, 2);
    await usernames.change(account, renamed, OWN_CHANGE);
    expect((await parts.tryPassword(renamed, PASSWORD)).kind).toBe('limited');
    expect(countKinds(await parts.fail(account.username, 4))).toEqual({ refused: 4 });
    test.clock.advanceSeconds(31);
    expect((await parts.tryPassword(renamed, PASSWORD)).kind).toBe('proven');
  });
});
