/** Attacks with the stolen token of a SCIM source: on operators, on accounts of others, and on what was approved. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { buildBasis } from '../../src/accounts/operators/approval-basis.js';
import type { OneTimePurpose } from '../../src/accounts/secrets/one-time-secrets.js';
import { TRUST_STAMP } from '../../src/accounts/sessions/trusted-browsers.js';
import { TermsAcceptances } from '../../src/accounts/terms/terms-acceptances.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { OWN_CHANGE } from '../support/proven-session.js';
import { GROUP, ScimClient, scimSource } from '../support/scim-client.js';
import { buildTermsText } from '../support/terms-texts.js';

const ENTRA = scimSource('entra', { groups: { most: 100, groupName: false }, signIn: { provider: 'company', claim: 'sub' } });
const OWN = scimSource('own', { password: true, emailVerified: true });
const SUBJECTS = scimSource('subjects', { subjectPrefix: '' });

let operator: TestOperator;
let entra: ScimClient;
let own: ScimClient;
let subjects: ScimClient;
let names = 0;
const newName = (): string => `attacked.${(names += 1)}`;

beforeAll(async () => {
  operator = await startTestOperator({
    config: ({ operator: given }) => ({
      scim: [ENTRA, OWN, SUBJECTS],
      operator: { ...given, rules: [{ group: 'Administrators', right: 'admin' }] },
    }),
  });
  entra = new ScimClient(operator, ENTRA.tokens[0]);
  own = new ScimClient(operator, OWN.tokens[0]);
  subjects = new ScimClient(operator, SUBJECTS.tokens[0]);
});
afterAll(() => operator.close());

const find = (id: string) => operator.services.accounts.find(id);
const db = () => operator.database.db;
const grant = (accountId: string) =>
  operator.services.grants.grant({ accountId, right: 'admin', endsAt: null }, { actor: 'operator' });
async function beginSession(id: string): Promise<void> {
  await sql`
    insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at)
    values (${id}::uuid, ${`sid-${id}`}, 'browser', now(), '1', '{pwd}', now() + interval '1 day')`.execute(db());
}
const countSessions = async (id: string) =>
  (await sql<{ n: number }>`select count(*)::integer as n from browser_session where account_id = ${id}::uuid`.execute(db()))
    .rows[0]?.n;

describe('an operator whose name or address was corrected here', () => {
  it('keeps the address when the source changes anything else', async () => {
    const name = newName();
    const id = await own.newUser(name, { emails: [{ value: `${name}@attacker.example` }] });
    const corrected = { email: `${name}@company.example`, email_verified: true };
    expect((await operator.call('PATCH', `/accounts/${id}`, corrected)).status).toBe(200);
    expect(await grant(id)).toBe('granted');
    expect((await own.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'x' })).status).toBe(200);
    expect(await find(id)).toMatchObject({ email: `${name}@company.example` });
  });

  it('keeps the username when the source changes anything else', async () => {
    const [taken, name] = [newName(), newName()];
    const blocking = await operator.services.accounts.create({ username: taken });
    const { id } = await operator.services.accounts.create({ username: name, email: `${name}@x.example`, emailVerified: true });
    await operator.call('POST', '/scim/offers', { account: id, source: 'own' });
    expect((await own.createUser(taken, { emails: [{ value: `${name}@x.example` }] })).json['id']).toBe(id);
    expect(await find(id)).toMatchObject({ username: name });
    expect(await grant(id)).toBe('granted');
    await operator.services.accounts.update(blocking.id, { username: newName() });
    await own.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'x' });
    expect(await find(id)).toMatchObject({ username: name });
  });
});

describe('an account that was offered and became an operator by OPERATORS', () => {
  it('is not taken', async () => {
    const name = newName();
    const { id } = await operator.services.accounts.create({ username: name, email: `${name}@x.example`, emailVerified: true });
    expect((await operator.call('POST', '/scim/offers', { account: id, source: 'own' })).status).toBe(200);
    await operator.services.accounts.update(id, { groups: ['Administrators'] });
    expect(await operator.services.grants.find(id)).toMatchObject({ rights: [{ right: 'admin' }] });
    const answer = await own.createUser(newName(), { emails: [{ value: `${name}@x.example` }], password: 'kupfer linde 4821' });
    expect(answer.json['id']).not.toBe(id);
    expect(await operator.services.sourceAccounts.find(id)).toBeNull();
  });
});

describe('an account that the source gives to another person (externalId)', () => {
  it.each([
    ['whose source has passwords here', () => own],
    ['who has no identity at the provider', () => entra],
  ])('loses all sessions: %s', async (_, client) => {
    const name = newName();
    const id = await client().newUser(name, { externalId: `e-${name}` });
    await beginSession(id);
    expect((await client().patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: `f-${name}` })).status).toBe(200);
    expect(await countSessions(id)).toBe(0);
  });

  it('does not keep the password of the previous person', async () => {
    const name = newName();
    const id = await own.newUser(name, { externalId: `e-${name}`, password: 'kupfer linde 4821' });
    await own.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: `f-${name}` });
    expect((await sql`select from password_credential where account_id = ${id}::uuid`.execute(db())).rows).toEqual([]);
  });
});

describe('a source that gives an account to another person', () => {
  const PURPOSES: readonly OneTimePurpose[] = [
    ...(['password-reset', 'password-reset-handed', 'factor-reset', 'not-me', 'not-me-used', 'email-restore'] as const),
    ...(['email-change', 'account-keep', 'proof-code', 'approval-stop', 'support-code', 'support-page'] as const),
    ...(['sign-in-code', 'factor-setup:totp', 'factor-proof:email-code'] as const),
  ];
  const giveAway = async (id: string) =>
    expect((await own.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: `other-${id}` })).status).toBe(200);

  it('discards all links, codes and former addresses', async () => {
    const name = newName();
    const id = await own.newUser(name, { externalId: `e-${name}` });
    for (const purpose of PURPOSES) await operator.services.secrets.issue({ purpose, accountId: id, lifetimeSeconds: 3600 });
    await sql`
      insert into former_email (account_id, email, email_verified, successor, expires_at)
      values (${id}::uuid, 'before@x.example', true, 'after@x.example', now() + interval '1 day')`.execute(db());
    await giveAway(id);
    const secrets = await db().selectFrom('one_time_secret').select('purpose').where('account_id', '=', id).execute();
    const addresses = await db().selectFrom('former_email').select('email').where('account_id', '=', id).execute();
    expect([secrets, addresses]).toEqual([[], []]);
  });

  it.each([
    ['person', true],
    ['operator', false],
  ] as const)('cancels a deletion only if that person requested it (%s: %s)', async (requested_by, isCancelled) => {
    const name = newName();
    const id = await own.newUser(name, { externalId: `e-${name}` });
    const now = operator.database.now();
    const due_at = sql<Date>`now() + interval '1 day'`;
    await db().insertInto('account_deletion').values({ account_id: id, requested_by, requested_at: now, due_at }).execute();
    await giveAway(id);
    const rows = await db().selectFrom('account_deletion').select('requested_by').where('account_id', '=', id).execute();
    expect(rows).toEqual(isCancelled ? [] : [{ requested_by }]);
    const cancelled = (await operator.services.audit.list(id)).entries.filter(({ kind }) => kind === 'deletion.cancelled');
    expect(cancelled.map(({ detail }) => detail?.['way'])).toEqual(isCancelled ? ['source'] : []);
  });

  it('asks that person to accept the terms, and keeps the evidence of the previous person', async () => {
    const name = newName();
    const id = await own.newUser(name, { externalId: `e-${name}` });
    const acceptances = new TermsAcceptances(operator.database, operator.services.audit);
    const text = buildTermsText('Be kind.');
    for (const key of ['use', 'privacy']) {
      const terms = { id: key, version: '1', texts: [text] };
      const auditContext = { actor: 'person', signIn: OWN_CHANGE.manageSession } as const;
      expect(await acceptances.accept({ accountId: id, terms, text, clientId: 'portal' }, auditContext)).toBe(true);
    }
    expect((await find(id))?.acceptedTerms).toEqual({ use: ['1'], privacy: ['1'] });
    await giveAway(id);
    expect((await find(id))?.acceptedTerms ?? {}).toEqual({});
    const { acceptances: evidence } = await acceptances.page(id, {});
    expect(evidence.map(({ terms, withdrawnAt }) => [terms, withdrawnAt !== null])).toEqual([
      ['privacy', true],
      ['use', true],
    ]);
    const withdrawn = (await operator.services.audit.list(id)).entries.filter(({ kind }) => kind === 'terms.withdrawn');
    expect(withdrawn.map(({ actor, detail }) => [actor, detail?.['terms'], detail?.['versions']])).toEqual([
      ['system', 'privacy', ['1']],
      ['system', 'use', ['1']],
    ]);
  });

  it('ends the trust in browsers, and forgets known devices', async () => {
    const name = newName();
    const id = await own.newUser(name, { externalId: `e-${name}` });
    const stampOf = sql<{ stamp: string }>`select ${TRUST_STAMP} as stamp from account a where a.id = ${id}::uuid`;
    const stamp = (await stampOf.execute(db())).rows[0]?.stamp;
    await sql`
      insert into known_device (account_id, device_hash, remembered_at, expires_at)
      values (${id}::uuid, 'device', now(), now() + interval '1 day')`.execute(db());
    await giveAway(id);
    expect((await stampOf.execute(db())).rows[0]?.stamp).not.toBe(stamp);
    expect((await sql`select from known_device where account_id = ${id}::uuid`.execute(db())).rows).toEqual([]);
  });
});

describe('an account that a gateway of the previous version has unlinked', () => {
  // The previous version does not know the tables of SCIM, so it deletes only this row.
  const unlink = (id: string) => sql`delete from source_account where account_id = ${id}::uuid`.execute(db());

  it('is not seen by the source', async () => {
    const id = await entra.newUser(newName());
    await unlink(id);
    expect((await entra.call('GET', `/Users/${id}`)).status).toBe(404);
  });

  it('does not become an operator by groups of the source', async () => {
    const id = await entra.newUser(newName());
    await unlink(id);
    await entra.call('POST', '/Groups', { schemas: [GROUP], displayName: 'Administrators', members: [{ value: id }] });
    expect(await operator.services.grants.find(id)).toMatchObject({ rights: [] });
  });
});

describe('a grant that waits for a second operator', () => {
  it('is not approved after the source has given the account to another person', async () => {
    const name = newName();
    const id = await entra.newUser(name, { externalId: `e-${name}` });
    const basis = async () =>
      (
        await sql<{
          b: unknown;
        }>`select ${buildBasis({ accountId: id, operation: 'operators.grant', body: { right: 'admin' } })} as b`.execute(db())
      ).rows[0]?.b;
    const before = await basis();
    await entra.patch(`/Users/${id}`, { op: 'replace', path: 'externalId', value: 'thief' });
    expect(await basis()).not.toEqual(before);
  });
});

describe('the subject of an account that was deleted', () => {
  it('is not given to a new person of a source with "sub": "source"', async () => {
    const { id } = await operator.services.accounts.create({ username: newName() });
    expect((await operator.call('DELETE', `/accounts/${id}`)).status).toBeLessThan(300);
    expect(await find(id)).toBeNull();
    const answer = await subjects.createUser(newName(), { externalId: id });
    expect([answer.status, answer.json['id']]).not.toEqual([201, id]);
  });
});

describe('one operator, and the second one who has to agree', () => {
  let held: TestOperator;
  let client: ScimClient;

  beforeAll(async () => {
    const rules = [{ group: 'Administrators', right: 'admin' }] as const;
    held = await startTestOperator({
      config: ({ operator: given }) => ({
        scim: [ENTRA],
        operator: { ...given, approval: 'operators-and-tokens', rules: [...rules] },
      }),
    });
    client = new ScimClient(held, ENTRA.tokens[0]);
  });
  afterAll(() => held.close());

  it('an account that groups of the source would make an operator is not unlinked before they are gone', async () => {
    const id = await client.newUser(newName());
    const members = [{ value: id }];
    const group = await client.call('POST', '/Groups', { schemas: [GROUP], displayName: 'Administrators', members });
    const unlink = () => held.call('DELETE', `/accounts/${id}/source`);
    expect(await unlink()).toMatchObject({ status: 409, json: { error: 'operator_rule' } });
    expect(await held.services.grants.find(id)).toMatchObject({ rights: [] });
    await client.call('DELETE', `/Groups/${String(group.json['id'])}`);
    expect((await unlink()).status).toBe(200);
  });

  it('an account is offered by its address only', async () => {
    const name = newName();
    const { id } = await held.services.accounts.create({ username: name, email: `${name}@x.example`, emailVerified: true });
    const offer = (more: object) => held.call('POST', '/scim/offers', { account: id, source: 'entra', ...more });
    expect(await offer({ external_id: 'thief' })).toMatchObject({ status: 409, json: { error: 'approval_required' } });
    expect((await client.newUser(newName(), { externalId: 'thief' })) === id).toBe(false);
    expect((await offer({})).status).toBe(200);
  });
});
