import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, startTestGateway } from '../support/gateway.js';
import type { TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let subject: string;
let count = 0;

beforeAll(async () => {
  gateway = await startTestGateway();
  subject = (await gateway.account('maria.musterfrau')).id;
});

afterAll(() => gateway.close());

/** A browser in which Maria is signed in. */
async function signedIn() {
  const browser = gateway.browser({ 'accept-language': 'en' });
  const challenge = `login-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `sid-${count}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token } = page.state('login').login;
  await browser.post(PATHS.loginNative, {
    _xsrf: xsrf_token,
    login_challenge: challenge,
    username: 'maria.musterfrau',
    password: PASSWORD,
  });
  return { browser, sessionId: `sid-${count}` };
}

function logoutOf(more: object = {}): string {
  const challenge = `logout-${(count += 1)}`;
  gateway.hydra.addLogout({ challenge, subject, ...more });
  return challenge;
}

const callsFor = (challenge: string) => gateway.hydra.calls.filter((call) => 'challenge' in call && call.challenge === challenge);

describe('the question', () => {
  it('[OUT-1] [OUT-2] asks, with the person and the app', async () => {
    const { browser } = await signedIn();
    const challenge = logoutOf({ rpInitiated: true, client: gateway.hydra.client() });
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
    '[OUT-3] %s says that the challenge is none',
    async (query) => {
      const page = await gateway.browser({ 'accept-language': 'en' }).get(PATHS.logout + query);
      expect(page.status).toBe(400);
      expect(page.state('logout').logout).toMatchObject({ status: 'pending', logout_challenge: '' });
      expect(page.html).toContain('Logout-Challenge is empty or invalid!');
    },
  );
});

describe('the answers', () => {
  it('[OUT-2] [OUT-6] accept ends the own session and sends the browser on', async () => {
    const { browser, sessionId } = await signedIn();
    const challenge = logoutOf({ rpInitiated: true, client: gateway.hydra.client(), sessionId });
    const page = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    const answer = await browser.post(PATHS.logoutAccept, fields);
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/logout_verifier=/);
    expect(answer.setCookies.some(({ name }) => name === 'foyer')).toBe(true);
    // The remembered session is not gone on with: its own record has ended.
    gateway.hydra.addLogin({ challenge: `after-${challenge}`, skip: true, subject, sessionId });
    const next = await browser.get(`${PATHS.login}?login_challenge=after-${challenge}`);
    expect(next.location).toBe(gateway.hydra.requestUrl({ prompt: 'login' }));
  });

  it('[OUT-4] reject says "Logout aborted!" and ends nothing', async () => {
    const { browser } = await signedIn();
    const challenge = logoutOf();
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

  it('[OUT-4] an answer to a challenge that is none fails with words', async () => {
    const { browser } = await signedIn();
    const page = await browser.get(PATHS.logout);
    const { xsrf_token } = page.state('logout').logout;
    const answer = await browser.post(PATHS.logoutAccept, { _xsrf: xsrf_token, logout_challenge: 'unknown' });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain('Logout failed!');
  });

  it('[OUT-5] the landing says that it is done; a completed challenge leads there', async () => {
    const browser = gateway.browser({ 'accept-language': 'en' });
    const landing = await browser.get(PATHS.logoutCallback);
    expect(landing.status).toBe(200);
    expect(landing.state('logout').logout.status).toBe('accepted');
    const challenge = logoutOf();
    gateway.hydra.markUsed(challenge);
    expect((await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`)).state('logout').logout.status).toBe('accepted');
  });
});

describe('without a question', () => {
  const trusted = () => ({ rpInitiated: true, client: gateway.hydra.client({ skipLogoutConsent: true }) });

  it('[OUT-5] only for a trusted client, asked by the app, in the person’s own browser', async () => {
    const { browser } = await signedIn();
    const challenge = logoutOf(trusted());
    const answer = await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(answer.status).toBe(303);
    expect(callsFor(challenge)).toMatchObject([{ call: 'acceptLogout' }]);
  });

  it.each([
    ['a client that does not skip', () => ({ rpInitiated: true, client: gateway.hydra.client() })],
    ['a logout that no app asked for', () => ({ ...trusted(), rpInitiated: false })],
  ])('[OUT-5] asks for %s', async (_what, more) => {
    const { browser } = await signedIn();
    const challenge = logoutOf(more());
    expect((await browser.get(`${PATHS.logout}?logout_challenge=${challenge}`)).status).toBe(200);
    expect(callsFor(challenge)).toEqual([]);
  });

  it('[OUT-5] a stranger with an ID token signs nobody out, not even with a click', async () => {
    const stranger = gateway.browser();
    const challenge = logoutOf(trusted());
    const page = await stranger.get(`${PATHS.logout}?logout_challenge=${challenge}`);
    expect(page.status).toBe(200);
    const fields = { _xsrf: page.state('logout').logout.xsrf_token, logout_challenge: challenge };
    const answer = await stranger.post(PATHS.logoutAccept, fields);
    expect(answer.location).toBe('http://localhost:4444/oauth2/sessions/logout');
    expect(callsFor(challenge)).toEqual([]);
  });
});
