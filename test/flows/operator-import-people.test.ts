/** Import and export of accounts that belong to people of sources and providers, with the subjects that apps know. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../../src/config/config.js';
import type { SourceSettings } from '../../src/config/source-settings.js';
import { PATHS } from '../../src/contract/paths.js';
import { findIssuer } from '../../src/providers/fake-identity-providers.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { PASSWORD, type TestGateway } from '../support/gateway.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { commandLine, importer, parseLines } from '../support/operator-story.js';
import { ProviderStory } from '../support/provider-story.js';

const UUID = '5f0c9a7e-2d41-4b6e-9a55-0d6a2f1c7b83';
const WORK = findIssuer('work');

const staff = new FakeUserSource('staff');
const directory = new FakeUserSource('directory');
directory.canMigrate = false;
const shop = new FakeUserSource('shop');
const sources = [staff, shop, directory];

const withPeople = ({ providers }: Config): Partial<Config> => ({
  sources: [{ id: 'staff', subjectPrefix: '' }, { id: 'shop' }] as unknown as SourceSettings[],
  providers: [
    ...providers,
    { id: 'work', name: 'Work', issuer: WORK, provision: {} },
    { id: 'google', name: 'Google', issuer: findIssuer('google') },
  ] as unknown as Config['providers'],
});

interface Installation {
  story: ProviderStory;
  gateway: TestGateway;
  operator: TestOperator;
  close(): Promise<void>;
}

async function install(): Promise<Installation> {
  const story = await ProviderStory.start({ sources, config: withPeople });
  const { gateway, providers: identityProviders } = story;
  const operator = await startTestOperator({
    config: withPeople,
    database: gateway.database,
    foundation: ({ log }) => ({ sources: new UserSources(sources, log), identityProviders }),
  });
  return { story, gateway, operator, close: async () => (await operator.close(), gateway.close()) };
}

let here: Installation;
let count = 0;
const { importLines } = importer(() => here.operator);

beforeAll(async () => {
  here = await install();
});
afterAll(() => here.close());
beforeEach(() => {
  shop.migrates = false;
});

function add(source: FakeUserSource, username: string, subject = `id|${username}`): FakePerson {
  const person = { subject, username, emailVerified: false, attributes: {}, isActive: true, password: PASSWORD };
  source.people.push(person);
  return person;
}

/** @returns `sub` of the accepted login, or the status of the refusal */
async function signIn({ gateway }: Installation, username: string, password = PASSWORD): Promise<string | number> {
  const challenge = `people-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `session-${count}` });
  const browser = gateway.browser();
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf } = page.state('login').login;
  const answer = await browser.post(PATHS.loginNative, { _xsrf, login_challenge: challenge, username, password });
  return subjectAt(gateway, challenge) ?? answer.status;
}

async function signInAtWork({ story, gateway }: Installation, subject: string): Promise<string | undefined> {
  const person = { subject, username: subject, emailVerified: false, attributes: {}, isActive: true };
  const { challenge } = await story.signIn(subject, 'work', { session: { person, isAdmitted: true } });
  return subjectAt(gateway, challenge);
}

const subjectAt = ({ hydra }: TestGateway, challenge: string) =>
  hydra.calls.flatMap((call) =>
    call.call === 'acceptLogin' && call.challenge === challenge ? [call.authentication.subject] : [],
  )[0];

const toRows = async ({ gateway: { database } }: Installation) =>
  Promise.all(
    (['source_account', 'migrated_account', 'account_subject', 'external_identity'] as const).map(async (table) =>
      (await database.db.selectFrom(table).select(['account_id', 'subject']).execute()).toSorted((one, other) =>
        one.account_id.localeCompare(other.account_id),
      ),
    ),
  );

describe('[OPR-6] an export', () => {
  it('fits an empty installation, where the same people sign in to the same accounts, and apps know them as before', async () => {
    add(staff, 'anna');
    add(staff, 'uuid', UUID);
    add(shop, 'kept');
    add(shop, 'moved');
    const subjects: Record<string, unknown> = {};
    for (const username of ['anna', 'uuid', 'kept']) subjects[username] = await signIn(here, username);
    shop.migrates = true;
    subjects['moved'] = await signIn(here, 'moved');
    shop.migrates = false;
    subjects['w-1'] = await signInAtWork(here, 'w-1');
    expect(subjects).toMatchObject({ anna: 'id|anna', uuid: UUID });
    const foyer = commandLine(() => here.operator);
    const plain = await foyer('account export');
    expect(plain.out).not.toMatch(/argon2|password_hash|totp_secret/);
    const lines = (await here.operator.call('GET', '/exports?password_hashes=true')).text.trimEnd().split('\n');
    const exported = new Map(parseLines(plain.out).map((line) => [line['username'], line]));
    const members = ({ subject, source, source_subject, migrated }: Record<string, unknown> = {}) => {
      return { subject, source, source_subject, migrated };
    };
    const absent = { subject: undefined, migrated: undefined };
    expect(['anna', 'uuid', 'kept', 'moved', 'w-1'].map((name) => members(exported.get(name)))).toEqual([
      { ...absent, subject: 'id|anna', source: 'staff', source_subject: 'id|anna' },
      { ...absent, source: 'staff', source_subject: UUID },
      { ...absent, source: 'shop', source_subject: 'id|kept' },
      { ...absent, source: 'shop', source_subject: 'id|moved', migrated: true },
      { ...absent, source: WORK, source_subject: 'w-1' },
    ]);
    const there = await install();
    try {
      const again = importer(() => there.operator);
      for (const [query, result] of [
        ['?dry_run=true', 'would_create'],
        ['', 'created'],
        ['', 'exists'],
      ]) {
        const results = await again.importLines(lines, query);
        expect(results.map((answer) => answer['result'])).toEqual(lines.map(() => result));
      }
      expect(parseLines((await there.operator.call('GET', '/exports?password_hashes=true')).text)).toEqual(
        parseLines(lines.join('\n')),
      );
      const before = await toRows(there);
      // The account has a password in Foyer, so the source is not asked.
      shop.people.splice(0, shop.people.length, ...shop.people.filter(({ username }) => username !== 'moved'));
      for (const username of ['anna', 'uuid', 'kept', 'moved']) expect(await signIn(there, username)).toBe(subjects[username]);
      expect(await signInAtWork(there, 'w-1')).toBe(subjects['w-1']);
      expect(await toRows(there)).toEqual(before);
      expect(await toRows(here)).toEqual(before);
    } finally {
      await there.close();
    }
  });
});

describe('[OPR-5] an import', () => {
  const line = (username: string, more: object = {}) => ({
    username,
    source: 'staff',
    source_subject: `id|${username}`,
    ...more,
  });

  it('links an account to a person, whose first sign-in takes everything over', async () => {
    add(staff, 'berta');
    const [made] = await importLines([line('berta', { display_name: 'Before', subject: 'app|berta' })]);
    expect(made).toMatchObject({ result: 'created' });
    expect((await here.operator.call('GET', `/accounts/${String(made?.['id'])}`)).json).toMatchObject({
      source: 'staff',
      subject: 'app|berta',
    });
    expect(await signIn(here, 'berta', 'wrong')).toBe(422);
    expect(await signIn(here, 'berta')).toBe('app|berta');
    const { json } = await here.operator.call('GET', '/audit?kind=account.imported');
    expect((json['entries'] as { detail: object }[])[0]?.detail).toMatchObject({ accounts: 1, people: 1 });
  });

  it('accepts a person of a provider by id too, and a migrated account of a source that no longer exists', async () => {
    const providers = [{ provider: 'work', subject: 'w-2' }];
    const made = await importLines([
      { username: 'worker', source: 'work', source_subject: 'w-2', providers },
      line('left', { source: 'old-shop', migrated: true, password: PASSWORD }),
    ]);
    expect(made.map(({ result }) => result)).toEqual(['created', 'created']);
    expect(await signInAtWork(here, 'w-2')).toBe(made[0]?.['id']);
    expect(await signIn(here, 'left')).toBe(made[1]?.['id']);
  });

  it('[S-103] links nobody to the person or the subject of another account, and reports each such line', async () => {
    add(staff, 'clara');
    add(shop, 'dora');
    await signIn(here, 'clara');
    shop.migrates = true;
    await signIn(here, 'dora');
    const { json } = await here.operator.call('GET', '/accounts?username=dora');
    const [{ id } = { id: '' }] = json['accounts'] as { id: string }[];
    const linked = { error: 'person_linked', field: 'source_subject', result: 'invalid' };
    const bad: [object, object][] = [
      [line('thief.1', { source_subject: 'id|clara' }), linked],
      [line('thief.2', { source: 'shop', source_subject: 'id|dora' }), linked],
      [line('thief.3', { source: 'shop', source_subject: 'id|dora', migrated: true }), linked],
      [line('thief.4', { source_subject: 'id|clara', migrated: true }), linked],
      [
        { username: 'thief.5', subject: 'id|clara' },
        { error: 'subject_taken', field: 'subject' },
      ],
      [
        { username: 'thief.6', subject: id },
        { error: 'id_taken', field: 'id' },
      ],
    ];
    const before = await toRows(here);
    for (const query of ['?dry_run=true', '']) {
      for (const [index, [given, expected]] of bad.entries()) {
        const answers = await importLines([line(`good.${query.length}.${index}`), given], query);
        expect(answers).toMatchObject([{ result: query === '' ? 'created' : 'would_create' }, { ...expected, line: 2 }]);
      }
    }
    const [people = [], ...others] = await toRows(here);
    expect([people.length, ...others]).toEqual([(before[0]?.length ?? 0) + bad.length, ...before.slice(1)]);
    for (const [given] of bad) {
      const named = await here.operator.call('GET', `/accounts?username=${(given as { username: string }).username}`);
      expect(named.json['accounts']).toEqual([]);
    }
  });

  it('counts a person and a subject once in a file, also across batches', async () => {
    const twice = [
      line('twin.1', { subject: 'twin' }),
      line('twin.2', { source_subject: 'id|twin.1' }),
      { username: 'twin.3', subject: 'twin' },
    ];
    expect(await importLines(twice, '?dry_run=true')).toMatchObject([
      { result: 'would_create' },
      { result: 'duplicate', first_line: 1 },
      { result: 'duplicate', first_line: 1 },
    ]);
    const between = Array.from({ length: 600 }, (_, index) => ({ username: `between.${index}` }));
    const text = [...twice.slice(0, 1), ...between, ...twice.slice(1)].map((one) => JSON.stringify(one)).join('\n');
    const foyer = commandLine(() => here.operator);
    const { code, out } = await foyer('account import - --dry-run', {
      input: async function* () {
        yield Buffer.from(text);
      } as never,
    });
    const reported = out.match(/standard input:\d+: The username, id, subject or person is the same as in line 1\./g);
    expect([code, reported?.length]).toEqual([1, 2]);
  });

  it('of two batches at the same moment gives a person one account', async () => {
    const lines = (name: string) =>
      Array.from({ length: 20 }, (_, index) => ({
        ...line(`${name}-${index}`, { source: 'shop', source_subject: `race|${index}`, subject: `race|${index}` }),
        ...(index % 2 === 0 ? { migrated: true } : {}),
      }));
    const both = await Promise.all([importLines(lines('one')), importLines(lines('two').toReversed())]);
    expect(both.flat().filter(({ result }) => result === 'created')).toHaveLength(20);
    expect(both.flat().filter(({ error }) => error === 'subject_taken')).toHaveLength(20);
  });

  it.each<[object, string, string]>([
    [{ source_subject: undefined }, 'missing', 'source_subject'],
    [{ source: undefined }, 'missing', 'source'],
    [{ source: undefined, source_subject: undefined, migrated: true }, 'missing', 'source'],
    [{ source: 'nowhere' }, 'unknown_source', 'source'],
    [{ source: 'google', providers: [{ provider: 'google', subject: 'id|wrong' }] }, 'unknown_source', 'source'],
    [{ source: 'work' }, 'missing', 'providers'],
    [{ source: WORK, providers: [{ provider: 'work', subject: 'another' }] }, 'missing', 'providers'],
    [{ source: WORK, migrated: true }, 'format', 'source'],
    [{ source: 'work', migrated: true }, 'format', 'source'],
    [{ source: 'directory', migrated: true }, 'format', 'source'],
    [{ source: 'No Source', migrated: true }, 'format', 'source'],
    [{ source_subject: '' }, 'format', 'source_subject'],
    [{ source_subject: 'x'.repeat(256) }, 'format', 'source_subject'],
    [{ source_subject: 'a\u0000b' }, 'format', 'source_subject'],
    [{ source_subject: 'a\ud83db' }, 'format', 'source_subject'],
    [{ source_subject: 7 }, 'wrong_type', 'source_subject'],
    [{ migrated: 'yes' }, 'wrong_type', 'migrated'],
    [{ subject: 'with blank' }, 'format', 'subject'],
    [{ id: '00000000-0000-4000-8000-000000000000', subject: UUID }, 'format', 'subject'],
    [{ password: PASSWORD }, 'conflict', 'password'],
    [{ password_hash: '$2b$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G' }, 'conflict', 'password_hash'],
  ])('reports what is wrong with %j', async (wrong, error, field) => {
    for (const query of ['?dry_run=true', '']) {
      const [bad] = await importLines([line('wrong', wrong)], query);
      expect(bad).toMatchObject({ result: 'invalid', error, field, message: expect.stringContaining(field) as unknown });
    }
    expect((await here.operator.call('GET', '/accounts?username=wrong')).json['accounts']).toEqual([]);
  });
});
