/** Connected providers as an operator sees them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, expectError, operatorSteps } from '../support/operator-story.js';

let operator: TestOperator;
const { createAccount, findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

async function connectNewAccount(): Promise<{ id: string; username: string }> {
  const account = await createAccount({ email: 'maria@example.org' });
  const identity = { issuer: 'https://accounts.example', subject: 'g-1', label: 'Maria \u001b[31m' };
  const auditContext = { actor: 'person' } as const;
  await operator.services.identities.connect({
    accountId: account.id,
    provider: 'google',
    providerName: 'Google',
    identity,
    auditContext,
  });
  return account;
}

describe('the operator API', () => {
  it('[PRV-3] shows the identities of a person at providers, and removes them, even the last sign-in method', async () => {
    const { id } = await connectNewAccount();
    const shown = await operator.call('GET', `/accounts/${id}/providers`);
    expect(shown.json).toEqual({
      providers: [
        {
          provider: 'google',
          issuer: 'https://accounts.example',
          subject: 'g-1',
          label: expect.stringContaining('Maria'),
          connected_at: expect.stringMatching(/^\d{4}-.*Z$/),
          last_used_at: null,
        },
      ],
    });
    expect((await operator.call('DELETE', `/accounts/${id}/providers/google`)).json).toEqual({ providers: [] });
    expect(await findKinds(id)).toContainEqual(['provider.disconnected', { provider: 'google' }]);
    expectError(await operator.call('DELETE', `/accounts/${id}/providers/google`), 404, 'provider_not_connected');
    const notices = await operator.database.db.selectFrom('outbox').select('kind').where('account_id', '=', id).execute();
    expect(notices.map(({ kind }) => kind)).toEqual(['provider-connected', 'provider-disconnected']);
  });
});

describe('foyer account', () => {
  it('shows and disconnects identities, without control characters for the terminal', async () => {
    const { username } = await connectNewAccount();
    const { out } = await foyer(`account providers ${username}`);
    expect(out).toMatch(/^PROVIDER .*\ngoogle .*never .*Maria.* g-1\n$/);
    expect(out).not.toContain('\u001b');
    expect((await foyer(`account disconnect ${username} google`)).out).toBe(`google is no longer connected to ${username}.\n`);
    expect((await foyer(`account providers ${username}`)).out).toBe(`No provider is connected to ${username}.\n`);
    expect((await foyer(`account disconnect ${username} google`)).code).toBe(3);
    expect((await foyer(`account disconnect ${username}`)).code).toBe(2);
    const { out: json } = await foyer(`account providers ${username} --json`);
    expect(JSON.parse(json)).toEqual({ providers: [] });
  });
});
