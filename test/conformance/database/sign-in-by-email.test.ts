/** `LOGIN_WITH=username,email`: whose account an address names, and how addresses become verified. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { EmailTaken } from '../../../src/accounts/account/account.errors.js';
import type { Account } from '../../../src/accounts/account/accounts.js';
import { describeOnDatabases } from '../../support/databases.js';
import { AccountParts, PASSWORD, newName } from './account-parts.js';

describeOnDatabases('signing in with an e-mail address', (test) => {
  let parts: AccountParts;
  beforeAll(() => {
    parts = new AccountParts(test.database, { byEmail: true });
  });

  const newAddress = (): string => `${newName()}@example.org`;

  const canProve = async (username: string, password = PASSWORD, signIn = parts.signIn) => {
    const attempt = { username, password, address: '192.0.2.1', device: null, requestId: 'r' };
    const verdict = await signIn.prove(attempt);
    return verdict.kind === 'proven' ? verdict.account.id : verdict.kind;
  };

  /** Verifies an address in spite of the rule for new accounts, as it may be from before the setting. */
  const verifyAnyway = (account: Account) =>
    test.database.db.updateTable('account').set({ email_verified: true }).where('id', '=', account.id).execute();

  it('works with a verified address, in any spelling, and with the username as before', async () => {
    const email = newAddress();
    const { id, username } = await parts.createPerson({ email, emailVerified: true });
    for (const name of [email, ` ${email.toUpperCase()} `, username]) expect(await canProve(name)).toBe(id);
    expect(await canProve(email, 'wrong password')).toBe('refused');
  });

  it('does not work with an unverified address, or where the setting is off', async () => {
    const email = newAddress();
    const owner = await parts.createPerson({ email, emailVerified: true });
    const attacker = await parts.createPerson({ email });
    expect(await canProve(email)).toBe(owner.id);
    await parts.setPassword.setPassword(attacker.id, 'another Password 17');
    expect(await canProve(email, 'another Password 17')).toBe('refused');
    expect(await canProve(email, PASSWORD, new AccountParts(test.database).signIn)).toBe('refused');
  });

  it('finds no account while the address is verified at several accounts', async () => {
    const email = newAddress();
    const one = await parts.createPerson({ email, emailVerified: true });
    const other = await parts.createPerson({ email });
    await verifyAnyway(other);
    expect(await canProve(email)).toBe('refused');
    expect([await canProve(one.username), await canProve(other.username)]).toEqual([one.id, other.id]);
  });

  it('prefers the account whose username is the address', async () => {
    const email = newAddress();
    const owner = await parts.createPerson({ email, emailVerified: true });
    expect(await canProve(email)).toBe(owner.id);
    const named = await parts.createPerson();
    await test.database.db
      .updateTable('account')
      .set({ username: email, username_key: email.toLowerCase() })
      .where('id', '=', named.id)
      .execute();
    expect(await canProve(email)).toBe(named.id);
  });

  it('counts wrong passwords for both names together', async () => {
    const email = newAddress();
    const { username } = await parts.createPerson({ email, emailVerified: true });
    for (const name of [email, username, email, username, email]) expect(await canProve(name, 'wrong')).toBe('refused');
    expect([await canProve(email), await canProve(username)]).toEqual(['limited', 'limited']);
  });

  it('runs the same statements for an unknown address', async () => {
    const email = newAddress();
    await parts.createPerson({ email, emailVerified: true });
    const statements: string[][] = [];
    for (const name of [email, newAddress()]) {
      const seen: string[] = [];
      const run = test.database.run.bind(test.database);
      test.database.run = ((statement: { name: string }, ...rest: unknown[]) => {
        seen.push(statement.name);
        return (run as (...all: unknown[]) => unknown)(statement, ...rest);
      }) as typeof test.database.run;
      await canProve(name, 'wrong').finally(() => (test.database.run = run));
      statements.push(seen);
    }
    expect(statements[0]).toEqual(statements[1]);
    expect(statements[0]?.filter((name) => name === 'sign-in.candidate')).toHaveLength(1);
  });

  describe('an address is verified at one account only', () => {
    it('when an operator sets it as verified', async () => {
      const email = newAddress();
      await parts.createPerson({ email, emailVerified: true });
      await expect(parts.accounts.create({ username: newName(), email, emailVerified: true })).rejects.toThrow(EmailTaken);
      const other = await parts.createPerson({ email });
      await expect(parts.accounts.update(other.id, { email, emailVerified: true })).rejects.toThrow(EmailTaken);
      expect((await parts.accounts.find(other.id))?.emailVerified).toBe(false);
    });

    it('when two requests set it as verified at the same moment', async () => {
      const email = newAddress();
      const both = [1, 2].map(() => parts.accounts.create({ username: newName(), email, emailVerified: true }));
      const results = await Promise.allSettled(both);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    });

    it('when two people use the links that were mailed to them', async () => {
      const email = newAddress();
      const people = await Promise.all([parts.createPerson({ email }), parts.createPerson({ email })]);
      const auditContext = { actor: 'person' } as const;
      await Promise.all(
        people.map(({ id }) => test.database.transaction((trx) => parts.addresses.confirm({ accountId: id, auditContext }, trx))),
      );
      const now = await Promise.all(people.map(({ id }) => parts.accounts.find(id)));
      expect(now.map((account) => account?.emailVerified).sort()).toEqual([false, true]);
    });

    it('but at several, as before, where people do not sign in with it', async () => {
      const email = newAddress();
      const off = new AccountParts(test.database);
      for (const _ of [1, 2]) expect((await off.createPerson({ email, emailVerified: true })).emailVerified).toBe(true);
    });
  });

  it('does not verify an address by a mail to another address', async () => {
    const person = await parts.createPerson({ email: newAddress() });
    const [auditContext, email] = [{ actor: 'person' } as const, newAddress()];
    await test.database.transaction((trx) => parts.addresses.confirm({ accountId: person.id, email, auditContext }, trx));
    expect((await parts.accounts.find(person.id))?.emailVerified).toBe(false);
  });
});
