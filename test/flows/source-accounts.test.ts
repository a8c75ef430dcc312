/** What the owner of an account of a source can do, and what an operator can do with it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { FakeUserSource, type FakePerson } from '../../src/sources/fake-user-source.js';
import { UserSources } from '../../src/sources/user-sources.js';
import { ManageUser, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { NotMeStory } from '../support/not-me.js';
import { startTestOperator, type OperatorAnswer, type TestOperator } from '../support/operator.js';
import { ResetStory } from '../support/resets.js';

const OPERATOR = { actor: 'operator', requestId: 'test' } as const;

let gateway: TestGateway;
let staff: FakeUserSource;

function addPerson(source: FakeUserSource, username: string): FakePerson {
  const fields = { subject: `id-of-${username}`, username, email: `${username}@there.example`, emailVerified: false };
  const person = { ...fields, isActive: true, attributes: {}, password: PASSWORD };
  source.people.push(person);
  return person;
}

beforeAll(async () => {
  staff = new FakeUserSource('staff', 'https://password.example/change');
  gateway = await startTestGateway({ sources: [staff] });
});
afterAll(() => gateway.close());

/** Signs in once, and opens the account area with a proof. */
async function enterManage(username: string): Promise<{ account: Account; person: FakePerson; user: ManageUser }> {
  const person = addPerson(staff, username);
  await signIn(gateway, gateway.browser(), { username } as Account);
  const account = await gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error('no account was made');
  return { account, person, user: await ManageUser.enter(gateway, { account, fresh: true }) };
}

describe('[SRC-11] the account area of a person of a source', () => {
  it('[MAN-2] links to the place where the password is changed, and changes none itself', async () => {
    const { user } = await enterManage('anna');
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({ password_set: true, password_elsewhere: { url: 'https://password.example/change' } });
    expect((await user.browser.get(PATHS.manage)).html).toContain('href="https://password.example/change"');
    expect((await user.browser.get(PATHS.managePassword)).location).toBe(PATHS.manage);
    const typed = { password: PASSWORD, new_password: 'something new 12', repeat_new_password: 'something new 12' };
    const fields = { password: PASSWORD, newPassword: typed.new_password, newPasswordRepeat: typed.new_password };
    expect((await user.post(PATHS.managePassword, fields)).status).not.toBe(303);
    expect(await gateway.database.db.selectFrom('password_credential').selectAll().execute()).toEqual([]);
  });

  it('[MAN-2] has no row for the username, and refuses to change it, because the source would change it back', async () => {
    const { user, account } = await enterManage('berta');
    expect((await user.page(PATHS.manage, 'manage')).manage.username_elsewhere).toBe(true);
    expect((await user.browser.get(PATHS.manage)).html).not.toContain(`href="${PATHS.manageUsername}"`);
    expect((await user.browser.get(PATHS.manageUsername)).location).toBe(PATHS.manage);
    const posted = await user.post(PATHS.manageUsername, { username: 'something.else' });
    expect([posted.status, posted.state('manage_username').manage_username.error]).toEqual([422, 'username elsewhere']);
    expect(posted.html).toContain('data-code="username elsewhere"');
    const call = await (await user.rpc()).put('/username', { username: 'something.else' });
    expect([call.status, call.body]).toEqual([409, { error: 'username elsewhere' }]);
    expect((await gateway.get(Accounts).find(account.id))?.username).toBe('berta');
  });

  it('[MAN-14] accepts the password of the source as the fresh proof, by the id of the person there', async () => {
    const { account, person } = await enterManage('bea');
    person.username = 'renamed.there';
    const user = await ManageUser.enter(gateway, { account });
    const prove = async (password: string) =>
      user.post(PATHS.manageConfirm, { method: 'password', password, next: PATHS.manageMfa });
    expect((await user.browser.get(SERVER_PATHS.manageRegisterTotp)).state('manage_confirm').manage_confirm.methods).toEqual([
      'password',
    ]);
    expect((await prove('wrong password 1')).status).toBe(422);
    staff.isDown = true;
    expect((await prove(PASSWORD)).status).toBe(503);
    staff.isDown = false;
    expect((await prove(PASSWORD)).status).toBe(303);
  });
});

describe('[SRC-11] a new password for a person of a source', () => {
  it('[PWR-1] is not mailed: a mail explains where it is changed, and the page shows the same as always', async () => {
    const { account } = await enterManage('clara');
    const story = new ResetStory(gateway);
    const answer = await story.ask('clara');
    expect(answer.location).toBe((await story.ask('nobody.at.all')).location);
    await gateway.get(RequestedMails).waitForAll();
    const mails = (await new NotMeStory(gateway).listMails(account)).filter(({ kind }) => kind !== 'new-browser');
    expect(mails.map(({ kind, values }) => [kind, values])).toEqual([['password-elsewhere', { source: 'staff' }]]);
    await expect(gateway.get(PasswordResets).issue(account, OPERATOR)).rejects.toMatchObject({ code: 'password-elsewhere' });
    await expect(gateway.get(PasswordResets).issueByMail(account, 'invitation', OPERATOR)).rejects.toMatchObject({
      code: 'password-elsewhere',
    });
  });

  it('is not set with a link of the previous version', async () => {
    const { account } = await enterManage('dora');
    const token = await gateway
      .get(OneTimeSecrets)
      .issue({ purpose: 'password-reset', accountId: account.id, lifetimeSeconds: 60 });
    const done = await gateway.get(PasswordResets).reset({ token, password: 'something new 12', auditContext: OPERATOR });
    expect(done).toEqual({ kind: 'gone' });
  });
});

