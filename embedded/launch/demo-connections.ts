/**
 * Connects made-up people of the stand-in to accounts, once in the life of an installation: Maria to hers, Jonas to two,
 * Nora to none, so that each way of signing in with a provider can be tried.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { UsernameTaken } from '../../src/accounts/account.errors.js';
import { Accounts } from '../../src/accounts/accounts.js';
import type { NewAccount } from '../../src/accounts/account.js';
import type { Config } from '../../src/config/config.js';
import { Database } from '../../src/database/database.js';
import { MARIA } from './demo-account.js';
import { identityOf } from './stand-in-providers.js';

const SHOWN = ['google', 'microsoft', 'apple'] as const;

/** The first one is made last: when it is there, everything is. */
const OF_JONAS: readonly NewAccount[] = [
  { username: 'jonas.beispiel', displayName: 'Jonas Beispiel', groupName: 'Privatkunde', email: 'jonas.beispiel@example.com' },
  { username: 'lindenallee', displayName: 'Hausverwaltung Lindenallee', groupName: 'Familie und Immobilien' },
];

export async function connectDemoPeople(app: INestApplicationContext, config: Pick<Config, 'embeddedPorts'>): Promise<void> {
  const accounts = app.get(Accounts, { strict: false });
  const [first] = OF_JONAS;
  if (first && (await accounts.findByUsername(first.username))) return;
  const maria = await accounts.findByUsername(MARIA.username);
  if (maria) await connect(app, config, { accountId: maria.id, person: 'maria' });
  for (const account of OF_JONAS.toReversed()) {
    const id = await made(accounts, account);
    if (id !== null) await connect(app, config, { accountId: id, person: 'jonas' });
  }
}

/** @returns null for a name that somebody has, or gave up lately */
async function made(accounts: Accounts, account: NewAccount): Promise<string | null> {
  try {
    return (await accounts.findByUsername(account.username))?.id ?? (await accounts.create(account)).id;
  } catch (error) {
    if (error instanceof UsernameTaken) return null;
    throw error;
  }
}

/** Straight into the table: nobody did this, so nobody gets mail about it. */
async function connect(
  app: INestApplicationContext,
  config: Pick<Config, 'embeddedPorts'>,
  { accountId, person }: { accountId: string; person: string },
): Promise<void> {
  const database = app.get(Database, { strict: false });
  const rows = SHOWN.map((provider) => ({
    ...identityOf(provider, person, config),
    account_id: accountId,
    connected_at: database.now(),
  }));
  await database.db
    .insertInto('external_identity')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
