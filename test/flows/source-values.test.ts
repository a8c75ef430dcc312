/** What a source says of a person and this installation cannot take over: the rest is taken over, and every sign-in ends. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import type { SourcePerson } from '../../src/sources/user-source.port.js';
import { startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';

const BY = { actor: 'person', requestId: 'test' } as const;

let gateway: TestGateway;

beforeAll(async () => {
  const schema = { properties: { site: { enum: ['Bonn'] }, staff_number: { type: 'string' } }, required: ['staff_number'] };
  gateway = await startTestGateway({
    sources: [new FakeUserSource('staff')],
    config: ({ accounts, login }) => ({ accounts: { ...accounts, schema }, login: { ...login, byEmail: true } }),
  });
});
afterAll(() => gateway.close());

function person(username: string, more: Partial<SourcePerson> = {}): SourcePerson {
  const of = { subject: `id-of-${username}`, username, emailVerified: false, isActive: true };
  return { ...of, attributes: { staff_number: '7' }, ...more };
}
const enter = (of: SourcePerson) => gateway.get(SourceAccounts).enter({ source: 'staff', person: of, by: BY });

describe('values of a source that cannot be taken over', () => {
  it('a required attribute that the source does not have makes no account, and says so', async () => {
    const without = person('anna', { attributes: { site: 'Bonn', staff_number: null } });
    await expect(enter(without)).resolves.toEqual({ reason: expect.stringContaining('/staff_number is missing') });
  });

  it('an address that another account has verified does not keep groups that were taken away', async () => {
    const email = 'shared@there.example';
    const before = person('bea', { email, groups: ['admins'] });
    await expect(enter(before)).resolves.toMatchObject({ account: { groups: ['admins'] } });
    await enter(person('clara', { email, emailVerified: true }));
    const after = await enter({ ...before, emailVerified: true, groups: [] });
    expect(after).toMatchObject({ account: { groups: [], email, emailVerified: false } });
  });
});
