import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BrowserSessions } from '../../src/accounts/sessions/browser-sessions.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { signInBrowser } from '../support/signed-in-browser.js';
import type { TestBrowser } from '../support/test-browser.js';

let gateway: TestGateway;
let subject: string;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  subject = (await gateway.account('maria.musterfrau')).id;
});

afterAll(() => gateway.close());

/** A browser in which Maria is signed in. */
const signInMaria = (browser?: TestBrowser) => signInBrowser(gateway, browser ? { browser } : {});

function toLogout(more: object = {}): string {
  const challenge = `logout-${(count += 1)}`;
  gateway.hydra.addLogout({ challenge, subject, ...more });
  return challenge;
}

const callsFor = (challenge: string) => gateway.hydra.calls.filter((call) => 'challenge' in call && call.challenge === challenge);

describe('the question', () => {
  it('[OUT-1] [OUT-2] names the person and the app', async () => {
    const { browser } = await signInMaria();
    const challenge = toLogout({ rpInitiated: true, client: gateway.hydra.client() });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(page.state('logout').logout).toMatchObject({
      status: 'pending',
      logout_challenge: challenge,
      account: { name: 'maria.musterfrau' },
    });
    expect(page.html).toContain('action="/logout/accept"');
    expect(page.html).toMatch(/formaction="\/logout\/reject"/i);
    expect(callsFor(challenge)).toEqual([]);
  });

  it.each(['', '?logout_challenge=', '?logout_challenge=unknown'])(
    '[OUT-3] %s says that the challenge is not valid',
    async (query) => {
      const page = await gateway.browser({ 'accept-language': 'en' }).get(PATHS.logout + query);
      expect(page.status).toBe(400);
      expect(page.state('logout').logout).toMatchObject({ status: 'pending', logout_challenge: '' });
      expect(page.html).toContain('Logout-Challenge is empty or invalid!');
    },
  );
});

