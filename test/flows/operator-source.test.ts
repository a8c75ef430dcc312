/** An operator links existing accounts to people of sources and providers, and unlinks them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import type { ProviderSettings } from '../../src/config/config.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';

const COMPANY = { id: 'company', name: 'Musterwerk', issuer: 'https://id.example', provision: {} } as ProviderSettings;
const PLAIN = { id: 'plain', name: 'Plain', issuer: 'https://plain.example' } as ProviderSettings;

let operator: TestOperator;
let staff: FakeUserSource;

beforeAll(async () => {
  staff = new FakeUserSource('staff', undefined, 'Staff directory');
  operator = await startTestOperator({
    config: () => ({ providers: [COMPANY, PLAIN] }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
});
afterAll(() => operator.close());

async function account(username: string): Promise<Account> {
  const { json } = await operator.call('POST', '/accounts', { username, password: PASSWORD });
  return json as unknown as Account;
}

function addPerson(username: string, subject = `id-${username}`): void {
  staff.people.push({
    subject,
    username,
    emailVerified: false,
    attributes: {},
    isActive: true,
    password: PASSWORD,
  });
}

const link = (id: string, body: object): Promise<OperatorAnswer> => operator.call('POST', `/accounts/${id}/source`, body);
const unlink = (id: string): Promise<OperatorAnswer> => operator.call('DELETE', `/accounts/${id}/source`);
const toError = ({ status, json }: OperatorAnswer): unknown => [status, json['error']];
const passwords = (id: string) =>
  operator.database.db.selectFrom('password_credential').select('account_id').where('account_id', '=', id).execute();
const kinds = async (id: string) =>
  (await operator.call('GET', `/accounts/${id}/audit`)).json['entries'] as { kind: string; detail: unknown }[];

describe('[SRC-13] an existing account', () => {
  it('is linked to a person of a directory, by name or id there, and loses its password', async () => {
    addPerson('at.staff');
    const { id } = await account('local.one');
    const answer = await link(id, { source: 'staff', username: 'at.staff' });
    expect([answer.status, answer.json]).toEqual([
      200,
      expect.objectContaining({ id, username: 'local.one', source: 'staff', source_subject: 'id-at.staff', upstream: 'ended' }),
    ]);
    expect(await passwords(id)).toEqual([]);
    expect(await kinds(id)).toContainEqual(expect.objectContaining({ kind: 'source.connected', detail: { source: 'staff' } }));
    expect((await operator.call('GET', `/accounts/${id}`)).json).toMatchObject({ subject: id });
    expect(toError(await operator.call('POST', `/accounts/${id}/password-reset`))).toEqual([409, 'password_elsewhere']);
    expect(toError(await link(id, { source: 'staff', subject: 'id-at.staff' }))).toEqual([409, 'has_source']);
    const second = await account('local.two');
    expect(toError(await link(second.id, { source: 'staff', subject: 'id-at.staff' }))).toEqual([409, 'person_linked']);
    expect(await passwords(second.id)).toHaveLength(1);
    expect((await operator.call('POST', `/accounts/${id}/refresh`)).json).toMatchObject({
      source_state: 'active',
      username: 'at.staff',
    });
  });

  it('notifies its owner with the name of the directory when it is linked or unlinked', async () => {
    addPerson('told.staff');
    const { id } = await account('told.one');
    await operator.call('PATCH', `/accounts/${id}`, { email: 'told@example.org' });
    await link(id, { source: 'staff', username: 'told.staff' });
    await unlink(id);
    const mails = await operator.services.mails.claim(100);
    const notices = mails
      .filter(({ recipient }) => recipient === 'told@example.org')
      .map(({ kind, values }) => [kind, values['provider']]);
    expect(notices).toEqual([
      ['provider-connected', 'Staff directory'],
      ['provider-disconnected', 'Staff directory'],
    ]);
  });

  it('is linked to a person of a provider, who signs in with the identity', async () => {
    const { id } = await account('local.three');
    expect((await link(id, { source: 'company', subject: 'sub-3' })).json).toMatchObject({
      source: 'company',
      source_subject: 'sub-3',
    });
    expect((await operator.call('GET', `/accounts/${id}/providers`)).json['providers']).toMatchObject([
      { provider: 'company', issuer: 'https://id.example', subject: 'sub-3' },
    ]);
    const { id: other } = await account('local.four');
    await operator.services.identities.connect({
      accountId: other,
      provider: 'company',
      providerName: 'Musterwerk',
      identity: { issuer: 'https://id.example', subject: 'sub-of-4', label: null },
      auditContext: { actor: 'system' },
    });
    expect(toError(await link(other, { source: 'company', subject: 'sub-5' }))).toEqual([409, 'provider_connected']);
    expect(await passwords(other)).toHaveLength(1);
    expect((await link(other, { source: 'company', subject: 'sub-of-4' })).status).toBe(200);
  });

  it('is not changed for a wrongly named person, or while the source is down', async () => {
    const { id } = await account('local.five');
    expect(toError(await link(id, { source: 'staff', username: 'nobody' }))).toEqual([404, 'person_not_found']);
    for (const subject of ['one-of-two', 'two-of-two']) addPerson('of.two', subject);
    expect(toError(await link(id, { source: 'staff', username: 'of.two' }))).toEqual([404, 'person_not_found']);
    expect(toError(await link(id, { source: 'unknown', subject: 'x' }))).toEqual([422, 'unknown_source']);
    expect(toError(await link(id, { source: 'plain', subject: 'x' }))).toEqual([422, 'unknown_source']);
    expect(toError(await link(id, { source: 'staff' }))).toEqual([422, 'missing']);
    expect(toError(await link(id, { source: 'staff', subject: 'a', username: 'b' }))).toEqual([422, 'missing']);
    expect(toError(await link(id, { source: 'company', username: 'a' }))).toEqual([422, 'missing']);
    expect(toError(await link(id, { source: 'company', subject: 'a\u0000' }))).toEqual([422, 'format']);
    staff.isDown = true;
    expect(toError(await link(id, { source: 'staff', username: 'x' }))).toEqual([503, 'source_unavailable']);
    staff.isDown = false;
    expect(toError(await unlink(id))).toEqual([409, 'no_source']);
    expect(await passwords(id)).toHaveLength(1);
  });
});

describe('[SRC-13] an account whose password was taken over from a source', () => {
  const attempt = (username: string) => ({ username, password: PASSWORD, address: '192.0.2.1', device: null, requestId: 'test' });

  it('can be linked to its person again, whose next sign-in takes the password over once more', async () => {
    addPerson('was.migrated');
    staff.migrates = true;
    try {
      const first = await operator.services.signIn.prove(attempt('was.migrated'));
      const id = first.kind === 'proven' ? first.account.id : '';
      expect(await passwords(id)).toHaveLength(1);
      expect((await link(id, { source: 'staff', subject: 'id-was.migrated' })).status).toBe(200);
      expect(await passwords(id)).toEqual([]);
      const next = await operator.services.signIn.prove(attempt('was.migrated'));
      expect(next).toMatchObject({ kind: 'proven', account: { id } });
      expect(await passwords(id)).toHaveLength(1);
      expect(toError(await unlink(id))).toEqual([409, 'no_source']);
    } finally {
      staff.migrates = false;
    }
  });

  it('gives its person to no other account', async () => {
    addPerson('migrated.too');
    staff.migrates = true;
    await operator.services.signIn.prove(attempt('migrated.too')).finally(() => (staff.migrates = false));
    const { id } = await account('local.eight');
    expect(toError(await link(id, { source: 'staff', username: 'migrated.too' }))).toEqual([409, 'person_linked']);
    expect(await passwords(id)).toHaveLength(1);
  });
});

describe('[SRC-13] an account that is unlinked', () => {
  it('keeps everything, and the answer says whether anybody can sign in', async () => {
    addPerson('to.unlink');
    const { id } = await account('local.six');
    await link(id, { source: 'staff', username: 'to.unlink' });
    const answer = await unlink(id);
    expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ id, source: 'staff', can_sign_in: false })]);
    expect(await kinds(id)).toContainEqual(expect.objectContaining({ kind: 'source.disconnected' }));
    expect((await operator.call('POST', `/accounts/${id}/password-reset`)).status).toBeLessThan(300);
    expect((await link(id, { source: 'staff', username: 'to.unlink' })).status).toBe(200);
  });

  it('loses the identity that it came with, and can sign in with others', async () => {
    const { id } = await account('local.seven');
    await operator.services.identities.connect({
      accountId: id,
      provider: 'plain',
      providerName: 'Plain',
      identity: { issuer: 'https://plain.example', subject: 'p', label: null },
      auditContext: { actor: 'system' },
    });
    await link(id, { source: 'company', subject: 'sub-7' });
    expect((await unlink(id)).json).toMatchObject({ source: 'company', can_sign_in: true });
    expect((await operator.call('GET', `/accounts/${id}/providers`)).json['providers']).toMatchObject([{ provider: 'plain' }]);
  });
});
