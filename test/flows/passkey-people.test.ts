/** Passkeys of people who belong to a source or to a provider, and the limits on attempts. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { freezeCredentials } from '../../src/accounts/account/credential-freeze.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS } from '../../src/contract/paths.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, signIn } from '../support/manage.js';
import { PasskeyStory, type TestPasskey } from '../support/passkeys.js';

let gateway: TestGateway;
let staff: FakeUserSource;
let story: PasskeyStory;
let count = 0;

beforeAll(async () => {
  staff = new FakeUserSource('staff', 'https://password.example/change');
  gateway = await startTestGateway({
    sources: [staff],
    config: (config) => ({ limits: { ...config.limits, addressFailures: 3, addressWindowSeconds: 600 } }),
  });
  story = new PasskeyStory(gateway);
});
afterAll(() => gateway.close());

/** Creates a person of the source with a passkey. */
async function holder(): Promise<{ person: FakePerson; passkey: TestPasskey }> {
  const username = `staff.${(count += 1)}`;
  const fields = { subject: `id-of-${username}`, username, email: `${username}@there.example`, emailVerified: false };
  const person = { ...fields, isActive: true, attributes: {}, password: PASSWORD };
  staff.people.push(person);
  await signIn(gateway, gateway.browser(), { username } as Account);
  const account = await gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error('no account was made');
  return { person, passkey: await story.createHolder({ account }) };
}

const findEvents = async ({ account }: TestPasskey) => (await gateway.get(AuditLog).list(account.id)).entries;

describe('[PKY-8] a passkey of a person of a source', () => {
  it('signs in a person who still exists there, with the current data of the source', async () => {
    const { passkey, person } = await holder();
    expect((await story.signIn(passkey)).accepted).toMatchObject({ authentication: { subject: passkey.account.id } });
    person.displayName = 'Somebody New';
    expect((await story.signIn(passkey)).page.status).toBe(303);
    expect((await gateway.get(Accounts).find(passkey.account.id))?.displayName).toBe('Somebody New');
  });

  it.each<[string, (person: FakePerson) => void]>([
    ['was disabled there', (person) => void (person.isActive = false)],
    ['has left', (person) => void staff.people.splice(staff.people.indexOf(person), 1)],
  ])('does not sign in a person who %s', async (_, leave) => {
    const { passkey, person } = await holder();
    leave(person);
    const { page, accepted } = await story.signIn(passkey);
    expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'not_allowed']);
    expect(accepted).toBeUndefined();
    expect((await findEvents(passkey))[0]).toMatchObject({ kind: 'source.refused', detail: { source: 'staff' } });
  });

  it('does not sign in a person whose credentials are frozen, until the freeze is over', async () => {
    const { passkey } = await holder();
    const { database } = gateway;
    const freeze = { accountId: passkey.account.id, now: database.now(), seconds: 3600 };
    await database.transaction((trx) => freezeCredentials(freeze, trx));
    const { page, accepted } = await story.signIn(passkey);
    expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'not_allowed']);
    expect(accepted).toBeUndefined();
    expect((await findEvents(passkey))[0]).toMatchObject({ kind: 'source.refused', detail: { reason: 'frozen' } });
    gateway.clock.advanceSeconds(3605);
    expect((await story.signIn(passkey)).page.status).toBe(303);
  });

  it('waits for a source that does not answer, and counts nothing', async () => {
    const { passkey } = await holder();
    staff.isDown = true;
    const opened = await story.openLogin();
    const page = await story.post(opened, passkey);
    staff.isDown = false;
    expect([page.status, page.state('server_error').server_error.code]).toEqual([503, 'source_unavailable']);
    expect(page.headers.get('retry-after')).not.toBeNull();
    expect((await story.post(opened, passkey)).status).toBe(303);
  });
});

