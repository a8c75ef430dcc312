/** Operators offer accounts to SCIM sources, and see the calls that were refused, by the API and the commands. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { OperatorRule, ProviderSettings } from '../../src/config/config.js';
import { findScimFindings } from '../../src/operator/api/scim-states.js';
import type { ScimFaultAnswer, ScimOfferAnswer } from '../../src/operator/wire-scim.js';
import { FakeUserSource } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { loadApi } from '../support/operator-api.js';
import { commandLine, expectError, importer, operatorSteps, parseLines } from '../support/operator-story.js';
import { ScimClient } from '../support/scim-client.js';
import { SCIM_TOKEN, buildScimSettings, keepByScim, noteScimFault } from '../support/scim-people.js';

const COMPANY = { id: 'company', name: 'Musterwerk', issuer: 'https://id.example', provision: {} } as ProviderSettings;
const RULES: readonly OperatorRule[] = [{ group: 'Administrators', right: 'admin' }];
const DAY_MS = 24 * 3600 * 1000;

const staff = new FakeUserSource('staff', undefined, 'Staff directory');
let operator: TestOperator;
const { createAccount, findKinds, beginSession } = operatorSteps(() => operator);
const line = commandLine(() => operator);
const { importLines } = importer(() => operator);
const api = loadApi();

beforeAll(async () => {
  operator = await startTestOperator({
    config: (config) => ({
      providers: [COMPANY],
      scim: [
        buildScimSettings({ signIn: { provider: 'company', claim: 'sub' } }),
        buildScimSettings({ id: 'okta', name: 'Okta', tokens: ['o'.repeat(40)] }),
      ],
      operator: { ...config.operator, rules: RULES },
    }),
    foundation: ({ log }) => ({ sources: new UserSources([staff], log) }),
  });
});
afterAll(() => operator.close());
beforeEach(async () => {
  await operator.database.db.deleteFrom('scim_offer').execute();
  await operator.database.db.deleteFrom('scim_fault').execute();
});

const offer = (body: object) => operator.call('POST', '/scim/offers', body);

async function listOffers(source = 'entra', query = ''): Promise<{ offers: ScimOfferAnswer[]; next_cursor?: string }> {
  const answer = await operator.call('GET', `/scim/offers?source=${source}${query}`);
  expect(api.findAnswerFaults('GET', '/operator/v1/scim/offers', answer)).toBeNull();
  return answer.json as unknown as { offers: ScimOfferAnswer[]; next_cursor?: string };
}

let count = 0;
async function createWithAddress(more: object = {}): Promise<{ id: string; username: string }> {
  const account = await createAccount({ email: `offered${(count += 1)}@example.org`, ...more });
  const row = operator.database.db.updateTable('account').set({ email_verified: true });
  await row.where('id', '=', account.id).execute();
  return account;
}

const note = (more: object = {}) => noteScimFault(operator, more);

async function listFaults(query = ''): Promise<{ faults: ScimFaultAnswer[]; next_cursor?: string }> {
  const answer = await operator.call('GET', `/scim/faults?source=entra${query}`);
  expect(api.findAnswerFaults('GET', '/operator/v1/scim/faults', answer)).toBeNull();
  return answer.json as unknown as { faults: ScimFaultAnswer[]; next_cursor?: string };
}

describe('[SRC-13] an account', () => {
  it('is offered to a SCIM source for 30 days, by externalId or by its verified address', async () => {
    const [named, addressed] = [await createAccount(), await createWithAddress()];
    const answer = await offer({ account: named.id, source: 'entra', external_id: 'object-1' });
    expect(api.findAnswerFaults('POST', '/operator/v1/scim/offers', answer)).toBeNull();
    expect(answer.json).toEqual({
      ...{ account_id: named.id, username: named.username },
      ...{ source: 'entra', external_id: 'object-1' },
    });
    expect((await offer({ account: addressed.id, source: 'entra' })).status).toBe(200);
    const { offers } = await listOffers();
    expect(offers).toMatchObject([
      { account_id: addressed.id, external_id: null, offered_by: 'operator' },
      { account_id: named.id, external_id: 'object-1', source: 'entra' },
    ]);
    const [newest] = offers;
    expect(Date.parse(newest?.expires_at ?? '') - Date.parse(newest?.offered_at ?? '')).toBe(30 * DAY_MS);
    expect((await listOffers('okta')).offers).toEqual([]);
    expect(await findKinds(named.id)).toContainEqual(['scim.offered', { source: 'scim:entra', externalId: 'object-1' }]);
    expect(await findKinds(addressed.id)).toContainEqual(['scim.offered', { source: 'scim:entra' }]);
  });

  it('has one offer, the last one, which can be withdrawn', async () => {
    const { id, username } = await createAccount();
    await offer({ account: id, source: 'entra', external_id: 'object-2' });
    await offer({ account: id, source: 'okta', external_id: 'object-3' });
    expect((await listOffers()).offers).toEqual([]);
    expect((await listOffers('okta')).offers).toMatchObject([{ username, external_id: 'object-3' }]);
    const withdraw = () => operator.call('DELETE', `/scim/offers/${id}`);
    expect((await withdraw()).json).toEqual({ account_id: id, withdrawn: true });
    expect((await withdraw()).json).toEqual({ account_id: id, withdrawn: false });
    expect((await findKinds(id)).filter((kind) => JSON.stringify(kind).includes('scim.withdrawn'))).toEqual([
      ['scim.withdrawn', { source: 'scim:okta' }],
    ]);
    expect((await listOffers('okta')).offers).toEqual([]);
  });

  it('[S-103] is not offered if it has rights of an operator, by a grant or by OPERATORS', async () => {
    const granted = await createAccount();
    const grant = { accountId: granted.id, right: 'support', endsAt: null } as const;
    await operator.services.grants.grant(grant, { actor: 'system' });
    const ruled = await createAccount({ groups: ['Administrators'] });
    for (const { id } of [granted, ruled]) {
      expectError(await offer({ account: id, source: 'entra', external_id: `of-${id}` }), 409, 'is_operator');
    }
    expect((await listOffers()).offers).toEqual([]);
  });

  it('is not offered if it belongs to a user source or to a SCIM source, but if a provider has made it', async () => {
    staff.people.push({
      ...{ subject: 'id-1', username: 'at.staff', emailVerified: false },
      ...{ attributes: {}, isActive: true, password: PASSWORD },
    });
    const [directory, kept, provided] = [await createAccount(), await createAccount(), await createAccount()];
    await operator.call('POST', `/accounts/${directory.id}/source`, { source: 'staff', username: 'at.staff' });
    await keepByScim(operator, kept, { source: 'okta', externalId: 'kept' });
    await operator.call('POST', `/accounts/${provided.id}/source`, { source: 'company', subject: 'sub-1' });
    for (const { id } of [directory, kept])
      expectError(await offer({ account: id, source: 'entra', external_id: 'object-4' }), 409, 'has_source');
    expect((await offer({ account: provided.id, source: 'entra', external_id: 'object-4' })).status).toBe(200);
  });

  it('is not offered with an externalId that somebody has, nor without any means to find it', async () => {
    const [one, other, kept] = [await createAccount(), await createAccount(), await createAccount()];
    await keepByScim(operator, kept, { externalId: 'object-5' });
    expectError(await offer({ account: one.id, source: 'entra', external_id: 'object-5' }), 409, 'person_linked', 'external_id');
    expect((await offer({ account: one.id, source: 'entra', external_id: 'object-6' })).status).toBe(200);
    expectError(await offer({ account: other.id, source: 'entra', external_id: 'object-6' }), 409, 'person_linked');
    expectError(await offer({ account: other.id, source: 'entra' }), 409, 'no_verified_address', 'external_id');
    for (const external_id of ['', 'x'.repeat(256), 'a\u0000', 'a\ud800'])
      expectError(await offer({ account: other.id, source: 'entra', external_id }), 422, 'format', 'external_id');
    expectError(await offer({ account: other.id, source: 'unknown', external_id: 'x' }), 422, 'unknown_source', 'source');
    expectError(await offer({ account: other.id, source: 'staff', external_id: 'x' }), 422, 'unknown_source', 'source');
    expectError(await offer({ account: 'nobody', source: 'entra', external_id: 'x' }), 404, 'account_not_found');
  });

  it('may be offered again with the externalId of an offer that has ended', async () => {
    const [one, other] = [await createAccount(), await createAccount()];
    await offer({ account: one.id, source: 'entra', external_id: 'object-8' });
    await sql`update scim_offer set expires_at = ${operator.database.now()}`.execute(operator.database.db);
    expect((await listOffers()).offers).toEqual([]);
    expect((await offer({ account: other.id, source: 'entra', external_id: 'object-8' })).status).toBe(200);
  });

  it('cannot be linked to a SCIM source at once, and is unlinked like any other', async () => {
    const { id } = await createAccount();
    expectError(await operator.call('POST', `/accounts/${id}/source`, { source: 'entra', subject: 'x' }), 422, 'unknown_source');
    await keepByScim(operator, { id, username: 'unlinked' });
    expect((await operator.call('DELETE', `/accounts/${id}/source`)).json).toMatchObject({ source: 'entra', can_sign_in: false });
    const left = operator.database.db.selectFrom('scim_user').select('account_id').where('account_id', '=', id);
    expect(await left.execute()).toEqual([]);
  });
});

describe('[SRC-13] many accounts', () => {
  it('are offered by their verified addresses, a bounded number in each call, and the others are counted', async () => {
    const group = 'moving';
    for (let index = 0; index < 3; index++) await createWithAddress({ group_name: group });
    await createAccount({ group_name: group });
    const kept = await createAccount({ group_name: group });
    await keepByScim(operator, kept);
    await createWithAddress({ group_name: group, groups: ['Administrators'] });
    const body = { source: 'entra', filter: { group } };
    const answer = await operator.call('POST', '/scim/offers/many', body);
    expect(api.findAnswerFaults('POST', '/operator/v1/scim/offers/many', answer)).toBeNull();
    expect(answer.json).toEqual({
      offered: 3,
      left_out: { operator_account: 1, has_source: 1, no_verified_address: 1 },
    });
    const first = await listOffers('entra', '&limit=2');
    const second = await listOffers('entra', `&limit=2&cursor=${first.next_cursor ?? ''}`);
    expect([first.offers.length, second.offers.length, second.next_cursor]).toEqual([2, 1, undefined]);
    expect(new Set([...first.offers, ...second.offers].map(({ account_id }) => account_id)).size).toBe(3);
    expectError(await operator.call('POST', '/scim/offers/many', { source: 'entra', filter: { x: '1' } }), 400, 'unknown_member');
    expectError(await operator.call('GET', '/scim/offers?source=entra&cursor=x'), 400, 'wrong_type', 'cursor');
  });
});

describe('[SRC-13] refused calls of a SCIM client', () => {
  it('are listed with the cause and the account, the last one first, and dismissed', async () => {
    const [local, kept] = [await createAccount(), await createAccount()];
    await keepByScim(operator, kept, { source: 'okta' });
    const before = new Date(operator.clock.now().getTime() - DAY_MS);
    await note({ account_id: local.id });
    await note({ subject: 'id:1', method: 'PATCH', code: 'invalidPath', field: '', account_id: kept.id, last_at: before });
    await note({ source: 'scim:okta' });
    const { faults } = await listFaults();
    expect(faults).toMatchObject([
      {
        ...{ times: 3, method: 'POST', resource: 'User', subject: 'externalId:object-7', external_id: 'object-7' },
        ...{ code: 'uniqueness', field: 'userName', detail: 'userName is taken.' },
        account: { id: local.id, username: local.username, can_be_offered: true },
      },
      { method: 'PATCH', external_id: null, field: null, account: { id: kept.id, can_be_offered: false } },
    ]);
    const page = await listFaults('&limit=1');
    expect((await listFaults(`&limit=1&cursor=${page.next_cursor ?? ''}`)).faults).toMatchObject([{ method: 'PATCH' }]);
    const id = faults[0]?.id ?? '';
    expect((await operator.call('DELETE', `/scim/faults/${id}`)).json).toEqual({ id });
    expectError(await operator.call('DELETE', `/scim/faults/${id}`), 404, 'fault_not_found');
    expectError(await operator.call('DELETE', '/scim/faults/x'), 404, 'fault_not_found');
    expect((await listFaults()).faults).toHaveLength(1);
    expect(await findKinds(local.id)).toContainEqual(['scim.dismissed', { source: 'scim:entra', code: 'uniqueness' }]);
  });
});

describe('[SRC-13] an installation that moves into the hands of a SCIM source', () => {
  const find = async (path: string, name: string) => (await operator.call('GET', path)).json[name] as Record<string, unknown>[];
  const findSource = async () => (await find('/sources', 'sources')).find(({ id }) => id === 'entra');

  it('shows the conflict, offers the account, and sees that the source has taken it', async () => {
    const client = new ScimClient(operator, SCIM_TOKEN);
    const { id, username } = await createWithAddress();
    expect(await findSource()).toMatchObject({ state: 'hint', scim: { last_request_at: null, people: expect.any(Number) } });
    const refused = await client.createUser(username, { externalId: 'object-20' });
    expect([refused.status, refused.json['scimType']]).toEqual([409, 'uniqueness']);
    expect(await find('/today', 'rows')).toContainEqual(
      expect.objectContaining({ kind: 'scim-refused', count: 1, names: ['Entra ID'] }),
    );
    const [fault] = (await listFaults()).faults;
    expect(fault).toMatchObject({ field: 'userName', external_id: 'object-20', account: { id, can_be_offered: true } });
    await offer({ account: id, source: 'entra', external_id: 'object-20' });
    const taken = await client.createUser(username, { externalId: 'object-20', active: false });
    expect([taken.status, taken.json['id']]).toEqual([201, id]);
    expect((await listFaults()).faults).toEqual([]);
    expect((await listOffers()).offers).toEqual([]);
    expect(await findKinds(id)).toContainEqual(['source.connected', expect.objectContaining({ source: 'scim:entra' })]);
    const { json } = await operator.call('GET', `/accounts/${id}`);
    expect(json).toMatchObject({
      ...{ source: 'scim:entra', source_name: 'Entra ID', password_elsewhere: true, status: 'disabled' },
      scim: { external_id: 'object-20', active: false, disabled_by_source: true },
    });
    expect((await line(['account', 'show', username])).out).toMatch(
      /External id +object-20\nAt the source +not active, so the source has disabled/,
    );
    expect((await operator.call('GET', `/accounts/${(await createAccount()).id}`)).json).toMatchObject({
      ...{ source_name: null, password_elsewhere: false, scim: null },
    });
  });

  it('[S-103] loses the identity of the person before when the source gives the account to somebody else', async () => {
    const client = new ScimClient(operator, SCIM_TOKEN);
    const id = await client.newUser(`reassigned-${(count += 1)}`, { externalId: 'object-21' });
    const identity = { issuer: COMPANY.issuer, subject: 'object-21', label: null };
    const connection = { accountId: id, provider: 'company', providerName: 'Musterwerk', identity };
    await operator.services.identities.connect({ ...connection, auditContext: { actor: 'system' } });
    await beginSession(id, 'session of the person before');
    await client.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Same Person' });
    expect(await operator.services.identities.list(id)).toHaveLength(1);
    await client.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'object-22' });
    expect(await operator.services.identities.list(id)).toEqual([]);
    expect(await find(`/accounts/${id}/sessions`, 'sessions')).toEqual([]);
    expect(await findKinds(id)).toContainEqual([
      'provider.disconnected',
      expect.objectContaining({ provider: 'company', source: 'scim:entra' }),
    ]);
  });

  it('sees when the source asked last, and that it is silent', () => {
    const now = operator.clock.now();
    const about = { id: 'entra', name: 'Entra ID', refused: 0, now };
    expect(findScimFindings({ ...about, lastAt: new Date(now.getTime() - DAY_MS) })).toEqual([
      { level: 'ok', what: 'Entra ID sends people, and no refused request is listed.' },
    ]);
    const silent = findScimFindings({ ...about, lastAt: new Date(now.getTime() - 4 * DAY_MS), refused: 2 });
    expect(silent.map(({ level, what }) => [level, what])).toEqual([
      ['hint', expect.stringMatching(/^Entra ID has made no request since \d{4}-/)],
      ['hint', '2 requests of Entra ID were refused.'],
    ]);
    expect(findScimFindings({ ...about, lastAt: null })).toMatchObject([{ what: 'Entra ID has made no request yet.' }]);
  });
});

describe('[OPR-5] [OPR-6] the import of people of a SCIM source', () => {
  it('offers their accounts to the source, which takes them when it sends the people', async () => {
    const line1 = { username: 'imported.pushed', source: 'entra', source_subject: 'object-30' };
    expect(await importLines([line1])).toMatchObject([{ result: 'created' }]);
    const { offers } = await listOffers();
    expect(offers).toMatchObject([{ username: 'imported.pushed', external_id: 'object-30', offered_by: 'operator' }]);
    const taken = await new ScimClient(operator, SCIM_TOKEN).createUser('imported.pushed', { externalId: 'object-30' });
    expect([taken.status, taken.json['id']]).toEqual([201, offers[0]?.account_id]);
  });

  it('refuses somebody who has an account or an offer, and a password where the source has none', async () => {
    const kept = await createAccount();
    await keepByScim(operator, kept, { externalId: 'object-31' });
    const toLine = (more: object) => ({ username: `imported-${(count += 1)}`, source: 'scim:entra', ...more });
    await importLines([toLine({ source_subject: 'object-32' })]);
    expect(
      await importLines([
        toLine({ source_subject: 'object-31' }),
        toLine({ source_subject: 'object-32' }),
        toLine({ source_subject: 'object-33', password: PASSWORD }),
        toLine({ source_subject: 'x'.repeat(256) }),
        toLine({ source_subject: 'object-34', source: 'scim:unknown' }),
      ]),
    ).toMatchObject([
      { result: 'invalid', error: 'person_linked', field: 'source_subject' },
      { result: 'invalid', error: 'person_linked' },
      { result: 'invalid', error: 'conflict', field: 'password' },
      { result: 'invalid', error: 'format', field: 'source_subject' },
      { result: 'invalid', error: 'unknown_source' },
    ]);
    expect((await listOffers()).offers).toHaveLength(1);
  });

  it('takes what an export has, which names people by their externalId', async () => {
    const [named, unnamed] = [await createAccount(), await createAccount()];
    await keepByScim(operator, named, { externalId: 'object-35' });
    await keepByScim(operator, unnamed);
    const lines = parseLines((await operator.call('GET', '/exports')).text);
    const find = (id: string) => lines.find((one) => one['id'] === id);
    expect(find(named.id)).toMatchObject({ source: 'scim:entra', source_subject: 'object-35' });
    expect(find(unnamed.id)).not.toHaveProperty('source');
  });
});

describe('[OPR-2] foyer scim', () => {
  it('offers one account or many, lists the offers, and withdraws one', async () => {
    const { username } = await createWithAddress({ group_name: 'by-command' });
    const run = async (...words: string[]) => (await line(['scim', ...words])).out;
    expect(await run('offer', username, '--source', 'entra', '--external-id', 'object-9', '--reason', 'moving')).toBe(
      `entra may take over ${username} within 30 days.\n`,
    );
    expect(await run('offers', '--source', 'entra')).toContain('object-9');
    expect(await run('withdraw', username)).toBe(`${username} is no longer offered.\n`);
    expect(await run('offer', '--filter', 'group=by-command', '--source', 'entra')).toMatch(/Offered +1\n/);
    expect(await run('offers', '--source', 'entra')).toContain('(by address)');
    for (const words of [
      ['offer', '--source', 'entra'],
      ['offer', username, '--all', '--source', 'entra'],
      ['offer', '--all', '--source', 'entra', '--external-id', 'x'],
      ['offers'],
    ])
      expect((await line(['scim', ...words])).code).toBe(2);
  });

  it('lists refused calls and dismisses one', async () => {
    await note();
    const { out } = await line(['scim', 'faults', '--source', 'entra']);
    expect(out).toContain('userName is taken.');
    const id = (await listFaults()).faults[0]?.id ?? '';
    expect((await line(['scim', 'dismiss', id])).out).toBe(`The refused call ${id} is no longer listed.\n`);
    expect((await line(['scim', 'faults', '--source', 'entra'])).err).toContain('No call was refused.');
  });
});
