/** `migrate`: a right password at a source is stored here, and the source is not asked for its person any more. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { AccountLinks } from '../../src/accounts/identities/account-links.js';
import { SourceAccounts } from '../../src/accounts/identities/source-accounts.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { PasswordAttempts } from '../../src/accounts/password/password-attempts.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { PATHS } from '../../src/contract/paths.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser } from '../support/manage.js';
import { NEW_PASSWORD, ResetStory } from '../support/resets.js';
import { startTestOperator } from '../support/operator.js';
import type { TestPage } from '../support/test-browser.js';

/** A password that the policy does not accept. */
const THERE = 'kurz1';
const CHANGED = 'something new 12';

let gateway: TestGateway;
let shop: FakeUserSource;
let count = 0;

beforeAll(async () => {
  shop = new FakeUserSource('shop', 'https://shop.example/password');
  gateway = await startTestGateway({ sources: [shop] });
});
afterAll(() => gateway.close());
beforeEach(() => {
  shop.isDown = false;
  shop.migrates = true;
  shop.calls.length = 0;
});

function add(username: string, more: Partial<FakePerson> = {}): FakePerson {
  const id = { subject: `id-of-${username}`, username, email: `${username}@shop.example`, emailVerified: false };
  const person = { ...id, isActive: true, attributes: {}, password: THERE, ...more };
  shop.people.push(person);
  return person;
}

