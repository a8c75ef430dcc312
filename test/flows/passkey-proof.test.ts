/** The account area of people with passkeys: which proof they need before a change, and which is not enough (S-122). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freezeCredentials } from '../../src/accounts/account/credential-freeze.js';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import type { PasskeyRequest } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { AssertionOptionsAnswer } from '../../src/contract/rpc.js';
import { PasskeyFactor } from '../../src/mfa/factors/passkey/passkey.factor.js';
import { Passkeys } from '../../src/passkeys/passkeys.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, accessToken } from '../support/manage.js';
import { NotMeStory } from '../support/not-me.js';
import { PasskeyStory, type TestPasskey } from '../support/passkeys.js';
import type { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory } from '../support/second-step.js';

const NEW_PASSWORD = 'silber ahorn 7733';
const CHANGED = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };

let gateway: TestGateway;
let story: PasskeyStory;
let mails: NotMeStory;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new PasskeyStory(gateway);
  mails = new NotMeStory(gateway);
});

afterAll(() => gateway.close());

const person = (more: Parameters<TestGateway['account']>[1] = {}) =>
  gateway.account(`proof.${(count += 1)}`, { email: `proof.${count}@ok.example`, emailVerified: true, ...more });

/** Signs a person with a passkey in with only the password. */
async function enterByPassword(more: Parameters<TestGateway['account']>[1] = {}) {
  const holder = await story.createHolder({ account: await person(more) });
  const user = await ManageUser.enter(gateway, { account: holder.account, fresh: true });
  return { holder, user, calls: await user.rpc() };
}

const toId = async ({ id }: Account) => (await gateway.get(PasskeyFactor).list(id))[0]?.id ?? '';
const begin = async (calls: RpcClient) => (await calls.post('/mfa-init-passkey')).status;

async function answerProof(holder: TestPasskey, calls: RpcClient): Promise<object> {
  const { publicKey } = (await calls.post('/proof/init-passkey')).body as unknown as AssertionOptionsAnswer;
  return JSON.parse(holder.answer(publicKey as PasskeyRequest)) as object;
}

async function proveByPasskey(holder: TestPasskey, calls: RpcClient): Promise<void> {
  expect((await calls.post('/proof/verify-passkey', await answerProof(holder, calls))).status).toBe(200);
}

async function findMailedCode(account: Account): Promise<string> {
  return String((await mails.listMails(account)).filter(({ kind }) => kind === 'proof-code').at(-1)?.values['code']);
}

