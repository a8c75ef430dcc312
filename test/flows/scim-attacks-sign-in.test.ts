/** Attacks on the sign-in of people of SCIM sources at a provider. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { ProviderStory } from '../support/provider-story.js';
import { buildScimSettings, keepByScim } from '../support/scim-people.js';

let story: ProviderStory;
const signInAt = { signIn: { provider: 'microsoft', claim: 'oid' } };

beforeAll(async () => {
  story = await ProviderStory.start({
    config: () => ({
      scim: [
        buildScimSettings({ id: 'stolen', tokens: ['s'.repeat(40)], password: true, ...signInAt }),
        buildScimSettings({ id: 'entra', ...signInAt }),
      ],
    }),
  });
});
afterAll(() => story.gateway.close());

let count = 0;
async function push(externalId: string, source: string): Promise<Account> {
  const account = await story.createPerson({ email: `attack${(count += 1)}@work.example`, emailVerified: true });
  await keepByScim(story.gateway, account, { source, externalId });
  return account;
}
const findSubjects = (challenge: string) => story.findAccepted(challenge).map((call) => call.authentication.subject);

describe('a source whose token is stolen, beside another one with the same provider', () => {
  it('does not get the sign-ins of the people of the other source', async () => {
    const victim = await push('victim-oid', 'entra');
    const trap = await push('victim-oid', 'stolen');
    const { challenge } = await story.signIn('ms-victim', 'microsoft', { session: { claims: { oid: 'victim-oid' } } });
    expect(findSubjects(challenge)).not.toContain(trap.id);
    expect([[], [victim.id]]).toContainEqual(findSubjects(challenge));
  });
});
