/** People of a provider that provisions accounts: their first sign-in creates an account, later ones update it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { ExternalIdentities } from '../../src/accounts/identities/external-identities.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { AccountSessions } from '../../src/accounts/sessions/account-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { findIssuer } from '../../src/providers/fake-identity-providers.js';
import type { ProvidedPerson } from '../../src/providers/identity-providers.port.js';
import { ManageUser } from '../support/manage.js';
import { PASSWORD } from '../support/gateway.js';
import { ProviderStory } from '../support/provider-story.js';

const OPERATOR = { actor: 'operator', requestId: 'test' } as const;

let story: ProviderStory;

beforeAll(async () => {
  const schema = { properties: { department: { type: 'string' } } };
  story = await ProviderStory.start({
    config: ({ accounts }) => ({ accounts: { ...accounts, schema, reservedUsernames: ['admin'] } }),
  });
});
afterAll(() => story.gateway.close());
afterEach(() => story.gateway.hydra.fail(null));

const person = (subject: string, more: Partial<ProvidedPerson> = {}): ProvidedPerson => ({
  subject,
  username: subject,
  emailVerified: false,
  attributes: {},
  isActive: true,
  ...more,
});

const signIn = (subject: string, more: Partial<ProvidedPerson> = {}, isAdmitted = true) =>
  story.signIn(subject, 'work', { session: { person: person(subject, more), isAdmitted } });

async function signInAndFind(subject: string, more: Partial<ProvidedPerson> = {}): Promise<Account> {
  const { challenge } = await signIn(subject, more);
  expect(story.findAccepted(challenge)).toHaveLength(1);
  return getAccount(more.username ?? subject);
}

async function getAccount(username: string): Promise<Account> {
  const account = await story.gateway.get(Accounts).findByUsername(username);
  if (!account) throw new Error(`There is no account ${username}.`);
  return account;
}

/** Opens the account area with a fresh proof, as by a mailed code. */
async function freshUser(account: Account): Promise<ManageUser> {
  const user = await ManageUser.enter(story.gateway, { account });
  const sessions = story.gateway.database.db.updateTable('manage_session').where('account_id', '=', account.id);
  await sessions.set({ proven_at: story.gateway.clock.now() }).execute();
  return user;
}

const events = async ({ id }: Account) =>
  (await story.gateway.get(AuditLog).list(id)).entries.map(({ kind, detail }) => [kind, detail] as const);
const links = ({ id }: Account) =>
  story.gateway.database.db.selectFrom('source_account').select(['source', 'subject']).where('account_id', '=', id).execute();

