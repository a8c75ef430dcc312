/** Accounts that are imported with the external accounts of their people. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeIdentityProviders, findIssuer } from '../../src/providers/fake-identity-providers.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, importer, parseLines, operatorSteps } from '../support/operator-story.js';

const GOOGLE = findIssuer('google');
const providers = new FakeIdentityProviders();

let operator: TestOperator;
const { importLines } = importer(() => operator);
const { findKinds } = operatorSteps(() => operator);
const foyer = commandLine(() => operator);

beforeAll(async () => {
  operator = await startTestOperator({ foundation: () => ({ identityProviders: providers }) });
});
afterAll(() => operator.close());
beforeEach(() => providers.setOff('microsoft', false));

const toIdentities = async (id: unknown) =>
  (await operator.call('GET', `/accounts/${String(id)}/providers`)).json['providers'] as Record<string, unknown>[];
const toNames = async (subject: string) =>
  (await operator.services.identities.findAccounts({ issuer: GOOGLE, subject }, 'app')).map(({ account }) => account.username);
const toRows = (table: 'audit_event' | 'external_identity' | 'outbox') =>
  operator.database.db.selectFrom(table).selectAll().execute();

describe('[OPR-5] [PRV-3] POST /imports', () => {
  it('connects a new account to the providers of the line, records it as an operator, and sends no mail', async () => {
    const line = {
      username: 'connected.person',
      email: 'connected@example.org',
      providers: [
        { provider: 'google', subject: 'g-1', label: '  Eine \u001b\u202ePerson  ', connected_at: '2020-02-29T09:00:00+01:00' },
        { provider: 'apple', issuer: findIssuer('apple'), subject: 'a-1', label: null },
      ],
    };
    const [made] = await importLines([line]);
    expect(made).toMatchObject({ result: 'created' });
    const now = operator.clock.now().getTime();
    expect(await toIdentities(made?.['id'])).toEqual([
      {
        provider: 'google',
        issuer: GOOGLE,
        subject: 'g-1',
        label: 'Eine Person',
        connected_at: '2020-02-29T08:00:00.000Z',
        last_used_at: null,
      },
      expect.objectContaining({ provider: 'apple', issuer: findIssuer('apple'), subject: 'a-1', label: null }),
    ]);
    const time = Date.parse(String((await toIdentities(made?.['id']))[1]?.['connected_at']));
    expect(Math.abs(time - now)).toBeLessThan(60_000);
    expect(await toNames('g-1')).toEqual(['connected.person']);
    expect(await findKinds(String(made?.['id']))).toEqual([]);
    const events = (await toRows('audit_event')).filter((row) => 'kind' in row && row.kind === 'account.imported');
    const detail = { accounts: 1, passwords: ['none'], providers: 2 };
    expect(events).toContainEqual(expect.objectContaining({ actor: 'operator', address: '127.0.0.1', detail }));
    expect(await toRows('outbox')).toEqual([]);
  });

  it('[ACC-1] connects one person to several accounts, and allows further ones later', async () => {
    const identity = { provider: 'google', subject: 'g-shared', connected_at: '2999-01-01T00:00:00Z' };
    const made = await importLines(['one', 'two'].map((name) => ({ username: `shared.${name}`, providers: [identity] })));
    expect((await toNames('g-shared')).sort()).toEqual(['shared.one', 'shared.two']);
    const [{ connected_at } = {}] = await toIdentities(made[0]?.['id']);
    expect(String(connected_at) < '2999').toBe(true);
  });

  it('changes no existing account when it is repeated, and stores nothing in a dry run', async () => {
    const line = (subject: string) => ({ username: 'again.connected', providers: [{ provider: 'google', subject }] });
    expect(await importLines([line('g-again')], '?dry_run=true')).toMatchObject([{ result: 'would_create' }]);
    expect(await toNames('g-again')).toEqual([]);
    const [made] = await importLines([line('g-again')]);
    const before = [await toRows('external_identity'), (await toRows('audit_event')).length];
    for (const query of ['?dry_run=true', '']) {
      expect(await importLines([line('g-again'), line('g-other')], query)).toMatchObject([
        { result: 'exists', id: made?.['id'] },
        { result: 'duplicate' },
      ]);
      expect(await importLines([line('g-other')], query)).toMatchObject([{ result: 'exists', id: made?.['id'] }]);
    }
    expect([await toRows('external_identity'), (await toRows('audit_event')).length]).toEqual(before);
  });

  const entry = { provider: 'google', subject: 'g-wrong' };
  it.each<[unknown, string, string]>([
    ['google', 'wrong_type', 'providers'],
    [{ google: 'g' }, 'wrong_type', 'providers'],
    [['google'], 'wrong_type', 'providers[0]'],
    [[null], 'wrong_type', 'providers[0]'],
    [[{ subject: 'g' }], 'missing', 'providers[0].provider'],
    [[{ provider: 'google' }], 'missing', 'providers[0].subject'],
    [[{ ...entry, subject: 7 }], 'wrong_type', 'providers[0].subject'],
    [[entry, { ...entry, provider: 'apple', email: 'a@b.c' }], 'unknown_member', 'providers[1].email'],
    [[{ ...entry, subject: '' }], 'format', 'providers[0].subject'],
    [[{ ...entry, subject: 'x'.repeat(256) }], 'format', 'providers[0].subject'],
    [[{ ...entry, subject: 'a\u0000b' }], 'format', 'providers[0].subject'],
    [[{ ...entry, connected_at: 'yesterday' }], 'format', 'providers[0].connected_at'],
    [[{ ...entry, provider: 'github' }], 'provider_not_set_up', 'providers[0].provider'],
    [[{ ...entry, issuer: findIssuer('apple') }], 'wrong_issuer', 'providers[0].issuer'],
    [[entry, { ...entry, subject: 'another' }], 'twice', 'providers[1]'],
    // Foyer reads one entry more than there are providers.
    [[...Array.from({ length: 5 }, () => entry), 'never read'], 'twice', 'providers[1]'],
  ])('reports what is wrong with %j', async (wrong, error, field) => {
    for (const query of ['?dry_run=true', '']) {
      const username = `wrong.${error}.${query.length}`;
      const [bad, good] = await importLines([{ username: 'wrong.person', providers: wrong }, { username }], query);
      expect(bad).toMatchObject({ result: 'invalid', error, field, message: expect.stringContaining('providers') as unknown });
      expect(['created', 'would_create', 'exists']).toContain(good?.['result']);
    }
    expect((await operator.call('GET', '/accounts?username=wrong.person')).json['accounts']).toEqual([]);
  });

  it('names the provider that is not configured, and those that are', async () => {
    providers.setOff('microsoft', true);
    const lines = [{ username: 'off.person', providers: [{ provider: 'microsoft', subject: 'm-1' }] }];
    const [bad] = await importLines(lines);
    expect(bad?.['message']).toBe(
      'providers[0]: the provider "microsoft" is not configured; the configured providers are google, apple, work.',
    );
    providers.setOff('microsoft', false);
    expect(await importLines(lines)).toMatchObject([{ result: 'created' }]);
  });

  it('cuts a long label between two characters', async () => {
    const label = `a${'\u{1f600}'.repeat(250)}`;
    const [created] = await importLines([
      { username: 'long.label', providers: [{ provider: 'google', subject: 'g-long', label }] },
    ]);
    expect(await toIdentities(created?.['id'])).toMatchObject([{ label: `a${'\u{1f600}'.repeat(199)}` }]);
  });

  it('creates neither the account nor the connection when the storage fails', async () => {
    const identity = { provider: 'google', issuer: GOOGLE, subject: 'a NUL \u0000', label: null, connected_at: null };
    const row = { username: 'half.person', username_key: 'half.person', display_name: 'h', hash: null };
    const none = { person: null, subject: null, passwordHash: null, passwordKind: 'none' };
    const given = { ...row, ...none, identities: [identity] };
    await expect(operator.services.imports.insert([given], { actor: 'operator' })).rejects.toThrow();
    expect((await operator.call('GET', '/accounts?username=half.person')).json['accounts']).toEqual([]);
  });
});

describe('[PRV-3] GET /exports', () => {
  it('contains the connections, which a new installation imports unchanged', async () => {
    const person = { provider: 'google', issuer: GOOGLE, subject: 'g-trip', label: 'Mit Namen' };
    const [made] = await importLines([{ username: 'round.trip', providers: [{ provider: 'work', subject: 'w' }, person] }]);
    const auditContext = { actor: 'person' } as const;
    const { issuer, subject } = { issuer: findIssuer('apple'), subject: 'a-later' };
    const connection = { provider: 'apple', providerName: 'Apple', identity: { issuer, subject, label: null }, auditContext };
    await operator.services.identities.connect({ accountId: String(made?.['id']), ...connection });
    const { out: lines } = await foyer('account export');
    const exported = parseLines(lines).find(({ username }) => username === 'round.trip')?.['providers'];
    const connected_at = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
    expect(exported).toHaveLength(3);
    expect(exported).toEqual(
      expect.arrayContaining([
        { ...person, connected_at },
        { provider: 'work', issuer: findIssuer('work'), subject: 'w', connected_at },
        { provider: 'apple', issuer, subject, connected_at },
      ]),
    );
    const other = await startTestOperator({ foundation: () => ({ identityProviders: providers }) });
    try {
      const again = importer(() => other);
      const count = lines.trimEnd().split('\n').length;
      for (const [query, result] of [
        ['?dry_run=true', 'would_create'],
        ['', 'created'],
        ['', 'exists'],
      ] as const) {
        const results = (await again.importLines(lines.trimEnd().split('\n'), query)).map((answer) => answer['result']);
        expect(results).toEqual(Array.from({ length: count }, () => result));
      }
      expect(parseLines((await other.call('GET', '/exports')).text)).toEqual(parseLines(lines));
    } finally {
      await other.close();
    }
  });
});
