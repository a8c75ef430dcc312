import type { Type } from '@nestjs/common';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { openTestDatabase } from '../../test/support/databases.js';
import { openModules } from '../../test/support/modules.js';
import { TestClock } from '../../test/support/test-clock.js';
import { testConfig } from '../../test/support/test-config.js';
import { ensureDemoAccount } from './demo-account.js';
import { buildJonas, importPerson } from './demo-people.js';
import { toIdentity, toDemoProvidersUrl } from './demo-providers.js';

const [clock, keys, config] = [new TestClock(), new Keys(['a secret of this installation']), testConfig()];
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase('pglite', clock);
}, 180_000);
afterAll(() => database.close());

it('[PRV-2] [ACC-1] connects Maria to one account, Jonas to two and Nora to none, keeps a disconnected identity disconnected, and sends no mail about connected identities', async () => {
  const app = await openModules({ config, keys, clock, database });
  const get = <Part>(type: Type<Part>): Part => app.get(type);
  const findAccounts = async (person: string) =>
    (await get(ExternalIdentities).findAccounts(toIdentity('microsoft', person, toDemoProvidersUrl(config)), 'app')).map(
      ({ account }) => account,
    );

  const start = async () => {
    await ensureDemoAccount(app, keys, toDemoProvidersUrl(config));
    for (const person of buildJonas(toDemoProvidersUrl(config))) await importPerson(app, person);
  };

  await start();
  expect((await findAccounts('maria')).map(({ username }) => username)).toEqual(['maria.musterfrau']);
  expect((await findAccounts('jonas')).map(({ groupName }) => groupName)).toEqual(['Familie und Immobilien', 'Privatkunde']);
  expect(await findAccounts('nora')).toEqual([]);

  const maria = await get(Accounts).findByUsername('maria.musterfrau');
  const disconnection = { accountId: maria?.id ?? '', provider: 'microsoft', providerName: 'Microsoft', offeredMethods: null };
  await get(ExternalIdentities).disconnect({ ...disconnection, auditContext: { actor: 'person' } });
  await start();
  expect(await findAccounts('maria')).toEqual([]);
  expect((await database.db.selectFrom('outbox').select('kind').execute()).map(({ kind }) => kind)).toEqual([
    'provider-disconnected',
  ]);
}, 180_000);

it('creates the accounts without attributes that the schema requires', async () => {
  const schema = { properties: { department: { type: 'string' } }, required: ['department'] };
  const strictConfig = testConfig(({ accounts }) => ({ accounts: { ...accounts, schema } }));
  const app = await openModules({ config: strictConfig, keys, clock, database });
  const id = await importPerson(app, { username: 'nora.neu', displayName: 'Nora Neu', identities: [] });
  expect(await app.get(Accounts).find(id ?? '')).toMatchObject({ username: 'nora.neu', attributes: {} });
}, 180_000);
