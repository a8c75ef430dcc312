/**
 * Connects made-up people of the stand-in to accounts, once in the life of an installation: Maria to hers, Jonas to two,
 * Nora to none, so that each way of signing in with a provider can be tried.
 */
import type { INestApplicationContext } from '@nestjs/common';
import { UsernameTaken } from '../../src/accounts/account.errors.js';
import { Accounts } from '../../src/accounts/accounts.js';
import type { NewAccount } from '../../src/accounts/account.js';
import { Database } from '../../src/database/database.js';
import { MARIA } from './demo-account.js';
import { identityOf } from './stand-in-providers.js';
import type { StandInIdentity } from './stand-in-providers.js';

const SHOWN = ['google', 'microsoft', 'apple'] as const;

/** The first one is made last: when it is there, everything is. */
const OF_JONAS: readonly NewAccount[] = [
  { username: 'jonas.beispiel', displayName: 'Jonas Beispiel', groupName: 'Privatkunde', email: 'jonas.beispiel@example.com' },
  { username: 'lindenallee', displayName: 'Hausverwaltung Lindenallee', groupName: 'Familie und Immobilien' },
];

/** The accounts of an installation, from inside its process or through its operator API; by their ids. */
export interface DemoAccounts {
  find(username: string): Promise<string | null>;
  /** @returns null for a name that somebody has, or gave up lately */
  make(account: NewAccount): Promise<string | null>;
}

export interface DemoGround {
  accounts: DemoAccounts;
  database: Database;
  /** Origin of the stand-in, as the gateway calls it. */
  standInUrl: string;
}

export async function connectDemoPeople({ accounts, database, standInUrl }: DemoGround): Promise<void> {
  const identitiesOf = (person: string): StandInIdentity[] => SHOWN.map((provider) => identityOf(provider, person, standInUrl));
  const [first] = OF_JONAS;
  if (first && (await accounts.find(first.username)) !== null) return;
  const maria = await accounts.find(MARIA.username);
  if (maria !== null) await connect(database, maria, identitiesOf('maria'));
  for (const account of OF_JONAS.toReversed()) {
    const id = (await accounts.find(account.username)) ?? (await accounts.make(account));
    if (id !== null) await connect(database, id, identitiesOf('jonas'));
  }
}

/** @param app the gateway in this process */
export function groundInside(app: INestApplicationContext, standInUrl: string): DemoGround {
  const accounts = app.get(Accounts, { strict: false });
  return {
    accounts: {
      find: async (username) => (await accounts.findByUsername(username))?.id ?? null,
      make: async (account) => {
        try {
          return (await accounts.create(account)).id;
        } catch (error) {
          if (error instanceof UsernameTaken) return null;
          throw error;
        }
      },
    },
    database: app.get(Database, { strict: false }),
    standInUrl,
  };
}

/** Straight into the table: nobody did this, so nobody gets mail about it. */
async function connect(database: Database, accountId: string, identities: readonly StandInIdentity[]): Promise<void> {
  const rows = identities.map((identity) => ({ ...identity, account_id: accountId, connected_at: database.now() }));
  await database.db
    .insertInto('external_identity')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
