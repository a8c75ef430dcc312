/**
 * The demo accounts, and their identities at the demo providers: Maria has one account, Jonas two, Nora none, so that
 * each case of provider sign-in can be tried. The accounts are created by an import, which does not change existing accounts.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { NewAccount } from '../../src/accounts/account/account.js';
import { AccountAttributes } from '../../src/accounts/attributes/account-attributes.js';
import { checkImport } from '../../src/accounts/transfer/imported-account.js';
import { AccountImports } from '../../src/accounts/transfer/imports.js';
import type { Config } from '../../src/config/config.js';
import { CONFIG } from '../../src/config/config.token.js';
import { toIdentity, type DemoIdentity } from './demo-providers.js';

export interface DemoPerson extends NewAccount {
  identities: readonly DemoIdentity[];
}

const PROVIDERS = ['google', 'microsoft', 'apple'] as const;

export const MARIA = {
  username: 'maria.musterfrau',
  displayName: 'Maria Musterfrau',
  email: 'maria.musterfrau@example.com',
  emailVerified: true,
} as const;

/** The operator of the console. A second factor is set up at the operator's first sign-in to the console. */
export const OLGA: DemoPerson = {
  username: 'olga.operator',
  displayName: 'Olga Operator',
  email: 'olga.operator@example.com',
  emailVerified: true,
  identities: [],
};

/** Jonas's accounts, in the order in which the account choice shows them. */
const JONAS_ACCOUNTS: readonly NewAccount[] = [
  { username: 'lindenallee', displayName: 'Hausverwaltung Lindenallee', groupName: 'Familie und Immobilien' },
  { username: 'jonas.beispiel', displayName: 'Jonas Beispiel', groupName: 'Privatkunde', email: 'jonas.beispiel@example.com' },
];

/** @param demoProvidersUrl origin of the demo providers, as the gateway calls them; null if no identity is to be connected */
export function buildMaria(demoProvidersUrl: string | null): DemoPerson {
  return { ...MARIA, identities: demoProvidersUrl === null ? [] : toIdentities('maria', demoProvidersUrl) };
}

export function buildJonas(demoProvidersUrl: string): readonly DemoPerson[] {
  return JONAS_ACCOUNTS.map((account) => ({ ...account, identities: toIdentities('jonas', demoProvidersUrl) }));
}

/**
 * Imports through the gateway in this process. Like accounts that are older than the schema, the demo accounts may lack attributes
 * that it requires.
 * @returns the new account's id; null if the name is taken or reserved, or conflicts with another account
 */
export async function importPerson(app: INestApplicationContext, person: DemoPerson): Promise<string | null> {
  const imports = app.get(AccountImports, { strict: false });
  const { accounts } = app.get<Config>(CONFIG, { strict: false });
  const anyAttributes = new AccountAttributes({ accounts: { ...accounts, schema: {} } });
  const row = { ...checkImport(person, anyAttributes), passwordHash: null, passwordKind: 'none' };
  const [result] = await imports.insert([row], { actor: 'system' });
  return result?.kind === 'created' ? result.id : null;
}

function toIdentities(person: string, demoProvidersUrl: string): readonly DemoIdentity[] {
  return PROVIDERS.map((provider) => toIdentity(provider, person, demoProvidersUrl));
}
