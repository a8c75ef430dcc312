/** Accounts that an operator has offered to a SCIM source: the source takes them when it creates their person (docs/scim.md). */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { ScimOffers } from '../../src/accounts/scim/scim-offers.js';
import { USER, ScimClient, scimSource } from '../support/scim-client.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';

const ENTRA = scimSource('entra');
const OWN = scimSource('own', { password: true });
const PASSWORD = 'kupfer linde 4821';

let operator: TestOperator;
let entra: ScimClient;
let own: ScimClient;
let names = 0;
const newName = (): string => `offered.${(names += 1)}`;

beforeAll(async () => {
  operator = await startTestOperator({ config: () => ({ scim: [ENTRA, OWN] }) });
  entra = new ScimClient(operator, ENTRA.tokens[0]);
  own = new ScimClient(operator, OWN.tokens[0]);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => operator.close());

async function offer(
  accountId: string,
  source: string,
  { externalId = null, days = 30 }: { externalId?: string | null; days?: number } = {},
) {
  await sql`
    insert into scim_offer (account_id, source, external_id, offered_at, offered_by, expires_at)
    values (${accountId}, ${source}, ${externalId}, now(), 'operator', now() + ${days} * interval '1 day')`.execute(
    operator.database.db,
  );
}

async function newAccount(more: object = {}) {
  const account = await operator.services.accounts.create({ username: newName(), ...more });
  await operator.services.passwords.setPassword(account.id, PASSWORD);
  return account;
}

const hasPassword = async (id: string) => {
  const { rows } = await sql`select from password_credential where account_id = ${id}::uuid`.execute(operator.database.db);
  return rows.length > 0;
};

describe('an account that was offered', () => {
  it('by the id of the source is taken by the person with this id, with a new name', async () => {
    const { id } = await newAccount({ displayName: 'Before' });
    await offer(id, 'scim:entra', { externalId: 'ext-1' });
    const name = newName();
    expect((await entra.createUser(newName(), { externalId: 'ext-2' })).json['id']).not.toBe(id);
    const answer = await entra.createUser(name, { externalId: 'ext-1', displayName: 'After' });
    expect([answer.status, answer.json['id']]).toEqual([201, id]);
    expect(await operator.services.accounts.find(id)).toMatchObject({ username: name, displayName: 'After' });
    expect(await operator.services.sourceAccounts.find(id)).toMatchObject({ source: 'scim:entra', subject: id });
    expect(await hasPassword(id)).toBe(false);
    const kinds = (await operator.services.audit.list(id)).entries.map(({ kind }) => kind);
    expect(kinds).toContain('source.connected');
    const { rows } = await sql`select from scim_offer where account_id = ${id}::uuid`.execute(operator.database.db);
    expect(rows).toEqual([]);
  });

  it('without an id is taken by the person with its verified address only, and keeps a password that counts here', async () => {
    const [proven, entered] = [
      await newAccount({ email: 'proven@example.com', emailVerified: true }),
      await newAccount({ email: 'entered@example.com' }),
    ];
    await offer(proven.id, 'scim:own');
    await offer(entered.id, 'scim:own');
    const take = (value: string) => own.createUser(newName(), { emails: [{ value, primary: true }] });
    expect((await take('PROVEN@example.com')).json['id']).toBe(proven.id);
    expect((await take('entered@example.com')).json['id']).not.toBe(entered.id);
    expect(await hasPassword(proven.id)).toBe(true);
  });

  it('keeps its own username if that of the source is not free or not allowed', async () => {
    const taken = (await newAccount()).username;
    for (const userName of [taken, 'not allowed!']) {
      const { id, username } = await newAccount();
      await offer(id, 'scim:entra', { externalId: `ext-${username}` });
      const answer = await entra.createUser(userName, { externalId: `ext-${username}` });
      expect([answer.status, answer.json['userName']]).toEqual([201, userName]);
      expect(await operator.services.accounts.find(id)).toMatchObject({ username });
    }
  });

  it('that keeps its own username is still changed and disabled by the source', async () => {
    for (const userName of [(await newAccount()).username, 'not allowed either!']) {
      const { id, username } = await newAccount();
      await offer(id, 'scim:entra', { externalId: `ext-${username}` });
      await entra.createUser(userName, { externalId: `ext-${username}` });
      const change = { schemas: [USER], userName, externalId: `ext-${username}`, displayName: 'After' };
      expect((await entra.call('PUT', `/Users/${id}`, change)).status).toBe(200);
      expect((await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200);
      expect(await operator.services.accounts.find(id)).toMatchObject({ username, displayName: 'After', status: 'disabled' });
    }
  });

  it('is not taken by another source, after the offer has ended, or if it belongs to an operator or a directory by then', async () => {
    const [other, late, granted, linked] = [await newAccount(), await newAccount(), await newAccount(), await newAccount()];
    await offer(other.id, 'scim:own', { externalId: 'n-1' });
    await offer(late.id, 'scim:entra', { externalId: 'n-2', days: -1 });
    await offer(granted.id, 'scim:entra', { externalId: 'n-3' });
    await offer(linked.id, 'scim:entra', { externalId: 'n-4' });
    await operator.services.grants.grant({ accountId: granted.id, right: 'read', endsAt: null }, { actor: 'operator' });
    await sql`
      insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
      values (${linked.id}::uuid, 'staff', 'x', '', now(), now())`.execute(operator.database.db);
    for (const [externalId, id] of [
      ['n-1', other.id],
      ['n-2', late.id],
    ]) {
      const answer = await entra.createUser(newName(), { externalId });
      expect([answer.status, answer.json['id'] === id]).toEqual([201, false]);
    }
    for (const externalId of ['n-3', 'n-4']) expect((await entra.createUser(newName(), { externalId })).status).toBe(409);
    expect(await hasPassword(granted.id)).toBe(true);
  });

  it.each([
    [
      'the offer names another person',
      { externalId: 'late-1' },
      sql`update scim_offer set external_id = 'late-2' where account_id = `,
    ],
    ['its address is not verified any more', {}, sql`update account set email_verified = false where id = `],
  ])('is not taken if %s by the time that it is locked', async (_case, named, change) => {
    const email = `${newName()}@example.com`;
    const { id } = await newAccount({ email, emailVerified: true });
    await offer(id, 'scim:entra', named);
    const find = ScimOffers.prototype.find;
    jest.spyOn(ScimOffers.prototype, 'find').mockImplementationOnce(async function (this: ScimOffers, ...person) {
      const foundId = await find.apply(this, person);
      await sql`${change} ${id}::uuid`.execute(operator.database.db);
      return foundId;
    });
    const answer = await entra.createUser(newName(), { ...named, emails: [{ value: email, primary: true }] });
    expect([answer.status, answer.json['id'] === id]).toEqual([409, false]);
    expect(await hasPassword(id)).toBe(true);
    expect(await operator.services.sourceAccounts.find(id)).toBeNull();
  });

  it('of a provider changes to the source, and its identity there stays', async () => {
    const issuer = 'https://login.example.com';
    const { id } = await newAccount();
    await sql`
      insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
      values (${id}::uuid, ${issuer}, 'person-7', '', now(), now())`.execute(operator.database.db);
    await sql`
      insert into external_identity (account_id, provider, issuer, subject, connected_at)
      values (${id}::uuid, 'login', ${issuer}, 'person-7', now())`.execute(operator.database.db);
    await offer(id, 'scim:entra', { externalId: 'p-7' });
    expect((await entra.createUser(newName(), { externalId: 'p-7' })).json['id']).toBe(id);
    expect(await operator.services.sourceAccounts.find(id)).toMatchObject({ source: 'scim:entra' });
    expect(await operator.services.identities.list(id)).toMatchObject([{ issuer, subject: 'person-7' }]);
  });

  it('is disabled at once if the source says that the person is not active', async () => {
    const { id } = await newAccount();
    await offer(id, 'scim:entra', { externalId: 'gone-1' });
    await entra.createUser(newName(), { externalId: 'gone-1', active: false });
    expect(await operator.services.accounts.find(id)).toMatchObject({ status: 'disabled' });
    await entra.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
    expect(await operator.services.accounts.find(id)).toMatchObject({ status: 'active' });
  });
});
