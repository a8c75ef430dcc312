/** Logout: with and without a hint, accepting, rejecting, and who may end which session. */
import { expect } from '@jest/globals';
import { expectStatus, toJson, type Answer } from '../../../support/upstream-answer.js';
import type { Browser } from '../../../support/upstream-browser.js';
import type { WireError } from '../../../support/upstream-wire.js';
import { cookieBrief } from '../shapes.js';
import { BYE, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { beginLogin, findChallenge, findPageError, signIn, signInForTokens } from '../walk.js';

const STAY = { login: { remember: true, remember_for: 3600 } };
const ENDED = { name: 'session', httpOnly: true, path: '/', maxAgeSeconds: 0 };
const NOT_LOCATED: WireError = { error: 'Unable to locate the resource', error_description: '' };

export function logoutRows({ row }: Rows): void {
  row('D.52 a logout without a hint asks, is not RP-initiated, and ends the session when it is followed', async (scene) => {
    const browser = scene.browser();
    const { login, consent } = await signIn(scene, browser, STAY);
    const started = await browser.get(scene.app.logoutUrl());
    if (scene.page('logout')) expect(started.location?.href.split('?')[0]).toBe(scene.page('logout'));
    expect(started.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    const challenge = findChallenge(started, 'logout');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(await scene.admin.getLogout(challenge)).toEqual({
      challenge,
      subject: consent.subject,
      sid: login.session_id,
      request_url: '/oauth2/sessions/logout',
      rp_initiated: false,
      client: null,
      ...(scene.has('logoutTimes') ? { expires_at: time, requested_at: time } : {}),
    });
    const followed = await browser.get(await scene.admin.acceptLogout(challenge));
    expectFinalPage(scene, followed);
    expect(followed.setCookies.map(cookieBrief)).toEqual([ENDED]);
    expect(await isSkipped(scene, browser)).toBe(false);
  });

  row('D.52 logout by POST is the same', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, STAY);
    const challenge = findChallenge(await browser.post(scene.app.logoutUrl(), {}), 'logout');
    expect(await scene.admin.getLogout(challenge)).toMatchObject({ rp_initiated: false });
  });

  row('D.53 a logout with a hint is RP-initiated and returns to the client with its state', async (scene) => {
    const browser = scene.browser();
    const { tokens, login, consent } = await signInForTokens(scene, browser, STAY);
    const url = logoutWith(scene, tokens.id_token, { post_logout_redirect_uri: BYE, state: 'lo st/ate&1' });
    const challenge = findChallenge(await browser.get(url), 'logout');
    const logout = await scene.admin.getLogout(challenge);
    expect(logout).toMatchObject({ challenge, subject: consent.subject, sid: login.session_id, rp_initiated: true });
    expect(logout.client).toEqual(login.client);
    expect(logout.request_url).toBe(url.slice(scene.upstream.publicUrl.length));
    if (scene.has('logoutTimes')) expect([logout.expires_at, logout.requested_at]).toEqual([null, null]);
    const followed = await browser.get(await scene.admin.acceptLogout(challenge));
    expect(expectStatus(followed, 302).location?.href).toBe(`${BYE}?state=lo+st%2Fate%261`);
    expect(followed.setCookies.map(cookieBrief)).toEqual([ENDED]);
    expect(await isSkipped(scene, browser)).toBe(false);
  });

  row('D.53 repeated reading and accepting changes nothing before the browser follows', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, STAY);
    const challenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
    const redirect = await scene.admin.acceptLogout(challenge);
    expect(redirect).toMatch(/\/oauth2\/sessions\/logout\?logout_verifier=[\da-f]{8}-[\da-f-]{27}$/);
    expect(new URL(redirect).origin).toBe(new URL(scene.upstream.publicUrl).origin);
    expect(await scene.admin.acceptLogout(challenge)).toBe(redirect);
    expect(await scene.admin.getLogout(challenge)).toMatchObject({ challenge });
    expect(await isSkipped(scene, browser)).toBe(true);
  });

  row('D.54 faults of a logout request lead to the error page', async (scene) => {
    const browser = scene.browser();
    const { tokens } = await signInForTokens(scene, browser, STAY);
    const elsewhere = 'http://127.0.0.1:2/evil';
    const faults = {
      'state without a hint': scene.app.logoutUrl({ state: 'abc' }),
      'redirect without a hint': scene.app.logoutUrl({ post_logout_redirect_uri: BYE }),
      'redirect that is not registered': logoutWith(scene, tokens.id_token, { post_logout_redirect_uri: elsewhere }),
      'hint that is not a token': logoutWith(scene, 'garbage'),
      'hint with a foreign signature': logoutWith(scene, `${tokens.id_token?.split('.').slice(0, 2).join('.')}.AAAA`),
    };
    for (const [fault, url] of Object.entries(faults)) {
      expect([fault, findPageError(scene, await browser.get(url)).error]).toEqual([fault, 'invalid_request']);
    }
    expect(await isSkipped(scene, browser)).toBe(true);
  });

  row('D.54 an unknown verifier leads to the error page', async (scene) => {
    const answer = await scene.browser().get(scene.app.logoutUrl({ logout_verifier: 'unknown' }));
    expect(findPageError(scene, answer)).toEqual({
      error: 'Not Found',
      error_description: 'Unable to locate the requested resource',
    });
  });

  row('D.55 a logout without a session is complete at once, also with a hint and the client that it names', async (scene) => {
    const browser = scene.browser();
    expectFinalPage(scene, await browser.get(scene.app.logoutUrl()));
    const { tokens } = await signInForTokens(scene, browser);
    const hinted = await browser.get(logoutWith(scene, tokens.id_token, { post_logout_redirect_uri: BYE, state: '12345678' }));
    expect(expectStatus(hinted, 302).location?.href).toBe(`${BYE}?state=12345678`);
  });

  row(
    'D.56 a rejected logout is answered with 204 without a body, cannot be read any more, and keeps the session',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, STAY);
      const challenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
      const rejected = await scene.admin.request('logout', 'reject', challenge);
      expect([rejected.status, rejected.text]).toEqual([204, '']);
      expect((await scene.admin.request('logout', 'reject', challenge)).status).toBe(204);
      const read = await scene.admin.request('logout', '', challenge);
      expect([read.status, toJson(read)]).toEqual([404, NOT_LOCATED]);
      expect(await isSkipped(scene, browser)).toBe(true);
    },
  );

  row(
    'D.56 a rejected logout may still be accepted; one that was accepted, rejected and followed is not found',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, STAY);
      const challenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
      const accepted = await scene.admin.acceptLogout(challenge);
      expectStatus(await scene.admin.request('logout', 'reject', challenge), 204);
      expect(findPageError(scene, await browser.get(accepted)).error).toBe('Not Found');
      expectFinalPage(scene, await browser.get(await scene.admin.acceptLogout(challenge)));
      expect(await isSkipped(scene, browser)).toBe(false);
    },
  );

  row(
    'D.57 a completed request is answered with 410 and a relative address; a second acceptance is a plain redirect',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, STAY);
      const challenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
      const redirect = await scene.admin.acceptLogout(challenge);
      await browser.get(redirect);
      const read = await scene.admin.request('logout', '', challenge);
      expect([read.status, toJson(read)]).toEqual([410, { redirect_to: '/oauth2/sessions/logout' }]);
      expect(await scene.admin.acceptLogout(challenge)).toBe(redirect);
      expectFinalPage(scene, await browser.get(redirect));
    },
  );

  row('D.57 a rejection after completion is answered with 204 and turns the 410 into 404', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, STAY);
    const challenge = findChallenge(await browser.get(scene.app.logoutUrl()), 'logout');
    await browser.get(await scene.admin.acceptLogout(challenge));
    expect((await scene.admin.request('logout', 'reject', challenge)).status).toBe(204);
    expect((await scene.admin.request('logout', '', challenge)).status).toBe(404);
  });

  row('D.57 a missing logout request is answered like an unknown one', async (scene) => {
    for (const act of ['', 'accept'] as const) {
      const unknown = await scene.admin.request('logout', act, 'nope');
      expect([act, unknown.status, toJson(unknown)]).toEqual([act, 404, NOT_LOCATED]);
    }
    const rejected = await scene.admin.request('logout', 'reject', 'nope');
    expect([rejected.status, toJson<WireError>(rejected).error]).toEqual([404, 'Not Found']);
    const missing = await scene.admin.send('GET', '/admin/oauth2/auth/requests/logout');
    expect([missing.status, toJson(missing)]).toEqual([404, NOT_LOCATED]);
  });

  row('D.58 skip_logout_consent is reported as true, null or false, and never applied', async (scene) => {
    for (const skip_logout_consent of [true, null, false]) {
      const app = await scene.newApp({ skip_logout_consent });
      const browser = scene.browser();
      const { tokens } = await signInForTokens(scene, browser, { ...STAY, app });
      const { client } = await scene.admin.getLogout(
        findChallenge(await browser.get(logoutWith(scene, tokens.id_token)), 'logout'),
      );
      expect(client?.skip_logout_consent).toBe(skip_logout_consent);
    }
  });

  row('anybody with an ID token can start a logout, and its acceptance ends the session of the owner', async (scene) => {
    const owner = scene.browser();
    const { tokens, consent } = await signInForTokens(scene, owner, STAY);
    const stranger = scene.browser();
    const challenge = findChallenge(await stranger.get(logoutWith(scene, tokens.id_token)), 'logout');
    expect(await scene.admin.getLogout(challenge)).toMatchObject({ rp_initiated: true, subject: consent.subject });
    expect(await isSkipped(scene, owner)).toBe(true);
    await stranger.get(await scene.admin.acceptLogout(challenge));
    expect(await isSkipped(scene, owner)).toBe(false);
  });

  row('an accepted logout without a hint does nothing in another browser, and still works in the right one', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, STAY);
    const redirect = await scene.admin.acceptLogout(findChallenge(await browser.get(scene.app.logoutUrl()), 'logout'));
    expectFinalPage(scene, await scene.browser().get(redirect));
    expect(await isSkipped(scene, browser)).toBe(true);
    await browser.get(redirect);
    expect(await isSkipped(scene, browser)).toBe(false);
  });

  row('tokens stay valid after a logout', async (scene) => {
    const browser = scene.browser();
    const { tokens } = await signInForTokens(scene, browser, STAY);
    await browser.get(await scene.admin.acceptLogout(findChallenge(await browser.get(scene.app.logoutUrl()), 'logout')));
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true });
  });

  row('a login verifier that is opened again after a logout restores the session', async (scene) => {
    const browser = scene.browser();
    const { challenge } = await scene.admin.getLogin(await beginLogin(scene, browser));
    const verifierUrl = await scene.admin.acceptLogin(challenge, { subject: 'revived', remember: true, remember_for: 3600 });
    findChallenge(await browser.get(verifierUrl), 'consent');
    await browser.get(await scene.admin.acceptLogout(findChallenge(await browser.get(scene.app.logoutUrl()), 'logout')));
    const gone = browser.clone();
    gone.jar.drop(new URL(scene.upstream.publicUrl), 'ory_hydra_login');
    expect(await isSkipped(scene, gone)).toBe(false);
    findChallenge(await browser.get(verifierUrl), 'consent');
    expect(await isSkipped(scene, browser)).toBe(true);
  });
}

function logoutWith(scene: Scene, hint: string | undefined, more: Record<string, string> = {}): string {
  return scene.app.logoutUrl({ id_token_hint: hint, ...more });
}

/** Whether the next login request of this browser is skipped. */
async function isSkipped(scene: Scene, browser: Browser): Promise<boolean> {
  return (await scene.admin.getLogin(await beginLogin(scene, browser.clone()))).skip;
}

function expectFinalPage(scene: Scene, answer: Answer): void {
  expect(expectStatus(answer, 302).location?.search).toBe('');
  if (scene.page('postLogoutRedirect')) expect(answer.location?.href).toBe(scene.page('postLogoutRedirect'));
}
