/** Attempts to avoid, pass or repeat the second step: none of them may accept a login without a proof. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { SignInRecords } from '../../src/accounts/sessions/sign-in-records.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { TotpApp } from '../../test-kit/totp-app.js';
import { TotpUnderTest } from '../support/factors-under-test.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { SecondStepStory, call, loginFields, stepAddress, type PersonWithApp, type Waiting } from '../support/second-step.js';

let gateway: TestGateway;
let story: SecondStepStory;
let maria: PersonWithApp;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new SecondStepStory(gateway);
  maria = await story.createPerson('maria.musterfrau');
});

afterAll(() => gateway.close());

/** A code that was not used yet. */
function freshCode(): string {
  gateway.clock.advanceSeconds(60);
  return maria.app.code();
}

async function toProof(waiting: Waiting): Promise<string> {
  return String((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: freshCode() })).body['token']);
}

async function replaceApp(accountId: string): Promise<void> {
  const account = await gateway.get(Accounts).find(accountId);
  if (!account) throw new Error('no account');
  const factor = new TotpUnderTest(gateway.get(TotpFactor));
  const slot = { account, boundTo: 'area:test', replaces: true } as const;
  const setup = await factor.begin(slot);
  if (typeof setup === 'string') throw new Error(setup);
  const code = new TotpApp(setup.secret, gateway.clock).code();
  const auditContext = { actor: 'person' } as const;
  expect(await factor.confirm({ ...slot, code, onlyFirst: false, auditContext })).toMatchObject({ kind: 'added' });
}

describe('S-56 skipping the proof', () => {
  it.each([
    ['nothing', {}],
    ['an invented proof', { mfa_token: 'A'.repeat(43) }],
    ['claims of its own', { mfa_token: 'x', verified: 'true', amr: 'mfa', acr: 'urn:foyer:acr:phrh', subject: 'maria' }],
  ])('%s is refused', async (_what, more) => {
    const waiting = await story.reachStep(maria.account);
    const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, ...more });
    expect([403, 422]).toContain(answer.status);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('the token of the calls is not a proof', async () => {
    const waiting = await story.reachStep(maria.account);
    const answer = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: waiting.state.token });
    expect(answer.status).toBe(403);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('the proof of another sign-in of the same person is refused', async () => {
    const one = await story.reachStep(maria.account);
    const other = await story.reachStep(maria.account);
    const proof = await toProof(one);
    expect((await other.browser.post(PATHS.mfaVerify, { ...other.fields, mfa_token: proof })).status).toBe(403);
    expect(story.findAccepted(other.challenge)).toEqual([]);
  });

  it('a proof that is too old is refused', async () => {
    const waiting = await story.reachStep(maria.account);
    const proof = await toProof(waiting);
    gateway.clock.advanceSeconds(601);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: proof })).status).toBe(400);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it.each<[string, (accountId: string) => Promise<unknown>]>([
    ['removed', (accountId) => gateway.get(TotpFactor).remove({ accountId, auditContext: { actor: 'person' }, mayBeLast: true })],
    ['replaced', (accountId) => replaceApp(accountId)],
  ])('the proof of a factor that was %s meanwhile is refused', async (_what, change) => {
    const { account, app } = await story.createPerson();
    const waiting = await story.reachStep(account);
    const proof = String((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: app.code() })).body['token']);
    await change(account.id);
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: proof })).status).toBe(400);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it('a form without the anti-forgery value is refused', async () => {
    const waiting = await story.reachStep(maria.account);
    const mfa_token = await toProof(waiting);
    const { _xsrf: _, ...bare } = waiting.fields;
    expect((await waiting.browser.post(PATHS.mfaVerify, { ...bare, mfa_token })).status).toBe(403);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });
});

