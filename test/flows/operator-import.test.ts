/** Accounts of another product, imported line by line through the operator API. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TotpRecords } from '../../src/mfa/factors/totp/totp.records.js';
import { Keys } from '../../src/config/keys.js';
import { startTestOperator, type TestOperator } from '../support/operator.js';
import { toBatch, expectError, importer, operatorSteps } from '../support/operator-story.js';
import { testConfig } from '../support/test-config.js';

const PASSWORD = 'Grüße, Welt 7';
const BCRYPT = '$2y$04$abcdefghijklmnopqrstuuhCbAlkpU5YC1oN3BN48dNyFsbNmMK3G';
const DJANGO = 'pbkdf2_sha256$1000$seasalt2$U9N5QXuJJaXTX4sC/3V3ZkLb+l/AD1wekWhh09NxF98=';
const SCRYPT = '$scrypt$ln=10,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$+lka2VcZXo8Fsp6cGtW1N+coNvjdOnIlg6nhWdWwpjw';
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const ID = '0b0e1c5a-7a5d-4a52-9d1f-3f0e5a8f1d11';

let operator: TestOperator;
const { importLines, send } = importer(() => operator);
const { createAccount, findKinds } = operatorSteps(() => operator);

beforeAll(async () => {
  operator = await startTestOperator();
});

afterAll(() => operator.close());

const show = async (id: unknown) => (await operator.call('GET', `/accounts/${String(id)}`)).json;

/** The event of the import that created an account, found by a value of the account. */
async function findImport(id: unknown): Promise<Record<string, unknown>> {
  const { import_request_id: request } = await show(id);
  const { json } = await operator.call('GET', '/audit?kind=account.imported');
  const found = (json['entries'] as Record<string, unknown>[]).filter((entry) => entry['request_id'] === request);
  expect(found).toHaveLength(1);
  return found[0] ?? {};
}

async function trySignIn(username: string, password = PASSWORD): Promise<string> {
  const attempt = { username, password, address: '192.0.2.7', device: null, requestId: 'request' };
  return (await operator.services.signIn.prove(attempt)).kind;
}

async function toHash(id: unknown): Promise<string | undefined> {
  const find = operator.database.db.selectFrom('password_credential').select('hash').where('account_id', '=', String(id));
  return (await find.executeTakeFirst())?.hash;
}

