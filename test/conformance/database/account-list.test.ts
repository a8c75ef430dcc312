/** The list of accounts on both databases: what a search finds, and how a large table is read. */
import { beforeAll, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { AccountList, type AccountQuery } from '../../../src/accounts/account/account-list.js';
import type { Database } from '../../../src/database/database.js';
import { describeOnSampledDatabases } from '../../support/databases.js';
import { AccountParts } from './account-parts.js';

const MANY = 20_000;
const PART = 2_000;

describeOnSampledDatabases('the list of accounts', (test) => {
  let database: Database;
  let parts: AccountParts;
  let list: AccountList;

  beforeAll(async () => {
    database = test.database;
    parts = new AccountParts(database);
    list = new AccountList(database);
    // The rows are inserted in parts, because each statement has a time limit, also on a busy machine.
    for (let first = 1; first <= MANY; first += PART) {
      await sql`
        insert into account (username, username_key, display_name, email, email_key, group_name, groups, status, created_at, updated_at)
        select 'person.' || n, 'person.' || n, 'Person Nummer ' || n, 'p' || n || '@example.org', 'p' || n || '@example.org',
          case when n % 100 = 0 then 'Einkauf' end, case when n % 150 = 0 then array['Lager', 'Einkauf'] else '{}' end, case when n % 500 = 0 then 'disabled' else 'active' end, now(), now()
        from generate_series(${first}::int, ${first + PART - 1}::int) as n`.execute(database.db);
    }
    await parts.accounts.create({ username: 'zoë.Müller', displayName: 'Zoë Müller-Lüdenscheidt', email: 'zm@firma.example' });
    await parts.accounts.create({ username: 'oneil', displayName: "O'Neil & Söhne", groupName: 'Einkauf' });
    const session = sql`insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at)`;
    await sql`${session} select id, 'first', 'browser', ${toDay(1)}::timestamptz, '1', '{pwd}', 'infinity' from account
      where seq % 4 = 0`.execute(database.db);
    await sql`insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
      select id, case when seq % 400 = 0 then 'rare' else 'staff' end, seq::text, '', now(), now() from account where seq % 2 = 0`.execute(
      database.db,
    );
    await sql`analyze`.execute(database.db);
  }, 180_000);

  /** @param day in 2026 */
  const toDay = (day: number): Date => new Date(Date.UTC(2026, 0, day));

  async function signIn(username: string, day: number): Promise<void> {
    await sql`insert into browser_session (account_id, upstream_session_id, browser_hash, auth_time, acr, amr, expires_at)
      select id, 'later', 'browser', ${toDay(day)}::timestamptz, '1', '{pwd}', 'infinity' from account where username = ${username}
      on conflict (account_id, upstream_session_id) do update set auth_time = excluded.auth_time`.execute(database.db);
  }

  const listNames = async (query: AccountQuery) => (await list.page(query)).accounts.map(({ username }) => username);

  it.each([
    ['müller', ['zoë.Müller']],
    ['MÜLL', ['zoë.Müller']],
    ['lüdenscheidt zoë', ['zoë.Müller']],
    ['firma', ['zoë.Müller']],
    ['zm@firma.example', ['zoë.Müller']],
    ['neil söhne', ['oneil']],
    ["o'neil", ['oneil']],
    ['person.777', ['person.777', ...Array.from({ length: 10 }, (_, digit) => `person.777${digit}`)]],
    ["x') or true --", []],
    ["\\' | a:* & !b", []],
    ['nobody', []],
  ])('finds accounts by the words of %p and by their beginnings', async (search, expected) => {
    expect(await listNames({ search })).toEqual(expected);
  });

  it('refuses a search without a word and a search of too many words', async () => {
    for (const search of ['', ' ', '.@-', '\u0000']) {
      await expect(list.page({ search })).rejects.toEqual(expect.objectContaining({ field: 'search', code: 'format' }));
    }
    await expect(list.page({ search: 'a '.repeat(11) })).rejects.toEqual(expect.objectContaining({ field: 'search' }));
  });

  it('combines filters and lists every account once, page by page', async () => {
    const found: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await list.page({
        groupName: 'Einkauf',
        status: 'active',
        limit: 50,
        ...(cursor === undefined ? {} : { cursor }),
      });
      found.push(...page.accounts.map(({ username }) => username));
      cursor = page.nextCursor;
    }
    expect(found).toHaveLength(MANY / 100 - MANY / 500 + 1);
    expect(new Set(found).size).toBe(found.length);
    expect(await listNames({ groupName: 'einkauf' })).toEqual([]);
  });

  it('finds everybody of a group, also people for whom it is one of several groups', async () => {
    expect(await listNames({ group: 'Einkauf', limit: 5 })).toEqual([100, 150, 200, 300, 400].map((n) => `person.${n}`));
    expect(await listNames({ group: 'Einkauf', search: 'person.4500' })).toEqual(['person.4500']);
    expect(await listNames({ groupName: 'Lager' })).toEqual([]);
    expect(await listNames({ group: 'Lager', limit: 2 })).toEqual(['person.150', 'person.300']);
    for (const group of ['lager', 'Lag', '', '{Lager}', "x') or true --"]) expect(await listNames({ group })).toEqual([]);
  });

  it('knows who signed in last, and lists them before the others, page by page', async () => {
    await signIn('person.5', 10);
    await signIn('person.6', 9);
    await signIn('person.6', 12);
    // An older sign-in that is written later changes nothing.
    await signIn('person.5', 3);
    expect(await listNames({ signedInSince: toDay(2) })).toEqual(['person.6', 'person.5']);
    expect(await listNames({ signedInSince: toDay(10), signedInBefore: toDay(12) })).toEqual(['person.5']);
    const found: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages++) {
      const page = await list.page({ signedInBefore: toDay(11), limit: 200, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.accounts.map(({ username }) => username));
      cursor = page.nextCursor;
    }
    expect([found[0], found.length, new Set(found).size]).toEqual(['person.5', MANY / 4 + 1, MANY / 4 + 1]);
    expect((await listNames({ hasNeverSignedIn: true, limit: 5 })).slice(0, 4)).toEqual([1, 2, 3, 7].map((n) => `person.${n}`));
    await expect(list.page({ signedInBefore: toDay(11), cursor: '7' })).rejects.toEqual(
      expect.objectContaining({ field: 'cursor' }),
    );
    await expect(list.page({ cursor: '7-7' })).rejects.toEqual(expect.objectContaining({ field: 'cursor' }));
  });

  it('knows to which source an account belongs, until it is disconnected', async () => {
    expect(await listNames({ source: 'rare', limit: 2 })).toEqual(['person.400', 'person.800']);
    expect(await listNames({ source: 'staff', hasNeverSignedIn: true, limit: 2 })).toEqual(['person.2', 'person.10']);
    expect(await listNames({ source: "' or true --\u0000" })).toEqual([]);
    expect(await listNames({ isLocal: true, limit: 2 })).toEqual(['person.1', 'person.3']);
    await sql`delete from source_account using account where id = account_id and username = 'person.2'`.execute(database.db);
    expect(await listNames({ isLocal: true, limit: 2 })).toEqual(['person.1', 'person.2']);
    const { id } = await parts.accounts.create({ username: 'listed.late' });
    expect(await list.find(id)).toEqual({ source: null, lastSignInAt: null });
  });

  it.each<[string, AccountQuery, 'select' | 'scan' | 'lookup', RegExp]>([
    ['a page', {}, 'select', /Index Scan using account_seq/],
    ['a later page', { cursor: String(MANY / 2) }, 'select', /Index Scan using account_seq/],
    ['words nearby', { search: 'person' }, 'scan', /Limit[^]*Limit[^]*Index Scan using account_seq/],
    ['rare words', { search: 'lüdenscheidt' }, 'lookup', /Bitmap Index Scan on account_words/],
    ['rare words from a cursor on', { search: 'lüdenscheidt', cursor: '7' }, 'lookup', /Bitmap Index Scan on account_words/],
    ['a group', { groupName: 'Einkauf' }, 'select', /account_group/],
    ['a large group', { group: 'Einkauf' }, 'scan', /Limit[^]*Limit[^]*Index Scan using account_seq/],
    ['one of the groups', { group: 'nobody has it' }, 'lookup', /BitmapOr[^]*account_group\b[^]*account_groups/],
    ['disabled accounts', { status: 'disabled' }, 'select', /account_disabled/],
    ['a username', { username: 'person.7' }, 'select', /account_username_key/],
    ['a source', { source: 'rare' }, 'select', /account_listing_source/],
    ['nobody of a source', { source: 'unknown' }, 'select', /account_listing_source/],
    ['who belongs to no source', { isLocal: true }, 'select', /account_listing_source/],
    ['who never signed in', { hasNeverSignedIn: true }, 'select', /account_listing_sign_in/],
    [
      'who signed in since',
      { signedInSince: new Date('2026-01-02') },
      'select',
      /Index Scan Backward using account_listing_sign_in/,
    ],
    [
      'who signed in before',
      { signedInBefore: new Date('2026-01-02') },
      'select',
      /Index Scan Backward using account_listing_sign_in/,
    ],
    [
      'a group of those',
      { signedInBefore: new Date('2026-01-02'), group: 'nobody' },
      'lookup',
      /BitmapOr[^]*account_group\b[^]*account_groups/,
    ],
    ['an address', { email: 'p7@example.org' }, 'select', /account_email/],
  ])('reads %s through an index', async (_, query, statement, index) => {
    const compiled = list.buildStatements(query, 51)[statement].compile();
    const { rows } = await database.db.executeQuery<Record<string, string>>({ ...compiled, sql: `explain ${compiled.sql}` });
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('reads a page with one statement, and finds rare words with two', async () => {
    const findStatements = async (query: AccountQuery): Promise<number> => {
      const run = jest.spyOn(database.db.getExecutor(), 'executeQuery');
      await list.page(query);
      const { length } = run.mock.calls;
      run.mockRestore();
      return length;
    };
    expect(await findStatements({ cursor: '7', status: 'active' })).toBe(1);
    expect(await findStatements({ search: 'person' })).toBe(1);
    expect(await findStatements({ search: 'lüdenscheidt' })).toBe(2);
  });

  it('does not read all accounts to find nobody in a group while every account is in another', async () => {
    for (let first = 1; first <= MANY; first += PART) {
      await sql`
        update account set groups = array[case when seq % 2 = 0 then 'even' else 'odd' end]
        where seq between ${first} and ${first + PART - 1}`.execute(database.db);
    }
    await sql`analyze account`.execute(database.db);
    const run = jest.spyOn(database.db.getExecutor(), 'executeQuery');
    expect(await listNames({ group: 'nobody is in it', limit: 1 })).toEqual([]);
    const statements = run.mock.calls.map(([compiled]) => compiled);
    run.mockRestore();
    expect(statements.length).toBeGreaterThan(0);
    for (const compiled of statements) {
      const { rows } = await database.db.executeQuery<Record<string, string>>({
        ...compiled,
        sql: `explain (analyze, costs off, timing off) ${compiled.sql}`,
      });
      const plan = rows.map((row) => Object.values(row)[0]).join('\n');
      const read = [...plan.matchAll(/rows=(\d+)|Removed by Filter: (\d+)/g)].map(([, some, more]) => Number(some ?? more));
      expect(Math.max(...read)).toBeLessThanOrEqual(PART);
    }
  });
});
