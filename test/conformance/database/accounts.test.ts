import { beforeAll, expect, it } from '@jest/globals';
import {
  AccountFieldInvalid,
  AccountNotFound,
  ProofOutdated,
  UsernameTaken,
} from '../../../src/accounts/account/account.errors.js';
import { randomToken } from '../../../src/config/keys.js';
import { describeOnDatabases, openBeside } from '../../support/databases.js';
import { AccountParts, PASSWORD, newName } from './account-parts.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';
const OPERATOR = { actor: 'operator', address: '192.0.2.1', requestId: 'r-1' } as const;

describeOnDatabases('accounts', (test, kind) => {
  let parts: AccountParts;
  beforeAll(() => {
    parts = new AccountParts(test.database);
  });

  it('keeps what is given, and finds an account by its id and by any spelling of its name', async () => {
    const username = `Änne.${newName()}`;
    const account = await parts.accounts.create({
      username: `  ${username} `,
      displayName: 'Änne Größe',
      email: 'Aenne@example.org',
      picture: 'https://example.org/a.png',
      language: 'de',
      groupName: 'Familie',
    });
    expect(account).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username,
      displayName: 'Änne Größe',
      email: 'Aenne@example.org',
      emailVerified: false,
      picture: 'https://example.org/a.png',
      language: 'de',
      groupName: 'Familie',
      groups: ['Familie'],
      attributes: {},
      status: 'active',
      createdAt: expect.any(Date),
      updatedAt: account.createdAt,
    });
    expect(await parts.accounts.find(account.id)).toEqual(account);
    expect(await parts.accounts.findByUsername(username.toUpperCase())).toEqual(account);
  });

  it('needs only a name', async () => {
    const username = newName();
    const account = await parts.accounts.create({ username });
    expect(account).toMatchObject({ username, displayName: username, emailVerified: false, status: 'active' });
    expect(Object.keys(account)).not.toContain('email');
  });

  // PGlite has one connection, so no other transaction can run meanwhile.
  (kind === 'postgresql' ? it : it.skip)('locks the account before the condition of a change is checked', async () => {
    const { id } = await parts.accounts.create({ username: newName() });
    const beside = await openBeside(test.database, test.clock);
    const unlocked = beside.db.selectFrom('account').select('id').where('id', '=', id).forUpdate().skipLocked();
    let rows: unknown[] = [id];
    const condition = { require: async () => void (rows = await unlocked.execute()) };
    await parts.accounts.update(id, { language: 'en' }, { ...OPERATOR, condition });
    await beside.close();
    expect(rows).toEqual([]);
  });

  it('changes attributes one by one, also when changes are made at the same moment', async () => {
    const { id } = await parts.accounts.create({ username: newName() });
    const names = ['given_name', 'family_name', 'middle_name', 'nickname', 'gender', 'zoneinfo'];
    await Promise.all(names.map((name) => parts.accounts.update(id, { attributes: { [name]: 'x' } })));
    expect(Object.keys((await parts.accounts.find(id))?.attributes ?? {}).toSorted()).toEqual(names.toSorted());
  });

  it.each([[''], ['nobody'], [NOBODY], ["' OR 1=1--"], ['\u0000'], [`${NOBODY}x`]])('finds nobody by the id %j', async (id) => {
    expect(await parts.accounts.find(id)).toBeNull();
    await expect(parts.accounts.update(id, { displayName: 'x y' })).rejects.toThrow(AccountNotFound);
    await expect(parts.accounts.setStatus(id, 'disabled')).rejects.toThrow(AccountNotFound);
    await expect(parts.setPassword.setPassword(id, PASSWORD)).rejects.toThrow(AccountNotFound);
    expect(await parts.audit.list(id)).toEqual({ entries: [] });
  });

  it.each([[''], ['%'], ['\u0000'], ['x'.repeat(100_000)]])('finds nobody by an impossible name', async (username) => {
    expect(await parts.accounts.findByUsername(username)).toBeNull();
    expect(await parts.list.page({ username })).toEqual({ accounts: [] });
    expect(await parts.list.page({ email: username })).toEqual({ accounts: [] });
  });

  it('refuses a name that is taken in another spelling, also when both are created at the same moment', async () => {
    const username = newName();
    const spellings = [username, username.toUpperCase(), ` ${username}`, ...Array.from({ length: 7 }, () => username)];
    const made = await Promise.allSettled(spellings.map((spelling) => parts.accounts.create({ username: spelling })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(UsernameTaken);
    const other = await parts.accounts.create({ username: newName() });
    await expect(parts.accounts.update(other.id, { username })).rejects.toThrow(UsernameTaken);
  });

  it.each([
    [{ username: '' }, 'username'],
    [{ displayName: 'a\r\nb' }, 'displayName'],
    [{ email: 'a@b\u0000' }, 'email'],
    [{ picture: 'javascript:alert(1)' }, 'picture'],
    [{ language: 'xx' as 'de' }, 'language'],
    [{ groupName: '' }, 'groupName'],
    [{ emailVerified: 'true' as unknown as boolean }, 'emailVerified'],
    [{ username: ['a', 'b', 'c'] as unknown as string }, 'username'],
  ])('refuses %j and names the field %s', async (fields, field) => {
    const account = await parts.accounts.create({ username: newName() });
    const fault = expect.objectContaining({ field });
    await expect(parts.accounts.create({ username: newName(), ...fields })).rejects.toEqual(fault);
    await expect(parts.accounts.update(account.id, fields)).rejects.toEqual(fault);
    await expect(parts.accounts.update(account.id, fields)).rejects.toThrow(AccountFieldInvalid);
    expect(await parts.accounts.find(account.id)).toEqual(account);
  });

  it('changes the given fields, clears those that are null, and leaves the rest', async () => {
    const account = await parts.accounts.create({
      username: newName(),
      email: 'a@example.org',
      emailVerified: true,
      language: 'de',
    });
    expect(account.emailVerified).toBe(true);
    test.clock.advanceSeconds(60);
    const changed = await parts.accounts.update(account.id, { language: null, displayName: 'Anna' });
    expect(changed).toMatchObject({ displayName: 'Anna', email: 'a@example.org', emailVerified: true });
    expect(changed).not.toHaveProperty('language');
    expect(changed.updatedAt.getTime()).toBeGreaterThan(account.updatedAt.getTime() + 59_000);
    expect(await parts.accounts.update(account.id, {})).toEqual(changed);
  });

  it('stores a new e-mail address as not verified', async () => {
    const account = await parts.accounts.create({ username: newName(), email: 'a@example.org', emailVerified: true });
    expect(await parts.accounts.update(account.id, { email: 'b@example.org' })).toMatchObject({ emailVerified: false });
    expect(await parts.accounts.update(account.id, { email: 'c@example.org', emailVerified: true })).toMatchObject({
      emailVerified: true,
    });
    expect(await parts.accounts.update(account.id, { email: null })).toMatchObject({ emailVerified: false });
  });

  it('lists all accounts in order of creation, page by page', async () => {
    const email = `${newName()}@example.org`;
    const made = [];
    for (let index = 0; index < 7; index++)
      made.push(await parts.accounts.create({ username: newName(), email: email.toUpperCase() }));
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await parts.list.page({ email, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.accounts);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(made.map((account) => ({ ...account, source: null, lastSignInAt: null })));
    expect((await parts.list.page({ username: made[2]?.username.toUpperCase() ?? '' })).accounts).toMatchObject([made[2] ?? {}]);
  });

  it.each([['x'], ['-1'], ["1' OR 1=1--"], ['9'.repeat(30)], ['1.5']])('refuses the cursor %j', async (cursor) => {
    await expect(parts.list.page({ cursor })).rejects.toEqual(expect.objectContaining({ field: 'cursor' }));
    expect(await parts.audit.list(NOBODY, cursor)).toEqual({ entries: [] });
  });

  it('limits page sizes that are out of range', async () => {
    for (const limit of [0, -5, Number.NaN, 1.7]) expect((await parts.list.page({ limit })).accounts.length).toBeGreaterThan(0);
    expect((await parts.list.page({ limit: 1e9 })).accounts.length).toBeLessThanOrEqual(200);
  });

  it('ends the sessions of an account in the moment in which it is disabled, and begins none for it afterwards', async () => {
    const account = await parts.createPerson();
    const browser = randomToken();
    const session = {
      browser,
      accountId: account.id,
      upstreamSessionId: randomToken(),
      acr: 'x',
      amr: ['pwd'],
      lifetimeSeconds: 60,
    };
    await parts.sessions.begin(session);
    const disabled = await parts.accounts.setStatus(account.id, 'disabled', OPERATOR);
    expect(disabled.status).toBe('disabled');
    expect(await parts.sessions.find(browser, account.id)).toBeNull();
    await expect(parts.sessions.begin(session)).rejects.toThrow(ProofOutdated);
    await parts.accounts.setStatus(account.id, 'active', OPERATOR);
    expect(await parts.sessions.find(browser, account.id)).toBeNull();
    expect(await parts.sessions.begin(session)).toMatchObject({ accountId: account.id });
  });

  it('sets only passwords that meet the policy', async () => {
    const account = await parts.accounts.create({ username: newName() });
    expect(await parts.setPassword.setPassword(account.id, 'passwort')).toEqual(['common']);
    expect(await parts.setPassword.setPassword(account.id, account.username)).toEqual(['username']);
    expect(await parts.setPassword.setPassword(account.id, '')).toEqual(['empty']);
    expect(await parts.tryPassword(account.username, 'passwort')).toEqual({ kind: 'refused' });
    expect(await parts.setPassword.setPassword(account.id, PASSWORD)).toEqual([]);
    expect(await parts.tryPassword(account.username, PASSWORD)).toMatchObject({ kind: 'proven' });
  });

  it('records in the audit log who did what, when and from where, and no secrets', async () => {
    const account = await parts.accounts.create({ username: newName() }, OPERATOR);
    await parts.accounts.update(account.id, { displayName: 'Anna', language: 'de' }, OPERATOR);
    await parts.setPassword.setPassword(account.id, PASSWORD, OPERATOR);
    const session = { accountId: account.id, acr: 'x', amr: ['pwd'], lifetimeSeconds: 60 };
    await parts.sessions.begin({ ...session, browser: randomToken(), upstreamSessionId: randomToken() });
    expect(await parts.sessions.endForAccount(account.id, OPERATOR)).toBe(1);
    expect(await parts.sessions.endForAccount(account.id, OPERATOR)).toBe(0);
    await parts.accounts.setStatus(account.id, 'disabled', OPERATOR);
    await parts.accounts.setStatus(account.id, 'active', OPERATOR);
    const { entries } = await parts.audit.list(account.id);
    expect(entries.map(({ kind }) => kind)).toEqual([
      'account.enabled',
      'account.disabled',
      'sessions.ended',
      'password.changed',
      'account.changed',
      'account.created',
    ]);
    for (const entry of entries) expect(entry).toMatchObject({ ...OPERATOR, accountId: account.id, at: expect.any(Date) });
    expect(entries.map(({ detail }) => detail)).toContainEqual({ fields: ['displayName', 'language'] });
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
  });

  it('records nothing in the audit log for a change that fails', async () => {
    const taken = newName();
    await parts.accounts.create({ username: taken });
    const account = await parts.accounts.create({ username: newName() });
    await expect(parts.accounts.update(account.id, { username: taken })).rejects.toThrow(UsernameTaken);
    expect((await parts.audit.list(account.id)).entries).toHaveLength(1);
  });

  it('pages through a long audit log, newest first', async () => {
    const account = await parts.accounts.create({ username: newName() });
    for (let index = 0; index < 120; index++) {
      await parts.audit.record({ actor: 'system', kind: 'account.changed', accountId: account.id, detail: { index } });
    }
    const first = await parts.audit.list(account.id);
    const second = await parts.audit.list(account.id, first.nextCursor);
    const third = await parts.audit.list(account.id, second.nextCursor);
    expect([first, second, third].map(({ entries }) => entries.length)).toEqual([50, 50, 21]);
    expect(first.entries[0]?.detail).toEqual({ index: 119 });
    expect(third.nextCursor).toBeUndefined();
  });
});
