/** Requests that began before a change of an account and end after it: the change applies to them too. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { ManageSessionRecords } from '../../src/accounts/sessions/manage-sessions.js';
import { Factors } from '../../src/mfa/factors.js';
import { PasswordHasher } from '../../src/accounts/password/hasher.js';
import { PasswordResets } from '../../src/accounts/password/resets.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { MailedCodes } from '../../src/accounts/secrets/mailed-codes.js';
import { CALL_HEADERS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { ManageUser, accessToken, newPerson, signIn } from '../support/manage.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { EmailStory } from '../support/own-email.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import { RpcClient } from '../support/rpc-client.js';
import { SecondStepStory, stepAddress } from '../support/second-step.js';
import type { TestPage } from '../support/test-browser.js';
import { TotpApp } from '../../test-kit/totp-app.js';

const OWNER_PASSWORD = 'silber ahorn 7733';
const THIEF_PASSWORD = 'zinn birke 1199';
let gateway: TestGateway;
let story: SecondStepStory;
const undo: (() => void)[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
});

afterEach(() => undo.splice(0).forEach((work) => work()));
afterAll(() => gateway.close());

function newSignal(): { given: Promise<void>; give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** Delays the next check or hash of a password until `release`. */
function hold(method: 'verify' | 'hash'): { reached: Promise<void>; release: () => void } {
  const hasher = gateway.get(PasswordHasher);
  const work = hasher[method].bind(hasher) as (...given: unknown[]) => Promise<never>;
  const [reached, released] = [newSignal(), newSignal()];
  const restoreMethod = (): void => void Object.assign(hasher, { [method]: work });
  undo.push(restoreMethod);
  const waitAndWork = async (...given: unknown[]): Promise<never> => {
    restoreMethod();
    reached.give();
    await released.given;
    return work(...given);
  };
  Object.assign(hasher, { [method]: waitAndWork });
  return { reached: reached.given, release: released.give };
}

/** Signs in while `change` happens between reading the account and checking the password. */
async function signInDuring(account: Account, change: () => Promise<unknown>): Promise<{ challenge: string; answer: TestPage }> {
  const { browser, fields, challenge } = await story.openLogin();
  const held = hold('verify');
  const answer = story.signIn(browser, fields, account);
  await held.reached;
  await change();
  held.release();
  return { challenge, answer: await answer };
}

/** A call whose header is sent at once, and whose body later. */
function slowCall({ origin, token }: RpcClient, path: string, body: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': body.length };
  const call = httpRequest(`${origin}${PATHS.manageRpc}${path}`, { method: 'POST', headers });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  call.flushHeaders();
  return async () => {
    call.end(body);
    const [answer] = await answered;
    answer.resume();
    return { status: answer.statusCode, next: answer.headers[CALL_HEADERS.nextToken] };
  };
}

/** The guard has admitted the call before its token family advanced. */
async function waitForAdmission(count: number): Promise<void> {
  const listMoved = () => gateway.database.db.selectFrom('rpc_family').selectAll().where('step', '>=', count).execute();
  while ((await listMoved()).length === 0) await new Promise(setImmediate);
}

