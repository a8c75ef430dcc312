import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { UsernameTaken } from '../../src/accounts/account/account.errors.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ManageUser, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';

const NEW = 'silber ahorn 7733';
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

const findKinds = async (accountId: string) =>
  (await gateway.get(AuditLog).list(accountId)).entries.map(({ kind }) => kind as string);
const findNotices = async (accountId: string) =>
  (await gateway.database.db.selectFrom('outbox').select('kind').where('account_id', '=', accountId).execute()).map(
    ({ kind }) => kind,
  );
const passwords = (password: string, newPassword = NEW, newPasswordRepeat = newPassword) => ({
  password,
  newPassword,
  newPasswordRepeat,
});

describe('the password, with script off', () => {
  it('[MAN-5] [MAN-9] [GEN-9] is changed with a form, announced by mail and recorded in the audit log', async () => {
    const account = await newPerson(gateway, { email: 'maria@example.org' });
    const user = await ManageUser.enter(gateway, { account });
    const state = await user.page(PATHS.managePassword, 'manage_password');
    expect(state.manage_password).toEqual({
      error: null,
      password_set: true,
      rules: { min_length: 6, require_lower: false, require_upper: false, require_digit: false },
    });
    const answer = await user.post(PATHS.managePassword, passwords(PASSWORD));
    expect([answer.status, answer.location]).toEqual([303, `${PATHS.manage}?status=password-success`]);
    expect(await findKinds(account.id)).toContain('password.changed');
    expect(await findNotices(account.id)).toEqual(['password-changed']);
    await expect(signIn(gateway, gateway.browser(), account)).rejects.toThrow('422');
  });

  it('[MAN-5] cannot be changed for an account without one, and the page explains that', async () => {
    const account = await newPerson(gateway);
    const user = await ManageUser.enter(gateway, { account });
    await gateway.database.db.deleteFrom('password_credential').where('account_id', '=', account.id).execute();
    const { manage_password } = await user.page(PATHS.managePassword, 'manage_password');
    expect(manage_password).toMatchObject({ error: null, password_set: false });
  });

  it('[V32] ends every other session of the person and keeps this one', async () => {
    const account = await newPerson(gateway);
    const here = await ManageUser.enter(gateway, { account, fresh: true });
    const there = await ManageUser.enter(gateway, { account, fresh: true });
    const calls = await there.rpc();
    expect((await here.post(PATHS.managePassword, passwords(PASSWORD))).status).toBe(303);
    expect((await there.browser.get(PATHS.manage)).status).toBe(303);
    expect((await calls.get('/userinfo')).status).toBe(401);
    expect((await here.browser.get(PATHS.manage)).status).toBe(200);
    const sessions = await gateway.database.db
      .selectFrom('browser_session')
      .select('browser_hash')
      .where('account_id', '=', account.id)
      .execute();
    expect(sessions).toHaveLength(1);
  });

  it('[ERR-3] [S-78] shows faults on the page, and changes nothing', async () => {
    const user = await ManageUser.enter(gateway);
    for (const [fields, error] of [
      [passwords('', NEW), 'no password given'],
      [passwords(PASSWORD, '', NEW), 'no new password given'],
      [passwords(PASSWORD, NEW, ''), 'no repeat new password given'],
      [passwords(PASSWORD, NEW, 'x'), 'password and repetition not equal'],
      [passwords(PASSWORD, 'abc'), 'password not strong enough'],
      [passwords(PASSWORD, user.account.username), 'password not strong enough'],
      [passwords('wrong'), 'current password invalid'],
    ] as const) {
      const page = await user.post(PATHS.managePassword, fields);
      expect([page.status, page.state('manage_password').manage_password.error]).toEqual([422, error]);
      expect(page.html).not.toContain(NEW);
    }
    await signIn(gateway, gateway.browser(), user.account);
  });

  it('[S-78] counts wrong ones like those of a sign-in, which they delay too', async () => {
    const user = await ManageUser.enter(gateway);
    for (let time = 0; time < 5; time++) await user.post(PATHS.managePassword, passwords('wrong'));
    const page = await user.post(PATHS.managePassword, passwords(PASSWORD));
    expect(page.status).toBe(429);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(page.state('manage_password').manage_password).toMatchObject({ error: 'too many requests' });
    await expect(signIn(gateway, gateway.browser(), user.account)).rejects.toThrow('429');
  });

  it('counts as a fresh proof afterwards', async () => {
    const user = await ManageUser.enter(gateway);
    await user.post(PATHS.managePassword, passwords(PASSWORD));
    await user.page(PATHS.manageUsername, 'manage_username');
  });
});