describe('the answers', () => {
  it('[OUT-2] [OUT-6] accept ends the session of the browser and redirects the browser', async () => {
    const { browser, sessionId } = await signInMaria();
    const challenge = toLogout({ rpInitiated: true, client: gateway.hydra.client(), sessionId });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    const answer = await browser.post(PATHS.logoutAccept, fields);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/logout_verifier=/);
    expect(answer.setCookies.some(({ name }) => name === 'foyer')).toBe(true);
    for (const name of ['foyer-session', 'foyer-carried']) {
      expect(answer.setCookies).toContainEqual(expect.objectContaining({ name, value: '', maxAgeSeconds: 0 }));
    }
    // The session does not continue, because the browser id has changed.
    gateway.hydra.addLogin({ challenge: `after-${challenge}`, skip: true, subject, sessionId });
    const next = await browser.get(`${PATHS.login}?login_challenge=after-${challenge}`);
    expect(next.status).toBe(303);
    expect(callsFor(`after-${challenge}`)).toEqual([]);
  });

  it('[OUT-4] reject shows "Logout aborted!" and ends nothing', async () => {
    const { browser } = await signInMaria();
    const challenge = toLogout();
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    const answer = await browser.post(PATHS.logoutReject, {
      _xsrf: page.state('logout').logout.xsrf_token,
      logout_challenge: challenge,
    });
    expect(answer.location).toBe(PATHS.logoutReject);
    expect(callsFor(challenge)).toMatchObject([{ call: 'rejectLogout' }]);
    const aborted = await browser.get(PATHS.logoutReject);
    expect(aborted.state('logout').logout.status).toBe('rejected');
    expect(aborted.html).toContain('Logout aborted!');
  });

  it('[OUT-4] an answer to an invalid challenge shows an error with an explanation', async () => {
    const { browser } = await signInMaria();
    const page = await browser.get(PATHS.logout);
    const { xsrf_token } = page.state('logout').logout;
    const answer = await browser.post(PATHS.logoutAccept, { _xsrf: xsrf_token, logout_challenge: 'unknown' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Logout failed!');
  });
});

describe('the page after a logout', () => {
  const readCallback = async (browser: TestBrowser, path: string = PATHS.logoutCallback) => {
    const page = await browser.get(path);
    return { ...page.state('logout').logout, html: page.html };
  };

  async function acceptLogout(browser: TestBrowser, more: object = {}) {
    const challenge = toLogout(more);
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    return { challenge, answer: await browser.post(PATHS.logoutAccept, fields) };
  }

  it('[OUT-5] [OUT-6] names the notified apps when the upstream reports the end, and only to this browser', async () => {
    const { browser, sessionId } = await signInMaria();
    const { challenge } = await acceptLogout(browser, { sessionId });
    expect(await readCallback(browser)).toMatchObject({ status: 'accepted', nobody: true });
    gateway.hydra.markUsed(challenge);
    const done = await readCallback(browser);
    expect(done).toMatchObject({ status: 'accepted', apps_notified: true });
    expect(done.html).toMatch(/notified the apps that support this/);
    expect((await readCallback(browser, `${PATHS.logout}?logout_challenge=${challenge}`)).status).toBe('accepted');
    const stranger = gateway.browser({ 'accept-language': 'en' });
    expect((await readCallback(stranger, `${PATHS.logout}?logout_challenge=${challenge}`)).nobody).toBe(true);
  });

  it.each([PATHS.logoutCallback, PATHS.logoutReject])('[OUT-5] %s opened by anybody claims nothing', async (path) => {
    const seen = await readCallback(gateway.browser({ 'accept-language': 'en' }), path);
    expect(seen).toMatchObject({ status: 'accepted', nobody: true });
    expect(seen.html).toContain('Nobody is signed in here');
    expect(seen.html).not.toMatch(/signed out|notified the apps|aborted/);
    const { browser } = await signInMaria();
    const asked = await readCallback(browser, path);
    expect(asked).toMatchObject({ status: 'pending', local: true, account: { username: 'maria.musterfrau' } });
  });

  it('[OUT-6] ends all sessions of this browser without a session at the upstream, and apps are notified by session id', async () => {
    const { browser, sessionId } = await signInMaria();
    const earlier = await signInMaria(browser);
    const { xsrf_token: _xsrf } = await readCallback(browser);
    const answer = await browser.post(PATHS.logoutAccept, { _xsrf, logout_challenge: '' });
    expect(answer.location).toBe(PATHS.logoutCallback);
    const ended = gateway.hydra.calls.flatMap((call) => (call.call === 'endLoginSession' ? [call.sessionId] : []));
    expect(ended).toEqual(expect.arrayContaining([sessionId, earlier.sessionId]));
    expect(await readCallback(browser)).toMatchObject({ status: 'accepted', apps_notified: true });
  });

  it('[OUT-6] does not claim that apps were notified during an outage of the upstream', async () => {
    const { browser } = await signInMaria();
    const { xsrf_token: _xsrf } = await readCallback(browser);
    gateway.hydra.fail();
    await browser.post(PATHS.logoutAccept, { _xsrf, logout_challenge: '' });
    gateway.hydra.fail(null);
    const done = await readCallback(browser);
    expect(done).toMatchObject({ status: 'accepted', apps_notified: false });
    expect(done.html).not.toContain('notified the apps');
  });

  it('[OUT-6] ends earlier sign-ins of the browser too, which another app may still have', async () => {
    const first = await signInMaria();
    const { sessionId } = await signInMaria(first.browser);
    await acceptLogout(first.browser, { sessionId });
    const ended = gateway.hydra.calls.flatMap((call) => (call.call === 'endLoginSession' ? [call.sessionId] : []));
    expect(ended).toContain(first.sessionId);
    expect(ended).not.toContain(sessionId);
  });

  it('[OUT-4] does not claim a refusal that nobody made here', async () => {
    const { browser } = await signInMaria();
    const challenge = toLogout();
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    await browser.post(PATHS.logoutReject, { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge });
    expect((await readCallback(browser, PATHS.logoutReject)).html).toContain('You’re still signed in.');
    await gateway.get(BrowserSessions).endForAccount(subject);
    const later = await readCallback(browser, PATHS.logoutReject);
    expect(later).toMatchObject({ status: 'rejected', nobody: true });
    expect(later.html).not.toContain('still signed in');
  });
});

describe('a logout in a browser that the session does not belong to', () => {
  it('names nobody, records nothing and leaves the decision to the upstream', async () => {
    const { sessionId } = await signInMaria();
    const stranger = gateway.browser();
    const challenge = toLogout({ sessionId });
    const page = await stranger.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(page.html).not.toContain('maria.musterfrau');
    const events = () => gateway.database.db.selectFrom('audit_event').select('seq').where('kind', '=', 'logout.done').execute();
    const before = (await events()).length;
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    expect((await stranger.post(PATHS.logoutAccept, fields)).location).toMatch(/logout_verifier=/);
    expect(await events()).toHaveLength(before);
    expect(await gateway.get(BrowserSessions).findByUpstreamSession(sessionId, subject)).not.toBeNull();
  });

  it('[S-15b] cannot be refused for the person by somebody who sees its address', async () => {
    const { browser, sessionId } = await signInMaria();
    const challenge = toLogout({ sessionId });
    const address = `${PATHS.logout}?logout_challenge=${challenge}`;
    const stranger = gateway.browser();
    const { xsrf_token: _xsrf } = (await stranger.get(address)).state('logout').logout;
    const refused = await stranger.post(PATHS.logoutReject, { _xsrf, logout_challenge: challenge });
    expect([refused.status, refused.location]).toEqual([303, PATHS.logoutReject]);
    expect(callsFor(challenge)).toEqual([]);
    const own = (await browser.get(address)).state('logout').logout;
    await browser.post(PATHS.logoutAccept, { _xsrf: own.xsrf_token, logout_challenge: challenge });
    expect(callsFor(challenge)).toMatchObject([{ call: 'acceptLogout' }]);
  });

  it('[OUT-6] asks a closed browser once, which returns to the requesting app', async () => {
    const { browser, sessionId } = await signInMaria();
    browser.close();
    const returnTo = 'http://localhost:5555/?state=1';
    const asked = toLogout({ sessionId, rpInitiated: true, client: gateway.hydra.client(), returnTo });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${asked}`);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: asked };
    const answer = await browser.post(PATHS.logoutAccept, fields);
    expect(answer.location).toBe('http://localhost:4444/oauth2/sessions/logout');
    const own = toLogout({ sessionId });
    expect((await browser.get(`${PATHS.logout}?logout_challenge=${own}`)).location).toMatch(/logout_verifier=/);
    expect((await browser.get(PATHS.logoutCallback)).location).toBe(returnTo);
    expect((await browser.get(PATHS.logoutCallback)).state('logout').logout.nobody).toBe(true);
  });
});

describe('without a question', () => {
  const buildTrustedRequest = () => ({ rpInitiated: true, client: gateway.hydra.client({ skipLogoutConsent: true }) });

  it('[OUT-5] ends only for a trusted client that requested it, in the browser of the person', async () => {
    const { browser } = await signInMaria();
    const challenge = toLogout(buildTrustedRequest());
    const answer = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(answer.status).toBe(303);
    expect(callsFor(challenge)).toMatchObject([{ call: 'acceptLogout' }]);
  });

  it.each([
    ['a client that does not skip', () => ({ rpInitiated: true, client: gateway.hydra.client() })],
    ['a logout that no app asked for', () => ({ ...buildTrustedRequest(), rpInitiated: false })],
  ])('[OUT-5] asks for %s', async (_what, more) => {
    const { browser } = await signInMaria();
    const challenge = toLogout(more());
    expect((await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`)).status).toBe(200);
    expect(callsFor(challenge)).toEqual([]);
  });

  it('[OUT-5] signs nobody out for somebody else with an ID token, not even with a click', async () => {
    const stranger = gateway.browser();
    const challenge = toLogout(buildTrustedRequest());
    const page = await stranger.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(page.status).toBe(200);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    const answer = await stranger.post(PATHS.logoutAccept, fields);
    expect(answer.location).toBe('http://localhost:4444/oauth2/sessions/logout');
    expect(callsFor(challenge)).toEqual([]);
  });
});
