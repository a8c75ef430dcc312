import { beforeEach, expect, it } from '@jest/globals';
import { AccountAttributes } from '../../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../../src/accounts/account/account-names.js';
import { EmailTaken, UsernameTaken } from '../../../src/accounts/account/account.errors.js';
import { ChangeUsername } from '../../../src/accounts/changes/change-username.js';
import { DeleteAccount } from '../../../src/accounts/changes/delete-account.js';
import { UsernameSkeletonFiller } from '../../../src/accounts/account/username-skeleton-filler.js';
import { Outbox } from '../../../src/accounts/queue/outbox.js';
import { OneTimeSecrets } from '../../../src/accounts/secrets/one-time-secrets.js';
import { checkImport } from '../../../src/accounts/transfer/imported-account.js';
import { AccountImports } from '../../../src/accounts/transfer/imports.js';
import { createLog } from '../../../src/gateway/http/log.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { NO_SOURCES } from '../../support/no-sources.js';
import { OWN_CHANGE } from '../../support/proven-session.js';
import { testConfig } from '../../support/test-config.js';
import { AccountParts, KEYS, newName } from './account-parts.js';

const OPERATOR = { actor: 'operator' } as const;
const RESERVED = expect.objectContaining({ code: 'reserved', field: 'username' }) as unknown;
const NO_OWN_ADDRESS = expect.objectContaining({ code: 'format', field: 'username' }) as unknown;