describe('[OPR-5] POST /imports', () => {
  it('creates an account with every value of a line', async () => {
    const line = {
      id: ID.toUpperCase(),
      username: 'Whole.Person',
      password_hash: BCRYPT,
      display_name: 'Eine Person',
      email: 'whole@example.org',
      email_verified: true,
      picture: 'https://example.org/p.png',
      language: 'de',
      group_name: 'Einkauf',
      status: 'disabled',
      second_factor: 'required',
      created_at: '2019-05-04T10:00:00+02:00',
    };
    expect(await importLines([line])).toEqual([{ line: 1, result: 'created', username: 'Whole.Person', id: ID }]);
    const { password_hash: _, ...said } = line;
    expect(await show(ID)).toMatchObject({ ...said, id: ID, created_at: '2019-05-04T08:00:00.000Z' });
    expect(await findKinds(ID)).toEqual([]);
    expect(await findImport(ID)).toMatchObject({ actor: 'operator', detail: { accounts: 1, passwords: ['bcrypt'] } });
    expect(JSON.stringify(operator.logLines)).not.toContain('abcdefgh');
  });

  it('accepts null for a missing value, and a line with only a name', async () => {
    const [one, other] = await importLines([
      { username: 'null.person', email: null, password_hash: null, id: null },
      { username: 'bare.person' },
    ]);
    expect([one?.['result'], other?.['result']]).toEqual(['created', 'created']);
    expect(await show(other?.['id'])).toMatchObject({ display_name: 'bare.person', email: null, status: 'active' });
    expect(await toHash(one?.['id'])).toBeUndefined();
    expect((await findImport(one?.['id']))['detail']).toEqual({ accounts: 2, passwords: ['none'] });
    expect(await findImport(other?.['id'])).toEqual(await findImport(one?.['id']));
  });

  it.each([
    ['bcrypt', BCRYPT],
    ['django', DJANGO],
    ['scrypt', SCRYPT],
  ])('admits the owner of a %s hash, and renews it only at the first right sign-in', async (name, password_hash) => {
    const username = `owner.${name}`;
    const [made] = await importLines([{ username, password_hash }]);
    expect(await toHash(made?.['id'])).toBe(password_hash);
    expect(await trySignIn(username, 'wrong')).toBe('refused');
    expect(await toHash(made?.['id'])).toBe(password_hash);
    expect(await trySignIn(username)).toBe('proven');
    expect(await toHash(made?.['id'])).toMatch(/^\$argon2id\$/);
    expect(await trySignIn(username)).toBe('proven');
    expect(await trySignIn(username, 'wrong')).toBe('refused');
  });

  it('hashes plain passwords, and refuses weak ones as elsewhere', async () => {
    const answers = await importLines([
      { username: 'plain.person', password: 'kupfer linde 4821' },
      { username: 'weak.person', password: '12345' },
    ]);
    expect(answers[0]).toMatchObject({ result: 'created' });
    expect(answers[1]).toMatchObject({
      result: 'invalid',
      error: 'password_refused',
      field: 'password',
      faults: ['too_short', 'common'],
    });
    expect(await toHash(answers[0]?.['id'])).toMatch(/^\$argon2id\$/);
    expect(await trySignIn('plain.person', 'kupfer linde 4821')).toBe('proven');
    expect(JSON.stringify(operator.logLines)).not.toContain('kupfer');
  });

  it('imports an authenticator app, and seals its seed', async () => {
    const [made] = await importLines([{ username: 'app.person', totp_secret: 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq' }]);
    const id = String(made?.['id']);
    expect(await show(id)).toMatchObject({ factors: { totp: true, security_keys: 0, recovery_codes_left: 0 } });
    const row = await operator.database.db
      .selectFrom('totp_factor')
      .selectAll()
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.secret).not.toContain('GEZD');
    const keys = new Keys(testConfig().secrets);
    const factors = new TotpRecords(operator.database, keys);
    expect(await factors.find(id)).toMatchObject({ seed: SEED, outdated: false });
    expect((await findImport(id))['detail']).toEqual({ accounts: 1, passwords: ['none'], totp: 1 });
  });

  it('reports existing accounts when it is repeated, and changes nothing', async () => {
    const lines = [{ username: 'again.one', password_hash: BCRYPT, email: 'one@example.org' }, { username: 'again.two' }];
    const first = await importLines(lines);
    const { id } = first[0] ?? {};
    await operator.call('PATCH', `/accounts/${String(id)}`, { email: 'new@example.org' });
    const changed = [
      { username: 'AGAIN.ONE', password_hash: DJANGO, email: 'other@example.org', totp_secret: SEED },
      ...lines.slice(1),
    ];
    expect(await importLines(changed)).toEqual([
      { line: 1, result: 'exists', username: 'AGAIN.ONE', id },
      { line: 2, result: 'exists', username: 'again.two', id: first[1]?.['id'] },
    ]);
    expect(await show(id)).toMatchObject({ username: 'again.one', email: 'new@example.org', factors: { totp: false } });
    expect(await toHash(id)).toBe(BCRYPT);
  });

  it('recognises two lines with one name or one id, and imports the first', async () => {
    const id = '11111111-7a5d-4a52-9d1f-3f0e5a8f1d11';
    const lines = [
      { username: 'straße.twin', id },
      { username: 'nobody', email: 'x' },
      { username: 'STRASSE.TWIN' },
      { username: 'other.twin', id },
    ];
    for (const query of ['?dry_run=true', '']) {
      const answers = await importLines(lines, query);
      expect(answers.map(({ line, result, first_line }) => [line, result, first_line])).toEqual([
        [1, query === '' ? 'created' : 'would_create', undefined],
        [2, 'invalid', undefined],
        [3, 'duplicate', 1],
        [4, 'duplicate', 1],
      ]);
    }
  });

  it('stores nothing in a dry run', async () => {
    const { username } = await createAccount();
    const count = async () => (await operator.database.db.selectFrom('audit_event').select('seq').execute()).length;
    const before = await count();
    const answers = await importLines([{ username: 'dry.person', password: 'kupfer linde 4821' }, { username }], '?dry_run=true');
    expect(answers).toMatchObject([{ result: 'would_create', username: 'dry.person' }, { result: 'exists' }]);
    expect((await operator.call('GET', '/accounts?username=dry.person')).json['accounts']).toEqual([]);
    expect(await count()).toBe(before);
    expectError(await send(toBatch([{ username: 'dry.person' }]), '?dry_run=yes'), 400, 'wrong_type', 'dry_run');
  });

  it.each<[unknown, string, string | undefined]>([
    ['{"username":', 'bad_json', undefined],
    ['', 'bad_json', undefined],
    ['["line.person"]', 'bad_json', undefined],
    [{}, 'missing', 'username'],
    [{ username: 7 }, 'wrong_type', 'username'],
    [{ username: 'ab' }, 'too_short', 'username'],
    [{ username: 'line.person', email: 'nonsense' }, 'format', 'email'],
    [{ username: 'line.person', email_verified: 'true' }, 'wrong_type', 'email_verified'],
    [{ username: 'line.person', language: 'xx' }, 'format', 'language'],
    [{ username: 'line.person', status: 'gone' }, 'format', 'status'],
    [{ username: 'line.person', second_factor: 'always' }, 'format', 'second_factor'],
    [{ username: 'line.person', id: '7' }, 'format', 'id'],
    [{ username: 'line.person', created_at: '4.5.2019' }, 'format', 'created_at'],
    [{ username: 'line.person', created_at: '2019-02-30T99:00:00Z' }, 'format', 'created_at'],
    [{ username: 'line.person', created_at: '9999-12-31T23:59:59-01:00' }, 'format', 'created_at'],
    [{ username: 'line.person', role: 'admin' }, 'unknown_member', 'role'],
    ['{"username":"line.person","__proto__":{"status":"disabled"}}', 'unknown_member', '__proto__'],
    [{ username: 'line.person', password: 'kupfer linde', password_hash: BCRYPT }, 'conflict', 'password_hash'],
    [{ username: 'line.person', password_hash: '5f4dcc3b5aa765d61d8327deb882cf99' }, 'format', 'password_hash'],
    [{ username: 'line.person', password_hash: BCRYPT.replace('$04$', '$31$') }, 'too_costly', 'password_hash'],
    [{ username: 'line.person', password_hash: DJANGO.replace('1000', '1000000000') }, 'too_costly', 'password_hash'],
    [{ username: 'line.person', password_hash: SCRYPT.replace('ln=10', 'ln=30') }, 'too_costly', 'password_hash'],
    [{ username: 'line.person', totp_secret: 'GEZDGNBVGY3TQOJQ' }, 'format', 'totp_secret'],
    [{ username: 'line.person', totp_secret: '0000000000000000000000000000' }, 'format', 'totp_secret'],
    [{ username: 'line.person', totp_secret: `${SEED}A` }, 'format', 'totp_secret'],
  ])('reports what is wrong with the line %j', async (line, error, field) => {
    const [bad, good] = await importLines([line, { username: `beside.${error}` }], '?dry_run=true');
    expect(bad).toMatchObject({ line: 1, result: 'invalid', error });
    expect(bad?.['field']).toBe(field);
    expect(bad?.['message']).toMatch(/^[\s\S]+\.$/);
    expect(good).toMatchObject({ line: 2, result: 'would_create' });
  });

  it('holds names that their owners gave up recently, and ids that other accounts have', async () => {
    const { id } = await createAccount();
    const held_until = new Date(operator.clock.now().getTime() + 86_400_000);
    await operator.database.db
      .insertInto('held_username')
      .values({ username_key: 'held.person', account_id: id, held_until })
      .execute();
    const lines = [{ username: 'held.person' }, { username: 'id.person', id }];
    for (const query of ['?dry_run=true', '']) {
      expect(await importLines(lines, query)).toMatchObject([
        { result: 'invalid', error: 'username_taken', field: 'username', message: expect.stringContaining('reserved') },
        { result: 'invalid', error: 'id_taken', field: 'id' },
      ]);
    }
  });

  it('holds a name that is given up after it was checked', async () => {
    const { id } = await createAccount();
    const row = { username_key: 'late.held', account_id: id, held_until: new Date(operator.clock.now().getTime() + 86_400_000) };
    await operator.database.db.insertInto('held_username').values(row).execute();
    const buildRow = (username: string) => ({
      username,
      username_key: username,
      display_name: username,
      hash: null,
      identities: [],
      person: null,
      subject: null,
      passwordHash: BCRYPT,
      passwordKind: 'bcrypt',
    });
    const lineNumbers = await operator.services.imports.insert([buildRow('late.held'), buildRow('late.free')], {
      actor: 'operator',
    });
    expect(lineNumbers).toMatchObject([{ kind: 'held' }, { kind: 'created' }]);
    expect((await operator.call('GET', '/accounts?username=late.held')).json['accounts']).toEqual([]);
  });

  it('says that an account exists if another import creates it between two look-ups', async () => {
    const { imports } = operator.services;
    const checked = imports.read({ username: 'made.meanwhile' });
    const row = { ...checked, identities: [], passwordHash: BCRYPT, passwordKind: 'bcrypt' };
    const names = imports['names'];
    const find = names.findConflicts.bind(names);
    const looking = jest.spyOn(names, 'findConflicts').mockImplementationOnce(async (...given) => {
      await imports.insert([row], { actor: 'operator' });
      return find(...given);
    });
    expect(await imports.check([row])).toMatchObject([{ kind: 'exists' }]);
    looking.mockRestore();
  });

  it('of two batches at the same moment creates everybody once', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => ({ username: `racer-${index}` }));
    const both = await Promise.all([importLines(lines), importLines(lines.toReversed())]);
    const results = both.flat().map(({ result }) => result);
    expect(results.filter((result) => result === 'created')).toHaveLength(40);
    expect(results.filter((result) => result === 'exists')).toHaveLength(40);
    expect(new Set(both.flat().map(({ id }) => id)).size).toBe(40);
  });

  it('stores a batch completely or not at all when the storage fails', async () => {
    const { imports } = operator.services;
    const row = (username: string, passwordHash: string) => ({
      username,
      username_key: username,
      display_name: username,
      hash: null,
      identities: [],
      person: null,
      subject: null,
      passwordKind: 'none',
      passwordHash,
    });
    const rows = [row('whole.one', BCRYPT), row('whole.two', 'a NUL \u0000 is not a text')];
    await expect(imports.insert(rows, { actor: 'operator' })).rejects.toThrow();
    expect((await operator.call('GET', '/accounts?username=whole.one')).json['accounts']).toEqual([]);
  });
});

