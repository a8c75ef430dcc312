/** People of a SCIM source sign in at a provider: a claim of the provider is compared with the `externalId` of the source. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { OperatorGrants } from '../../src/accounts/operators/operator-grants.js';
import { findIssuer, type FakeClaims } from '../../src/providers/fake-identity-providers.js';
import { ProviderStory } from '../support/provider-story.js';
import { buildScimSettings, keepByScim } from '../support/scim-people.js';

const OPERATOR = { actor: 'operator', requestId: 'test' } as const;
const OID = 'c7a4f1de-0b1f-4a5e-9a57-5d0c0b6a8e11';

let story: ProviderStory;

beforeAll(async () => {
  story = await ProviderStory.start({
    config: () => ({
      scim: [
        buildScimSettings({ signIn: { provider: 'microsoft', claim: 'oid' } }),
        buildScimSettings({ id: 'okta', name: 'Okta', tokens: ['x'.repeat(40)], signIn: { provider: 'work', claim: 'sub' } }),
      ],
    }),
  });
});
afterAll(() => story.gateway.close());

let count = 0;
/** A person without a password, whom a source has pushed. */
async function push(externalId: string | null, source = 'entra'): Promise<Account> {
  const account = await story.createPerson({ email: `kept${(count += 1)}@work.example`, emailVerified: true });
  await story.removePassword(account);
  await keepByScim(story.gateway, account, { source, externalId });
  return account;
}

const signIn = (subject: string, claims?: FakeClaims['claims'], provider = 'microsoft') =>
  story.signIn(subject, provider, { session: claims ? { claims } : {} });

const findSubjects = (challenge: string) => story.findAccepted(challenge).map((call) => call.authentication.subject);
const identities = async ({ id }: Account) =>
  (await story.gateway.get(ExternalIdentities).list(id)).map(({ provider, subject }) => [provider, subject]);
const events = async ({ id }: Account) =>
  (await story.gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail] as const);

