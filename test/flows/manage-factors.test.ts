/** Second factors in the account area: with plain forms, by RPC, and by the calls of a set-up during a sign-in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { RequestLimits } from '../../src/accounts/limits/request-limits.js';
import type { AssertionOptionsAnswer, InitFido2Answer } from '../../src/contract/rpc.js';
import { FACTOR_PATHS } from '../../src/contract/factor-paths.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { RecoveryCodesFlow } from '../../src/manage/factors/recovery-codes/recovery-codes.flow.js';
import { SetupFlow } from '../../src/manage/factors/setup.flow.js';
import { Factors } from '../../src/mfa/factors.js';
import { clickTwice } from '../support/double-click.js';
import { ManageUser } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory } from '../support/second-step.js';
import { SyntheticKey } from '../support/synthetic-key.js';
import type { Fields } from '../support/test-browser.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import type { TotpSetupState } from '../../src/contract/mfa-state.js';

const MFA_SUCCESS = `${PATHS.manage}?status=mfa-success&factor=totp`;
let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});

afterAll(() => gateway.close());

const newKey = () => new SyntheticKey({ origin: gateway.config.publicUrl, rpId: new URL(gateway.config.publicUrl).hostname });
const NO_APP = { name: 'totp', offered: true, entries: [] };
const NO_KEYS = { name: 'fido2', offered: true, entries: [] };
const NO_PASSKEYS = { name: 'passkey', offered: true, entries: [] };
const toApp = (secret: unknown) => new TotpApp(String(secret), gateway.clock);
const findKinds = async ({ account }: ManageUser) =>
  (await gateway.get(AuditLog).list(account.id)).entries.map(({ kind }) => kind as string);

/** Creates a person with an authenticator app and, if requested, a key. */
async function withFactors({ key = false } = {}) {
  const user = await ManageUser.enter(gateway, { fresh: true });
  const calls = await user.rpc();
  const app = toApp((await calls.post('/mfa-init-totp')).body['secret']);
  expect((await calls.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
  const device = newKey();
  if (key) await register(calls, device);
  return { user, calls, app, device };
}

async function register(calls: RpcClient, device: SyntheticKey) {
  const { challenge, sessionId } = (await calls.post('/mfa-init-fido2')).body as unknown as InitFido2Answer;
  return calls.post('/mfa-verify-fido2', { sessionId, credentialJson: device.register(challenge), name: 'Schlüsselbund' });
}

describe('with script off', () => {
  it('[RCV-1] [MAN-3] [MAN-4] [MAN-11] [GEN-9] sets up an authenticator app with forms, and shows recovery codes once', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    expect((await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa).toEqual({
      error: null,
      factors: [NO_APP, NO_KEYS, NO_PASSKEYS],
    });
    expect((await user.page(SERVER_PATHS.manageRegisterTotp, 'manage_factor')).manage_factor).toEqual({
      factor: 'totp',
      error: null,
      others: ['fido2'],
    });
    const begun = (await user.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor;
    const app = toApp((begun.setup as TotpSetupState | undefined)?.secret);
    const wrong = await user.post(SERVER_PATHS.manageRegisterTotp, { code: app.wrongCode() });
    expect(wrong.status).toBe(422);
    expect(wrong.state('manage_factor').manage_factor).toEqual({
      factor: 'totp',
      error: 'invalid verification code',
      setup: begun.setup,
    });
    const done = (await user.post(SERVER_PATHS.manageRegisterTotp, { code: app.code() })).state('manage_recovery_codes');
    expect(done.manage_recovery_codes).toMatchObject({ error: null, left: 10 });
    expect(done.manage_recovery_codes.codes).toHaveLength(10);
    const overview = (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa;
    expect(overview.factors[0]).toMatchObject({ name: 'totp', entries: [{ last_used_at: null }] });
    expect(overview).toMatchObject({ recovery_codes: { left: 10, total: 10 } });
    expect((await user.page(PATHS.manage, 'manage')).manage).toMatchObject({ totp_registered: true, recovery_codes_left: 10 });
    const again = await user.post(SERVER_PATHS.manageRegisterTotp);
    expect(again.state('manage_factor').manage_factor).toEqual({ factor: 'totp', error: 'totp already registered' });
    expect(await findKinds(user)).toEqual(expect.arrayContaining(['factor.added', 'recovery-codes.made', 'area.opened']));
  });

  it('[RCV-1] [RCV-3] shows the recovery codes after a double click too', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const begun = (await user.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor;
    const app = toApp((begun.setup as TotpSetupState | undefined)?.secret);
    const { area } = await user.page(PATHS.manage, 'manage');
    const submit = async (path: string, fields: Fields = {}) => {
      const page = await user.browser.post(path, { _xsrf: area.xsrf_token, ...fields });
      return page.state('manage_recovery_codes').manage_recovery_codes.codes;
    };
    const code = app.code();
    const [added, addedAgain] = await clickTwice(gateway.get(SetupFlow), () => submit(SERVER_PATHS.manageRegisterTotp, { code }));
    expect(added).toHaveLength(10);
    expect(addedAgain).toEqual(added);
    const [renewed, renewedAgain] = await clickTwice(gateway.get(RecoveryCodesFlow), () => submit(PATHS.manageRecoveryCodes));
    expect(renewed).toHaveLength(10);
    expect(renewedAgain).toEqual(renewed);
    expect((await findKinds(user)).filter((kind) => kind === 'recovery-codes.made')).toHaveLength(2);
  });

  it('[MAN-9] returns to the first page after a further factor', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    await register(await user.rpc(), newKey());
    const begun = (await user.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor;
    const answer = await user.post(SERVER_PATHS.manageRegisterTotp, {
      code: toApp((begun.setup as TotpSetupState | undefined)?.secret).code(),
    });
    expect([answer.status, answer.location]).toEqual([303, MFA_SUCCESS]);
  });

  it('[MAN-3] removes factors with forms, and only those of the person', async () => {
    const { user } = await withFactors({ key: true });
    const { user: stranger } = await withFactors({ key: true });
    const [theirs] = (await stranger.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors[1]!.entries;
    const foreign = await user.post(SERVER_PATHS.manageRemoveFido2, { key: theirs?.id ?? '' });
    expect([foreign.status, foreign.state('manage_mfa').manage_mfa.error]).toEqual([422, 'fido2 not found']);
    const [own] = (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors[1]!.entries;
    expect(own).toMatchObject({ name: 'Schlüsselbund', last_used_at: null });
    expect((await user.post(SERVER_PATHS.manageRemoveFido2, { key: own?.id ?? '' })).location).toBe(
      `${PATHS.manage}?status=mfa-removed&factor=fido2`,
    );
    expect((await user.post(SERVER_PATHS.manageRemoveTotp)).location).toBe(`${PATHS.manage}?status=mfa-removed&factor=totp`);
    const gone = await user.post(SERVER_PATHS.manageRemoveTotp);
    expect([gone.status, gone.state('manage_mfa').manage_mfa.error]).toEqual([422, 'totp not found']);
    expect((await stranger.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors[1]!.entries).toHaveLength(1);
    expect(await findKinds(user)).toContain('factor.removed');
  });

  it('[MAN-14] renames a key only with a fresh proof, by form and by call', async () => {
    const { user, calls } = await withFactors({ key: true });
    const keys = async () =>
      (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors[1]!.entries.map(({ name }) => name);
    const [own] = (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.factors[1]!.entries;
    const key = own?.id ?? '';
    const renameByForm = (name: string) => user.post(SERVER_PATHS.manageRenameFido2, { key, key_name: name });
    expect((await renameByForm('Büro')).location).toBe(PATHS.manageMfa);
    expect((await renameByForm('Heim')).status).toBe(303);
    expect((await user.post(SERVER_PATHS.manageRenameFido2, { key: 'none', key_name: 'x' })).status).toBe(422);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    const asked = await renameByForm('Anders');
    expect([asked.status, asked.state('manage_confirm').manage_confirm.next]).toEqual([403, PATHS.manageMfa]);
    const refused = { status: 403, body: { error: 'proof required', methods: ['password', 'totp', 'fido2'] } };
    expect(await calls.patch(`/mfa/fido2/${key}`, { name: 'Anders' })).toMatchObject(refused);
    expect(await keys()).toEqual(['Heim']);
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    expect((await calls.patch(`/mfa/fido2/${key}`, { name: 'Anders' })).status).toBe(200);
    expect(await keys()).toEqual(['Anders']);
  });

  it('[RCV-3] answers 429 after too many new recovery codes or usernames', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const { id } = user.account;
    const limits = gateway.get(RequestLimits);
    for (let count = 0; count < 10; count++) expect(await limits.countOwn('recovery-codes', id, { actor: 'person' })).toBeNull();
    for (let count = 0; count < 30; count++) expect(await limits.countOwn('username', id, { actor: 'person' })).toBeNull();
    const calls = await user.rpc();
    const wanted = { status: 429, body: { error: 'too many requests', retry_after: expect.any(Number) } };
    expect(await calls.post('/mfa-recovery-codes')).toMatchObject(wanted);
    expect(await calls.put('/username', { username: 'somebody.else' })).toMatchObject(wanted);
  });

  it('[MAN-11] opens no page for a kind that cannot be set up, and links to none', async () => {
    const keysOnly = await startTestGateway({ config: ({ mfa }) => ({ mfa: { ...mfa, factors: ['fido2'] } }) });
    try {
      const user = await ManageUser.enter(keysOnly, { fresh: true });
      for (const path of [SERVER_PATHS.manageRegisterTotp, FACTOR_PATHS.replace('totp')]) {
        expect((await user.browser.get(path)).location).toBe(PATHS.manageMfa);
      }
      expect((await user.page(SERVER_PATHS.manageRegisterFido2, 'manage_factor')).manage_factor.others).toEqual([]);
    } finally {
      await keysOnly.close();
    }
    const { user } = await withFactors();
    expect((await user.page(SERVER_PATHS.manageRegisterFido2, 'manage_factor')).manage_factor.others).toEqual([]);
    const without = await ManageUser.enter(gateway, { fresh: true });
    expect((await without.page(SERVER_PATHS.manageRegisterFido2, 'manage_factor')).manage_factor.others).toEqual(['totp']);
  });

  it('[RCV-3] creates new recovery codes with a form', async () => {
    const { user } = await withFactors();
    expect((await user.page(PATHS.manageRecoveryCodes, 'manage_recovery_codes')).manage_recovery_codes).toEqual({
      error: null,
      left: 10,
      unseen: true,
    });
    const made = (await user.post(PATHS.manageRecoveryCodes)).state('manage_recovery_codes').manage_recovery_codes;
    expect(made.codes).toHaveLength(10);
    const without = await ManageUser.enter(gateway, { fresh: true });
    const refused = await without.post(PATHS.manageRecoveryCodes);
    expect([refused.status, refused.state('manage_recovery_codes').manage_recovery_codes.error]).toEqual([
      422,
      'factor not found',
    ]);
  });

  it('[RCV-4] asks about recovery codes until the person continues from their page with its form', async () => {
    const { user } = await withFactors();
    const findUnseenCodes = async () => [
      (await user.page(PATHS.manage, 'manage')).manage.protection === 'codes-unseen',
      (await user.page(PATHS.manageMfa, 'manage_mfa')).manage_mfa.recovery_codes?.unseen === true,
      (await user.page(PATHS.manageRecoveryCodes, 'manage_recovery_codes')).manage_recovery_codes.unseen === true,
    ];
    const renewCodes = async () =>
      (await user.post(PATHS.manageRecoveryCodes)).state('manage_recovery_codes').manage_recovery_codes.codes?.[0] ?? '';
    expect(await findUnseenCodes()).toEqual([true, true, true]);
    const replaced = await renewCodes();
    const code = await renewCodes();
    // The page of codes that were replaced in another tab, and a form without a code.
    for (const other of [replaced, 'not a code', '']) {
      await user.post(PATHS.manageRecoveryCodesSeen, { code: other });
      expect(await findUnseenCodes()).toEqual([true, true, true]);
    }
    const next = await user.post(PATHS.manageRecoveryCodesSeen, { code });
    expect([next.status, next.location]).toEqual([303, `${PATHS.manage}?status=recovery-codes-success`]);
    expect(await findUnseenCodes()).toEqual([false, false, false]);
    const afterSetUp = await user.post(PATHS.manageRecoveryCodesSeen, { code, method: 'totp' });
    expect(afterSetUp.location).toBe(MFA_SUCCESS);
  });

  it('[RCV-4] treats codes of the previous version, and codes of which one was used, as seen', async () => {
    const { user } = await withFactors();
    const { id } = user.account;
    const { db } = gateway.database;
    const countUnseen = async () => (await gateway.get(Factors).recoveryCodes.countLeft(id)).unseen;
    expect(await countUnseen()).toBe(true);
    const [one] = await db.selectFrom('recovery_code').select('code_hash').where('account_id', '=', id).execute();
    await db
      .updateTable('recovery_code')
      .set({ used_at: new Date() })
      .where('code_hash', '=', one?.code_hash ?? '')
      .execute();
    expect(await countUnseen()).toBe(false);
    await db.deleteFrom('recovery_code').where('account_id', '=', id).execute();
    expect(await countUnseen()).toBe(false);
    await db.insertInto('recovery_code').values({ account_id: id, code_hash: 'of the previous version' }).execute();
    expect(await countUnseen()).toBe(false);
  });

  it('[MAN-14] accepts a code as a proof once', async () => {
    const { user, app } = await withFactors();
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    const asked = (await user.page(`${SERVER_PATHS.manageRegisterFido2}?method=totp`, 'manage_confirm')).manage_confirm;
    expect(asked).toMatchObject({ methods: ['password', 'totp'], method: 'totp', next: SERVER_PATHS.manageRegisterFido2 });
    const fields = { method: 'totp', next: asked.next };
    const wrong = await user.post(PATHS.manageConfirm, { ...fields, code: app.wrongCode() });
    expect(wrong.state('manage_confirm').manage_confirm).toMatchObject({ error: 'invalid verification code', method: 'totp' });
    const code = app.code();
    expect((await user.post(PATHS.manageConfirm, { ...fields, code })).location).toBe(SERVER_PATHS.manageRegisterFido2);
    await user.page(SERVER_PATHS.manageRegisterFido2, 'manage_factor');
    expect((await user.post(PATHS.manageConfirm, { ...fields, code })).status).toBe(422);
  });
});

describe('by calls', () => {
  it('[RPC-3] sets up an authenticator app', async () => {
    const calls = await (await ManageUser.enter(gateway, { fresh: true })).rpc();
    const { body } = await calls.post('/mfa-init-totp');
    expect(Object.keys(body).sort()).toEqual(['otpauth_url', 'qr_code', 'secret']);
    expect(Buffer.from(String(body['qr_code']), 'base64').subarray(1, 4).toString()).toBe('PNG');
    const app = toApp(body['secret']);
    expect(await calls.post('/mfa-verify-totp', { code: app.wrongCode() })).toMatchObject({
      status: 422,
      body: { error: 'invalid verification code' },
    });
    const done = await calls.post('/mfa-verify-totp', { code: app.code(), accountId: 'x' });
    expect(done.status).toBe(200);
    expect(Object.keys(done.body)).toEqual(['recovery_codes']);
    expect((await calls.post('/mfa-init-totp')).body).toEqual({ error: 'totp already registered' });
    expect((await calls.get('/mfa-registration-status')).body).toMatchObject({ totp_registered: true });
    expect((await calls.post('/mfa-recovery-codes')).body['codes']).toHaveLength(10);
  });

  it('[RPC-4] [RPC-10] sets up a key, names it, lists it and removes it', async () => {
    const { calls, device } = await withFactors({ key: true });
    expect((await register(calls, device)).body).toEqual({ error: 'fido2 already registered' });
    expect((await calls.post('/mfa-verify-fido2', { sessionId: 'x', credentialJson: 5 })).status).toBe(400);
    const [key] = (await calls.get('/mfa/fido2')).body as unknown as { id: string; name: string }[];
    expect(key?.name).toBe('Schlüsselbund');
    expect((await calls.patch(`/mfa/fido2/${key?.id}`, { name: 'Büro', counter: 5 })).status).toBe(200);
    expect((await calls.get('/mfa/fido2')).body).toMatchObject([{ id: key?.id, name: 'Büro' }]);
    expect((await calls.delete(`/mfa/fido2/${key?.id}`)).status).toBe(200);
    expect((await calls.delete(`/mfa/fido2/${key?.id}`)).body).toEqual({ error: 'fido2 not found' });
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
    expect((await calls.delete('/mfa/totp')).body).toEqual({ error: 'totp not found' });
  });

  it('[RPC-10] lists when a key was added and last used', async () => {
    const { calls, device } = await withFactors({ key: true });
    const readFirstKey = async () =>
      ((await calls.get('/mfa/fido2')).body as unknown as Record<string, string | null>[])[0] ?? {};
    const fresh = await readFirstKey();
    expect(Object.keys(fresh).sort()).toEqual(['created_at', 'id', 'last_used_at', 'name']);
    expect(fresh['created_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(fresh['last_used_at']).toBeNull();
    gateway.clock.advanceSeconds(60);
    const { publicKey } = (await calls.post('/proof/init-fido2')).body as unknown as AssertionOptionsAnswer;
    const { challenge } = publicKey as { challenge: string };
    expect((await calls.post('/proof/verify-fido2', device.assert(challenge))).status).toBe(200);
    const used = await readFirstKey();
    expect(used['created_at']).toBe(fresh['created_at']);
    expect(new Date(used['last_used_at'] ?? 0) > new Date(fresh['created_at'] ?? 0)).toBe(true);
  });

  it('[MAN-14] accepts one response of a key without a counter once, when it arrives twice at the same moment', async () => {
    const { user, calls, device } = await withFactors({ key: true });
    const { publicKey } = (await calls.post('/proof/init-fido2')).body as unknown as AssertionOptionsAnswer;
    const answer = device.assert((publicKey as { challenge: string }).challenge);
    const before = (await findKinds(user)).filter((kind) => kind === 'factor.ok').length;
    const both = await Promise.all([calls.post('/proof/verify-fido2', answer), calls.post('/proof/verify-fido2', answer)]);
    // Two requests of one call get the same answer (RPC-8).
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await findKinds(user)).filter((kind) => kind === 'factor.ok')).toHaveLength(before + 1);
  });

  it('[RPC-10] keeps the last factor where one is required', async () => {
    const { user, calls } = await withFactors({ key: true });
    await gateway.get(Accounts).update(user.account.id, { secondFactor: 'required' });
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
    const [key] = (await calls.get('/mfa/fido2')).body as unknown as { id: string }[];
    expect(await calls.delete(`/mfa/fido2/${key?.id}`)).toMatchObject({ status: 409, body: { error: 'factor required' } });
    const page = await user.post(SERVER_PATHS.manageRemoveFido2, { key: key?.id ?? '' });
    expect(page.state('manage_mfa').manage_mfa.error).toBe('factor required');
  });

  it('[MAN-14] accepts the response of a key as a proof, and for nothing else', async () => {
    const { user, calls, device } = await withFactors({ key: true });
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    const asked = await calls.delete('/mfa/totp');
    expect(asked).toMatchObject({ status: 403, body: { methods: ['password', 'totp', 'fido2'] } });
    const { publicKey } = (await calls.post('/proof/init-fido2')).body as unknown as AssertionOptionsAnswer;
    const { challenge } = publicKey as { challenge: string };
    const elsewhere = await (await ManageUser.enter(gateway, { account: user.account })).rpc();
    expect((await elsewhere.post('/proof/verify-fido2', device.assert(challenge))).body).toEqual({ error: 'fido2 failed' });
    expect((await calls.post('/proof/verify-fido2', device.assert(challenge))).status).toBe(200);
    expect((await calls.post('/proof/verify-fido2', device.assert(challenge))).status).toBe(422);
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
    expect((await elsewhere.post('/mfa-init-totp')).status).toBe(403);
  });

  it('[S-78] does not finish in one session what began in another', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    const app = toApp((await calls.post('/mfa-init-totp')).body['secret']);
    const elsewhere = await (await ManageUser.enter(gateway, { account: user.account })).rpc();
    await elsewhere.post('/proof/password', { password: PASSWORD });
    expect((await elsewhere.post('/mfa-verify-totp', { code: app.code() })).body).toEqual({ error: 'session expired' });
  });
});

describe('during a sign-in', () => {
  async function openEnrolment() {
    const story = new SecondStepStory(gateway);
    const account = await gateway.account(`enrol.${gateway.logLines.length}`);
    await gateway.get(Accounts).update(account.id, { secondFactor: 'required' });
    const waiting = await story.reachStep(account);
    const cookies = waiting.browser.cookies(PATHS.manageRpc);
    return { story, account, waiting, calls: new RpcClient(gateway.url, waiting.state.enrol_token ?? '', cookies) };
  }

  it('[MFV-2] sets up a first factor, whose answer finishes the sign-in', async () => {
    const { story, waiting, calls } = await openEnrolment();
    expect((await calls.get('/userinfo')).status).toBe(200);
    const app = toApp((await calls.post('/mfa-init-totp')).body['secret']);
    const { status, body } = await calls.post('/mfa-verify-totp', { code: app.code() });
    expect(status).toBe(200);
    expect(body['recovery_codes']).toHaveLength(10);
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
    expect(done.status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toMatchObject([{ authentication: { amr: ['pwd', 'otp', 'mfa'] } }]);
    expect((await calls.get('/userinfo')).status).toBe(401);
  });

  it('[MFV-2] sets up a key in the same way, and nothing further', async () => {
    const { waiting, calls } = await openEnrolment();
    const { status, body } = await register(calls, newKey());
    expect([status, typeof body['token']]).toEqual([200, 'string']);
    expect((await calls.post('/mfa-init-totp')).body).toEqual({ error: 'fido2 already registered' });
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(body['token']) });
    expect(done.status).toBe(303);
  });

  it('[MFV-2] admits no other call', async () => {
    const { calls } = await openEnrolment();
    for (const answer of [
      await calls.put('/password', { password: PASSWORD, newPassword: 'abcdefgh', newPasswordRepeat: 'abcdefgh' }),
      await calls.put('/username', { username: 'someone' }),
      await calls.post('/proof/password', { password: PASSWORD }),
      await calls.post('/mfa-recovery-codes'),
      await calls.get('/mfa/fido2'),
      await calls.delete('/mfa/totp'),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    }
  });
});