describe('[S-56] a second factor that was verified while another person proved a password for the same request', () => {
  /** Does something after the factor was verified and before the result is stored. */
  function interposeWork(method: 'prove' | 'issueFactorToken', work: () => Promise<unknown>): void {
    const records = gateway.get(SignInRecords);
    const original = records[method].bind(records) as (...given: unknown[]) => Promise<never>;
    const workFirst = async (...given: unknown[]): Promise<never> => {
      Object.assign(records, { [method]: original });
      await work();
      return original(...given);
    };
    Object.assign(records, { [method]: workFirst });
  }

  it.each(['prove', 'issueFactorToken'] as const)('proves nothing for the other person (%s)', async (method) => {
    const [attacker, victim] = [await story.createPerson(), await story.createPerson()];
    const waiting = await story.reachStep(attacker.account);
    const { browser, challenge, fields } = waiting;
    const other = browser.twin();
    interposeWork(method, () => story.signIn(other, fields, victim.account));
    const code = attacker.app.code();
    const own = { ...waiting, browser: browser.clone() };
    let token = 'x'.repeat(43);
    if (method === 'prove') await own.browser.post(PATHS.mfaVerify, { ...fields, method: 'totp', code });
    else token = String((await call(own, SERVER_PATHS.mfaVerifyTotp, { code })).body['token']);
    const step = await story.openStep(browser, challenge);
    expect(step.state.account).toMatchObject({ username: victim.account.username });
    await browser.post(PATHS.mfaVerify, { ...step.fields, mfa_token: token, trust_browser: 'true' });
    expect(story.findAccepted(challenge)).toEqual([]);
  });
});

