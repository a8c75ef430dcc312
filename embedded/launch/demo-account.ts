/**
 * The account of a first start: created once, never changed again. Its password can be shown later because it is
 * derived from a key.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import type { Keys } from '../../src/config/keys.js';
import { Database } from '../../src/database/database.js';
import { MARIA, demoMaria, importPerson } from './demo-people.js';
import { readablePassword } from './readable-password.js';

export interface DemoAccount {
  username: string;
  password: string;
  /** `changed`: the person has set another password. `refused`: the installation's rules do not allow this password. */
  state: 'ready' | 'changed' | 'refused' | 'disabled';
}

/** @param standInUrl origin of the demo providers, which sign Maria in too; null if they are not started */
export async function ensureDemoAccount(
  app: INestApplicationContext,
  keys: Keys,
  standInUrl: string | null,
): Promise<DemoAccount> {
  const accounts = app.get(Accounts, { strict: false });
  const password = readablePassword(keys.derive('demo-account'));
  const account = await accounts.findByUsername(MARIA.username);
  const state = account ? await findState(app, account, password) : await create(app, password, standInUrl);
  return { username: MARIA.username, password, state };
}

/** If the username is reserved, its owner has changed it: the account exists under another name. */
async function create(app: INestApplicationContext, password: string, standInUrl: string | null): Promise<DemoAccount['state']> {
  const id = await importPerson(app, demoMaria(standInUrl));
  return id === null ? 'changed' : setFirstPassword(app, id, password);
}

async function setFirstPassword(app: INestApplicationContext, id: string, password: string): Promise<DemoAccount['state']> {
  const faults = await app.get(SetPassword, { strict: false }).setPassword(id, password);
  return faults.length === 0 ? 'ready' : 'refused';
}

/** Compares the stored hash directly, because a sign-in at every start would count as an attempt. */
async function findState(app: INestApplicationContext, account: Account, password: string): Promise<DemoAccount['state']> {
  if (account.status === 'disabled') return 'disabled';
  const { db } = app.get(Database, { strict: false });
  const row = await db.selectFrom('password_credential').select('hash').where('account_id', '=', account.id).executeTakeFirst();
  // No password: the first start was interrupted after it had created the account and before it set the password.
  if (!row) return setFirstPassword(app, account.id, password);
  return (await app.get(PasswordHasher, { strict: false }).verify(row.hash, password)) ? 'ready' : 'changed';
}
