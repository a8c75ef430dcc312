import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator } from '../../test/support/operator.js';
import type { TestOperator } from '../../test/support/operator.js';
import { MARIA } from './demo-account.js';
import { connectDemoPeople } from './demo-connections.js';
import { OperatorAccounts } from './operator-accounts.js';
import { identityOf } from './stand-in-providers.js';

const STAND_IN = 'http://providers.localhost:4455';
const PASSWORD = 'Linde-Kranich-Segel-472';

describe("the demo's people, through the operator API", () => {
  let operator: TestOperator;
  let accounts: OperatorAccounts;

  beforeAll(async () => {
    operator = await startTestOperator();
    accounts = new OperatorAccounts({ operatorUrl: operator.url, token: operator.token });
  });
  afterAll(() => operator.close());

  it('are made once, with a verified address, and connected', async () => {
    const { database } = operator;
    const id = await accounts.make({ ...MARIA, password: PASSWORD });
    expect(await accounts.find(MARIA.username)).toBe(id);
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({ email: MARIA.email, email_verified: true });
    await connectDemoPeople({ accounts, database, standInUrl: STAND_IN });

    expect(await accounts.make({ ...MARIA, password: 'another one 4711' })).toBeNull();
    await connectDemoPeople({ accounts, database, standInUrl: STAND_IN });
    const jonas = (await accounts.find('jonas.beispiel')) ?? '';
    const { json } = await operator.call('GET', `/accounts/${jonas}/providers`);
    expect(json['providers']).toContainEqual(
      expect.objectContaining({ provider: 'microsoft', issuer: identityOf('microsoft', 'jonas', STAND_IN).issuer }),
    );
    expect(await database.db.selectFrom('external_identity').select('subject').execute()).toHaveLength(9);
    expect(await database.db.selectFrom('outbox').select('kind').execute()).toEqual([]);
  });

  it('are not made where the installation refuses, and that is said', async () => {
    await expect(accounts.make({ username: 'refused', password: 'x' })).rejects.toThrow('refused could not be made');
    expect(await accounts.find('refused')).toBeNull();
    const stranger = new OperatorAccounts({ operatorUrl: operator.url, token: 'of somebody else' });
    await expect(stranger.find('refused')).rejects.toThrow('HTTP 401');
  });
});