describe('the username, with script off', () => {
  it('[MAN-5] [MAN-9] [VAL-5] is changed with a form; the old one is held for its owner', async () => {
    const account = await newPerson(gateway, { email: 'otto@example.org' });
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const renamed = `${account.username}.zwei`;
    const answer = await user.post(PATHS.manageUsername, { username: ` ${renamed} ` });
    expect([answer.status, answer.location]).toEqual([303, `${PATHS.manage}?status=username-success`]);
    expect((await user.page(PATHS.manage, 'manage')).manage.username).toBe(renamed);
    expect(await findKinds(account.id)).toContain('username.changed');
    expect(await findNotices(account.id)).toEqual(['username-changed']);

    const accounts = gateway.get(Accounts);
    const other = await ManageUser.enter(gateway, { fresh: true });
    const taken = await other.post(PATHS.manageUsername, { username: account.username.toUpperCase() });
    expect(taken.state('manage_username').manage_username).toEqual({
      error: 'username not available',
      username: account.username.toUpperCase(),
    });
    await expect(accounts.create({ username: account.username })).rejects.toThrow(UsernameTaken);
    await expect(accounts.update(other.account.id, { username: account.username })).rejects.toThrow(UsernameTaken);
    expect((await accounts.find(other.account.id))?.username).toBe(other.account.username);

    expect((await user.post(PATHS.manageUsername, { username: account.username })).status).toBe(303);
    gateway.clock.advanceSeconds(gateway.config.manage.heldNameSeconds + 60);
    await accounts.create({ username: renamed });
  });

  it('[ERR-4] shows what is wrong with the name as it was entered', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    for (const [username, error] of [
      ['', 'username is empty'],
      ['a', 'username is invalid'],
      ['<b>', 'username is invalid'],
      ['somebody@example.org', 'username is invalid'],
      ['supp0rt', 'username not available'],
    ]) {
      const page = await user.post(PATHS.manageUsername, { username: username ?? '' });
      expect([page.status, page.state('manage_username').manage_username]).toEqual([422, { error, username }]);
    }
  });

  it('goes to one of two people who want the same name at the same moment', async () => {
    const users = await Promise.all([1, 2, 3].map(() => ManageUser.enter(gateway, { fresh: true })));
    const username = `${users[0]?.account.username ?? ''}.alle`;
    const answers = await Promise.all(users.map((user) => user.post(PATHS.manageUsername, { username })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422]);
  });

  it('[S-78] takes over the wrong passwords that were counted for the old one', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const stranger = await ManageUser.enter(gateway, { account: user.account });
    for (let time = 0; time < 5; time++) await stranger.post(PATHS.managePassword, passwords('wrong'));
    await user.post(PATHS.manageUsername, { username: `${user.account.username}.neu` });
    expect((await stranger.post(PATHS.managePassword, passwords(PASSWORD))).status).toBe(429);
  });
});