describe('[SRC-12] the first sign-in at a provider that provisions', () => {
  it('[PRV-2] creates an account with the claims of the provider, without a password, and signs in to it', async () => {
    const said = { displayName: 'Anna A.', email: 'Anna@there.example', emailVerified: true, groups: ['staff', 'all'] };
    const attributes = { department: 'R&D' };
    const account = await signInAndFind('anna', { ...said, attributes });
    expect(account).toMatchObject({ ...said, attributes, status: 'active' });
    expect(account).not.toHaveProperty('groupName');
    expect(await links(account)).toEqual([{ source: findIssuer('work'), subject: 'anna' }]);
    expect(await story.gateway.get(ExternalIdentities).list(account.id)).toMatchObject([{ provider: 'work', subject: 'anna' }]);
    expect((await events(account)).map(([kind]) => kind)).toEqual(
      expect.arrayContaining(['account.created', 'source.connected', 'provider.ok', 'sign-in.ok']),
    );
    const passwords = story.gateway.database.db.selectFrom('password_credential').where('account_id', '=', account.id);
    expect(await passwords.selectAll().execute()).toEqual([]);
  });

  it('creates one account, also of two at the same moment', async () => {
    const answers = await Promise.all([signIn('twice'), signIn('twice'), signIn('twice')]);
    expect(answers.map(({ challenge }) => story.findAccepted(challenge).length)).toEqual([1, 1, 1]);
    const accounts = answers.map(({ challenge }) => story.findAccepted(challenge)[0]?.authentication.subject);
    expect(new Set(accounts).size).toBe(1);
    expect(await story.gateway.get(ExternalIdentities).list((await getAccount('twice')).id)).toHaveLength(1);
  });

  it('creates none without provisioning, and the identity stays unknown', async () => {
    const { answer, challenge } = await story.signIn('nobody', 'work');
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it.each([
    ['taken', 'owner.name', 'owner.name'],
    ['taken in another spelling', 'second.name', 'SECOND.name'],
    ['a look-alike', 'paypal', 'paypa1'],
    ['missing', '', ''],
    ['too long', '', 'x'.repeat(300)],
    ['no name', '', '<script>'],
    ['reserved', '', 'admin'],
    ['a look-alike of a reserved one', '', 'adm1n'],
  ])('[S-103] refuses a username that is %s with an explanation, and takes nothing over', async (name, owned, username) => {
    const before = owned === '' ? null : await story.gateway.account(owned, { email: `${owned}@here.example` });
    const subject = `of ${name}`;
    const { answer, challenge } = await signIn(subject, { username, email: `${owned}@here.example`, emailVerified: true });
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'no_account']);
    expect(answer.state('server_error').server_error.restart_url).toContain(encodeURIComponent(challenge));
    expect(story.findAccepted(challenge)).toEqual([]);
    const { entries } = await story.gateway.get(AuditLog).search({ kinds: ['provider.refused'] });
    expect(entries[0]?.detail).toMatchObject({
      provider: 'work',
      reason: 'no account',
      fault: expect.stringMatching(/^username: /),
    });
    expect(story.gateway.logLines).toContainEqual(expect.objectContaining({ provider: 'work', subject }));
    if (before) {
      expect(await getAccount(owned)).toEqual(before);
      expect(await links(before)).toEqual([]);
    }
  });

  it('[PRV-3] [S-103] connects nobody by an e-mail address: the account with this address is not changed', async () => {
    const owner = await story.gateway.account('address.owner', { email: 'shared@here.example', emailVerified: true });
    const account = await signInAndFind('address.other', { email: 'shared@here.example', emailVerified: true });
    expect(account.id).not.toBe(owner.id);
    expect(await links(owner)).toEqual([]);
  });

  it.each([
    ['people sign up here', { signUp: { fields: [], domains: [], deniedDomains: [], codesPerHour: 10 } }],
    ['people are invited', { invitationFields: [] }],
  ])('[S-103] takes an address as username only if it is verified, where %s', async (_, registration) => {
    const open = await ProviderStory.start({ config: () => ({ registration: { hintNames: [], ...registration } }) });
    try {
      const enter = async (subject: string, more: Partial<ProvidedPerson>) => {
        const { challenge } = await open.signIn(subject, 'work', {
          session: { person: person(subject, more), isAdmitted: true },
        });
        const [accepted] = open.findAccepted(challenge);
        return open.gateway.get(Accounts).find(accepted?.authentication.subject ?? '');
      };
      const boss = 'boss@here.example';
      const made = { username: expect.stringMatching(/^user-\d{12}$/), email: boss };
      expect(await enter('stranger', { username: boss, email: boss })).toMatchObject(made);
      // NFKC makes an address of it.
      const chief = 'chief@here.example';
      expect(await enter('wide', { username: chief.replace('@', '＠'), email: chief })).toMatchObject({ ...made, email: chief });
      // Other values are still taken over, and the username stays.
      expect(await enter('stranger', { username: boss, email: boss, displayName: 'Boss' })).toMatchObject({
        ...made,
        displayName: 'Boss',
      });
      const proven = { username: boss, email: boss, emailVerified: true };
      expect(await enter('stranger', proven)).toMatchObject(proven);
      const own = { username: 'own@here.example', email: 'own@here.example', emailVerified: true };
      expect(await enter('owner', own)).toMatchObject(own);
      expect(await enter('named', { username: 'named', email: 'x@here.example' })).toMatchObject({ username: 'named' });
    } finally {
      await open.gateway.close();
    }
  });

  it('[S-103] omits values that an account cannot have', async () => {
    const more = { email: 'address.owner', displayName: 'x'.repeat(5000), groups: ['fine', '\u0000', 'x'.repeat(500)] };
    const attributes = { department: 7, sub: 'somebody', ...(JSON.parse('{"__proto__":"x"}') as object) };
    const account = await signInAndFind('partly', { ...more, attributes });
    expect(account).toMatchObject({ displayName: 'partly', groups: ['fine'], attributes: {} });
    expect(account).not.toHaveProperty('email');
  });
});