describe('[OPR-5] the batch', () => {
  const line = (index: number) => ({ username: `many-${index}` });

  it('has at most 1000 lines and 2 MB', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => line(index));
    expectError(await send(toBatch(many), '?dry_run=true'), 413, 'too_large');
    expect(await importLines(many.slice(1), '?dry_run=true')).toHaveLength(1000);
    expectError(await send(`{"username":"${'x'.repeat(2 * 1024 * 1024)}"}`), 413, 'too_large');
  });

  it('contains only lines of JSON in UTF-8', async () => {
    expectError(await send(toBatch([line(1)]), '', { 'content-type': 'application/json' }), 415, 'unsupported');
    expectError(await send(toBatch([line(1)]), '', { 'content-encoding': 'gzip' }), 415, 'unsupported');
    const latin = Buffer.from('{"username":"Jürgen.person"}\n', 'latin1');
    expectError(await operator.call('POST', '/imports', latin, { 'content-type': 'application/x-ndjson' }), 400, 'bad_json');
    expectError(await operator.call('POST', '/imports'), 400, 'missing');
    expectError(await operator.call('POST', '/imports', '', { 'content-type': 'application/x-ndjson' }), 400, 'missing');
    const elsewhere = await operator.call('POST', '/accounts', toBatch([line(1)]), { 'content-type': 'application/x-ndjson' });
    expectError(elsewhere, 415, 'unsupported');
  });

  it('is accepted with the token only', async () => {
    expectError(await send(toBatch([line(1)]), '', { authorization: 'Bearer none' }), 401, 'unauthorized');
    expect((await operator.call('GET', '/imports')).status).toBe(405);
  });
});