describe('"that was not me" of a person of a source', () => {
  it('[NTC-1] lets nobody sign in with the password until the freeze ends or is lifted', async () => {
    const { account } = await enterManage('emil');
    const token = await gateway.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: account.id, lifetimeSeconds: 60 });
    await gateway.get(SecureAccount).secure(token, OPERATOR);
    staff.calls.length = 0;
    await expect(signIn(gateway, gateway.browser(), account)).rejects.toThrow('422');
    expect(staff.calls).not.toContain('verify');
    // Only the source knows this name, so the account is found by the answer.
    const alias = { ...account, username: 'emil@there.example' };
    await expect(signIn(gateway, gateway.browser(), alias)).rejects.toThrow('422');
    const mails = await new NotMeStory(gateway).listMails(account);
    expect(mails.at(-1)).toMatchObject({ kind: 'account-secured', values: { source: 'staff' } });
    await gateway.get(CredentialFreeze).lift(account, OPERATOR);
    await signIn(gateway, gateway.browser(), account);
  });
});

describe('an operator', () => {
  let operator: TestOperator;
  let source: FakeUserSource;

  beforeAll(async () => {
    source = new FakeUserSource('staff');
    operator = await startTestOperator({ foundation: ({ log }) => ({ sources: new UserSources([source], log) }) });
  });
  afterAll(() => operator.close());

  async function addKnownPerson(username: string): Promise<{ person: FakePerson; account: Account }> {
    const person = addPerson(source, username);
    const { password: _, ...described } = person;
    const made = await operator.services.sourceAccounts.createOrUpdate({
      source: 'staff',
      person: described,
      auditContext: OPERATOR,
    });
    if (!('account' in made)) throw new Error('no account was made');
    return { person, account: made.account };
  }
  const refresh = (id: string): Promise<OperatorAnswer> => operator.call('POST', `/accounts/${id}/refresh`);

  it('takes over what has changed at the source', async () => {
    const { person, account } = await addKnownPerson('fritz');
    person.displayName = 'Fritz the Second';
    const { status, json } = await refresh(account.id);
    expect(status).toBe(200);
    expect(json).toMatchObject({ display_name: 'Fritz the Second', source: 'staff', source_state: 'active', upstream: null });
  });

  it('also takes over what the source reported before and could not be taken over then', async () => {
    const { person, account: other } = await addKnownPerson('hanna');
    const { account } = await addKnownPerson('hanne');
    await operator.services.accounts.update(other.id, { username: 'hanna.of.old' }, OPERATOR);
    await refresh(other.id);
    expect((await operator.services.accounts.find(other.id))?.username).toBe(person.username);
    expect((await operator.services.accounts.find(account.id))?.username).toBe('hanne');
  });

  it('removes what was removed at the source, also beside values that cannot be taken over', async () => {
    const { person, account } = await addKnownPerson('greta');
    const change = async (fields: Partial<FakePerson>): Promise<Account | null> => {
      Object.assign(person, fields);
      await refresh(account.id);
      return operator.services.accounts.find(account.id);
    };
    const attributes = { given_name: 'Greta', website: 'https://greta.example' };
    expect(await change({ groups: ['Board', 'Staff'], hasGroupName: true, attributes })).toMatchObject({
      ...{ groupName: 'Board', groups: ['Board', 'Staff'], attributes },
    });
    const unusable = { groups: ['', 'Staff'], attributes: { given_name: 'Greta', website: 'no address' } };
    expect(await change(unusable)).toMatchObject({ groupName: 'Staff', groups: ['Staff'], attributes: {} });
    const gone = await change({ groups: [], attributes: { given_name: null, website: null } });
    expect([gone?.groupName, gone?.groups, gone?.attributes]).toEqual([undefined, [], {}]);
  });

  it.each([
    [
      'disabled',
      (person: FakePerson): void => {
        person.isActive = false;
      },
    ],
    [
      'gone',
      (person: FakePerson): void => {
        source.people = source.people.filter((one) => one !== person);
      },
    ],
  ] as const)('ends the access of somebody who is %s there', async (state, leave) => {
    const { person, account } = await addKnownPerson(`who.is.${state}`);
    leave(person);
    const { json } = await refresh(account.id);
    expect(json).toMatchObject({ status: 'disabled', source_state: state, upstream: 'ended' });
    const { json: audit } = await operator.call('GET', `/accounts/${account.id}/audit?kind=account.disabled`);
    expect(audit).toMatchObject({ entries: [{ detail: { source: 'staff', reason: state } }] });
    const attempt = { username: account.username, password: PASSWORD, address: '192.0.2.1', device: null, requestId: 'x' };
    expect(await operator.services.signIn.prove(attempt)).toEqual({ kind: 'refused' });
    expect(await operator.services.sessions.endForAccount(account.id, OPERATOR)).toBe(0);
  });

  it('is told that an id belongs to two people there, and nothing ends', async () => {
    const { person, account } = await addKnownPerson('gustav');
    source.people.push({ ...person, username: 'gustav.too' });
    expect(await refresh(account.id)).toMatchObject({ status: 503, json: { error: 'source_unavailable' } });
    expect((await operator.call('GET', `/accounts/${account.id}`)).json).toMatchObject({ status: 'active' });
  });

  it('is told that a source is down, and that an account has none, and nothing changes', async () => {
    const { account } = await addKnownPerson('gerd');
    source.isDown = true;
    expect(await refresh(account.id)).toMatchObject({ status: 503, json: { error: 'source_unavailable' } });
    source.isDown = false;
    expect((await operator.call('GET', `/accounts/${account.id}`)).json).toMatchObject({ status: 'active' });
    const own = await operator.services.accounts.create({ username: 'own.account' });
    expect(await refresh(own.id)).toMatchObject({ status: 409, json: { error: 'no_source' } });
  });
});
