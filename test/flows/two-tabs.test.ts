/** The older of two tabs of one app: it reaches the app with its own proof, and nobody else gains anything. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts, type Account } from '../../src/accounts/account/accounts.js';
import { SetPassword } from '../../src/accounts/password/set-password.js';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { SignInRecords } from '../../src/accounts/sessions/sign-in-records.js';
import { KnownDevices } from '../../src/accounts/sessions/known-devices.js';
import { randomToken } from '../../src/config/keys.js';
import { ConsentGrants } from '../../src/accounts/sessions/consent-grants.js';
import { PATHS } from '../../src/contract/paths.js';
import { TotpFactor } from '../../src/mfa/factors/totp/totp.factor.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { newPerson } from '../support/manage.js';
import { PasskeyStory } from '../support/passkeys.js';
import { SecondStepStory } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestBrowser, TestPage } from '../support/test-browser.js';
import { TwoTabsStory, loginAddress } from '../support/two-tabs.js';

const ENROL_PATH = PATHS.mfaVerify;

let gateway: TestGateway;
let story: TwoTabsStory;
let person: Account;
let browser: TestBrowser;

beforeAll(async () => {
  gateway = await startTestGateway();
  story = new TwoTabsStory(gateway);
  person = await newPerson(gateway);
});

afterAll(() => gateway.close());

/** Submits the right password in the older tab, whose proof then waits for the request to start again. */
async function carryProof(account = person, parameters: Record<string, string> = {}) {
  browser = gateway.browser();
  const requestUrl = gateway.hydra.requestUrl({ state: `carried-${Math.random()}`, ...parameters });
  const older = await story.openOlder(browser, { requestUrl });
  const left = await story.submit(browser, older, account, { remember: 'true' });
  return { older, left, requestUrl };
}

/** Submits the code of an authenticator app in the older tab. */
async function carryFactor(more: Record<string, string> = {}) {
  const { account, app } = await new SecondStepStory(gateway).createPerson();
  browser = gateway.browser();
  const older = await story.open(browser);
  const step = await story.submit(browser, older, account);
  gateway.clock.advanceSeconds(60);
  await story.open(browser);
  const { mfa_verification: state } = (await browser.get(step.location ?? '')).state('mfa_verification');
  const fields = { _xsrf: state.xsrf_token, login_challenge: older.challenge, method: 'totp', code: app.code(), ...more };
  expect((await browser.post(PATHS.mfaVerify, fields)).location).toBe(older.requestUrl);
  return { account, older };
}

const isAsked = (page: TestPage): void => {
  expect([page.status, page.state('login').login.error]).toEqual([200, null]);
};