describe('a person whom a SCIM source has pushed', () => {
  it('[PRV-2] [PRV-3] is connected at the first sign-in by the claim of the settings, and found by issuer and subject from then on', async () => {
    const account = await push(OID);
    const first = await signIn('ms-1', { oid: OID });
    expect(findSubjects(first.challenge)).toEqual([account.id]);
    expect(await identities(account)).toEqual([['microsoft', 'ms-1']]);
    expect((await events(account)).map(([kind]) => kind)).toEqual(
      expect.arrayContaining(['provider.connected', 'provider.ok', 'sign-in.ok']),
    );
    const second = await signIn('ms-1', { oid: 'another' });
    expect(findSubjects(second.challenge)).toEqual([account.id]);
    const mails = story.gateway.database.db.selectFrom('outbox').select('kind').where('account_id', '=', account.id);
    expect(await mails.execute()).toContainEqual({ kind: 'provider-connected' });
  });

  it('is connected once, also by two sign-ins at the same moment', async () => {
    const account = await push('twice');
    const answers = await Promise.all([signIn('ms-2', { oid: 'twice' }), signIn('ms-2', { oid: 'twice' })]);
    expect(answers.map(({ challenge }) => findSubjects(challenge))).toEqual([[account.id], [account.id]]);
    expect(await identities(account)).toEqual([['microsoft', 'ms-2']]);
    expect((await events(account)).filter(([kind]) => kind === 'provider.connected')).toHaveLength(1);
  });

  it('is found by the subject where the settings name no other claim', async () => {
    const account = await push('okta-1', 'okta');
    expect(findSubjects((await signIn('okta-1', undefined, 'work')).challenge)).toEqual([account.id]);
    expect(await identities(account)).toEqual([['work', 'okta-1']]);
  });

  it.each([
    ['missing', {}],
    ['no text', { oid: 17 }],
    ['a list', { oid: ['listed'] }],
    ['empty', { oid: '' }],
    ['blank', { oid: '  ' }],
    ['too long', { oid: 'x'.repeat(256) }],
    ['with NUL', { oid: 'nul\u0000' }],
    ['inherited', JSON.parse('{"__proto__":{"oid":"inherited"}}') as Record<string, unknown>],
    ['in other letters', { oid: 'LISTED' }],
  ])('[PRV-3] is not found by a claim that is %s, nor by anything else', async (name, claims) => {
    for (const externalId of ['listed', 'x'.repeat(256), 'inherited']) if (!(await isTaken(externalId))) await push(externalId);
    const { answer, challenge } = await signIn(`of ${name}`, claims);
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
    expect(findSubjects(challenge)).toEqual([]);
  });

  it('[S-103] is not found by the claim of another provider, by the externalId of another source, or at another issuer', async () => {
    await push('only-entra');
    await push('only-okta', 'okta');
    for (const [subject, claims, provider] of [
      ['only-entra', { oid: 'only-entra', sub: 'only-entra' }, 'work'],
      ['only-okta', { oid: 'only-okta' }, 'microsoft'],
      ['only-entra', { oid: 'only-entra' }, 'google'],
    ] as const) {
      const { answer, challenge } = await signIn(subject, claims, provider);
      expect([answer.status, findSubjects(challenge)]).toEqual([422, []]);
    }
  });

  it('[S-103] gets no account made by a provider that provisions, before the source has pushed them and after it has removed them', async () => {
    const person = { subject: 'later', username: 'later.person', emailVerified: false, attributes: {}, isActive: true };
    const before = await story.signIn('later', 'work', { session: { person } });
    expect([before.answer.status, findSubjects(before.challenge)]).toEqual([422, []]);
    expect(await story.gateway.get(Accounts).findByUsername('later.person')).toBeNull();
    const account = await push('later', 'okta');
    const there = await story.signIn('later', 'work', { session: { person } });
    expect(findSubjects(there.challenge)).toEqual([account.id]);
  });

  it('[LOG-7] is refused like somebody unknown while the account is disabled or frozen', async () => {
    const disabled = await push('disabled');
    await story.gateway.get(Accounts).setStatus(disabled.id, 'disabled');
    const frozen = await push('frozen');
    const until = new Date(story.gateway.clock.now().getTime() + 3_600_000);
    const frozenRow = story.gateway.database.db.updateTable('account').set({ credentials_frozen_until: until });
    await frozenRow.where('id', '=', frozen.id).execute();
    for (const [account, externalId] of [
      [disabled, 'disabled'],
      [frozen, 'frozen'],
    ] as const) {
      const { answer, challenge } = await signIn(`ms-${externalId}`, { oid: externalId });
      expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
      expect(findSubjects(challenge)).toEqual([]);
      expect(await identities(account)).toEqual([]);
      expect(await events(account)).toContainEqual(['provider.refused', { provider: 'microsoft', reason: externalId }]);
    }
  });

  it('is told to ask an operator if the account holds a right of an operator, or another identity of the provider', async () => {
    const operator = await push('operator');
    const grant = { accountId: operator.id, right: 'support', endsAt: null } as const;
    await story.gateway.get(OperatorGrants).grant(grant, OPERATOR);
    const other = await push('other');
    await story.connect(other, 'ms-before', 'microsoft');
    for (const [account, externalId] of [
      [operator, 'operator'],
      [other, 'other'],
    ] as const) {
      const { answer, challenge } = await signIn(`ms-${externalId}`, { oid: externalId });
      expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'not_admitted']);
      expect(findSubjects(challenge)).toEqual([]);
      expect(await events(account)).toContainEqual(['provider.refused', { provider: 'microsoft', reason: externalId }]);
    }
    await story.gateway.get(OperatorGrants).revoke({ accountId: operator.id, right: 'support' }, OPERATOR);
    expect(findSubjects((await signIn('ms-operator', { oid: 'operator' })).challenge)).toEqual([operator.id]);
  });

  it('[S-103] is not connected to an identity that somebody has connected, even to an account that is disabled', async () => {
    const former = await story.createPerson();
    await story.connect(former, 'ms-former', 'microsoft');
    const kept = await push('former');
    expect(findSubjects((await signIn('ms-former', { oid: 'former' })).challenge)).toEqual([former.id]);
    await story.gateway.get(Accounts).setStatus(former.id, 'disabled');
    const { answer, challenge } = await signIn('ms-former', { oid: 'former' });
    expect([answer.status, findSubjects(challenge)]).toEqual([422, []]);
    expect(await identities(kept)).toEqual([]);
  });
});

describe('[S-72] a provider with several issuers', () => {
  it('connects nobody of another issuer', async () => {
    const account = await push('tenant');
    const started = await story.startAtProvider('microsoft');
    const fields = story.providers.signIn(started.url, 'ms-tenant', { claims: { oid: 'tenant' } });
    const findRealIssuer = story.providers.findIssuer.bind(story.providers);
    story.providers.findIssuer = () => null;
    try {
      expect((await story.callBack('microsoft', started.browser, fields)).status).toBe(422);
    } finally {
      story.providers.findIssuer = findRealIssuer;
    }
    expect(await identities(account)).toEqual([]);
    expect(findIssuer('microsoft')).toBe(story.providers.findIssuer('microsoft'));
  });
});

async function isTaken(externalId: string): Promise<boolean> {
  const rows = story.gateway.database.db.selectFrom('scim_user').select('account_id').where('external_id', '=', externalId);
  return (await rows.executeTakeFirst()) !== undefined;
}
