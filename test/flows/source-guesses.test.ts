/** What somebody who guesses, or who has the address of another person, learns about people of a source. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { Attempts } from '../../src/accounts/limits/attempts.js';
import { HasherBusy, PasswordHasher } from '../../src/accounts/password/hasher.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const THERE = 'linde kupfer 1284';

let gateway: TestGateway;
let staff: FakeUserSource;
let partners: FakeUserSource;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  partners = new FakeUserSource('partners');
  const schema = { properties: { role: { type: 'string' } }, required: ['role'] };
  gateway = await startTestGateway({
    sources: [staff, partners],
    config: ({ login, accounts }) => ({ login: { ...login, byEmail: true }, accounts: { ...accounts, schema } }),
  });
});
afterAll(() => gateway.close());

function addPerson(username: string, more: Partial<FakePerson> = {}): FakePerson {
  const id = { subject: `id-of-${username}`, username, email: `${username}@there.example`, emailVerified: false };
  const person = { ...id, isActive: true, attributes: { role: 'clerk' }, password: THERE, ...more };
  staff.people.push(person);
  return person;
}

async function signIn(username: string, password = THERE): Promise<number> {
  const browser = gateway.browser({ 'accept-language': 'en' });
  const challenge = `guess-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  return (await browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge: challenge, username, password })).status;
}

describe('[SRC-6] guessing at people of a source', () => {
  it('[LOG-6] [S-102] counts spellings of a name together that is not a username here', async () => {
    addPerson('neil', { email: "o'neil@there.example" });
    const spellings = ["o'neil@there.example", "O'neil@there.example", "o'Neil@there.example", "o'nEil@there.example"];
    for (const name of [...spellings, "o'neIl@there.example"]) expect(await signIn(name, 'wrong password 1')).toBe(422);
    expect(await signIn("o'neiL@there.example")).toBe(429);
  });

  it('[LOG-6] counts all names of a person together, and unlocks them together', async () => {
    const nina = addPerson('nina');
    expect(await signIn('nina')).toBe(303);
    for (const name of ['nina', nina.email ?? '', 'NINA@there.example', 'nina'])
      expect(await signIn(name, 'wrong password 1')).toBe(422);
    expect(await signIn('nina@there.example', 'wrong password 1')).toBe(422);
    for (const name of ['nina', 'nina@there.example']) expect(await signIn(name)).toBe(429);
    const account = await gateway.get(Accounts).findByUsername('nina');
    if (!account) throw new Error('no account was made');
    expect(await gateway.get(Attempts).unlock(account, async () => undefined)).toBe(true);
    for (const name of ['nina', 'nina@there.example']) expect(await signIn(name)).toBe(303);
  });

  it('[LOG-6] unlocks what was counted for a name before its person was known', async () => {
    addPerson('olaf');
    for (let failure = 0; failure < 5; failure += 1) expect(await signIn('olaf@there.example', 'wrong password 1')).toBe(422);
    expect(await signIn('olaf@there.example')).toBe(429);
    expect(await signIn('olaf')).toBe(303);
    const before = await gateway.database.db.selectFrom('attempt_counter').selectAll().execute();
    const account = await gateway.get(Accounts).findByUsername('olaf');
    if (!account) throw new Error('no account was made');
    await gateway.get(Attempts).unlock(account, async () => undefined);
    const after = await gateway.database.db.selectFrom('attempt_counter').selectAll().execute();
    expect(before.length - after.length).toBe(2);
  });

  it('[LOG-6] does not count a name of an earlier source for a person of a later one', async () => {
    const theirs = { ...addPerson('paul'), subject: 'other', username: 'pauline', email: 'paul', names: ['pauline', 'paul'] };
    partners.people.push(theirs);
    await gateway.get(SourceAccounts).createOrUpdate({ source: 'partners', person: theirs, auditContext: { actor: 'operator' } });
    for (let failure = 0; failure < 4; failure += 1) expect(await signIn('paul', 'wrong password 1')).toBe(422);
    expect(await signIn('pauline')).toBe(303);
    expect(await signIn('paul', 'wrong password 1')).toBe(422);
    expect(await signIn('paul')).toBe(429);
  });

  it('[LOG-6] does not count a name for the person here who entered it if it belongs to another person at the source', async () => {
    const victim = addPerson('otto');
    const names = ['evil', victim.email ?? ''];
    const evil = { ...addPerson('evil'), names };
    await gateway
      .get(SourceAccounts)
      .createOrUpdate({ source: 'staff', person: evil, auditContext: { actor: 'person', requestId: 'test' } });
    for (let failure = 0; failure < 4; failure += 1) expect(await signIn(victim.email ?? '', 'wrong password 1')).toBe(422);
    expect(await signIn('evil')).toBe(303);
    expect(await signIn(victim.email ?? '', 'wrong password 1')).toBe(422);
    expect(await signIn(victim.email ?? '')).toBe(429);
  });

  it.each([
    ['verified address', 'vera', 'vera@private.example'],
    ['username', 'viola', 'viola'],
  ])(
    '[LOG-6] whoever has the %s of somebody at an earlier source does not reset the guesses at that person',
    async (_, username, name) => {
      const there = { subject: `id-of-${username}`, username, email: `${username}@partners.example`, emailVerified: false };
      partners.people.push({ ...there, isActive: true, attributes: { role: 'clerk' }, password: THERE });
      expect(await signIn(username)).toBe(303);
      const account = await gateway.get(Accounts).findByUsername(username);
      await gateway.get(Accounts).update(account?.id ?? '', { email: `${username}@private.example`, emailVerified: true });
      const evil = addPerson(`evil.of.${username}`);
      expect(await signIn(evil.username)).toBe(303);
      evil.username = username === name ? name : evil.username;
      evil.email = name;
      evil.password = 'of the evil one 77';
      for (let failure = 0; failure < 4; failure += 1) expect(await signIn(there.email, 'wrong password 1')).toBe(422);
      expect(await signIn(name, evil.password)).toBe(303);
      expect(await signIn(there.email, 'wrong password 1')).toBe(422);
      expect(await signIn(there.email)).toBe(429);
    },
  );

  it('[LOG-6] counts a wrong password also while too many hashes wait', async () => {
    addPerson('karl');
    const hasher = gateway.get(PasswordHasher);
    const { verifyDummy } = hasher;
    hasher.verifyDummy = () => Promise.reject(new HasherBusy());
    for (let failure = 0; failure < 5; failure += 1) expect(await signIn('karl', 'wrong password 1')).toBe(503);
    hasher.verifyDummy = verifyDummy;
    staff.calls.length = 0;
    expect(await signIn('karl')).toBe(429);
    expect(staff.calls).toEqual([]);
  });
});

describe('a person with a verified address that only this installation knows', () => {
  it('[LOG-1] [LOG-6] signs in with it at the source; guesses at it and at the username count together', async () => {
    addPerson('quirin');
    expect(await signIn('quirin')).toBe(303);
    const accounts = gateway.get(Accounts);
    const account = await accounts.findByUsername('quirin');
    const email = 'quirin@private.example';
    expect(await signIn(email)).toBe(422);
    await accounts.update(account?.id ?? '', { email, emailVerified: true });
    expect(await signIn(email)).toBe(303);
    for (const name of [email, 'quirin', email, 'quirin', email]) expect(await signIn(name, 'wrong password 1')).toBe(422);
    for (const name of [email, 'quirin', 'quirin@there.example']) expect(await signIn(name)).toBe(429);
  });
});

describe('a person whose address another account has verified', () => {
  it('still loses the groups that the source removes', async () => {
    const lena = addPerson('lena', { groups: ['admins', 'staff'] });
    expect(await signIn('lena')).toBe(303);
    const accounts = gateway.get(Accounts);
    const attributes = { role: 'clerk' };
    await accounts.create({ username: 'lena.private', email: lena.email ?? '', emailVerified: true, attributes });
    Object.assign(lena, { emailVerified: true, groups: ['staff'] });
    expect(await signIn('lena')).toBe(303);
    expect(await accounts.findByUsername('lena')).toMatchObject({ groups: ['staff'], emailVerified: false });
  });
});

describe('a person with an attribute that cannot be taken over', () => {
  it('still loses the role that the source removes, also if accounts need one', async () => {
    const mona = addPerson('mona', { attributes: { role: 'admin', nickname: 'Mona' } });
    expect(await signIn('mona')).toBe(303);
    mona.attributes = { role: 'clerk', nickname: 'Mona\u202e' };
    expect(await signIn('mona')).toBe(303);
    expect((await gateway.get(Accounts).findByUsername('mona'))?.attributes).toEqual({ role: 'clerk' });
  });
});