describe('[LOG-14] the right password in the older tab', () => {
  it('starts its request again at its own address, which passes once without a page', async () => {
    const { older, left, requestUrl } = await carryProof();
    expect([left.status, left.location]).toEqual([303, requestUrl]);
    expect(story.findAccepted(older.challenge)).toEqual([]);
    const cookie = left.setCookies.find(({ name }) => name === 'foyer-carried');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 60 });
    const passed = await story.openAgain(browser, requestUrl);
    expect(passed.location).toMatch(/^http:\/\/localhost:4444\/oauth2\/auth\?.*login_verifier=/);
    expect(story.findAccepted(passed.challenge)).toMatchObject([
      { authentication: { subject: person.id, amr: ['pwd'], remember: true } },
    ]);
    isAsked(await story.openAgain(browser, requestUrl));
  });

  it('answers a double click with the same address', async () => {
    browser = gateway.browser();
    const older = await story.openOlder(browser);
    const [one, other] = await Promise.all([story.submit(browser, older, person), story.submit(browser.twin(), older, person)]);
    expect([one.location, other.location]).toEqual([older.requestUrl, older.requestUrl]);
    expect((await story.openAgain(browser, older.requestUrl)).status).toBe(303);
  });

  it('[S-78] does not make a device known that was planted before the request starts again', async () => {
    const planted = randomToken();
    const headers: Record<string, string> = {};
    browser = gateway.browser(headers);
    // The device of this browser is known to another account.
    await story.submit(browser, await story.open(browser), await newPerson(gateway));
    const older = await story.openOlder(browser);
    await story.submit(browser, older, person);
    headers['cookie'] = `foyer-device=${planted}`;
    expect((await story.openAgain(browser, older.requestUrl)).location).toContain('login_verifier=');
    expect(await gateway.get(KnownDevices).isKnownToAnyone(planted)).toBe(false);
  });

  it('counts after a second factor, with everything that was proven', async () => {
    const { older } = await carryFactor();
    const passed = await story.openAgain(browser, older.requestUrl);
    expect(story.findAccepted(passed.challenge)).toMatchObject([
      { authentication: { amr: ['pwd', 'otp', 'mfa'], acr: 'urn:foyer:acr:mfa' } },
    ]);
  });

  it('[MFV-7] makes the browser trusted if its form said so', async () => {
    const { account, older } = await carryFactor({ trust_browser: 'true' });
    await story.openAgain(browser, older.requestUrl);
    const next = await story.open(browser, { requestUrl: gateway.hydra.requestUrl({ prompt: 'login' }) });
    expect((await story.submit(browser, next, account)).location).toContain('login_verifier=');
  });

  it('counts after a second factor if the newer tab proved the password too', async () => {
    const { account, app } = await new SecondStepStory(gateway).createPerson();
    browser = gateway.browser();
    const older = await story.open(browser);
    const step = await story.submit(browser, older, account);
    const before = (await browser.get(step.location ?? '')).state('mfa_verification').mfa_verification;
    const newer = await story.open(browser);
    expect((await story.submit(browser, newer, account)).status).toBe(303);
    const fields = { login_challenge: older.challenge, method: 'totp', code: app.code() };
    const own = { 'sec-fetch-site': 'same-origin' };
    const left = await browser.post(PATHS.mfaVerify, { ...fields, _xsrf: before.xsrf_token }, own);
    expect(left.location).toBe(older.requestUrl);
    const passed = await story.openAgain(browser, older.requestUrl);
    expect(story.findAccepted(passed.challenge)).toMatchObject([{ authentication: { amr: ['pwd', 'otp', 'mfa'] } }]);
  });

  it('is accepted as before if no newer request of the client is known', async () => {
    browser = gateway.browser();
    const only = await story.open(browser, { client: gateway.hydra.client({ id: 'one' }) });
    await story.open(browser, { client: gateway.hydra.client({ id: 'another' }) });
    expect((await story.submit(browser, only, person)).location).toContain('login_verifier=');
    browser = gateway.browser();
    await story.open(browser);
    const newest = await story.open(browser);
    expect((await story.submit(browser, newest, person)).location).toContain('login_verifier=');
  });

  it('starts the request again if two tabs opened at the same time, or the older page was loaded again', async () => {
    browser = gateway.browser();
    // Both requests are sent with the same cookies, and both answers are kept.
    await story.open(browser, { client: gateway.hydra.client({ id: 'earlier' }) });
    const tabs = await Promise.all([story.open(browser.twin()), story.open(browser.twin())]);
    for (const tab of tabs) expect((await story.submit(browser, tab, person)).location).toBe(tab.requestUrl);
    browser = gateway.browser();
    const older = await story.openOlder(browser);
    const page = await browser.get(loginAddress(older.challenge));
    expect((await story.submit(browser, { ...older, page }, person)).location).toBe(older.requestUrl);
  });

  it.each([
    ['https://evil.example/oauth2/auth?client_id=demo'],
    ['http://localhost:4444.evil.example/oauth2/auth?client_id=demo'],
    ['http://localhost:4444/oauth2/sessions/logout?x=/oauth2/auth'],
  ])('is not sent to %s', async (requestUrl) => {
    browser = gateway.browser();
    const older = await story.openOlder(browser, { requestUrl });
    expect((await story.submit(browser, older, person)).location).toContain('login_verifier=');
  });

  it('[DEV-7] of a device leads to the page for its code, without anything else from its address', async () => {
    browser = gateway.browser();
    const verify = 'http://localhost:4444/oauth2/device/verify';
    const older = await story.openOlder(browser, { requestUrl: `${verify}?client_id=demo&user_code=%2A%2A%2A%2A&prompt=none` });
    expect((await story.submit(browser, older, person)).location).toBe(verify);
  });
});