describe('[PKY-10] a sign-in with the password of an account with a passkey', () => {
  it('[S-122] adds, renames and removes nothing, and changes neither name nor password, by form or by call', async () => {
    const { holder, user, calls } = await enterByPassword();
    const id = await toId(holder.account);
    const refused = { status: 403, body: { error: 'proof required', methods: ['passkey', 'mail'] } };
    expect(await calls.post('/mfa-init-passkey')).toMatchObject(refused);
    expect(await calls.post('/mfa-init-totp')).toMatchObject(refused);
    expect(await calls.delete(`/mfa/passkey/${id}`)).toMatchObject(refused);
    expect(await calls.patch(`/mfa/passkey/${id}`, { name: 'mine' })).toMatchObject(refused);
    expect(await calls.put('/username', { username: `taken.${count}` })).toMatchObject(refused);
    expect(await calls.put('/password', CHANGED)).toMatchObject(refused);
    const forms: [string, Record<string, string>][] = [
      [FACTOR_PATHS.remove('passkey'), { key: id }],
      [PATHS.manageUsername, { username: `taken.${count}` }],
      [PATHS.managePassword, CHANGED],
    ];
    for (const [path, fields] of forms) {
      const page = await user.post(path, fields);
      const { methods, method } = page.state('manage_confirm').manage_confirm;
      expect([page.status, methods, method]).toEqual([403, ['passkey', 'mail'], 'passkey']);
    }
    expect((await user.page(PATHS.managePassword, 'manage_confirm')).manage_confirm.next).toBe(PATHS.managePassword);
    expect(await toId(holder.account)).toBe(id);
  });

  it('[S-122] proves nothing with the password again, on the page or by a call', async () => {
    const { user, calls } = await enterByPassword();
    expect(await calls.post('/proof/password', { password: PASSWORD })).toMatchObject({
      status: 403,
      body: { error: 'forbidden' },
    });
    const page = await user.post(PATHS.manageConfirm, { method: 'password', password: PASSWORD });
    expect(page.status).not.toBe(303);
    expect(page.html).not.toContain('type="password"');
    expect(await begin(calls)).toBe(403);
  });

  it('[MAN-14] continues with the passkey, and then can change the password too', async () => {
    const { holder, calls } = await enterByPassword();
    await proveByPasskey(holder, calls);
    expect((await calls.put('/password', CHANGED)).status).toBe(200);
    expect(await begin(calls)).toBe(200);
    gateway.clock.advanceSeconds(901);
    expect((await calls.post('/mfa-init-passkey')).body).toMatchObject({ error: 'proof required' });
  });

  it('[MAN-14] [GEN-9] continues with a mailed code if the passkey is lost, also without script', async () => {
    const { holder, user, calls } = await enterByPassword();
    const { account } = holder;
    const address = `${PATHS.manageConfirm}?next=${encodeURIComponent(PATHS.manageMfa)}`;
    const first = await user.browser.get(address);
    expect(first.html).toContain('method=mail');
    const fields = { method: 'mail', next: PATHS.manageMfa };
    const sent = await user.post(PATHS.manageConfirm, fields);
    expect([sent.status, sent.location]).toEqual([303, `${address}&method=mail`]);
    expect((await user.page(sent.location ?? '', 'manage_confirm')).manage_confirm).toMatchObject({
      method: 'mail',
      mail: { sent: true },
    });
    const code = await findMailedCode(account);
    for (const wrongCode of ['', code === '000000' ? '000001' : '000000']) {
      const wrong = await user.post(PATHS.manageConfirm, { ...fields, code: wrongCode });
      expect([wrong.status, wrong.state('manage_confirm').manage_confirm.method]).toEqual([422, 'mail']);
    }
    expect((await user.post(PATHS.manageConfirm, { ...fields, code })).location).toBe(PATHS.manageMfa);
    expect((await calls.delete(`/mfa/passkey/${await toId(account)}`)).status).toBe(200);
    const kinds = (await gateway.get(AuditLog).list(account.id)).entries.map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['proof.ok', 'factor.removed']));
    // Without a passkey the password is a proof again.
    gateway.clock.advanceSeconds(901);
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    expect(await begin(calls)).toBe(200);
  });

  it('[S-44] proves nothing with the passkey if the account is disabled while it is checked', async () => {
    const { holder, calls } = await enterByPassword();
    const assertion = await answerProof(holder, calls);
    const passkeys = gateway.get(Passkeys);
    const take = passkeys.take.bind(passkeys);
    passkeys.take = async (...given) => {
      passkeys.take = take;
      await gateway.get(Accounts).setStatus(holder.account.id, 'disabled');
      return take(...given);
    };
    expect((await calls.post('/proof/verify-passkey', assertion)).status).not.toBe(200);
    const kinds = (await gateway.get(AuditLog).list(holder.account.id)).entries.map(({ kind }) => kind);
    expect(kinds).toContain('account.disabled');
    expect(kinds.filter((kind) => kind === 'factor.ok' || kind === 'proof.ok')).toEqual([]);
  });

  it('[S-122] proves nothing with a passkey whose counter another use stores while it is checked', async () => {
    const { holder, calls } = await enterByPassword();
    const assertion = await answerProof(holder, calls);
    const passkeys = gateway.get(Passkeys);
    const take = passkeys.take.bind(passkeys);
    passkeys.take = async (...given) => {
      passkeys.take = take;
      expect(await take(...given)).toBe(true);
      return take(...given);
    };
    expect((await calls.post('/proof/verify-passkey', assertion)).status).toBe(422);
    expect(await begin(calls)).toBe(403);
  });

  it('gets no code at an unverified address, and is told who can help', async () => {
    const { user, calls } = await enterByPassword({ emailVerified: false });
    expect((await calls.post('/mfa-init-passkey')).body).toMatchObject({ methods: ['passkey'] });
    expect((await calls.post('/proof/init-mail')).body).toEqual({ error: 'forbidden' });
    expect((await calls.post('/proof/verify-mail', { code: '123456' })).body).toEqual({ error: 'forbidden' });
    expect((await user.browser.get(PATHS.manageConfirm)).html).toContain('your contact person can remove your passkeys');
  });

  it('needs the passkey or the app, and gets no code by mail, if there is a second factor too', async () => {
    const { account, app } = await new SecondStepStory(gateway).createPerson();
    const holder = await story.createHolder({ account });
    await gateway.get(Accounts).update(account.id, { email: 'both@ok.example', emailVerified: true });
    const user = await ManageUser.enter(gateway, { account: holder.account });
    const calls = await user.rpc();
    expect((await calls.post('/mfa-init-passkey')).body).toMatchObject({ methods: ['totp', 'passkey'] });
    expect((await calls.post('/proof/password', { password: PASSWORD })).body).toEqual({ error: 'forbidden' });
    gateway.clock.advanceSeconds(60);
    expect((await calls.post('/proof/totp', { code: app.code() })).status).toBe(200);
    expect(await begin(calls)).toBe(200);
  });
});

