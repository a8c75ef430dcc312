/** Sessions that end with the browser and sessions that outlive it, and the browser to which a session belongs. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { PASSWORD, startTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.js';
import { SecondStepStory } from '../support/second-step.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestBrowser } from '../support/test-browser.js';

let gateway: TestGateway;
let subject: string;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  subject = (await gateway.account('maria.musterfrau', { email: 'maria@example.org' })).id;
});

afterAll(() => gateway.close());

type Request = Parameters<TestGateway['hydra']['addLogin']>[0];

/** Adds a request for which the upstream remembers the session. */
function toSkip(sessionId: string, more: Partial<Request> = {}, target = gateway): string {
  const challenge = `skip-${(count += 1)}`;
  target.hydra.addLogin({ subject, sessionId, skip: true, ...more, challenge });
  return challenge;
}

const open = (browser: TestBrowser, challenge: string) => browser.get(`${PATHS.login}?login_challenge=${challenge}`);
const callsFor = (challenge: string, target = gateway) =>
  target.hydra.calls.filter((call) => 'challenge' in call && call.challenge === challenge);
const lastAccepted = (target = gateway) => {
  const call = target.hydra.calls.findLast((each) => each.call === 'acceptLogin');
  return call?.call === 'acceptLogin' ? call.authentication : undefined;
};
const findEndCalls = (sessionId: string) =>
  gateway.hydra.calls.filter((call) => call.call === 'endLoginSession' && call.sessionId === sessionId);

/** The upstream shows the check that was returned in the address of the request. */
function restartRequest(location: string | null, sessionId: string): string {
  expect(location).toMatch(/[?&]foyer_browser_check=/);
  return toSkip(sessionId, { requestUrl: location ?? '' });
}