describe('[LOG-14] "Proceed" in the older tab', () => {
  it('[S-44] asks for the password if the account is disabled at the last moment', async () => {
    const account = await newPerson(gateway);
    browser = gateway.browser();
    const sessionId = 'confirmed-too-late';
    await story.submit(browser, await story.open(browser, { sessionId }), account);
    const session = { skip: true, subject: account.id, sessionId, loginHint: 'somebody.else' };
    const older = await story.open(browser, session);
    await story.open(browser, session);
    const { xsrf_token: _xsrf } = older.page.state('login_hint').login_hint;
    const records = gateway.get(SignInRecords);
    const carry = records.carry.bind(records);
    records.carry = async (...given) => {
      records.carry = carry;
      await gateway.get(Accounts).setStatus(account.id, 'disabled');
      return carry(...given);
    };
    const answer = await browser.post(PATHS.loginProceed, { _xsrf, login_challenge: older.challenge, user: account.id });
    expect([answer.status, new URL(answer.location ?? '').searchParams.get('prompt')]).toEqual([303, 'login']);
    expect(story.findAccepted(older.challenge)).toEqual([]);
  });
});

describe('[LOG-14] [S-12b] a carried proof', () => {
  it.each([
    ['another scope', { scope: 'openid email admin' }],
    ['acr_values', { acr_values: 'urn:foyer:acr:mfa' }],
    ['max_age', { max_age: '1' }],
    ['prompt=login', { prompt: 'login' }],
    ['another state', { state: 'of-an-attacker' }],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }],
  ])('does not count for a request with %s', async (_what, parameters) => {
    const { requestUrl } = await carryProof();
    const url = new URL(requestUrl);
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    isAsked(await story.openAgain(browser, url.href));
    // The request itself still has its proof.
    expect((await story.openAgain(browser, requestUrl)).status).toBe(303);
  });

  it('does not count for another client, and is deleted then', async () => {
    const { requestUrl } = await carryProof();
    isAsked(await story.openAgain(browser, requestUrl, { client: gateway.hydra.client({ id: 'another' }) }));
    isAsked(await story.openAgain(browser, requestUrl));
  });

  it('does not count for another browser, with or without its secret', async () => {
    const { requestUrl, left } = await carryProof();
    const secret = left.setCookies.find(({ name }) => name === 'foyer-carried')?.value ?? '';
    isAsked(await story.openAgain(gateway.browser(), requestUrl));
    isAsked(await story.openAgain(gateway.browser({ cookie: `foyer-carried=${secret}` }), requestUrl));
    const id = browser.cookies('/').find((cookie) => cookie.startsWith('foyer=')) ?? '';
    isAsked(await story.openAgain(gateway.browser({ cookie: id }), requestUrl));
    expect((await story.openAgain(browser, requestUrl)).status).toBe(303);
  });

  it('[S-44] is not enough once the account is disabled, at the last moment too: the request is answered as any other', async () => {
    const account = await newPerson(gateway);
    const { requestUrl } = await carryProof(account);
    const records = gateway.get(SignInRecords);
    const takeCarriedProof = records.takeCarriedProof.bind(records);
    records.takeCarriedProof = async (given) => {
      records.takeCarriedProof = takeCarriedProof;
      const taken = await takeCarriedProof(given);
      await gateway.get(Accounts).setStatus(account.id, 'disabled');
      return taken;
    };
    const passed = await story.openAgain(browser, requestUrl);
    isAsked(passed);
    expect(story.findAccepted(passed.challenge)).toEqual([]);
  });

  it('[S-44] starts no login of an account that is disabled while its request meets the session of another person', async () => {
    const account = await newPerson(gateway);
    const { requestUrl } = await carryProof(account);
    const records = gateway.get(SignInRecords);
    const carry = records.carry.bind(records);
    records.carry = async (...given) => {
      records.carry = carry;
      await gateway.get(Accounts).setStatus(account.id, 'disabled');
      return carry(...given);
    };
    const session = { skip: true, subject: person.id, sessionId: 'of-another-person' };
    const passed = await story.openAgain(browser, requestUrl, session);
    expect(passed.status).toBeLessThan(400);
    expect(story.findAccepted(passed.challenge)).toEqual([]);
  });

  it('gives its answer to nobody with only the id of the browser, even within the time for a double click', async () => {
    const own = gateway.browser();
    const older = await story.openOlder(own);
    const id = own.cookies('/').find((cookie) => cookie.startsWith('foyer=')) ?? '';
    const left = await story.submit(own, older, person);
    const carried = own.clone();
    const passed = await story.openAgain(own, left.location ?? '');
    expect(story.findAccepted(passed.challenge)).toHaveLength(1);
    const got = await gateway.browser({ cookie: id }).get(loginAddress(passed.challenge));
    expect(got.setCookies.map(({ name }) => name)).not.toContain('foyer-session');
    // The browser with the secret gets the answer again.
    expect((await carried.get(loginAddress(passed.challenge))).location).toBe(passed.location);
  });

  it('[MFV-7] passes in a trusted browser as the password did', async () => {
    const { account, app } = await new SecondStepStory(gateway).createPerson();
    const own = gateway.browser();
    const first = await story.open(own, { client: gateway.hydra.client({ id: 'first' }) });
    const step = await story.submit(own, first, account);
    const { mfa_verification: state } = (await own.get(step.location ?? '')).state('mfa_verification');
    const code = { method: 'totp', code: app.code(), trust_browser: 'true' };
    await own.post(PATHS.mfaVerify, { _xsrf: state.xsrf_token, login_challenge: first.challenge, ...code });
    const older = await story.openOlder(own);
    const left = await story.submit(own, older, account);
    const passed = await story.openAgain(own, left.location ?? '');
    expect(story.findAccepted(passed.challenge)).toHaveLength(1);
  });

  it('lasts 60 seconds', async () => {
    const first = await carryProof();
    // The other half is for delays of the machine.
    gateway.clock.advanceSeconds(30);
    expect((await story.openAgain(browser, first.requestUrl)).status).toBe(303);
    const second = await carryProof();
    gateway.clock.advanceSeconds(61);
    isAsked(await story.openAgain(browser, second.requestUrl));
  });

  it('is used by one of many', async () => {
    const { requestUrl } = await carryProof();
    const twins = Array.from({ length: 6 }, () => browser.clone());
    const answers = await Promise.all(twins.map((twin) => story.openAgain(twin, requestUrl)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('ends with a logout in this browser', async () => {
    const { requestUrl } = await carryProof();
    gateway.hydra.addLogout({ challenge: 'logout-after-carrying', subject: person.id });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=logout-after-carrying`);
    const { logout } = page.state('logout');
    const fields = { _xsrf: logout.xsrf_token, logout_challenge: logout.logout_challenge };
    expect((await browser.post(PATHS.logoutAccept, fields)).status).toBe(303);
    isAsked(await story.openAgain(browser, requestUrl));
  });

  it.each([
    ['the account is disabled', (id: string) => gateway.get(Accounts).setStatus(id, 'disabled')],
    ['all sessions are ended', (id: string) => gateway.get(BrowserSessions).endForAccount(id)],
    ['the password is replaced', (id: string) => gateway.get(SetPassword).setPassword(id, 'birke anders 9314')],
  ])('ends when %s', async (_what, change) => {
    const account = await newPerson(gateway);
    const { requestUrl } = await carryProof(account);
    await change(account.id);
    isAsked(await story.openAgain(browser, requestUrl));
  });

  it('ends when the factor that was proven is removed', async () => {
    const { account, older } = await carryFactor();
    await gateway.get(TotpFactor).remove({ accountId: account.id, auditContext: { actor: 'person' }, mayBeLast: true });
    isAsked(await story.openAgain(browser, older.requestUrl));
  });

  it('is evaluated again: a factor that was set up meanwhile is required', async () => {
    const account = await newPerson(gateway);
    const { requestUrl } = await carryProof(account);
    await new SecondStepStory(gateway).createKeyHolder(account);
    isAsked(await story.openAgain(browser, requestUrl));
    const other = await carryProof(person);
    const client = gateway.hydra.client({ foyer: { confirmSession: false, returnUrls: [], mfa: 'required' } });
    const asked = await story.openAgain(browser, other.requestUrl, { client });
    isAsked(asked);
    expect(story.findAccepted(asked.challenge)).toEqual([]);
    expect(asked.location).not.toBe(ENROL_PATH);
  });

  it('does not continue the session of another person: the request asks for a login, and then passes', async () => {
    const { requestUrl } = await carryProof();
    const stranger = await newPerson(gateway);
    const turned = await story.openAgain(browser, requestUrl, { skip: true, subject: stranger.id, sessionId: 'of-a-stranger' });
    const asking = turned.location ?? '';
    expect(asking.startsWith(`${requestUrl}&`)).toBe(true);
    expect(new URL(asking).searchParams.get('prompt')).toBe('login');
    const passed = await story.openAgain(browser, asking);
    expect(story.findAccepted(passed.challenge)).toMatchObject([{ authentication: { subject: person.id } }]);
  });

  it('[DEV-7] of a device ends the session of another person, because Hydra asks no device for a login, and then passes', async () => {
    browser = gateway.browser();
    const requestUrl = 'http://localhost:4444/oauth2/device/verify?client_id=demo&user_code=%2A%2A%2A%2A';
    const older = await story.openOlder(browser, { requestUrl });
    const address = (await story.submit(browser, older, person)).location;
    const stranger = await newPerson(gateway);
    const { sessionId } = await signInBrowser(gateway, { browser, username: stranger.username });
    const turned = await story.openAgain(browser, requestUrl, { skip: true, subject: stranger.id, sessionId });
    expect([turned.location, story.findAccepted(turned.challenge)]).toEqual([address, []]);
    expect(gateway.hydra.calls.at(-1)).toEqual({ call: 'endLoginSession', sessionId });
    const passed = await story.openAgain(browser, requestUrl);
    expect(story.findAccepted(passed.challenge)).toMatchObject([{ authentication: { subject: person.id } }]);
  });

  it('[DEV-7] of a device checks first that the session is one of this browser', async () => {
    browser = gateway.browser();
    const requestUrl = 'http://localhost:4444/oauth2/device/verify?client_id=demo&user_code=%2A%2A%2A%2A';
    const older = await story.openOlder(browser, { requestUrl });
    await story.submit(browser, older, person);
    const session = { skip: true, subject: (await newPerson(gateway)).id, sessionId: 'of-a-closed-browser' };
    const turned = await story.openAgain(browser, requestUrl, session);
    const checkedUrl = new URL(turned.location ?? '');
    expect(checkedUrl.searchParams.get('prompt')).toBeNull();
    expect(gateway.hydra.calls).not.toContainEqual({ call: 'endLoginSession', sessionId: session.sessionId });
    const checked = await story.openAgain(browser, `${requestUrl}&${checkedUrl.searchParams.toString()}`, session);
    expect([checked.status, story.findAccepted(checked.challenge)]).toEqual([303, []]);
    expect(gateway.hydra.calls.at(-1)).toEqual({ call: 'endLoginSession', sessionId: session.sessionId });
    const passed = await story.openAgain(browser, requestUrl);
    expect(story.findAccepted(passed.challenge)).toMatchObject([{ authentication: { subject: person.id } }]);
  });

  it('[MFV-7] replaces a weaker session of the same person that another tab began meanwhile', async () => {
    const passkeys = new PasskeyStory(gateway);
    const passkey = await passkeys.createHolder();
    const requestUrl = gateway.hydra.requestUrl({ state: 'proven-with-a-passkey' });
    const older = await passkeys.openLogin({ requestUrl });
    browser = older.browser;
    const newer = await story.open(browser, { sessionId: 'weaker' });
    await story.submit(browser, newer, passkey.account);
    const fields = { ...older.fields, passkey: passkey.answer(older.request) };
    const left = await browser.post(PATHS.loginPasskey, fields, { 'sec-fetch-site': 'same-origin' });
    expect(left.location).toBe(requestUrl);
    const asking = await story.openAgain(browser, requestUrl, { skip: true, subject: passkey.account.id, sessionId: 'weaker' });
    expect(new URL(asking.location ?? '').searchParams.get('prompt')).toBe('login');
    const passed = await story.openAgain(browser, asking.location ?? '', { sessionId: 'stronger' });
    const amr = ['hwk', 'pop', 'user', 'pin', 'mfa'];
    expect(story.findAccepted(passed.challenge)).toMatchObject([{ authentication: { subject: passkey.account.id, amr } }]);
  });
});

describe('[LOG-14] [CON-4] the decision of the older consent tab', () => {
  const SCOPES = ['openid', 'profile', 'email'];

  /** Signed in with a session that Hydra continues. */
  async function decideConsent(parameters: Record<string, string> = {}, inBrowser = gateway.browser()) {
    browser = inBrowser;
    const sessionId = `consent-session-${Math.random()}`;
    const login = await story.open(browser, { sessionId });
    await story.submit(browser, login, person, { remember: 'true' });
    const requestUrl = gateway.hydra.requestUrl({ state: `decided-${sessionId}`, ...parameters });
    const request = { subject: person.id, loginSessionId: sessionId, requestedScope: SCOPES };
    const older = await story.openConsent(browser, { ...request, requestUrl });
    await story.openConsent(browser, request);
    const fields = {
      _xsrf: older.page.state('consent').consent.xsrf_token,
      consent_challenge: older.challenge,
      scopes: ['email'],
    };
    const left = await browser.post(PATHS.consentAccept, fields);
    expect(story.findAccepted(older.challenge)).toEqual([]);
    return { sessionId, request, requestUrl, left: left.location ?? '' };
  }

  const session = (sessionId: string, subject = person.id) => ({ skip: true, subject, sessionId });

  it('is granted once when the request starts again', async () => {
    const { sessionId, request, requestUrl, left } = await decideConsent();
    expect(left).toBe(requestUrl);
    expect((await story.openAgain(browser, left, session(sessionId))).location).toContain('login_verifier=');
    const granted = await story.openConsent(browser, { ...request, requestUrl });
    expect(granted.page.location).toContain('consent_verifier=');
    expect(story.findAccepted(granted.challenge)).toMatchObject([{ grant: { scopes: ['openid', 'email'] } }]);
    expect((await story.openConsent(browser, { ...request, requestUrl })).page.state('consent').consent.error).toBeNull();
  });

  it('[CON-10] is stored as granted, and not asked for again', async () => {
    const { sessionId, request, requestUrl, left } = await decideConsent();
    await story.openAgain(browser, left, session(sessionId));
    await story.openConsent(browser, { ...request, requestUrl });
    const { page } = await story.openConsent(browser, request);
    const { scopes } = page.state('consent').consent;
    expect(scopes.map(({ id, granted }) => [id, granted])).toEqual([
      ['openid', true],
      ['profile', undefined],
      ['email', true],
    ]);
  });

  it('[CON-11] grants nothing if a grant that the page showed was revoked before the request starts again', async () => {
    const grants = gateway.get(ConsentGrants);
    const { sessionId, request, requestUrl } = await decideConsent();
    await story.openAgain(browser, requestUrl, session(sessionId));
    await story.openConsent(browser, { ...request, requestUrl });
    const older = await story.openConsent(browser, request);
    await story.openConsent(browser, request);
    const { consent } = older.page.state('consent');
    const fields = { _xsrf: consent.xsrf_token, consent_challenge: older.challenge, scopes: ['openid', 'email', 'profile'] };
    const left = await browser.post(PATHS.consentAccept, { ...fields, granted: ['openid', 'email'] });
    await grants.revoke(person.id, { clientId: 'demo' });
    await story.openAgain(browser, left.location ?? '', session(sessionId));
    const { page, challenge } = await story.openConsent(browser, { ...request, requestUrl: older.requestUrl });
    expect(page.state('consent').consent.error).toBeNull();
    expect(story.findAccepted(challenge)).toEqual([]);
  });

  it('grants no scope that the request does not contain, and nothing to another request, client or account', async () => {
    const stranger = await newPerson(gateway);
    const others = [
      { requestUrl: gateway.hydra.requestUrl({ state: 'of-an-attacker' }) },
      { client: gateway.hydra.client({ id: 'another' }) },
      { subject: stranger.id, loginSessionId: '' },
    ];
    for (const other of others) {
      const { request, requestUrl } = await decideConsent();
      const { page, challenge } = await story.openConsent(browser, { ...request, requestUrl, ...other });
      // Another account is not signed in in this browser, so no page is shown for it.
      expect(page.state('consent').consent.error).toBe('subject' in other ? 'failed' : null);
      expect(story.findAccepted(challenge)).toEqual([]);
    }
    const { request, requestUrl } = await decideConsent();
    const granted = await story.openConsent(browser, { ...request, requestUrl, requestedScope: ['openid', 'admin'] });
    expect(story.findAccepted(granted.challenge)).toMatchObject([{ grant: { scopes: ['openid'] } }]);
  });

  it('[REG-1] after prompt=registration does not lead to the registration again', async () => {
    const { left } = await decideConsent({ prompt: 'login registration' });
    expect(new URL(left).searchParams.has('prompt')).toBe(false);
  });

  it('after prompt=login starts again without it, and only in the session that was proven then', async () => {
    const { sessionId, requestUrl, left } = await decideConsent({ prompt: 'login' });
    expect(new URL(left).searchParams.has('prompt')).toBe(false);
    expect((await story.openAgain(browser, left, session(sessionId))).location).toContain('login_verifier=');
    const stranger = await newPerson(gateway);
    for (const arrival of [{}, session('unknown'), session('unknown', stranger.id)]) {
      const other = await decideConsent({ prompt: 'login' });
      const turned = await story.openAgain(browser, other.left, arrival);
      expect(turned.location).toBe(other.requestUrl);
      expect(story.findAccepted(turned.challenge)).toEqual([]);
    }
    expect(requestUrl).toContain('prompt=login');
  });

  it('after prompt=login does not count for an earlier session of the same person', async () => {
    browser = gateway.browser();
    const earlier = { sessionId: `earlier-session-${Math.random()}` };
    await story.submit(browser, await story.open(browser, earlier), person, { remember: 'true' });
    gateway.clock.advanceSeconds(1);
    const { requestUrl, left } = await decideConsent({ prompt: 'login' }, browser);
    const turned = await story.openAgain(browser, left, session(earlier.sessionId));
    expect(turned.location).toBe(requestUrl);
    expect(story.findAccepted(turned.challenge)).toEqual([]);
  });

  it('is not a login: without the session, the password is required', async () => {
    const { left } = await decideConsent();
    isAsked(await story.openAgain(browser, left));
  });
});

describe('[LOG-14] the list of opened requests', () => {
  const filterCookies = ({ setCookies }: TestPage) => setCookies.filter(({ name }) => name.startsWith('foyer-opened-'));

  it('has a cookie for each request, written once, and at most twenty', async () => {
    browser = gateway.browser();
    const first = await story.open(browser);
    expect(filterCookies(first.page)).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: '/', maxAgeSeconds: 86_400 }]);
    expect(filterCookies(first.page)[0]?.name).toMatch(/^foyer-opened-l[\w-]{16}$/);
    expect(filterCookies(await browser.get(loginAddress(first.challenge)))).toEqual([]);
    for (let tab = 0; tab < 25; tab++) await story.open(browser);
    expect(browser.cookies('/').filter((cookie) => cookie.startsWith('foyer-opened-'))).toHaveLength(20);
  });

  it('lets a request start again at most if it was forged or cannot be read', async () => {
    const forged = [
      'foyer-opened-lAAAAAABBBBBBBBBB=zzzzzz',
      'foyer-opened-x=1',
      'foyer-opened-l<>=1',
      'foyer-opened-lAAAAAACCCCCCCCCC=%00',
    ];
    browser = gateway.browser({ cookie: forged.join('; ') });
    const only = await story.open(browser);
    expect((await story.submit(browser, only, person)).location).toContain('login_verifier=');
  });
});
