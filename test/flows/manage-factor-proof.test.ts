/** The account area of people with a second factor: a session that has not proven it accepts no password as a fresh proof (S-78b). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/accounts/account/accounts.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { ManageUser, accessToken, newPerson } from '../support/manage.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, type PersonWithApp } from '../support/second-step.js';
import type { TestBrowser } from '../support/test-browser.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const NEW_PASSWORD = 'silber ahorn 7733';
const CHANGED = { password: PASSWORD, newPassword: NEW_PASSWORD, newPasswordRepeat: NEW_PASSWORD };
const REFUSED = { status: 403, body: { error: 'proof required', methods: ['totp'] } };
const FORBIDDEN = { status: 403, body: { error: 'forbidden' } };

let gateway: TestGateway;
let story: SecondStepStory;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

afterAll(() => gateway.close());

/** Opens the account area with an access token, in a browser that is not signed in. */
async function carryToken(account: Account, browser = gateway.browser()): Promise<RpcClient> {
  await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
  return openCalls(browser);
}

async function openCalls(browser: TestBrowser): Promise<RpcClient> {
  return new RpcClient(gateway.url, (await browser.get(PATHS.manage)).state('manage').api.token, browser.cookies('/'));
}

async function setUpApp(calls: RpcClient): Promise<TotpApp> {
  const app = new TotpApp(String((await calls.post('/mfa-init-totp')).body['secret']), gateway.clock);
  expect((await calls.post('/mfa-verify-totp', { code: app.code() })).status).toBe(200);
  gateway.clock.advanceSeconds(60);
  return app;
}

async function signIn({ account, app }: PersonWithApp, browser: TestBrowser, proof?: { method: string; code: string }) {
  const waiting = await story.reachStep(account, {}, browser);
  gateway.clock.advanceSeconds(60);
  const form = { ...waiting.fields, ...(proof ?? { method: 'totp', code: app.code() }) };
  expect((await browser.post(PATHS.mfaVerify, form)).status).toBe(303);
}

/** Nothing can be changed with the password until the factor is proven. */
async function expectFactor(calls: RpcClient, app: TotpApp): Promise<void> {
  expect(await calls.post('/proof/password', { password: PASSWORD })).toMatchObject(FORBIDDEN);
  expect(await calls.delete('/mfa/totp')).toMatchObject(REFUSED);
  expect(await calls.post('/mfa-recovery-codes')).toMatchObject(REFUSED);
  expect(await calls.post('/mfa-init-fido2')).toMatchObject(REFUSED);
  expect(await calls.put('/username', { username: 'somebody.else' })).toMatchObject(REFUSED);
  expect(await calls.put('/password', CHANGED)).toMatchObject(REFUSED);
  gateway.clock.advanceSeconds(60);
  expect((await calls.post('/proof/totp', { code: app.code() })).status).toBe(200);
  // The session has proven a factor from here on.
  gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
  expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
  expect((await calls.delete('/mfa/totp')).status).toBe(200);
}