describeOnSampledDatabases('usernames and addresses of different accounts', (test) => {
  let parts: AccountParts;
  let names: AccountNames;
  let usernames: ChangeUsername;
  let address: string;

  beforeEach(() => {
    const { database } = test;
    parts = new AccountParts(database);
    names = new AccountNames(database, testConfig(), NO_SOURCES);
    const outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
    usernames = new ChangeUsername(database, parts.attempts, parts.audit, outbox, names, testConfig());
    address = `${newName()}@example.org`;
  });

  const accounts = () => parts.accounts;
  const importRows = (rows: { username: string; email?: string }[]) =>
    new AccountImports(test.database, parts.audit, names, new AccountAttributes(testConfig())).insert(
      rows.map((row) => ({ ...checkImport(row, new AccountAttributes(testConfig())), passwordHash: null, passwordKind: 'none' })),
      OPERATOR,
    );

  it('[VAL-5] a username with @ has to be the address of its own account, in any spelling', async () => {
    const owner = await parts.createPerson({ email: address });
    const other = await parts.createPerson();
    await expect(accounts().create({ username: address })).rejects.toEqual(NO_OWN_ADDRESS);
    await expect(accounts().create({ username: address, email: address })).rejects.toThrow(UsernameTaken);
    await expect(usernames.change(other, address.toUpperCase(), OWN_CHANGE)).rejects.toEqual(NO_OWN_ADDRESS);
    await expect(accounts().update(other.id, { username: address, email: address })).rejects.toThrow(UsernameTaken);
    await usernames.change(owner, address.toUpperCase(), OWN_CHANGE);
    await expect(usernames.change(owner, `other.${address}`, OWN_CHANGE)).rejects.toEqual(NO_OWN_ADDRESS);
  });

  it('[VAL-5] nobody gets an address that is the username of another account', async () => {
    const owner = await accounts().create({ username: address, email: address });
    const other = await parts.createPerson();
    await expect(accounts().create({ username: newName(), email: address.toUpperCase() })).rejects.toThrow(EmailTaken);
    await expect(accounts().update(other.id, { email: address })).rejects.toThrow(EmailTaken);
    expect((await accounts().find(other.id))?.email).toBeUndefined();
    await accounts().update(owner.id, { email: `new.${address}` });
    await accounts().update(owner.id, { email: address });
  });

  it('[VAL-5] both spellings of an international domain are the same name', async () => {
    const local = newName();
    await accounts().create({ username: `${local}@xn--mnchen-3ya.example`, email: `${local}@xn--mnchen-3ya.example` });
    await expect(accounts().create({ username: newName(), email: `${local}@münchen.example` })).rejects.toThrow(EmailTaken);
  });

  it('[VAL-5] no new account gets a reserved name, or a name that looks like one', async () => {
    const person = await parts.createPerson();
    for (const username of ['admin', 'Admin', 'ad-min', 'R00T', 'supp0rt', 'no.reply']) {
      await expect(accounts().create({ username })).rejects.toEqual(RESERVED);
      await expect(usernames.change(person, username, OWN_CHANGE)).rejects.toEqual(RESERVED);
    }
    expect((await importRows([{ username: newName() }])).map(({ kind }) => kind)).toEqual(['created']);
  });

  it('[VAL-5] [S-76b] no name may look like that of another account, also after that name was changed', async () => {
    const first = await accounts().create({ username: `lola.${newName()}` });
    const alike = first.username.replace('lola', '1o1a');
    const other = await parts.createPerson();
    await expect(accounts().create({ username: alike })).rejects.toThrow(UsernameTaken);
    await expect(usernames.change(other, alike, OWN_CHANGE)).rejects.toThrow(UsernameTaken);
    await usernames.change(first, alike, OWN_CHANGE);
    await usernames.change(first, newName(), OWN_CHANGE);
    await usernames.change(other, `x${alike}`, OWN_CHANGE);
    const third = { username: first.username.replace('lola', 'l0la') };
    await expect(accounts().create(third)).rejects.toThrow(UsernameTaken);
    test.clock.advanceSeconds(testConfig().manage.heldNameSeconds + 1);
    await accounts().create(third);
  });

  it('[VAL-5] no name may look like one that is held for its former owner, until the hold ends', async () => {
    const name = newName();
    const [first, alike, other] = [`lola.${name}`, `1o1a.${name}`, await parts.createPerson()];
    const owner = await accounts().create({ username: first });
    await usernames.change(owner, newName(), OWN_CHANGE);
    const expectRefusal = async (imports: string): Promise<void> => {
      await expect(accounts().create({ username: alike })).rejects.toThrow(UsernameTaken);
      await expect(accounts().update(other.id, { username: alike })).rejects.toThrow(UsernameTaken);
      await expect(usernames.change(other, alike, OWN_CHANGE)).rejects.toThrow(UsernameTaken);
      expect((await importRows([{ username: alike }])).map((one) => ('error' in one ? one.error.code : one.kind))).toEqual([
        imports,
      ]);
    };
    await expectRefusal('username-taken');
    await usernames.change(owner, alike, OWN_CHANGE);
    await usernames.change(owner, newName(), OWN_CHANGE);
    const deleting = new DeleteAccount(test.database, parts.attempts, parts.audit, parts.outbox, testConfig());
    await deleting.delete(owner, OPERATOR);
    await expectRefusal('held');
    test.clock.advanceSeconds(testConfig().manage.heldNameSeconds + 1);
    await accounts().create({ username: alike });
  });

  it('[VAL-5] names that version 0.1 held count too once the filler has read them', async () => {
    const name = newName();
    const held = { username_key: `lola.${name}`, account_id: null, held_until: new Date(test.clock.now().getTime() + 3600_000) };
    await test.database.db.insertInto('held_username').values(held).execute();
    const filler = new UsernameSkeletonFiller(test.database, names, createLog('silent'));
    expect(await filler.fill()).toBeGreaterThan(0);
    expect(await filler.fill()).toBe(0);
    await expect(accounts().create({ username: `1ola.${name}` })).rejects.toThrow(UsernameTaken);
  });

  it('[VAL-5] of two similar names that are created at the same moment, one is created', async () => {
    const name = newName();
    const both = await Promise.allSettled(['1ilo.', 'lilo.'].map((start) => accounts().create({ username: start + name })));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const pair = [
      { username: address, email: address },
      { username: newName(), email: address },
    ];
    const made = await Promise.allSettled(pair.map((account) => accounts().create(account)));
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('[VAL-5] an import reports a conflict for each line, also between lines of one batch, and creates the other accounts', async () => {
    const taken = await accounts().create({ username: `lola.${newName()}`, email: address });
    const [name, mail] = [newName(), `${newName()}@example.org`];
    const outcomes = await importRows([
      { username: taken.username.replace('lola', '1ola') },
      { username: address, email: address },
      { username: `lilo.${name}` },
      { username: `1ilo.${name}` },
      { username: mail, email: mail },
      { username: newName(), email: mail },
      { username: newName() },
    ]);
    expect(outcomes.map((one) => ('error' in one ? one.error.code : one.kind))).toEqual([
      ...['username-taken', 'username-taken', 'created', 'username-taken', 'created', 'email-taken', 'created'],
    ]);
  });

  it('conflicting names of version 0.1 keep working, and count for new names once the filler has read them', async () => {
    const old = `lola.${newName()}`;
    const now = new Date();
    const row = { username: old, username_key: old.toLowerCase(), display_name: old, created_at: now, updated_at: now };
    await test.database.db.insertInto('account').values(row).execute();
    await accounts().create({ username: old.replace('lola', '1ola') });
    const filler = new UsernameSkeletonFiller(test.database, names, createLog('silent'));
    expect(await filler.fill()).toBeGreaterThan(0);
    expect(await filler.fill()).toBe(0);
    expect(await accounts().findByUsername(old)).not.toBeNull();
    await expect(accounts().create({ username: old.replace('lola', 'l0la') })).rejects.toThrow(UsernameTaken);
  });
});
