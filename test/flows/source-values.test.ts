/** Values of a source that this installation cannot take over: the others are taken over, and every sign-in completes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { AccountNames } from '../../src/accounts/account/account-names.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AccountAttributes } from '../../src/accounts/attributes/account-attributes.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { MigratedAccounts } from '../../src/accounts/identities/migrated-accounts.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { SourceNames } from '../../src/accounts/identities/source-names.js';
import { FormerEmails } from '../../src/accounts/account/former-emails.js';
import type { AccountSchema } from '../../src/config/config.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import type { SourcePerson } from '../../src/sources/user-source.port.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { testConfig } from '../support/test-config.js';

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
  const fields = { subject: `id-of-${username}`, username, emailVerified: false, isActive: true };
  return { ...fields, attributes: { staff_number: '7' }, ...more };
}
const enter = (entrant: SourcePerson) =>
  gateway.get(SourceAccounts).createOrUpdate({ source: 'staff', person: entrant, auditContext: BY });

describe('[SRC-8] values of a source that cannot be taken over', () => {
  it('prevent an account if a required attribute is missing, which is reported', async () => {
    const without = person('anna', { attributes: { site: 'Bonn', staff_number: null } });
    await expect(enter(without)).resolves.toEqual({ reason: expect.stringContaining('/staff_number is missing') });
  });

  it('do not keep removed groups because of an address that another account has verified', async () => {
    const email = 'shared@there.example';
    const before = person('bea', { email, groups: ['admins'] });
    await expect(enter(before)).resolves.toMatchObject({ account: { groups: ['admins'] } });
    await enter(person('clara', { email, emailVerified: true }));
    const after = await enter({ ...before, emailVerified: true, groups: [] });
    expect(after).toMatchObject({ account: { groups: [], email, emailVerified: false } });
  });

  it('of a slow sign-in do not restore what a later one has replaced', async () => {
    const before = new Date(Date.now() - 60_000);
    const source = 'staff';
    const dora = person('dora', { groups: ['admins'] });
    await gateway.get(SourceAccounts).createOrUpdate({ source, person: dora, auditContext: BY, askedAt: before });
    await expect(enter({ ...dora, groups: [] })).resolves.toMatchObject({ account: { groups: [] } });
    const late = gateway.get(SourceAccounts).createOrUpdate({ source, person: dora, auditContext: BY, askedAt: before });
    await expect(late).resolves.toMatchObject({ account: { groups: [] } });
    await expect(enter(dora)).resolves.toMatchObject({ account: { groups: ['admins'] } });
  });

  it('are taken over at the next sign-in after the schema allows them', async () => {
    const emma = person('emma', { attributes: { staff_number: '7', room: '12' } });
    await expect(enter(emma)).resolves.toMatchObject({ account: { attributes: { staff_number: '7' } } });
    const wider = { properties: { staff_number: { type: 'string' }, room: { type: 'string' } } };
    const entered = withSchema(wider).createOrUpdate({ source: 'staff', person: emma, auditContext: BY });
    await expect(entered).resolves.toMatchObject({ account: { attributes: { staff_number: '7', room: '12' } } });
  });

  it('are converted to the schema if possible; others are named in the log and omitted', async () => {
    const properties = {
      staff_number: { type: 'string' },
      sites: { type: 'array', items: { type: 'string' } },
      level: { type: 'integer' },
    };
    const lines: string[] = [];
    const sourceAccounts = withSchema({ properties }, lines);
    const flora = person('flora', { attributes: { staff_number: '7', sites: 'Bonn', level: '42' } });
    const attributes = { staff_number: '7', sites: ['Bonn'], level: 42 };
    await expect(sourceAccounts.createOrUpdate({ source: 'staff', person: flora, auditContext: BY })).resolves.toMatchObject({
      account: { attributes },
    });
    const unfit = { ...flora, attributes: { ...flora.attributes, level: 'none' } };
    const entered = await sourceAccounts.createOrUpdate({ source: 'staff', person: unfit, auditContext: BY });
    expect('account' in entered && entered.account.attributes).toEqual({ staff_number: '7', sites: ['Bonn'] });
    expect(lines.join()).toContain('/level must be integer');
  });
});

describe('[SRC-8] values that a source repeats', () => {
  it('change nothing and cause no event; the event of a change names the differences', async () => {
    const gina = person('gina', { displayName: 'Gina', groups: ['a', 'b'], hasGroupName: true });
    const first = await enter(gina);
    if (!('account' in first)) throw new Error('no account');
    const { id, updatedAt } = first.account;
    const sources = gateway.get(SourceAccounts);
    const enterAgain = (entrant: SourcePerson) =>
      sources.createOrUpdate({ source: 'staff', person: entrant, auditContext: BY, writesUnchanged: true });
    const changes = async () => {
      const { entries } = await gateway.get(AuditLog).search({ accountId: id, kinds: ['account.changed'], limit: 10 });
      return entries.map(({ detail }) => detail);
    };
    await expect(enterAgain(gina)).resolves.toMatchObject({ account: { updatedAt } });
    expect(await changes()).toEqual([]);
    await enterAgain({ ...gina, groups: ['a'] });
    expect(await changes()).toEqual([{ fields: ['groups'] }]);
    await gateway.get(Accounts).update(id, { displayName: 'Other' });
    await expect(enterAgain({ ...gina, groups: ['a'] })).resolves.toMatchObject({
      account: { displayName: 'Gina', groups: ['a'] },
    });
    expect((await changes())[0]).toEqual({ fields: ['displayName'] });
  });
});

/** Creates the services with another schema, as a restart with other settings would. */
function withSchema(schema: AccountSchema, lines: string[] = []): SourceAccounts {
  const attributes = new AccountAttributes({ accounts: { ...testConfig().accounts, schema } });
  const { database, get } = gateway;
  const accounts = new Accounts(database, get(AuditLog), get(AccountNames), get(FormerEmails), attributes);
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  return new SourceAccounts(database, accounts, get(AuditLog), get(SourceNames), get(MigratedAccounts), log);
}