describe('the password of an account with a second factor', () => {
  it('[S-78b] is not a proof in a session from before the first factor, and an earlier proof is not fresh any more', async () => {
    const account = await newPerson(gateway);
    const older = await ManageUser.enter(gateway, { account, fresh: true });
    const calls = await older.rpc();
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    const app = await setUpApp(await (await ManageUser.enter(gateway, { account, fresh: true })).rpc());
    await expectFactor(calls, app);
  });

  it('[S-78b] is not a proof with the form either, which asks for the factor', async () => {
    const account = await newPerson(gateway);
    const older = await ManageUser.enter(gateway, { account, fresh: true });
    const app = await setUpApp(await (await ManageUser.enter(gateway, { account, fresh: true })).rpc());
    const asked = await older.post(SERVER_PATHS.manageRemoveTotp);
    expect([asked.status, asked.state('manage_confirm').manage_confirm]).toMatchObject([403, { methods: ['totp'] }]);
    const refused = await older.post(PATHS.manageConfirm, { password: PASSWORD, method: 'password', next: PATHS.manageMfa });
    expect([refused.status, refused.state('manage_confirm').manage_confirm.error]).toEqual([422, 'forbidden']);
    const proven = await older.post(PATHS.manageConfirm, { code: app.code(), method: 'totp', next: PATHS.manageMfa });
    expect([proven.status, proven.location]).toEqual([303, PATHS.manageMfa]);
    expect((await older.post(SERVER_PATHS.manageRemoveTotp)).status).toBe(303);
  });

  it('[S-78b] is not a proof if an access token was opened in a browser without a sign-in', async () => {
    const { account, app } = await story.createPerson();
    await expectFactor(await carryToken(account), app);
  });

  it('[S-78b] [S-10] is not a proof if the id of that browser was seen elsewhere before its owner signed in with the factor', async () => {
    const person = await story.createPerson();
    const owner = gateway.browser();
    await owner.get(PATHS.login);
    const seen = owner.cookies('/').find((pair) => pair.startsWith('foyer=')) ?? '';
    const calls = await carryToken(person.account, gateway.browser({ cookie: seen }));
    await signIn(person, owner);
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(401);
  });

  it('[S-78b] is not a proof for a client without a browser', async () => {
    const { account, app } = await story.createPerson();
    const user = await ManageUser.enter(gateway, { account });
    await expectFactor(await user.rpc(), app);
  });

  it('[S-78b] is not a proof in such a browser after the trust in all browsers was ended', async () => {
    const { account, app } = await story.createPerson();
    const browser = gateway.browser();
    const waiting = await story.reachStep(account, {}, browser);
    const form = { ...waiting.fields, method: 'totp', code: app.code(), trust_browser: 'true' };
    expect((await browser.post(PATHS.mfaVerify, form)).status).toBe(303);
    const calls = await carryToken(account);
    expect((await (await carryToken(account, browser)).delete('/trusted-browsers')).status).toBe(200);
    await expectFactor(calls, app);
  });

  it('[S-78b] is not a proof if the proven factor has been replaced since', async () => {
    const person = await story.createPerson();
    const browser = gateway.browser();
    await signIn(person, browser);
    const calls = await carryToken(person.account, browser);
    const other = gateway.browser();
    await signIn(person, other);
    const owner = await carryToken(person.account, other);
    expect((await owner.delete('/mfa/totp')).status).toBe(200);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    expect((await owner.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    await expectFactor(calls, await setUpApp(owner));
  });

  it('is a proof after a sign-in with the factor in the same browser, before or after the area was opened', async () => {
    const person = await story.createPerson();
    const before = gateway.browser();
    await signIn(person, before);
    const after = gateway.browser();
    const opened = await carryToken(person.account, after);
    expect(await opened.post('/proof/password', { password: PASSWORD })).toMatchObject(FORBIDDEN);
    await signIn(person, after);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    for (const calls of [await carryToken(person.account, before), await openCalls(after)]) {
      expect((await calls.delete('/mfa/totp')).body).toMatchObject({ error: 'proof required', methods: ['password', 'totp'] });
      expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
      expect((await calls.post('/mfa-recovery-codes')).status).toBe(200);
    }
  });

  it('[RCV-2] is a proof after a sign-in with a recovery code, for people who lost the factor', async () => {
    const person = await story.createPerson();
    const browser = gateway.browser();
    await signIn(person, browser, { method: 'recovery', code: person.recoveryCodes[0] ?? '' });
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    const calls = await carryToken(person.account, browser);
    expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
    expect((await calls.delete('/mfa/totp')).status).toBe(200);
  });

  it('is a proof in the session that set up the factor, by call or form', async () => {
    const byCall = await ManageUser.enter(gateway, { fresh: true });
    await setUpApp(await byCall.rpc());
    const byForm = await ManageUser.enter(gateway, { fresh: true });
    const begun = (await byForm.post(SERVER_PATHS.manageRegisterTotp)).state('manage_factor').manage_factor;
    const app = new TotpApp(String((begun.setup as { secret?: string }).secret), gateway.clock);
    expect((await byForm.post(SERVER_PATHS.manageRegisterTotp, { code: app.code() })).status).toBe(200);
    gateway.clock.advanceSeconds(gateway.config.manage.freshProofSeconds + 60);
    for (const user of [byCall, byForm]) {
      const calls = await user.rpc();
      expect(await calls.delete('/mfa/totp')).toMatchObject({ status: 403, body: { methods: ['password', 'totp'] } });
      expect((await calls.post('/proof/password', { password: PASSWORD })).status).toBe(200);
      expect((await calls.delete('/mfa/totp')).status).toBe(200);
    }
  });
});