describe('[SRC-12] a later sign-in', () => {
  it('takes over what has changed or was removed there', async () => {
    const first = await signInAndFind('bea', { groups: ['a'], attributes: { department: 'x' } });
    await signIn('bea', { username: 'bea.new', displayName: 'Bea B.', groups: [], attributes: { department: null } });
    const later = await getAccount('bea.new');
    expect(later).toMatchObject({ id: first.id, displayName: 'Bea B.', groups: [], attributes: {} });
  });

  it('does not change an account that its owner connected, whatever the provider says', async () => {
    const account = await story.createPerson();
    const subject = await story.connect(account, 'connected.1', 'work');
    const { challenge } = await signIn(subject, { username: 'other.name', groups: ['admin'], email: 'x@y.example' });
    expect(story.findAccepted(challenge)[0]?.authentication.subject).toBe(account.id);
    expect(await story.gateway.get(Accounts).find(account.id)).toMatchObject({ username: account.username, groups: [] });
    expect(await links(account)).toEqual([]);
  });

  it('is refused while the account is disabled here', async () => {
    const account = await signInAndFind('disabled.one');
    await story.gateway.get(Accounts).setStatus(account.id, 'disabled', OPERATOR);
    const { challenge, answer } = await signIn('disabled.one', { displayName: 'New' });
    expect([answer.status, story.findAccepted(challenge)]).toEqual([422, []]);
  });
});

describe('[SRC-12] a person without the required claims', () => {
  it('gets no account, and a page that explains it', async () => {
    const { answer, challenge } = await signIn('stranger', {}, false);
    expect([answer.status, answer.state('server_error').server_error.code]).toEqual([403, 'not_admitted']);
    expect(story.findAccepted(challenge)).toEqual([]);
    expect(await story.gateway.get(Accounts).findByUsername('stranger')).toBeNull();
  });

  it('[LOG-7] sees the same after a reload, only in this browser, and the provider is not called again', async () => {
    const { answer, browser, fields } = await signIn('reloader', {}, false);
    const first = answer.state('server_error').server_error;
    const { exchangedCodes } = story.providers;
    for (let time = 0; time < 2; time += 1) {
      const again = await story.callBack('work', browser, fields);
      expect([again.status, again.state('server_error').server_error]).toEqual([
        403,
        { ...first, request_id: expect.not.stringMatching(first.request_id) },
      ]);
    }
    const other = await story.callBack('work', story.gateway.browser(), fields);
    expect(other.html).not.toContain(first.restart_url);
    expect(story.providers.exchangedCodes).toBe(exchangedCodes);
  });

  it('[S-104] is not signed in any more, and open sessions end here and at Hydra; with the group again, sign-ins work', async () => {
    const account = await signInAndFind('leaver');
    expect(await story.gateway.get(AccountSessions).list(account.id)).not.toEqual([]);
    story.gateway.hydra.calls.length = 0;
    const { challenge } = await signIn('leaver', {}, false);
    expect(story.findAccepted(challenge)).toEqual([]);
    expect(await story.gateway.get(AccountSessions).list(account.id)).toEqual([]);
    expect(story.gateway.hydra.calls).toContainEqual({ call: 'revokeConsents', subject: account.id });
    expect(await events(account)).toContainEqual([
      'provider.refused',
      { provider: 'work', subject: expect.any(String), reason: 'not admitted' },
    ]);
    await signInAndFind('leaver');
  });

  it('[S-104] cannot connect an account either', async () => {
    const account = await story.createPerson();
    const user = await ManageUser.enter(story.gateway, { account, fresh: true });
    const begun = await user.post(`${PATHS.manageOauth}/google/connect`, {});
    const fields = story.providers.signIn(begun.location ?? '', 'to.connect', { isAdmitted: false });
    const answer = await story.callBack('google', user.browser, fields);
    expect(answer.location).toContain('refused');
    expect(await story.gateway.get(ExternalIdentities).list(account.id)).toEqual([]);
  });
});

