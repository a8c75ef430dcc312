import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readBody } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Foundation } from '../../src/app.module.js';
import type { ProviderSettings } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import { ConfiguredIdentityProviders } from '../../src/providers/configured-identity-providers.adapter.js';
import { startTestOperator, type TestOperator } from '../../test/support/operator.js';
import { testConfig } from '../../test/support/test-config.js';
import { MARIA, OLGA, buildJonas, buildMaria } from './demo-people.js';
import { OperatorPeople } from './operator-people.js';
import { toIdentity, setUpDemoProviders, toDemoProvidersUrl } from './demo-providers.js';

const PASSWORD = 'Linde-Kranich-Segel-472';

describe('the demo accounts that are created through the operator API', () => {
  let operator: TestOperator;
  let people: OperatorPeople;
  const demoProvidersUrl = toDemoProvidersUrl(testConfig());

  const { providers } = setUpDemoProviders(testConfig(), new Keys(['a secret of this installation']));
  const withProviders =
    (configuredProviders: readonly ProviderSettings[]) =>
    ({ clock }: Foundation): Partial<Foundation> => ({
      identityProviders: new ConfiguredIdentityProviders({ providers: configuredProviders, clock, onFailure: () => undefined }),
    });

  beforeAll(async () => {
    operator = await startTestOperator({ foundation: withProviders(providers) });
    people = new OperatorPeople({ operatorUrl: operator.url, token: operator.token });
  });
  afterAll(() => operator.close());

  const findId = async (username: string): Promise<string | undefined> => {
    const { json } = await operator.call('GET', `/accounts?username=${username}`);
    return (json['accounts'] as { id: string }[])[0]?.id;
  };

  it('[PRV-1] are created once, with a verified address and connected identities', async () => {
    const { database } = operator;
    const everybody = [{ ...buildMaria(demoProvidersUrl), password: PASSWORD }, ...buildJonas(demoProvidersUrl)];
    for (const person of everybody) expect(await people.create(person)).toBe(true);
    const maria = await operator.call('GET', `/accounts/${await findId(MARIA.username)}`);
    expect(maria.json).toMatchObject({ email: MARIA.email, email_verified: true });
    for (const person of everybody) expect(await people.create(person)).toBe(false);

    const { json } = await operator.call('GET', `/accounts/${await findId('jonas.beispiel')}/providers`);
    expect(json['providers']).toContainEqual(
      expect.objectContaining({ provider: 'microsoft', issuer: toIdentity('microsoft', 'jonas', demoProvidersUrl).issuer }),
    );
    expect(await database.db.selectFrom('external_identity').select('subject').execute()).toHaveLength(9);
    expect(await database.db.selectFrom('outbox').select('kind').execute()).toEqual([]);
  });

  it('are created without identities at real providers that replace the demo providers', async () => {
    const realProviders = providers
      .filter(({ id }) => id !== 'apple')
      .map((settings) => (settings.id === 'google' ? { ...settings, issuer: 'https://accounts.google.com' } : settings));
    const otherOperator = await startTestOperator({ database: operator.database, foundation: withProviders(realProviders) });
    try {
      const otherPeople = new OperatorPeople({ operatorUrl: otherOperator.url, token: otherOperator.token });
      expect(await otherPeople.create({ ...buildMaria(demoProvidersUrl), username: 'maria.anders' })).toBe(true);
    } finally {
      await otherOperator.close();
    }
    const { json } = await operator.call('GET', `/accounts/${await findId('maria.anders')}/providers`);
    expect((json['providers'] as { provider: string }[]).map(({ provider }) => provider)).toEqual(['microsoft']);
  });

  it('include an operator, whose right is granted only when the account is created, so that a right that was taken away is not granted again', async () => {
    const calls: string[] = [];
    const results = ['created', 'exists'];
    const api = createServer((request, response) => {
      void readBody(request).then((body) => {
        calls.push(`${request.method} ${request.url} ${body}`);
        const isImport = request.url === '/operator/v1/imports';
        response.end(isImport ? JSON.stringify({ result: results.shift(), id: 'a1' }) : '{}');
      });
    });
    await new Promise<void>((resolve) => void api.listen(0, 'localhost', resolve));
    const { port } = api.address() as AddressInfo;
    const apiPeople = new OperatorPeople({ operatorUrl: `http://localhost:${port}`, token: 'a token' });
    const areNew = [await apiPeople.createOperator(OLGA, 'admin'), await apiPeople.createOperator(OLGA, 'admin')];
    await new Promise((resolve) => api.close(resolve));
    expect(areNew).toEqual([true, false]);
    expect(calls).toEqual([
      expect.stringMatching(/^POST \/operator\/v1\/imports .*"olga\.operator"/),
      'POST /operator/v1/accounts/a1/operator-rights {"right":"admin"}',
      expect.stringMatching(/^POST \/operator\/v1\/imports /),
    ]);
  });

  it('are not created when the operator API refuses, and the error says why', async () => {
    const person = { username: 'refused', identities: [] };
    await expect(people.create({ ...person, password: 'x' })).rejects.toThrow('refused could not be created');
    expect(await findId('refused')).toBeUndefined();
    const unauthorizedPeople = new OperatorPeople({ operatorUrl: operator.url, token: 'a wrong token' });
    await expect(unauthorizedPeople.create(person)).rejects.toThrow('HTTP 401');
  });
});