describe('a session', () => {
  it('[LOG-12] without "stay signed in" lasts SESSION_SECONDS at the upstream and ends with the browser', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    expect(lastAccepted()).toMatchObject({ remember: true, rememberForSeconds: gateway.config.login.sessionSeconds });
    expect((await open(browser, toSkip(sessionId))).location).toMatch(/login_verifier=/);
    browser.close();
    const closed = toSkip(sessionId);
    expect((await open(browser, closed)).location).not.toMatch(/login_verifier=/);
    expect(callsFor(closed)).toEqual([]);
  });

  it('[LOG-12] with "stay signed in" lasts REMEMBER_SECONDS, also after the browser was closed', async () => {
    const { browser, sessionId } = await signInBrowser(gateway, { remember: true });
    expect(lastAccepted()).toMatchObject({ remember: true, rememberForSeconds: gateway.config.login.rememberForSeconds });
    browser.close();
    expect((await open(browser, toSkip(sessionId))).location).toMatch(/login_verifier=/);
  });

  it.each([
    ['off', true, 'sessionSeconds'],
    ['on', false, 'rememberForSeconds'],
  ] as const)('[LOG-12] REMEMBER=%s decides for everybody', async (remember, ticked, seconds) => {
    const config: NonNullable<TestGatewayOptions['config']> = ({ login }) => ({ login: { ...login, remember } });
    const fixed = await startTestGateway({ config });
    try {
      const { id } = await fixed.account('maria.musterfrau');
      const { browser, sessionId } = await signInBrowser(fixed, { remember: ticked });
      expect(lastAccepted(fixed)?.rememberForSeconds).toBe(fixed.config.login[seconds]);
      browser.close();
      const next = toSkip(sessionId, { subject: id }, fixed);
      expect((await open(browser, next)).location?.includes('login_verifier=')).toBe(remember === 'on');
    } finally {
      await fixed.close();
    }
  });

  it('keeps its kind after a step-up', async () => {
    const { browser } = await signInBrowser(gateway, { remember: true });
    const { sessionId } = await signInBrowser(gateway, {
      browser,
      request: { requestUrl: gateway.hydra.requestUrl({ prompt: 'login' }) },
    });
    expect(lastAccepted()?.rememberForSeconds).toBe(gateway.config.login.rememberForSeconds);
    browser.close();
    expect((await open(browser, toSkip(sessionId))).location).toMatch(/login_verifier=/);
  });

  it('keeps its kind after a sign-in that stops at the second factor', async () => {
    const { browser, sessionId } = await signInBrowser(gateway, { remember: true });
    const { account } = await new SecondStepStory(gateway).createPerson();
    const challenge = `stops-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge });
    const { xsrf_token: _xsrf } = (await open(browser, challenge)).state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: account.username, password: PASSWORD };
    expect((await browser.post(PATHS.loginNative, fields)).location).toMatch(/^\/mfa\/verify/);
    browser.close();
    expect((await browser.get(PATHS.logoutCallback)).state('logout').logout.account?.username).toBe('maria.musterfrau');
    expect((await open(browser, toSkip(sessionId))).location).toMatch(/login_verifier=/);
  });

  it('has a new kind for another account in the same browser', async () => {
    const { browser } = await signInBrowser(gateway, { remember: true });
    await gateway.account('another.person');
    await signInBrowser(gateway, { browser, username: 'another.person' });
    expect(lastAccepted()?.rememberForSeconds).toBe(gateway.config.login.sessionSeconds);
  });

  it('of version 0.1 has no cookie of its own and is known by the browser', async () => {
    const { browser, sessionId } = await signInBrowser(gateway, { remember: true });
    await gateway.database.db
      .updateTable('browser_session')
      .set({ remembered: null })
      .where('upstream_session_id', '=', sessionId)
      .execute();
    const [id] = browser.cookies('/').filter((cookie) => cookie.startsWith('foyer='));
    const old = gateway.browser({ cookie: id ?? '' });
    expect((await open(old, toSkip(sessionId))).location).toMatch(/login_verifier=/);
    expect((await open(gateway.browser(), toSkip(sessionId))).location).toMatch(/foyer_browser_check=/);
  });
});

describe('a session of another browser', () => {
  it('ends at the upstream by its id if the browser was closed, and the same request asks for a login', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    browser.close();
    const requestUrl = gateway.hydra.requestUrl({ state: 'of-the-app', prompt: 'consent' });
    const first = await open(browser, toSkip(sessionId, { requestUrl }));
    expect(findEndCalls(sessionId)).toEqual([]);
    const second = await open(browser, restartRequest(first.location, sessionId));
    expect(second.location).toBe(requestUrl);
    expect(findEndCalls(sessionId)).toHaveLength(1);
    expect(await gateway.get(BrowserSessions).findByUpstreamSession(sessionId, subject)).toBeNull();
  });

  it('[S-15] shows nothing to somebody who only sees the address of the challenge, and does not end', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = toSkip(sessionId, { requestUrl: gateway.hydra.requestUrl({ prompt: 'select_account' }) });
    const stranger = gateway.browser();
    const seen = await open(stranger, challenge);
    expect(seen.location).toMatch(/foyer_browser_check=/);
    // The check of another browser for the same session, in a challenge of the owner.
    const foreign = await open(browser.clone(), toSkip(sessionId, { requestUrl: seen.location ?? '' }));
    expect(foreign.location ?? '').not.toBe(gateway.hydra.requestUrl());
    const page = await open(gateway.browser(), toSkip(sessionId, { requestUrl: seen.location ?? '' }));
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('maria.musterfrau');
    expect(page.state('login').login).toMatchObject({
      challenge_fault: 'no-cookies',
      restart_url: gateway.hydra.requestUrl({ prompt: 'select_account' }),
    });
    expect(findEndCalls(sessionId)).toEqual([]);
    expect(callsFor(challenge)).toEqual([]);
    expect((await open(browser, challenge)).state('login_hint').login_hint.account?.username).toBe('maria.musterfrau');
  });

  it.each([
    ['in the address alone', { prompt: 'login' }],
    ['beside a request object, which Hydra has preferred', { prompt: 'login', request_uri: 'https://app.example/object' }],
  ])('[S-15] is not continued by Proceed if the address asks for a login (%s)', async (_where, parameters) => {
    const { id: subject, username } = await gateway.account(`overruled.${Object.keys(parameters).length}`);
    const { browser, sessionId } = await signInBrowser(gateway, { username });
    const session = { skip: true, subject, sessionId };
    const challenge = `overruled-${Object.keys(parameters).length}`;
    const again = `${challenge}-again`;
    const requestUrl = gateway.hydra.requestUrl(parameters);
    gateway.hydra.addLogin({ challenge, ...session, requestUrl });
    const other = `other-${challenge}`;
    gateway.hydra.addLogin({ challenge: other, client: gateway.hydra.client({ id: 'another' }) });
    const { xsrf_token: _xsrf } = (await browser.get(`${PATHS.login}?login_challenge=${other}`)).state('login').login;
    await browser.post(PATHS.loginProceed, { _xsrf, login_challenge: challenge, user: subject });
    // The request may start again, and is not continued then either.
    gateway.hydra.addLogin({ challenge: again, ...session, requestUrl });
    await browser.get(`${PATHS.login}?login_challenge=${again}`);
    const accepted = gateway.hydra.calls
      .filter(({ call }) => call === 'acceptLogin')
      .map((one) => 'challenge' in one && one.challenge);
    expect(accepted.filter((one) => one === challenge || one === again)).toEqual([]);
  });

  it('[S-15] [HNT-3] is continued by Proceed only in its own browser', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = toSkip(sessionId, { loginHint: 'somebody.else' });
    const stranger = gateway.browser();
    await stranger.get(PATHS.login);
    const { xsrf_token: _xsrf } = (await stranger.get(PATHS.login)).state('login').login;
    const answer = await stranger.post(PATHS.loginProceed, { _xsrf, login_challenge: challenge, user: subject });
    expect(answer.location).toMatch(/foyer_browser_check=/);
    expect(callsFor(challenge)).toEqual([]);
    const page = await open(browser, challenge);
    const fields = { _xsrf: page.state('login_hint').login_hint.xsrf_token, login_challenge: challenge, user: subject };
    expect((await browser.post(PATHS.loginProceed, fields)).location).toMatch(/login_verifier=/);
  });

  it('[S-15b] does not accept a password for its challenge elsewhere, which is not claimed', async () => {
    await gateway.account('a.stranger').catch(() => undefined);
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = toSkip(sessionId, { loginHint: 'somebody.else' });
    const stranger = gateway.browser();
    const { xsrf_token: _xsrf } = (await stranger.get(PATHS.login)).state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'a.stranger', password: PASSWORD };
    const answer = await stranger.post(PATHS.loginNative, fields);
    expect([answer.status, answer.location]).toEqual([303, `${PATHS.login}?login_challenge=${challenge}`]);
    expect(callsFor(challenge)).toEqual([]);
    expect(stranger.cookies('/').join(' ')).not.toContain('foyer-session');
    expect((await open(browser, challenge)).state('login_hint').login_hint.account?.username).toBe('maria.musterfrau');
  });

  it('[S-15b] gives no cookie to somebody who signs in under its id', async () => {
    await gateway.account('somebody.else').catch(() => undefined);
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = `same-session-${(count += 1)}`;
    gateway.hydra.addLogin({ challenge, sessionId });
    const stranger = gateway.browser();
    const { xsrf_token: _xsrf } = (await open(stranger, challenge)).state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'somebody.else', password: PASSWORD };
    expect((await stranger.post(PATHS.loginNative, fields)).location).toMatch(/login_verifier=/);
    const next = toSkip(sessionId, { loginHint: 'somebody.else' });
    expect((await open(stranger, next)).location).toMatch(/foyer_browser_check=/);
    expect((await open(browser, next)).state('login_hint').login_hint.account?.username).toBe('maria.musterfrau');
  });

  it('[CON-9] is not shown by consent elsewhere, which decides nothing, not even a refusal', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = `consent-${(count += 1)}`;
    const requestUrl = gateway.hydra.requestUrl({ login_hint: 'maria.musterfrau' });
    gateway.hydra.addConsent({ challenge, subject, loginSessionId: sessionId, requestUrl });
    const { browser: stranger } = await signInBrowser(gateway);
    const page = await stranger.get(`${PATHS.consent}?consent_challenge=${challenge}`);
    expect(page.status).toBe(400);
    expect(page.html).not.toContain('musterfrau');
    expect(page.state('consent').consent).toMatchObject({ challenge_fault: 'foreign', restart_url: gateway.hydra.requestUrl() });
    for (const path of [PATHS.consentAccept, PATHS.consentReject]) {
      const fields = { _xsrf: page.state('consent').consent.xsrf_token, consent_challenge: challenge, scopes: ['openid'] };
      expect((await stranger.post(path, fields)).status).toBe(400);
    }
    const skipped = `consent-${(count += 1)}`;
    gateway.hydra.addConsent({ challenge: skipped, subject, loginSessionId: sessionId, skip: true });
    expect((await stranger.get(`${PATHS.consent}?consent_challenge=${skipped}`)).status).toBe(400);
    expect([...callsFor(challenge), ...callsFor(skipped)]).toEqual([]);
    expect((await browser.get(`${PATHS.consent}?consent_challenge=${skipped}`)).location).toMatch(/consent_verifier=/);
  });

  it('[S-15b] is answered to the app for a silent consent request elsewhere, without a name', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = `consent-${(count += 1)}`;
    const asked = { response_type: 'code', redirect_uri: 'http://localhost:5555/callback', state: 'state-of-the-app' };
    const names = { login_hint: 'maria.musterfrau', id_token_hint: 'a.token.of-maria' };
    const requestUrl = gateway.hydra.requestUrl({ ...asked, ...names, prompt: 'none' });
    gateway.hydra.addConsent({ challenge, subject, loginSessionId: sessionId, requestUrl });
    const { browser: stranger } = await signInBrowser(gateway);
    for (const elsewhere of [stranger, gateway.browser()]) {
      const answer = await elsewhere.get(`${PATHS.consent}?consent_challenge=${challenge}`);
      const answerUrl = 'http://localhost:5555/callback?error=login_required&state=state-of-the-app';
      expect([answer.status, answer.location]).toEqual([303, answerUrl]);
    }
    expect(callsFor(challenge)).toEqual([]);
    const own = await browser.get(`${PATHS.consent}?consent_challenge=${challenge}`);
    expect([own.status, callsFor(challenge)]).toMatchObject([303, [{ rejection: { code: 'consent_required' } }]]);
    const form = `consent-${(count += 1)}`;
    const posted = gateway.hydra.requestUrl({ ...asked, prompt: 'none', response_mode: 'form_post' });
    gateway.hydra.addConsent({ challenge: form, subject, loginSessionId: sessionId, requestUrl: posted });
    const page = await stranger.get(`${PATHS.consent}?consent_challenge=${form}`);
    expect([page.status, callsFor(form)]).toEqual([400, []]);
  });

  it('is not given to a stranger with a request with an ID token', async () => {
    const { sessionId } = await signInBrowser(gateway);
    const challenge = `consent-${(count += 1)}`;
    const requestUrl = gateway.hydra.requestUrl({ id_token_hint: 'a.token.of-maria' });
    gateway.hydra.addConsent({ challenge, subject, loginSessionId: sessionId, requestUrl });
    expect((await gateway.browser().get(`${PATHS.consent}?consent_challenge=${challenge}`)).html).not.toContain('a.token');
  });
});

describe('a challenge', () => {
  function addChallenge(more: Partial<Request> = {}): string {
    const challenge = `fresh-${(count += 1)}`;
    gateway.hydra.addLogin({ ...more, challenge });
    return challenge;
  }

  it('[S-10] belongs to the browser that opens it first, before anything is posted', async () => {
    const challenge = addChallenge({
      requestUrl: gateway.hydra.requestUrl({ login_hint: 'maria.musterfrau' }),
      loginHint: 'maria.musterfrau',
    });
    const owner = gateway.browser();
    const page = await open(owner, challenge);
    const { browser: stranger } = await signInBrowser(gateway);
    const seen = await open(stranger, challenge);
    expect(seen.status).toBe(400);
    expect(seen.html).not.toContain('maria.musterfrau');
    expect(seen.state('login').login).toMatchObject({ challenge_fault: 'foreign', restart_url: gateway.hydra.requestUrl() });
    const fields = {
      _xsrf: seen.state('login').login.xsrf_token,
      login_challenge: challenge,
      username: 'maria.musterfrau',
      password: PASSWORD,
    };
    expect((await stranger.post(PATHS.loginNative, fields)).state('login').login.challenge_fault).toBe('foreign');
    const own = { ...fields, _xsrf: page.state('login').login.xsrf_token };
    expect((await owner.post(PATHS.loginNative, own)).location).toMatch(/login_verifier=/);
  });

  it('is explained in a browser without cookies, with a link back, also for the form', async () => {
    const challenge = addChallenge();
    const page = await open(gateway.browser(), challenge);
    const again = await open(gateway.browser({ 'accept-language': 'en' }), challenge);
    expect(again.html).toContain('accept our cookies');
    expect(again.state('login').login.restart_url).toBe(gateway.hydra.requestUrl());
    const { xsrf_token: _xsrf, ticket } = page.state('login').login;
    const fields = { _xsrf, ticket, login_challenge: challenge, username: 'maria.musterfrau', password: PASSWORD };
    const posted = await gateway.browser({ origin: gateway.config.publicUrl }).post(PATHS.loginNative, fields);
    expect(posted.status).toBe(400);
    expect(posted.state('login').login).toMatchObject({ challenge_fault: 'no-cookies', restart_url: gateway.hydra.requestUrl() });
  });

  it('[LOG-14] in another tab still belongs to this browser after a sign-in gave it a new id', async () => {
    const challenge = addChallenge();
    const browser = gateway.browser({ 'accept-language': 'en', origin: gateway.config.publicUrl });
    const page = await open(browser, challenge);
    await signInBrowser(gateway, { browser });
    const { xsrf_token: _xsrf } = page.state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'maria.musterfrau', password: PASSWORD };
    // The page of another browser, or one that was made for another id, is shown again.
    const stranger = gateway.browser({ 'accept-language': 'en', origin: gateway.config.publicUrl });
    const foreign = (await open(stranger, addChallenge())).state('login').login.xsrf_token;
    expect((await browser.post(PATHS.loginNative, { ...fields, _xsrf: foreign })).state('login').login.error).toBe('stale');
    // The request starts again with the proof, because the sign-in was a newer request of the same client.
    const answer = await browser.post(PATHS.loginNative, fields);
    expect([answer.status, answer.location]).toEqual([303, gateway.hydra.requestUrl()]);
    // The second click of a double click.
    const again = await browser.post(PATHS.loginNative, fields);
    expect([again.status, again.location]).toEqual([303, gateway.hydra.requestUrl()]);
  });

  it('[LOG-14] counts with a form that was shown again under a later id of the browser', async () => {
    const challenge = addChallenge();
    const browser = gateway.browser({ 'accept-language': 'en', origin: gateway.config.publicUrl });
    await open(browser, challenge);
    await signInBrowser(gateway, { browser });
    const { xsrf_token: _xsrf } = (await open(browser, challenge)).state('login').login;
    await signInBrowser(gateway, { browser });
    const fields = { _xsrf, login_challenge: challenge, username: 'maria.musterfrau', password: PASSWORD };
    const answer = await browser.post(PATHS.loginNative, fields);
    expect([answer.status, answer.location]).toEqual([303, gateway.hydra.requestUrl()]);
  });
});

describe('a double click', () => {
  it('[LOG-14] [LOG-12] keeps a remembered session if the second click ends after the first', async () => {
    const { browser } = await signInBrowser(gateway, { remember: true });
    const [challenge, sessionId] = ['two-clicks', 'sid-of-two-clicks'];
    gateway.hydra.addLogin({ challenge, sessionId, client: gateway.hydra.client({ id: 'of-two-clicks' }) });
    const { xsrf_token: _xsrf } = (await open(browser, challenge)).state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'maria.musterfrau', password: PASSWORD };
    const sessions = gateway.get(BrowserSessions);
    const begin = sessions.begin.bind(sessions);
    let [clicks, verifyBoth, answerFirst] = [0, (): void => undefined, (): void => undefined];
    const bothVerified = new Promise<void>((resolve) => (verifyBoth = resolve));
    const firstAnswered = new Promise<void>((resolve) => (answerFirst = resolve));
    sessions.begin = async (session) => {
      clicks += 1;
      if (clicks === 2) verifyBoth();
      await (clicks === 2 ? firstAnswered : bothVerified);
      return begin(session);
    };
    const answers = [browser.clone(), browser.clone()].map(async (click) => {
      const answer = await click.post(PATHS.loginNative, fields);
      answerFirst();
      return answer.location;
    });
    const [location, other] = await Promise.all(answers);
    sessions.begin = begin;
    expect(location).toBe(other);
    const accepted = callsFor(challenge).flatMap((call) => (call.call === 'acceptLogin' ? [call.authentication] : []));
    const { rememberForSeconds } = gateway.config.login;
    expect(accepted).toMatchObject([{ rememberForSeconds }, { rememberForSeconds }]);
    expect(await sessions.findByUpstreamSession(sessionId, subject)).toMatchObject({ remembered: true });
  });
});

describe('[LOG-12] nobody stays signed in without having ticked it', () => {
  const signInWithout = async (browser: TestBrowser, challenge: string, more: Record<string, string> = {}) => {
    const { xsrf_token: _xsrf } = (await open(browser, challenge)).state('login').login;
    const fields = { _xsrf, login_challenge: challenge, username: 'maria.musterfrau', password: PASSWORD };
    return browser.post(PATHS.loginNative, { ...fields, ...more });
  };
  const expectSession = async (challenge: string, sessionId: string) => {
    const { sessionSeconds } = gateway.config.login;
    expect(callsFor(challenge)).toMatchObject([{ call: 'acceptLogin', authentication: { rememberForSeconds: sessionSeconds } }]);
    expect(await gateway.get(BrowserSessions).findByUpstreamSession(sessionId, subject)).toMatchObject({ remembered: false });
  };

  it('also after removing the tick because of a fault of Hydra', async () => {
    const [challenge, sessionId] = ['tick-removed', 'sid-of-tick-removed'];
    gateway.hydra.addLogin({ challenge, sessionId });
    const browser = gateway.browser();
    const acceptLogin = gateway.hydra.acceptLogin.bind(gateway.hydra);
    gateway.hydra.acceptLogin = () => Promise.reject(new UpstreamUnavailable('It is away.'));
    const failed = await signInWithout(browser, challenge, { remember: 'true' });
    gateway.hydra.acceptLogin = acceptLogin;
    expect(failed.status).toBe(503);
    const answer = await signInWithout(browser, challenge);
    expect(answer.location).toMatch(/login_verifier=/);
    expect(answer.setCookies.find(({ name }) => name === 'foyer')?.maxAgeSeconds).toBeUndefined();
    await expectSession(challenge, sessionId);
  });

  it('also after deleting the cookies of a session that Hydra still has', async () => {
    const { sessionId } = await signInBrowser(gateway, { remember: true });
    gateway.clock.advanceSeconds(60);
    const challenge = 'cookies-removed';
    gateway.hydra.addLogin({ challenge, sessionId });
    expect((await signInWithout(gateway.browser(), challenge)).location).toMatch(/login_verifier=/);
    await expectSession(challenge, sessionId);
  });
});

describe('prompt=none', () => {
  const requestSilently = (more: Partial<Request>, sessionId: string) =>
    toSkip(sessionId, { requestUrl: gateway.hydra.requestUrl({ prompt: 'none' }), ...more });

  it.each([
    [
      'interaction_required',
      'a client that always asks',
      () => ({ client: gateway.hydra.client({ foyer: { confirmSession: true, returnUrls: [] } }) }),
    ],
    ['interaction_required', 'acr_values above the session', () => ({ acrValues: ['urn:foyer:acr:mfa'] })],
    ['login_required', 'a login_hint of somebody else', () => ({ loginHint: 'somebody.else' })],
    [
      'login_required',
      'a login_hint of somebody else and acr_values',
      () => ({ loginHint: 'x', acrValues: ['urn:foyer:acr:mfa'] }),
    ],
    ['login_required', 'a session that this product does not know', () => ({ sessionId: 'unknown' })],
  ])('[LOG-11] [HNT-1] answers %s for %s', async (code, _what, more) => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = requestSilently(more(), sessionId);
    expect((await open(browser, challenge)).status).toBe(303);
    expect(callsFor(challenge)).toMatchObject([{ call: 'rejectLogin', rejection: { code } }]);
  });

  it('[LOG-11] answers login_required in a browser without the session, which does not end', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = requestSilently({}, sessionId);
    await open(gateway.browser(), challenge);
    expect(callsFor(challenge)).toMatchObject([{ call: 'rejectLogin', rejection: { code: 'login_required' } }]);
    expect(findEndCalls(sessionId)).toEqual([]);
    const own = requestSilently({ loginHint: 'MARIA@example.org' }, sessionId);
    await open(browser, own);
    expect(callsFor(own)).toMatchObject([{ call: 'acceptLogin' }]);
  });
});

describe('the request that asks again', () => {
  it('still asks for consent', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const challenge = toSkip(sessionId, {
      acrValues: ['urn:foyer:acr:mfa'],
      requestUrl: gateway.hydra.requestUrl({ prompt: 'consent' }),
    });
    expect((await open(browser, challenge)).location).toMatch(/[?&]prompt=login\+consent(&|$)/);
  });

  it('[HNT-1] leads to the app if Hydra applies another prompt, that of a request object which it has fetched', async () => {
    const { browser, sessionId } = await signInBrowser(gateway);
    const request = { prompt: 'login consent', request_uri: 'https://app.example/request.jwt' };
    const more = { acrValues: ['urn:foyer:acr:mfa'], requestUrl: gateway.hydra.requestUrl(request) };
    const challenge = toSkip(sessionId, more);
    await open(browser, challenge);
    expect(callsFor(challenge)).toMatchObject([{ call: 'rejectLogin', rejection: { code: 'login_required' } }]);
  });

  it('[LOG-13] fills in the username of id_token_hint, but not for somebody who only has the token', async () => {
    const { browser } = await signInBrowser(gateway);
    const addHintedLogin = (username?: string) => {
      const challenge = `hinted-${(count += 1)}`;
      gateway.hydra.addLogin({ challenge, idTokenHint: { subject, ...(username === undefined ? {} : { username }) } });
      return challenge;
    };
    expect((await open(browser, addHintedLogin())).state('login').login.username).toBe('maria.musterfrau');
    expect((await open(gateway.browser(), addHintedLogin('maria.musterfrau'))).state('login').login.username).toBe(
      'maria.musterfrau',
    );
    expect((await open(gateway.browser(), addHintedLogin())).state('login').login.username).toBe('');
    expect((await open(gateway.browser(), addHintedLogin('an.older.name'))).state('login').login.username).toBe('');
  });
});