describe('fresh proof', () => {
  it('[MAN-14] [S-78] is requested by a sensitive page at a separate address, and a form changes nothing without it', async () => {
    const user = await ManageUser.enter(gateway);
    const pages = [
      PATHS.manageUsername,
      SERVER_PATHS.manageRegisterTotp,
      SERVER_PATHS.manageRegisterFido2,
      PATHS.manageRecoveryCodes,
    ];
    for (const path of pages) {
      const page = await user.browser.get(path);
      expect(page.status).toBe(200);
      expect(page.state('manage_confirm').manage_confirm).toEqual({
        error: null,
        methods: ['password'],
        method: 'password',
        next: path,
      });
    }
    const posts = [
      ...pages.filter((path) => path !== SERVER_PATHS.manageRegisterFido2),
      SERVER_PATHS.manageRemoveTotp,
      SERVER_PATHS.manageRemoveFido2,
      SERVER_PATHS.manageRenameFido2,
    ];
    for (const path of posts) {
      const page = await user.post(path, { username: 'somebody.else', code: '123456', key: 'x' });
      expect([path, page.status]).toEqual([path, 403]);
      expect(page.state('manage_confirm').manage_confirm.next).toMatch(
        /^\/manage\/mfa\/re(move|name)-/.test(path) ? /^\/manage\/mfa$/ : path,
      );
    }
    expect((await user.page(PATHS.manage, 'manage')).manage.username).toBe(user.account.username);
  });

  it('[MAN-14] comes from a recent sign-in, and expires', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    await user.page(PATHS.manageUsername, 'manage_username');
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 5);
    await user.page(PATHS.manageUsername, 'manage_confirm');
  });

  it('[MAN-14] [GEN-9] returns to what was entered before it expired, in this session and through no foreign address', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    await user.page(PATHS.manageUsername, 'manage_username');
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 5);
    const typed = `${user.account.username}.neu`;
    const question = await user.post(PATHS.manageUsername, { username: typed });
    const { next } = question.state('manage_confirm').manage_confirm;
    expect([question.status, next]).toEqual([403, expect.stringMatching(/^\/manage\/credentials\/username\?kept=[\w-]+$/)]);
    // A reload of the address and a wrong password keep the input too.
    expect((await user.page(next, 'manage_confirm')).manage_confirm.next).toMatch(/\?kept=/);
    const wrong = await user.post(PATHS.manageConfirm, { method: 'password', password: 'wrong', next });
    expect(wrong.state('manage_confirm').manage_confirm.next).toBe(next);
    const proven = await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD, next });
    expect([proven.status, proven.location]).toEqual([303, next]);
    expect((await user.page(next, 'manage_username')).manage_username).toEqual({ error: null, username: typed });
    expect((await user.page(PATHS.manage, 'manage')).manage.username).toBe(user.account.username);
    const other = await ManageUser.enter(gateway, { account: user.account, fresh: true });
    expect((await other.page(next, 'manage_username')).manage_username.username).toBe(user.account.username);
    expect((await other.page(`${PATHS.manageUsername}?kept=x`, 'manage_username')).manage_username.username).toBe(
      user.account.username,
    );
  });

  it('[MAN-14] [MAN-11] continues a set-up that had begun with the same secret', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { setup } = (await user.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor;
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds - 300);
    const begun = (await user.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor.setup;
    expect((begun as TotpSetupState).secret).not.toBe((setup as TotpSetupState).secret);
    gateway.clock.advanceSeconds(305);
    const question = await user.post(SERVER_PATHS.manageRegisterTotp, { code: '123456' });
    const { next } = question.state('manage_confirm').manage_confirm;
    await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD, next });
    expect((await user.page(next, 'manage_factor')).manage_factor).toEqual({
      factor: 'totp',
      error: null,
      others: ['fido2'],
      setup: begun,
    });
  });

  it('[MAN-14] [GEN-9] is given with a form, which returns to the page that asked for it', async () => {
    const user = await ManageUser.enter(gateway);
    const wrong = await user.post(PATHS.manageConfirm, { method: 'password', password: 'wrong', next: PATHS.manageUsername });
    expect(wrong.status).toBe(422);
    expect(wrong.state('manage_confirm').manage_confirm).toMatchObject({
      error: 'current password invalid',
      next: PATHS.manageUsername,
    });
    const empty = await user.post(PATHS.manageConfirm, { next: PATHS.manageUsername });
    expect(empty.state('manage_confirm').manage_confirm.error).toBe('no password given');
    const answer = await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD, next: PATHS.manageUsername });
    expect([answer.status, answer.location]).toEqual([303, PATHS.manageUsername]);
    await user.page(PATHS.manageUsername, 'manage_username');
    expect(await findKinds(user.account.id)).toContain('proof.ok');
  });

  it.each([
    [PATHS.manageDeletionCancel, PATHS.manageDeletion],
    [PATHS.manageRecoveryCodesSeen, PATHS.manageRecoveryCodes],
  ])('[MAN-14] [GEN-9] returns from %s, where a form was sent, to %s', async (path, next) => {
    const user = await ManageUser.enter(gateway);
    expect((await user.page(path, 'manage_confirm')).manage_confirm.next).toBe(next);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/login',
    '/manage/../login',
    'javascript:1',
    '',
    '/login?kept=x',
    '/manage?kept=//x',
  ])('[MAN-14] does not return to another address: %s', async (next) => {
    const user = await ManageUser.enter(gateway);
    const answer = await user.post(PATHS.manageConfirm, { password: PASSWORD, next });
    expect(answer.location).toBe(PATHS.manage);
  });

  it('[MAN-14] is given by a call, whose refusal names the possible proofs', async () => {
    const calls = await (await ManageUser.enter(gateway)).rpc();
    const sensitive = [
      () => calls.put('/username', { username: 'neuer.name' }),
      () => calls.post('/mfa-init-totp'),
      () => calls.post('/mfa-verify-totp', { code: '123456' }),
      () => calls.post('/mfa-init-fido2'),
      () => calls.post('/mfa-verify-fido2', { sessionId: 'x', credentialJson: {} }),
      () => calls.post('/mfa-recovery-codes'),
      () => calls.delete('/mfa/totp'),
      () => calls.delete('/mfa/fido2/x'),
    ];
    for (const call of sensitive) {
      expect(await call()).toMatchObject({ status: 403, body: { error: 'proof required', methods: ['password'] } });
    }
    expect((await calls.post('/proof/password', { password: 'wrong' })).body).toEqual({ error: 'current password invalid' });
    expect((await calls.post('/proof/totp', { code: '123456' })).body).toEqual({ error: 'totp not found' });
    expect((await calls.post('/proof/init-fido2')).body).toEqual({ error: 'fido2 not found' });
    expect((await calls.post('/proof/verify-fido2', {})).body).toEqual({ error: 'fido2 not found' });
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    expect((await calls.post('/mfa-init-totp')).status).toBe(200);
  });
});
