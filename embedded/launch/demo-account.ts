/**
 * The accounts of a first start: created once, and changed by a later start only if they never had a password. The passwords can be
 * shown later because they are derived from a key.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import type { OperatorRights } from '../../src/config/config.js';
import type { Keys } from '../../src/config/keys.js';
import { Database } from '../../src/database/database.js';
import { OperatorGrants } from '../../src/accounts/operators/operator-grants.js';
import { OLGA, buildMaria, importPerson, type DemoPerson } from './demo-people.js';
import { deriveDemoPassword } from './demo-password.js';

export interface DemoAccount {
  username: string;
  password: string;
  /**
   * `changed`: the person has another password, none any more, or another username. `refused`: the installation's rules do not allow this
   * password.
   */
  state: 'ready' | 'changed' | 'refused' | 'disabled';
}

/** @param demoProvidersUrl origin of the demo providers, which sign Maria in too; null if they are not started */
export async function ensureDemoAccount(
  app: INestApplicationContext,
  keys: Keys,
  demoProvidersUrl: string | null,
): Promise<DemoAccount> {
  return ensureAccount(app, { person: buildMaria(demoProvidersUrl), password: deriveDemoPassword(keys, 'maria') });
}

/**
 * The operator of the demo's console. The right is granted only when the account is created, so that a right that was taken away is
 * not granted again.
 */
export async function ensureDemoOperator(app: INestApplicationContext, keys: Keys): Promise<DemoAccount> {
  return ensureAccount(app, { person: OLGA, password: deriveDemoPassword(keys, 'olga'), right: 'admin' });
}

async function ensureAccount(
  app: INestApplicationContext,
  { person, password, right }: { person: DemoPerson; password: string; right?: OperatorRights },
): Promise<DemoAccount> {
  const { username } = person;
  const account = await app.get(Accounts, { strict: false }).findByUsername(username);
  if (account) return { username, password, state: await ensurePassword(app, account, password) };
  const id = await importPerson(app, person);
  // The username is reserved or conflicts with another account. Usually its owner has changed it: the account exists under another name.
  if (id === null) return { username, password, state: 'changed' };
  if (right !== undefined) {
    const grant = { accountId: id, right, endsAt: null };
    await app.get(OperatorGrants, { strict: false }).grant(grant, { actor: 'system' });
  }
  return { username, password, state: await setFirstPassword(app, id, password) };
}

async function setFirstPassword(app: INestApplicationContext, id: string, password: string): Promise<DemoAccount['state']> {
  const faults = await app.get(SetPassword, { strict: false }).setPassword(id, password);
  return faults.length === 0 ? 'ready' : 'refused';
}

/** Compares the stored hash directly, because a sign-in at every start would count as an attempt. */
async function ensurePassword(app: INestApplicationContext, account: Account, password: string): Promise<DemoAccount['state']> {
  if (account.status === 'disabled') return 'disabled';
  const { db } = app.get(Database, { strict: false });
  const row = await db
    .selectFrom('account')
    .leftJoin('password_credential', 'account_id', 'id')
    .select(['hash', 'access_ended_at'])
    .where('id', '=', account.id)
    .executeTakeFirstOrThrow();
  if (row.hash !== null) {
    return (await app.get(PasswordHasher, { strict: false }).verify(row.hash, password)) ? 'ready' : 'changed';
  }
  // The password was removed, for example with "That was not me", because somebody else may know it.
  if (row.access_ended_at !== null) return 'changed';
  // The account never had a password: the first start was interrupted, or the password was refused.
  return setFirstPassword(app, account.id, password);
}
