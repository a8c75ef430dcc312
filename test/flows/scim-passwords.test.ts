/** Where people of a SCIM source change the password, the username and the address. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { CredentialFreeze } from '../../src/accounts/account/credential-freeze.js';
import { SecureAccount } from '../../src/accounts/changes/secure-account.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { PATHS } from '../../src/contract/paths.js';
import { RequestedMails } from '../../src/flows/sign-in/requested-mails.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { ResetStory } from '../support/resets.js';
import { buildScimSettings, keepByScim } from '../support/scim-people.js';

const OPERATOR = { actor: 'operator', requestId: 'test' } as const;
const CHANGE_URL = 'https://password.example/change';
const NEW_PASSWORD = 'something new 1234';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: () => ({
      scim: [
        buildScimSettings({ id: 'here', tokens: ['h'.repeat(40)], password: true }),
        buildScimSettings({ id: 'there', tokens: ['t'.repeat(40)], passwordUrl: CHANGE_URL }),
      ],
    }),
  });
});
afterAll(() => gateway.close());

async function push(source: 'here' | 'there'): Promise<Account> {
  const account = await newPerson(gateway, { email: `${source}${(count += 1)}@work.example`, emailVerified: true });
  await keepByScim(gateway, account, { source });
  return account;
}
let count = 0;

/** Opens the account area with a fresh proof, as by a mailed code. */
async function enter(account: Account): Promise<ManageUser> {
  const user = await ManageUser.enter(gateway, { account });
  const sessions = gateway.database.db.updateTable('manage_session').where('account_id', '=', account.id);
  await sessions.set({ proven_at: gateway.clock.now() }).execute();
  return user;
}

async function askForReset({ username }: Account): Promise<void> {
  await new ResetStory(gateway).ask(username);
  await gateway.get(RequestedMails).waitForAll();
}

const findMails = async (account: Account) =>
  (await new NotMeStory(gateway).listMails(account)).filter(({ kind }) => kind !== 'new-browser');

async function secure(account: Account): Promise<void> {
  const token = await gateway.get(OneTimeSecrets).issue({ purpose: 'not-me', accountId: account.id, lifetimeSeconds: 60 });
  await gateway.get(SecureAccount).secure(token, OPERATOR);
}

describe('a person of a SCIM source whose people have a password here', () => {
  it('signs in with it, changes it, and has it reset', async () => {
    const account = await push('here');
    await signIn(gateway, gateway.browser(), account);
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({ password_set: true, username_elsewhere: true });
    expect(manage).not.toHaveProperty('password_elsewhere');
    const fields = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
    expect((await user.post(PATHS.managePassword, fields)).status).toBe(303);
    await signIn(gateway, gateway.browser(), account, NEW_PASSWORD);
    await askForReset(account);
    expect((await findMails(account)).map(({ kind }) => kind)).toEqual(['password-changed', 'password-reset']);
    const { secret } = await gateway.get(PasswordResets).issue(account, OPERATOR);
    const done = await gateway.get(PasswordResets).reset({ token: secret, password: PASSWORD, auditContext: OPERATOR });
    expect(done).toMatchObject({ kind: 'done' });
    await signIn(gateway, gateway.browser(), account);
  });

  it('has the username and the address changed at the source only', async () => {
    const user = await enter(await push('here'));
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).not.toHaveProperty('email');
    const rpc = await user.rpc();
    expect((await rpc.put('/username', { username: 'another.name' })).body).toEqual({ error: 'username elsewhere' });
    const address = await user.post(PATHS.manageEmail, { email: 'another@work.example' });
    expect([address.status, address.state('manage_email').manage_email.error]).toEqual([422, 'email elsewhere']);
  });

  it('is invited by an operator before there is a password', async () => {
    const account = await push('here');
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', account.id).execute();
    await expect(signIn(gateway, gateway.browser(), account)).rejects.toThrow('422');
    expect(await gateway.get(PasswordResets).issueByMail(account, 'invitation', OPERATOR)).toMatchObject({ kind: 'queued' });
    const user = await enter(account);
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({ password_set: false, username_elsewhere: true });
    expect(manage).not.toHaveProperty('password_elsewhere');
  });

  it('[NTC-1] gets a link to a new password after "that was not me", and signs in with it while credentials are frozen', async () => {
    const account = await push('here');
    await secure(account);
    const mail = (await findMails(account)).at(-1);
    expect([mail?.kind, mail?.values]).toEqual(['account-secured', { token: expect.any(String) }]);
    const token = String(mail?.values['token']);
    const outcome = await gateway.get(PasswordResets).reset({ token, password: PASSWORD, auditContext: OPERATOR });
    expect(outcome).toMatchObject({ kind: 'done', accountId: account.id });
    await signIn(gateway, gateway.browser(), account);
    expect(await gateway.get(CredentialFreeze).find(account.id)).not.toBeNull();
  });
});

describe('a person of a SCIM source whose people have no password here', () => {
  it('[S-103] signs in with none, even if there is one from before', async () => {
    const account = await push('there');
    await expect(signIn(gateway, gateway.browser(), account)).rejects.toThrow('422');
    const user = await enter(account);
    expect((await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD })).status).not.toBe(303);
  });

  it('[MAN-2] sees in the account area where it is changed, and may add a passkey', async () => {
    const user = await enter(await push('there'));
    const { manage } = await user.page(PATHS.manage, 'manage');
    expect(manage).toMatchObject({
      password_set: false,
      password_elsewhere: { url: CHANGE_URL },
      username_elsewhere: true,
      ways_in: [{ name: 'passkey', count: 0 }],
    });
    expect((await user.browser.get(PATHS.managePassword)).location).toBe(PATHS.manage);
    const rpc = await user.rpc();
    expect((await rpc.post('/mfa-init-passkey')).status).toBe(200);
  });

  it('[DEL-1] is not told that a sign-in makes a new account after a deletion, because only the source creates one', async () => {
    const user = await enter(await push('there'));
    const { manage_deletion: shown } = await user.page(PATHS.manageDeletion, 'manage_deletion');
    expect(shown).not.toHaveProperty('comes_back');
  });

  it('gets a mail that says where the password is, and no link', async () => {
    const account = await push('there');
    await askForReset(account);
    await secure(account);
    expect((await findMails(account)).map(({ kind, values }) => [kind, values])).toEqual([
      ['password-elsewhere', { source: 'scim:there' }],
      ['account-secured', { source: 'scim:there' }],
    ]);
    const resets = gateway.get(PasswordResets);
    await expect(resets.issue(account, OPERATOR)).rejects.toMatchObject({ code: 'password-elsewhere' });
    await expect(resets.issueByMail(account, 'invitation', OPERATOR)).rejects.toMatchObject({ code: 'password-elsewhere' });
    const token = await gateway
      .get(OneTimeSecrets)
      .issue({ purpose: 'password-reset', accountId: account.id, lifetimeSeconds: 60 });
    expect(await resets.reset({ token, password: NEW_PASSWORD, auditContext: OPERATOR })).toEqual({ kind: 'gone' });
  });
});