async function signIn(username: string, password = THERE): Promise<TestPage> {
  const browser = gateway.browser({ 'accept-language': 'en', 'x-forwarded-for': `192.0.2.${(count % 200) + 1}` });
  const challenge = `migration-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${challenge}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf, ticket } = page.state('login').login;
  return browser.post(PATHS.loginNative, { _xsrf, ticket, login_challenge: challenge, username, password });
}

const toStatus = async (username: string, password = THERE): Promise<number> => (await signIn(username, password)).status;
const lastSubject = () =>
  gateway.hydra.calls.flatMap((call) => (call.call === 'acceptLogin' ? [call.authentication.subject] : [])).at(-1);

async function account(username: string) {
  const found = await gateway.get(Accounts).findByUsername(username);
  if (!found) throw new Error(`there is no ${username}`);
  return found;
}

async function toRows(accountId: string) {
  const { db } = gateway.database;
  const findRows = (table: 'password_credential' | 'source_account' | 'migrated_account') =>
    db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute();
  const rows = await Promise.all([findRows('password_credential'), findRows('source_account'), findRows('migrated_account')]);
  return rows.map(({ length }) => length);
}

describe('[SRC-10] the first right sign-in of a person of a source that migrates', () => {
  it('stores the password here, whatever the policy says, and does not ask the source any more', async () => {
    add('anna');
    expect(await toStatus('anna', 'wrong')).toBe(422);
    expect(await toStatus('anna')).toBe(303);
    const { id } = await account('anna');
    expect(await toRows(id)).toEqual([1, 0, 1]);
    const { entries } = await gateway.get(AuditLog).search({ accountId: id });
    expect(entries.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['source.connected', 'source.migrated']));
    shop.calls.length = 0;
    shop.isDown = true;
    expect(await toStatus('anna')).toBe(303);
    expect([lastSubject(), shop.calls]).toEqual([id, []]);
  });

  it('is not undone by the source: a new password, a disabled or deleted person there have no effect here', async () => {
    const bea = add('bea');
    await signIn('bea');
    bea.password = 'another one 77';
    bea.isActive = false;
    expect([await toStatus('bea', 'another one 77'), await toStatus('bea')]).toEqual([422, 303]);
    shop.people = shop.people.filter((one) => one !== bea);
    expect(await toStatus('bea')).toBe(303);
  });

  it('stores the password for a person from a known network while strangers fill the queue of hashes', async () => {
    shop.migrates = false;
    add('wanda');
    await signIn('wanda');
    const sessions = gateway.database.db.selectFrom('browser_session').select('address');
    const { address } = await sessions.where('account_id', '=', (await account('wanda')).id).executeTakeFirstOrThrow();
    shop.migrates = true;
    const hasher = gateway.get(PasswordHasher);
    const { hash, verify } = hasher;
    const strangers: Promise<string>[] = [];
    const fill = () => {
      while (!hasher.isFull({})) strangers.push(hash.call(hasher, 'something else'));
    };
    hasher.hash = (...given) => (fill(), hash.apply(hasher, given));
    hasher.verify = (...given) => (fill(), verify.apply(hasher, given));
    const attempt = { username: 'wanda', password: THERE, address: address ?? '', device: null, requestId: 'test' };
    const verdict = await gateway.get(PasswordAttempts).attempt(attempt);
    Object.assign(hasher, { hash, verify });
    await Promise.all(strangers);
    expect(verdict).toMatchObject({ kind: 'proven' });
  });

  it('creates one account for two at the same moment', async () => {
    add('clara');
    expect(await Promise.all([toStatus('clara'), toStatus('clara')])).toEqual([303, 303]);
    expect(await toRows((await account('clara')).id)).toEqual([1, 0, 1]);
  });

  it('migrates an account that belongs to the source, also at two sign-ins at the same moment', async () => {
    shop.migrates = false;
    add('dora');
    await signIn('dora');
    const { id } = await account('dora');
    expect(await toRows(id)).toEqual([0, 1, 0]);
    shop.migrates = true;
    expect(await Promise.all([toStatus('dora'), toStatus('dora')])).toEqual([303, 303]);
    expect([await toRows(id), lastSubject()]).toEqual([[1, 0, 1], id]);
  });

  it('is answered as a migration to both of two sign-ins at the same moment', async () => {
    shop.migrates = false;
    const { password: _, ...person } = add('doris');
    await signIn('doris');
    const enterOnce = () =>
      gateway.get(SourceAccounts).createOrUpdate({
        ...{ source: 'shop', person, auditContext: { actor: 'person', requestId: 'test' } },
        hash: 'of a password that was right',
      });
    expect(await Promise.all([enterOnce(), enterOnce()])).toMatchObject([{ isMigrated: true }, { isMigrated: true }]);
  });

  it('stores nothing of a person who is not admitted', async () => {
    const emil = add('emil', { verdict: { kind: 'not-allowed', reason: 'of the test' } });
    expect(await toStatus('emil')).toBe(403);
    expect(await gateway.get(Accounts).findByUsername('emil')).toBeNull();
    delete emil.verdict;
    expect(await toStatus('emil')).toBe(303);
  });

  it.each([
    ['new', false],
    ['known', true],
  ])('[TSK-2] asks a %s person who has to change the password for another one, here', async (kind, isKnown) => {
    const username = `erika.${kind}`;
    const erika = add(username);
    shop.migrates = !isKnown;
    if (isKnown) await signIn(username);
    shop.migrates = true;
    erika.verdict = { kind: 'password-change', reason: 'of the test' };
    expect(await toStatus(username, 'wrong')).toBe(422);
    const answer = await signIn(username);
    expect([answer.status, answer.location?.split('?')[0]]).toEqual([303, PATHS.loginTask]);
    const { id, requiredPassword } = await account(username);
    expect([await toRows(id), requiredPassword?.reason]).toEqual([[1, 0, 1], 'source']);
    const { entries } = await gateway.get(AuditLog).search({ accountId: id, kinds: ['password.change-required'] });
    expect(entries).toMatchObject([{ actor: 'person', detail: { cause: 'source' } }]);
  });

  it.each([
    ['at a source that does not migrate', false, THERE],
    ['if it cannot be stored here', true, 'x'.repeat(300)],
  ])('leaves a password that has to be changed at the source %s', async (_when, migrates, password) => {
    const username = `egon.${password.length}`;
    shop.migrates = migrates;
    add(username, { password, verdict: { kind: 'password-change', reason: 'of the test' } });
    const answer = await signIn(username, password);
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'password_change']);
    expect(await gateway.get(Accounts).findByUsername(username)).toBeNull();
  });

  it('leaves a password at the source that cannot be stored here', async () => {
    const password = 'x'.repeat(300);
    add('fritz', { password });
    expect(await toStatus('fritz', password)).toBe(303);
    expect(await toRows((await account('fritz')).id)).toEqual([0, 1, 0]);
  });
});

describe('[SRC-10] the account of a person who was migrated', () => {
  it('is found by another name of the source while the password is the same, and never with an old one', async () => {
    add('gerda');
    await signIn('gerda');
    const { id } = await account('gerda');
    expect(await toStatus('gerda@shop.example')).toBe(303);
    expect(lastSubject()).toBe(id);
    await gateway.get(SetPassword).setPassword(id, CHANGED);
    expect(await toStatus('gerda@shop.example')).toBe(422);
    expect([await toStatus('gerda'), await toStatus('gerda', CHANGED)]).toEqual([422, 303]);
  });

  it('is not created twice, under another name or without migrate', async () => {
    const hanna = add('hanna');
    await signIn('hanna');
    const { id } = await account('hanna');
    await gateway.get(Accounts).update(id, { username: 'hanne' });
    expect(await toStatus('hanna')).toBe(303);
    shop.migrates = false;
    hanna.username = 'hanna.again';
    expect(await toStatus('hanna.again')).toBe(303);
    expect(lastSubject()).toBe(id);
    expect(await gateway.get(Accounts).findByUsername('hanna.again')).toBeNull();
  });

  it('gets a link to a new password by mail, but not before the first sign-in, as there is no account', async () => {
    add('paul');
    const story = new ResetStory(gateway);
    await story.ask('paul');
    expect(await story.listMails()).toEqual([]);
    await signIn('paul');
    expect((await story.reset(await story.requestToken('paul'))).status).toBe(303);
    expect([await toStatus('paul'), await toStatus('paul', NEW_PASSWORD)]).toEqual([422, 303]);
  });

  it('[LOG-6] has one count of failures for all names of the source', async () => {
    add('rosa');
    await signIn('rosa');
    for (const name of ['rosa', 'rosa@shop.example', 'rosa', 'rosa@shop.example', 'rosa'])
      expect(await toStatus(name, 'wrong')).toBe(422);
    expect(await toStatus('rosa@shop.example')).toBe(429);
  });

  it.each([true, false])('belongs to the source again when an operator links them; migrate: %s', async (migrates) => {
    const username = `tom.${String(migrates)}`;
    add(username);
    await signIn(username);
    const { id } = await account(username);
    const auditContext = { actor: 'operator' } as const;
    const link = { accountId: id, source: 'shop', subject: `id-of-${username}`, name: 'shop', auditContext };
    expect(await gateway.get(AccountLinks).link(link)).toBe('done');
    shop.migrates = migrates;
    expect([await toStatus(`${username}@shop.example`), await toStatus(username)]).toEqual([303, 303]);
    expect(lastSubject()).toBe(id);
    expect(await toRows(id)).toEqual(migrates ? [1, 0, 1] : [0, 1, 0]);
  });

  it('has no password after "that was not me", although the source accepts the old one', async () => {
    add('ines');
    await signIn('ines');
    const { id } = await account('ines');
    const token = await gateway.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: id, lifetimeSeconds: 60 });
    await gateway.get(SecureAccount).secure(token, { actor: 'person', requestId: 'test' });
    expect(await toStatus('ines')).toBe(422);
    expect(await toRows(id)).toEqual([0, 0, 1]);
  });

  it('cannot be used while it is disabled here', async () => {
    add('karl');
    await signIn('karl');
    await gateway.get(Accounts).setStatus((await account('karl')).id, 'disabled');
    expect([await toStatus('karl'), await toStatus('karl@shop.example')]).toEqual([422, 422]);
  });

  it('[MAN-2] shows its password on the overview, without the address of the source', async () => {
    add('lena');
    await signIn('lena');
    const user = await ManageUser.enter(gateway, { account: await account('lena') });
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({ password_set: true });
    expect(manage.password_elsewhere).toBeUndefined();
    expect((await user.browser.get(PATHS.managePassword)).status).toBe(200);
  });
});

describe('an operator', () => {
  it('is told that a source is not asked any more', async () => {
    const operator = await startTestOperator({ foundation: ({ log }) => ({ sources: new UserSources([shop], log) }) });
    add('mona');
    const attempt = { username: 'mona', password: THERE, address: '192.0.2.1', device: null, requestId: 'test' };
    const proven = await operator.services.signIn.prove(attempt);
    const id = proven.kind === 'proven' ? proven.account.id : '';
    const { status, json } = await operator.call('POST', `/accounts/${id}/refresh`);
    expect([status, json]).toEqual([
      409,
      expect.objectContaining({ error: 'no_source', message: expect.stringContaining('shop') }),
    ]);
    await operator.close();
  });
});