describe('[PKY-10] a proof', () => {
  it('[S-122] with the password from before the passkey does not count any more, in any tab of any session', async () => {
    const account = await person();
    const user = await ManageUser.enter(gateway, { account, fresh: true });
    const [calls, other] = [await user.rpc(), await user.rpc()];
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    expect(await begin(calls)).toBe(200);
    await story.createHolder({ account });
    expect(await begin(calls)).toBe(403);
    expect(await begin(other)).toBe(403);
    expect((await user.post(FACTOR_PATHS.remove('passkey'), { key: await toId(account) })).status).toBe(403);
  });

  it('with a passkey of this session counts here, and in no other session', async () => {
    const account = await person();
    const [own, foreign] = [
      await ManageUser.enter(gateway, { account, fresh: true }),
      await ManageUser.enter(gateway, { account, fresh: true }),
    ];
    const [calls, others] = [await own.rpc(), await foreign.rpc()];
    const begun = (await calls.post('/mfa-init-passkey')).body as { sessionId: string; publicKey: { challenge: string } };
    const { key } = await story.createHolder({ account: await person() });
    const credentialJson = key.register(begun.publicKey.challenge, { format: 'none', flags: ['up', 'uv'] });
    await gateway.database.db.deleteFrom('passkey').where('credential_id', '=', key.id).execute();
    expect((await calls.post('/mfa-verify-passkey', { sessionId: begun.sessionId, credentialJson })).status).toBe(200);
    expect(await begin(calls)).toBe(200);
    expect(await begin(others)).toBe(403);
  });

  it('[S-122] of another session, of another account or used before does not count', async () => {
    const [one, other] = [await enterByPassword(), await enterByPassword()];
    const elsewhere = await (await ManageUser.enter(gateway, { account: one.holder.account, fresh: true })).rpc();
    const assertion = await answerProof(one.holder, one.calls);
    expect((await elsewhere.post('/proof/verify-passkey', assertion)).status).toBe(422);
    expect((await other.calls.post('/proof/verify-passkey', assertion)).status).toBe(422);
    expect((await one.calls.post('/proof/verify-passkey', assertion)).status).toBe(200);
    expect((await one.calls.post('/proof/verify-passkey', assertion)).status).toBe(422);
    expect([await begin(one.calls), await begin(elsewhere), await begin(other.calls)]).toEqual([200, 403, 403]);
  });

  it('of the sign-in counts if it was the passkey, and no longer if the account area is opened after one with the password', async () => {
    const holder = await story.createHolder({ account: await person() });
    const { browser } = await story.signIn(holder);
    const enter = async () => {
      await browser.get(`${PATHS.manage}?t=${accessToken(gateway, holder.account)}`);
      return new ManageUser(gateway, holder.account, browser).rpc();
    };
    expect(await begin(await enter())).toBe(200);
    gateway.clock.advanceSeconds(901);
    const again = await ManageUser.enter(gateway, { account: holder.account, fresh: true });
    expect(await begin(await again.rpc())).toBe(403);
    expect(await begin(await enter())).toBe(403);
  });

  it('changes nothing while credentials are frozen', async () => {
    const { holder, calls } = await enterByPassword();
    await proveByPasskey(holder, calls);
    const { database } = gateway;
    await database.transaction((trx) =>
      freezeCredentials({ accountId: holder.account.id, now: database.now(), seconds: 3600 }, trx),
    );
    expect([await begin(calls), (await calls.put('/password', CHANGED)).status]).toEqual([423, 423]);
  });
});

describe('[PKY-11] where the installation uses no passkeys', () => {
  it('those that are stored change nothing about the proof', async () => {
    const off = await startTestGateway({ config: ({ passkeys }) => ({ passkeys: { ...passkeys, mode: 'off' } }) });
    try {
      const account = await off.account('kept', { email: 'kept@ok.example', emailVerified: true });
      await new PasskeyStory(off).createHolder({ account });
      const user = await ManageUser.enter(off, { account });
      const calls = await user.rpc();
      expect((await calls.post('/mfa-init-totp')).body).toMatchObject({ methods: ['password'] });
      expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
      expect((await calls.post('/mfa-init-totp')).status).toBe(200);
    } finally {
      await off.close();
    }
  });
});