async function linkToProvider({ id }: Account): Promise<void> {
  const now = new Date();
  const link = {
    account_id: id,
    source: 'https://accounts.example',
    subject: `provided-${id}`,
    profile: '',
    connected_at: now,
    seen_at: now,
  };
  await gateway.database.db.insertInto('source_account').values(link).execute();
}

describe('[PKY-8] a person of a provider', () => {
  it('is led from the page of a set-up, which would be refused, to the page of the factors', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const setUpPath = FACTOR_PATHS.register('passkey');
    expect((await user.browser.get(setUpPath)).state('manage_factor').manage_factor.factor).toBe('passkey');
    await linkToProvider(user.account);
    const page = await user.browser.get(setUpPath);
    expect([page.status, page.location]).toEqual([303, PATHS.manageMfa]);
  });

  it('sets up no passkey, and cannot sign in with an existing one', async () => {
    const passkey = await story.createHolder();
    await linkToProvider(passkey.account);
    const begun = await gateway.get(PasskeyFactor).begin({ account: passkey.account, boundTo: 'area:test' });
    expect(begun).toEqual({ kind: 'refused', code: 'factor unavailable' });
    const person = await ManageUser.enter(gateway, { account: passkey.account });
    const { factors } = (await person.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa;
    expect(factors.find(({ name }) => name === 'passkey')).toMatchObject({ offered: false, entries: [expect.anything()] });
    const { page, accepted } = await story.signIn(passkey);
    expect([page.status, page.state('server_error').server_error.code]).toEqual([403, 'not_allowed']);
    expect(accepted).toBeUndefined();
  });
});

describe('[PKY-9] an attacker', () => {
  it('has to wait after failures from one address, which lock no account; the known browser of the person does not wait', async () => {
    const passkey = await story.createHolder({ counter: 0 });
    const known = gateway.browser();
    await story.signIn(passkey, {}, known);
    const stranger = gateway.browser();
    for (let index = 0; index < 3; index++) {
      const opened = await story.openLogin({}, stranger);
      expect((await story.post(opened, passkey, { hasWrongSignature: true })).status).toBe(422);
    }
    const limited = await story.post(await story.openLogin({}, stranger), passkey);
    expect([limited.status, limited.state('login').login.error]).toEqual([429, 'limited']);
    expect(limited.headers.get('retry-after')).not.toBeNull();
    expect((await story.signIn(passkey, {}, known)).page.status).toBe(303);
    const counters = await gateway.database.db
      .selectFrom('attempt_counter')
      .where('account_id', '=', passkey.account.id)
      .execute();
    expect(counters).toEqual([]);
    gateway.clock.advanceSeconds(601);
    expect((await story.signIn(passkey, {}, gateway.browser())).page.status).toBe(303);
  });

  it('has to wait in a browser of the person too, if nobody has signed in there for half a year', async () => {
    const passkey = await story.createHolder({ counter: 0 });
    const known = gateway.browser();
    await story.signIn(passkey, {}, known);
    gateway.clock.advanceSeconds(181 * 24 * 3600);
    for (let index = 0; index < 3; index++) {
      expect((await story.post(await story.openLogin(), passkey, { hasWrongSignature: true })).status).toBe(422);
    }
    expect((await story.signIn(passkey, {}, known)).page.status).toBe(429);
    gateway.clock.advanceSeconds(601);
    expect((await story.signIn(passkey, {}, known)).page.status).toBe(303);
  });

  it('is counted for unknown credentials as for wrong passwords', async () => {
    gateway.clock.advanceSeconds(601);
    const passkey = await story.createHolder();
    await gateway.database.db.deleteFrom('passkey').where('credential_id', '=', passkey.key.id).execute();
    const statuses = [];
    for (let index = 0; index < 4; index++) statuses.push((await story.signIn(passkey)).page.status);
    expect(statuses).toEqual([422, 422, 422, 429]);
    const { browser, fields } = await story.openLogin();
    const typed = { ...fields, username: 'nobody.here', password: PASSWORD };
    expect((await browser.post(PATHS.loginNative, typed)).status).toBe(429);
  });
});