describe('[SRC-12] an account of a person of a provider', () => {
  it('[MAN-2] has no password row, gets no password by a reset, and no page asks for one', async () => {
    const account = await signInAndFind('clara', { email: 'clara@there.example' });
    const user = await freshUser(account);
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({ password_set: false, password_elsewhere: { url: null } });
    expect((await user.browser.get(PATHS.managePassword)).location).toBe(PATHS.manage);
    const fields = { password: PASSWORD, newPassword: 'something new 12', newPasswordRepeat: 'something new 12' };
    expect((await user.post(PATHS.managePassword, fields)).status).not.toBe(303);
    await expect(story.gateway.get(PasswordResets).issue(account, OPERATOR)).rejects.toMatchObject({
      code: 'password-elsewhere',
    });
  });

  it('[MAN-2] [S-104] keeps the connection with which it was created, and can lose others', async () => {
    const account = await signInAndFind('dora');
    await story.connect(account, 'dora-at-google', 'google');
    const user = await freshUser(account);
    const disconnect = (provider: string) => user.post(`${PATHS.manageOauth}/${provider}/disconnect`, {});
    const { providers } = (await user.page(PATHS.manage, 'manage')).manage;
    expect(providers.filter(({ stays }) => stays).map(({ id }) => id)).toEqual(['work']);
    const kept = await disconnect('work');
    expect(kept.state('manage').manage.error).toBe('last way in');
    expect((await disconnect('google')).status).toBe(303);
    expect((await disconnect('work')).state('manage').manage.error).toBe('last way in');
    expect(await links(account)).toHaveLength(1);
    await signInAndFind('dora');
  });

  it('can be unlinked by an operator: then the person is unknown', async () => {
    const account = await signInAndFind('erin');
    const { id: accountId } = account;
    const wanted = { accountId, provider: 'work', providerName: 'work', auditContext: OPERATOR, offeredMethods: null };
    expect(await story.gateway.get(ExternalIdentities).disconnect(wanted)).toBe(true);
    expect(await links(account)).toEqual([]);
    expect(await events(account)).toEqual(
      expect.arrayContaining([
        ['provider.disconnected', { provider: 'work' }],
        ['source.disconnected', { source: findIssuer('work') }],
      ]),
    );
    expect((await signIn('erin')).answer.state('server_error').server_error.code).toBe('no_account');
    await expect(story.gateway.get(PasswordResets).issue(account, OPERATOR)).resolves.toBeDefined();
  });

  it('keeps its identity after "that was not me", and nobody signs in until the freeze ends', async () => {
    const account = await signInAndFind('fiona', { email: 'fiona@there.example' });
    const token = await story.gateway
      .get(OneTimeSecrets)
      .issue({ purpose: 'not-me', accountId: account.id, lifetimeSeconds: 600 });
    await story.gateway.get(SecureAccount).secure(token, { actor: 'person' });
    expect(await story.gateway.get(ExternalIdentities).list(account.id)).toHaveLength(1);
    const { challenge } = await signIn('fiona');
    expect(story.findAccepted(challenge)).toEqual([]);
    await story.gateway.get(CredentialFreeze).lift(account, OPERATOR);
    await signInAndFind('fiona');
  });

  it('is deleted like any other, and created again by the next sign-in', async () => {
    const account = await signInAndFind('gina');
    await story.gateway.database.db.deleteFrom('account').where('id', '=', account.id).execute();
    expect((await signInAndFind('gina')).id).not.toBe(account.id);
  });

  it('[LOG-4] has no password that any form would accept', async () => {
    await signInAndFind('hanna');
    const browser = story.gateway.browser();
    const challenge = story.request();
    const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
    const { xsrf_token: _xsrf } = page.state('login').login;
    const answer = await browser.post(PATHS.loginNative, {
      _xsrf,
      login_challenge: challenge,
      username: 'hanna',
      password: PASSWORD,
    });
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
  });
});