describe('a sign-in in progress', () => {
  it('[S-44] fails with a password that was replaced meanwhile', async () => {
    const account = await newPerson(gateway);
    const change = () => gateway.get(SetPassword).setPassword(account.id, OWNER_PASSWORD);
    const { challenge, answer } = await signInDuring(account, change);
    expect([answer.status, answer.state('login').login.error]).toEqual([422, 'credentials']);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('[S-44] does not wait for a second factor with a password that was replaced after its check', async () => {
    const { account, app } = await story.createPerson();
    const { browser, fields } = await story.reachStep(account);
    const { id } = account;
    const changed_at = gateway.database.now();
    await gateway.database.db.updateTable('password_credential').set({ changed_at }).where('account_id', '=', id).execute();
    expect((await browser.post(PATHS.mfaVerify, { ...fields, code: app.code(), method: 'totp' })).status).toBe(400);
    expect(story.findAccepted(fields['login_challenge'] ?? '')).toEqual([]);
  });

  it('[S-58] asks for a factor that was set up meanwhile', async () => {
    const account = await newPerson(gateway);
    const { challenge, answer } = await signInDuring(account, () => story.createKeyHolder(account));
    expect(answer.location).toBe(stepAddress(challenge));
    expect(story.findAccepted(challenge)).toEqual([]);
  });
});

describe('a login that was accepted and waits for its consent', () => {
  it('[PWR-7] [S-44] gives no app anything after a reset, neither when the question opens nor when it is answered', async () => {
    const account = await newPerson(gateway);
    const { browser, sessionId: loginSessionId } = await signInBrowser(gateway, { username: account.username });
    const open = (challenge: string, more = {}) => {
      gateway.hydra.addConsent({ challenge, subject: account.id, loginSessionId, ...more });
      return browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
    };
    const { consent } = (await open('early')).state('consent');
    const resets = gateway.get(PasswordResets);
    const { secret: token } = await resets.issue(account, { actor: 'operator' });
    expect((await resets.reset({ token, password: OWNER_PASSWORD, auditContext: { actor: 'person' } })).kind).toBe('done');
    const before = gateway.hydra.calls.length;
    await browser.post(PATHS.consentAccept, { _xsrf: consent.xsrf_token, consent_challenge: 'early', ticket: consent.ticket });
    await open('late');
    await open('remembered', { skip: true });
    const made = gateway.hydra.calls.slice(before).map(({ call }) => call);
    expect(made).toEqual(['rejectConsent', 'rejectConsent', 'rejectConsent']);
  });
});

describe('a change in progress', () => {
  it('[MAN-9] of the password does not replace a password that was set meanwhile', async () => {
    const account = await newPerson(gateway);
    const [owner, thief] = [await ManageUser.enter(gateway, { account }), await ManageUser.enter(gateway, { account })];
    const calls = await thief.rpc();
    const held = hold('hash');
    const late = calls.put('/password', { password: PASSWORD, newPassword: THIEF_PASSWORD, newPasswordRepeat: THIEF_PASSWORD });
    await held.reached;
    const fields = { password: PASSWORD, newPassword: OWNER_PASSWORD, newPasswordRepeat: OWNER_PASSWORD };
    expect((await owner.post(PATHS.managePassword, fields)).location).toBe(`${PATHS.manage}?status=password-success`);
    held.release();
    expect(await late).toMatchObject({ status: 422, body: { error: 'current password invalid' } });
    expect((await owner.browser.get(PATHS.manage)).status).toBe(200);
    expect((await thief.browser.get(PATHS.manage)).status).toBe(303);
  });

  it('[EML-1] of the e-mail address ends with its session, also while its code is checked', async () => {
    const emails = new EmailStory(gateway);
    const { account, user } = await emails.createPerson();
    const address = emails.address();
    const calls = await user.rpc();
    await calls.post('/email/init', { email: address });
    const codes = gateway.get(MailedCodes);
    const check = codes.check.bind(codes);
    undo.push(() => void Object.assign(codes, { check }));
    const checkAndEnd = async (...given: Parameters<typeof check>) => {
      const verdict = await check(...given);
      await gateway.get(ManageSessionRecords).endForAccount(account.id);
      return verdict;
    };
    Object.assign(codes, { check: checkAndEnd });
    const late = await calls.post('/email/verify', { code: await emails.findCode(address) });
    expect(late).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    expect((await gateway.get(Accounts).find(account.id))?.email).toBe(account.email);
  });

  it('[RPC-8] of a factor ends with its session, however late its body arrives', async () => {
    const thief = await ManageUser.enter(gateway, { fresh: true });
    const calls = await thief.rpc();
    const { body } = await calls.post('/mfa-init-totp');
    const app = new TotpApp(String(body['secret']), gateway.clock);
    const sendBody = slowCall(calls, '/mfa-verify-totp', JSON.stringify({ code: app.code() }));
    await waitForAdmission(1);
    await gateway.get(ManageSessionRecords).endForAccount(thief.account.id);
    expect(await sendBody()).toEqual({ status: 401, next: undefined });
    expect(await gateway.get(Factors).readCounts(thief.account.id)).toEqual({});
  });
});

describe('a page that was opened long ago', () => {
  it('[OUT-2] ends with the logout, also after a sign-in with a second factor in its browser', async () => {
    const { account, app } = await story.createPerson();
    const browser = gateway.browser({ 'accept-language': 'en' });
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    const { api } = (await browser.get(PATHS.manage)).state('manage');
    await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    const { fields } = await story.reachStep(account, { sessionId: 'old-page' }, browser);
    expect((await browser.post(PATHS.mfaVerify, { ...fields, code: app.code(), method: 'totp' })).status).toBe(303);
    gateway.hydra.addLogout({ challenge: 'old-page', subject: account.id, sessionId: 'old-page' });
    const question = (await browser.get(`${PATHS.logout}?logout_challenge=old-page`)).state('logout').logout;
    await browser.post(PATHS.logoutAccept, { _xsrf: question.xsrf_token, logout_challenge: 'old-page' });
    expect((await new RpcClient(gateway.url, api.token).get('/userinfo')).status).toBe(401);
  });
});

describe('usernames', () => {
  it('[VAL-5] are held for their former owner ten at most, and the owner can still return to one', async () => {
    const user = await ManageUser.enter(gateway, { fresh: true });
    const calls = await user.rpc();
    const rename = async (name: string) => (await calls.put('/username', { username: name })).status;
    for (let name = 0; name < 10; name++) expect(await rename(`wanted.name.${name}`)).toBe(200);
    const refused = await calls.put('/username', { username: 'wanted.name.10' });
    expect([refused.status, refused.body['error']]).toEqual([429, 'too many requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80 * 24 * 3600);
    expect(await rename(user.account.username)).toBe(200);
    await signIn(gateway, gateway.browser(), user.account);
  });
});