describe('S-12 going round the step', () => {
  it('[LOG-14] opening the login again leads back to the step', async () => {
    const { browser, challenge } = await story.reachStep(maria.account);
    for (const path of [PATHS.login, PATHS.loginNative, PATHS.loginProceed]) {
      expect((await browser.get(`${path}?login_challenge=${challenge}`)).location).toBe(stepAddress(challenge));
    }
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('S-15 Proceed on the hint page leads back to the step', async () => {
    const { browser, challenge, fields } = await story.reachStep(maria.account);
    const answer = await browser.post(PATHS.loginProceed, { ...fields, user: maria.account.id, proceed: 'true' });
    expect(answer.location).toBe(`${PATHS.login}?login_challenge=${challenge}`);
    expect((await browser.get(answer.location ?? '')).location).toBe(stepAddress(challenge));
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('V22 the password once more in a second tab asks for the factor again and invalidates the proof of the first tab', async () => {
    const { browser, fields, challenge } = await story.openLogin();
    await story.signIn(browser, fields, maria.account);
    const first = await story.openStep(browser, challenge);
    const proof = await toProof(first);
    const { xsrf_token: _xsrf } = first.state;
    expect((await story.signIn(browser, { ...fields, _xsrf }, maria.account)).location).toBe(stepAddress(challenge));
    const second = await story.openStep(browser, challenge);
    expect(second.state.token).not.toBe(first.state.token);
    expect((await browser.post(PATHS.mfaVerify, { ...second.fields, mfa_token: proof })).status).toBe(403);
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('a new request in a second tab is a separate sign-in', async () => {
    const tab = await story.reachStep(maria.account);
    const other = await story.openLogin({}, tab.browser);
    await story.signIn(tab.browser, other.fields, maria.account);
    const next = await story.openStep(tab.browser, other.challenge);
    expect((await tab.browser.post(PATHS.mfaVerify, { ...next.fields, code: freshCode() })).status).toBe(303);
    expect(story.findAccepted(other.challenge)).toHaveLength(1);
    // The browser id of the first tab has changed; its page says so and leads back into its request.
    const left = await tab.browser.post(PATHS.mfaVerify, { ...tab.fields, code: freshCode() });
    expect(left.status).toBe(403);
    expect(left.state('server_error').server_error.restart_url).toBe(gateway.hydra.requestUrl());
    expect(story.findAccepted(tab.challenge)).toEqual([]);
  });

  it('V2 a new start of the request asks for the password and the factor again', async () => {
    const { browser } = await story.reachStep(maria.account);
    const again = await story.openLogin({}, browser);
    expect(again.page.state('login').login.error).toBeNull();
    expect((await story.signIn(browser, again.fields, maria.account)).location).toBe(stepAddress(again.challenge));
  });

  it('S-10 another browser cannot continue the step, whatever it knows', async () => {
    const opened = await story.openLogin();
    const thief = opened.browser.clone();
    await story.signIn(opened.browser, opened.fields, maria.account);
    const waiting = await story.openStep(opened.browser, opened.challenge);
    const other = gateway.browser();
    await other.get(PATHS.passwordRequestForm);
    for (const stranger of [thief, other]) {
      const page = await stranger.get(stepAddress(opened.challenge));
      expect(page.status).toBe(400);
      expect(page.state('mfa_verification').mfa_verification).toMatchObject({ challenge_fault: 'foreign', token: '' });
      const login = await stranger.get(`${PATHS.login}?login_challenge=${opened.challenge}`);
      expect(login.state('login').login.challenge_fault).toBe('foreign');
      const xsrf = login.state('login').login.xsrf_token;
      const stolen = { ...waiting.fields, _xsrf: xsrf, mfa_token: await toProof(waiting) };
      expect((await stranger.post(PATHS.mfaVerify, stolen)).status).toBe(400);
    }
    expect(story.findAccepted(opened.challenge)).toEqual([]);
  });

  it('a planted browser id is useless after the password, even within the time for a double click', async () => {
    const planted = await story.openLogin();
    const attacker = planted.browser.clone();
    const page = await attacker.get(`${PATHS.login}?login_challenge=${planted.challenge}`);
    const own = { ...loginFields(page), username: 'maria.musterfrau', password: 'wrong' };
    await story.signIn(planted.browser, planted.fields, maria.account);
    const answer = await attacker.post(PATHS.loginNative, own);
    expect(answer.status).toBe(400);
    expect(answer.setCookies.filter(({ name }) => name === 'foyer')).toEqual([]);
  });
});

describe('[LOG-14] clicks', () => {
  it('two on the password form lead to one step for both', async () => {
    const { browser, fields, challenge } = await story.openLogin();
    const answers = await Promise.all([
      story.signIn(browser, fields, maria.account),
      story.signIn(browser.twin(), fields, maria.account),
    ]);
    expect(answers.map(({ location }) => location)).toEqual([stepAddress(challenge), stepAddress(challenge)]);
    const ids = answers.map(({ setCookies }) => setCookies.find(({ name }) => name === 'foyer')?.value);
    expect(ids[0]).toBe(ids[1]);
    expect((await story.openStep(browser, challenge)).state.error).toBeNull();
  });

  it('one more with the old id a moment later gets the same answer, and none after ten seconds', async () => {
    const { browser, fields } = await story.openLogin();
    const old = browser.clone();
    const first = await story.signIn(browser, fields, maria.account);
    const again = await story.signIn(old.clone(), fields, maria.account);
    expect(again.location).toBe(first.location);
    gateway.clock.advanceSeconds(11);
    const late = await story.signIn(old, fields, maria.account);
    expect(late.status).toBe(400);
    expect(late.state('login').login.challenge_fault).toBe('foreign');
  });

  it('Back and the password of another person in the same form do not lead to the sign-in of the first person', async () => {
    const { browser, challenge, fields } = await story.openLogin();
    const [first, other] = [await gateway.account('clicks.first'), await gateway.account('clicks.other')];
    expect((await story.signIn(browser, fields, first)).status).toBe(303);
    const back = await browser.post(
      PATHS.loginNative,
      { ...fields, username: other.username, password: PASSWORD },
      { 'sec-fetch-site': 'same-origin' },
    );
    expect([back.status, back.state('login').login.challenge_fault]).toEqual([400, 'used']);
    expect(story.findAccepted(challenge)).toHaveLength(1);
  });

  it.each(['proof', 'code'])('two on the last form (%s) end in one login and one answer', async (kind) => {
    const waiting = await story.reachStep(maria.account);
    const last = kind === 'proof' ? { mfa_token: await toProof(waiting) } : { code: freshCode() };
    const fields = { ...waiting.fields, ...last };
    const answers = await Promise.all([
      waiting.browser.post(PATHS.mfaVerify, fields),
      waiting.browser.twin().post(PATHS.mfaVerify, fields),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0].location).toBe(answers[1].location);
    const ids = answers.map(({ setCookies }) => setCookies.find(({ name }) => name === 'foyer')?.value);
    expect(ids[0]).toBe(ids[1]);
  });

  it('the last form again a moment later gets the same answer; after Back and a while, a page that explains it', async () => {
    const waiting = await story.reachStep(maria.account);
    const fields = { ...waiting.fields, mfa_token: await toProof(waiting) };
    const before = waiting.browser.clone();
    const first = await waiting.browser.post(PATHS.mfaVerify, fields);
    expect((await before.clone().post(PATHS.mfaVerify, fields)).location).toBe(first.location);
    // The browser may have stored its new id before the second click.
    const withNewId = waiting.browser.clone().post(PATHS.mfaVerify, fields, { 'sec-fetch-site': 'same-origin' });
    expect((await withNewId).location).toBe(first.location);
    gateway.clock.advanceSeconds(11);
    const late = await before.post(PATHS.mfaVerify, fields);
    expect(late.status).toBe(400);
    expect(late.state('mfa_verification').mfa_verification).toMatchObject({
      challenge_fault: 'used',
      restart_url: gateway.hydra.requestUrl(),
    });
    const back = await waiting.browser.get(stepAddress(waiting.challenge));
    expect(back.state('mfa_verification').mfa_verification).toMatchObject({
      challenge_fault: 'used',
      restart_url: gateway.hydra.requestUrl(),
    });
    expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
  });

  it('an outage of the upstream at the end loses nothing: the same form finishes the sign-in later', async () => {
    const waiting = await story.reachStep(maria.account);
    const fields = { ...waiting.fields, mfa_token: await toProof(waiting) };
    gateway.hydra.fail(new UpstreamUnavailable('down'));
    expect((await waiting.browser.post(PATHS.mfaVerify, fields)).status).toBe(503);
    gateway.hydra.fail(null);
    expect((await waiting.browser.post(PATHS.mfaVerify, fields)).status).toBe(303);
    expect(story.findAccepted(waiting.challenge)).toHaveLength(1);
  });
});

describe('S-44 what ends a sign-in in progress', () => {
  it('the removal of a factor: the password is asked for again, and the page says so', async () => {
    const { account } = await story.createPerson();
    const waiting = await story.reachStep(account);
    await gateway.get(TotpFactor).remove({ accountId: account.id, auditContext: { actor: 'person' }, mayBeLast: true });
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, method: 'totp', code: '000000' });
    expect(done.status).toBe(400);
    expect(done.state('mfa_verification').mfa_verification.challenge_fault).toBe('expired');
    expect((await waiting.browser.get(`${PATHS.login}?login_challenge=${waiting.challenge}`)).status).toBe(200);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });

  it.each([
    ['a new password', (id: string) => gateway.get(SetPassword).setPassword(id, 'birke anders 9314')],
    ['ending the sessions', (id: string) => gateway.get(BrowserSessions).endForAccount(id)],
  ])('%s', async (_what, change) => {
    const person = await story.createPerson();
    const waiting = await story.reachStep(person.account);
    const proof = await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() });
    await change(person.account.id);
    expect((await call(waiting, SERVER_PATHS.mfaVerifyTotp, { code: person.app.code() })).status).toBe(401);
    const done = await waiting.browser.post(PATHS.mfaVerify, { ...waiting.fields, mfa_token: String(proof.body['token']) });
    expect(done.status).toBe(400);
    expect(story.findAccepted(waiting.challenge)).toEqual([]);
  });
});
