/** A name that two sources know belongs to the first of them, so that no other source gets the passwords that are entered for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { SourceUnavailable } from '../../src/sources/source.errors.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';

const BY = { actor: 'operator', requestId: 'test' } as const;

let gateway: TestGateway;
let staff: FakeUserSource;
let partners: FakeUserSource;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff');
  partners = new FakeUserSource('partners');
  gateway = await startTestGateway({ sources: [staff, partners] });
});
afterAll(() => gateway.close());
beforeEach(() => {
  staff.isDown = false;
  for (const source of [staff, partners]) source.calls.length = 0;
});

function add(source: FakeUserSource, username: string, more: Partial<FakePerson> = {}): FakePerson {
  const fields = {
    subject: `${source.id}-${username}`,
    username,
    email: `${username}@${source.id}.example`,
    emailVerified: false,
  };
  const person = { ...fields, isActive: true, attributes: {}, password: `of ${source.id} 4821`, ...more };
  source.people.push(person);
  return person;
}

/** Signs in with a new browser from a new address. @returns the status of the answer */
async function signIn(username: string, { password }: FakePerson): Promise<number> {
  const challenge = `names-${(count += 1)}`;
  const browser = gateway.browser({ 'x-forwarded-for': `198.51.100.${count}` });
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  const typed = { _xsrf, ticket, login_challenge: challenge, username, password };
  return (await browser.post(PATHS.loginNative, typed)).status;
}
const account = (username: string) => gateway.get(Accounts).findByUsername(username);

describe('[SRC-7] a person of a later source', () => {
  it('gets no account with a name that an earlier source knows, whatever name they sign in with', async () => {
    const theirs = add(partners, 'anna', { email: 'other@partners.example' });
    const anna = add(staff, 'anna');
    expect(await signIn('other@partners.example', theirs)).toBe(403);
    expect(await account('anna')).toBeNull();
    expect(await signIn('anna', anna)).toBe(303);
  });

  it('gets no account while an earlier source cannot answer for the name', async () => {
    const theirs = add(partners, 'bea', { email: 'bea@partners.example' });
    const { find } = staff;
    staff.find = (key) =>
      'identifier' in key && key.identifier === 'bea'
        ? Promise.reject(new SourceUnavailable('staff', 'of the test'))
        : find.call(staff, key);
    expect(await signIn('bea@partners.example', theirs)).toBe(503);
    staff.find = find;
    expect(await account('bea')).toBeNull();
    expect(await signIn('bea@partners.example', theirs)).toBe(303);
  });

  it('does not get the name by changing theirs; a new name waits for a source that is down', async () => {
    add(staff, 'clara');
    const theirs = add(partners, 'clarissa');
    await signIn('clarissa', theirs);
    theirs.username = 'clara';
    expect(await signIn('clarissa@partners.example', theirs)).toBe(303);
    expect(await account('clarissa')).not.toBeNull();
    theirs.username = 'clarette';
    staff.isDown = true;
    const refreshed = gateway
      .get(SourceAccounts)
      .createOrUpdate({ source: 'partners', person: toSourcePerson(theirs), auditContext: BY });
    expect(await refreshed).toMatchObject({ account: { username: 'clarissa' } });
    staff.isDown = false;
    expect(await signIn('clarissa@partners.example', theirs)).toBe(303);
    expect(await account('clarette')).not.toBeNull();
  });

  it('with the name first does not get the passwords that are entered for it once an earlier source knows it', async () => {
    const theirs = add(partners, 'dora');
    expect(await signIn('dora', theirs)).toBe(303);
    const dora = add(staff, 'dora');
    partners.calls.length = 0;
    expect(await signIn('dora', dora)).toBe(403);
    expect(await signIn('dora', theirs)).toBe(422);
    expect(partners.calls).not.toContain('verify');
  });
});

describe('[SRC-7] a name that two people of one source have', () => {
  it('belongs to nobody, also at a later source', async () => {
    for (const subject of ['one', 'two']) add(staff, 'emil', { subject });
    const theirs = add(partners, 'emil');
    expect(await signIn('emil', theirs)).toBe(422);
    expect(partners.calls).not.toContain('verify');
  });
});

describe('[SRC-7] a name that cannot be stored', () => {
  it('is left out, and its person signs in with the others', async () => {
    const names = ['ivo', 'i\u0000vo@staff.example'];
    expect(await signIn('ivo', add(staff, 'ivo', { email: names[1] ?? '', names }))).toBe(303);
  });
});

describe('a person with a local password', () => {
  const rename = async (person: Account, username: string) => {
    const user = await ManageUser.enter(gateway, { account: person, fresh: true });
    const { status, body } = await (await user.rpc()).put('/username', { username });
    return [status, body['error']];
  };
  const TAKEN = [409, 'username not available'];

  it('[VAL-5] does not get the name of a person of a source who has no account yet', async () => {
    add(partners, 'flora');
    const mallory = await gateway.account('mallory');
    for (const name of ['flora', 'FLORA']) expect(await rename(mallory, name)).toEqual(TAKEN);
    staff.isDown = true;
    expect(await rename(mallory, 'nobody.there')).toEqual(TAKEN);
    staff.isDown = false;
    expect(await rename(mallory, 'nobody.there')).toEqual([200, undefined]);
  });

  it('[VAL-5] keeps the name in another spelling, and gets back the one that the source of the password knows', async () => {
    const gina = await gateway.account('gina');
    add(staff, 'gina');
    expect(await rename(gina, 'Gina')).toEqual([200, undefined]);
    partners.migrates = true;
    const theirs = add(partners, 'hedda', { password: PASSWORD });
    add(partners, 'helga');
    expect(await signIn('hedda', theirs)).toBe(303);
    partners.migrates = false;
    const hedda = await account('hedda');
    if (!hedda) throw new Error('no account was made');
    expect(await rename(hedda, 'hedda.new')).toEqual([200, undefined]);
    expect(await rename({ ...hedda, username: 'hedda.new' }, 'helga')).toEqual(TAKEN);
    expect(await rename({ ...hedda, username: 'hedda.new' }, 'hedda')).toEqual([200, undefined]);
  });
});

function toSourcePerson({ password: _, verdict: __, ...person }: FakePerson) {
  return person;
}
