/** The login request: how it begins, what the gateway reads, accepting, rejecting and remembering. */
import { expect } from '@jest/globals';
import { toJson } from '../../../support/upstream-answer.js';
import { cookieBrief } from '../shapes.js';
import { newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import {
  toClientQuery,
  beginLogin,
  findChallenge,
  getCode,
  grantAll,
  passConsent,
  passLogin,
  reachConsent,
  signIn,
} from '../walk.js';

const MONTH_SECONDS = 30 * 24 * 3600;

export function loginRows({ row, rowWith }: Rows): void {
  row('D.1 a request without a session leads to the login page with one challenge and a login cookie', async (scene) => {
    const answer = await scene.browser().get(scene.app.authorizationUrl());
    expect(answer.status).toBe(302);
    expect(answer.location?.searchParams.getAll('login_challenge')).toHaveLength(1);
    if (scene.page('login')) expect(answer.location?.href.split('?')[0]).toBe(scene.page('login'));
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    expect(answer.setCookies).toHaveLength(1);
    expect(answer.setCookies[0]).toMatchObject({ path: '/', httpOnly: true });
    expect(answer.setCookies[0]?.name).toMatch(/^ory_hydra_login_csrf(_dev)?_\d+$/);
  });

  row('D.1 challenges are long, padded base64url, and the login cookie lives as long as they do', async (scene) => {
    const answer = await scene.browser().get(scene.app.authorizationUrl());
    const challenge = findChallenge(answer, 'login');
    expect(challenge).toMatch(/^[\w-]+={0,2}$/);
    expect(challenge.length % 4).toBe(0);
    expect(challenge.length).toBeGreaterThan(1000);
    if (scene.hasDefaultLifetimes)
      expect(answer.setCookies[0]).toMatchObject({ maxAgeSeconds: 1800, secure: false, sameSite: 'Lax' });
  });

  row('D.1 padding is part of the challenge and percent-encoded in the address', async (scene) => {
    const padded = await makePaddedChallenge(scene);
    expect(padded.location).toMatch(/login_challenge=[\w-]+(%3D)+$/);
    expect((await scene.admin.request('login', '', padded.challenge)).status).toBe(200);
    expect((await scene.admin.request('login', '', padded.challenge.replace(/=+$/, ''))).status).toBe(404);
  });

  row('D.51 a challenge grows with the request and still works in every step', async (scene) => {
    const login_hint = Array.from({ length: 1500 }, (_, index) => index.toString(36)).join('-');
    const { login } = await signIn(scene, scene.browser(), { parameters: { login_hint } });
    expect(login.challenge.length).toBeGreaterThan(4000);
    expect(login.oidc_context?.login_hint).toBe(login_hint);
  });

  row('D.2 a new login request contains what is requested and nothing about a person', async (scene) => {
    const url = scene.app.authorizationUrl({ scope: 'openid offline profile', extra: '1' });
    const challenge = findChallenge(await scene.browser().get(url), 'login');
    const answer = await scene.admin.request('login', '', challenge);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    const client = toJson<Record<string, unknown>>(await scene.admin.send('GET', `/admin/clients/${scene.app.id}`));
    expect(toJson(answer)).toEqual({
      challenge,
      requested_scope: ['openid', 'offline', 'profile'],
      requested_access_token_audience: [],
      skip: false,
      subject: '',
      oidc_context: {},
      client,
      request_url: url,
      session_id: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
    });
    expect(client).not.toHaveProperty('client_secret');
  });

  row('D.3 the OpenID parameters arrive split at spaces', async (scene) => {
    const parameters = { login_hint: 'bob@example', ui_locales: 'de en', acr_values: 'a b', display: 'page' };
    const { oidc_context } = await scene.admin.getLogin(await beginLogin(scene, scene.browser(), parameters));
    expect(oidc_context).toEqual({
      login_hint: 'bob@example',
      ui_locales: ['de', 'en'],
      acr_values: ['a', 'b'],
      display: 'page',
    });
  });

  row('D.4 an accepted login leads to the consent page, whose request contains what was accepted', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    const subject = newSubject();
    const body = { subject, acr: 'loa2', amr: ['pwd', 'otp'], context: { k: 1 }, remember: true, remember_for: 3600 };
    const accepted = await scene.admin.request('login', 'accept', challenge, { body });
    expect(accepted.status).toBe(200);
    expect(accepted.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { redirect_to } = toJson<{ redirect_to: string }>(accepted);
    const answer = await browser.get(redirect_to);
    if (scene.page('consent')) expect(answer.location?.href.split('?')[0]).toBe(scene.page('consent'));
    const consent = await scene.admin.getConsent(findChallenge(answer, 'consent'));
    expect(consent).toMatchObject({ subject, acr: 'loa2', amr: ['pwd', 'otp'], context: { k: 1 }, skip: false });
    expect(answer.setCookies.map(cookieBrief)).toEqual([
      { name: 'session', httpOnly: true, path: '/', maxAgeSeconds: 3600 },
      { name: 'consent_csrf', httpOnly: true, path: '/', maxAgeSeconds: expect.any(Number) },
    ]);
  });

  row('D.4 redirect_to is the request with a verifier, and with its parameters in alphabetical order', async (scene) => {
    const parameters = { login_hint: 'a b', extra: '1', nonce: 'n-0123456789' };
    const challenge = await beginLogin(scene, scene.browser(), parameters);
    const redirect = new URL(await scene.admin.acceptLogin(challenge, { subject: newSubject() }));
    expect(`${redirect.origin}${redirect.pathname}`).toBe(`${scene.upstream.publicUrl}/oauth2/auth`);
    const names = [...redirect.searchParams.keys()];
    expect(names).toEqual([...names].sort());
    redirect.searchParams.delete('login_verifier');
    const asked = new URL(scene.app.authorizationUrl(parameters)).searchParams;
    asked.sort();
    expect(redirect.searchParams.toString()).toBe(asked.toString());
  });

  row('D.13 a remembered login is skipped in the same browser, with its session id', async (scene) => {
    const browser = scene.browser();
    const first = await signIn(scene, browser, { login: { subject: newSubject(), remember: true, remember_for: 3600 } });
    const second = await scene.admin.getLogin(await beginLogin(scene, browser));
    expect(first.login).toMatchObject({ skip: false, subject: '' });
    expect(second).toMatchObject({ skip: true, subject: first.consent.subject, session_id: first.login.session_id });
    expect(first.consent.login_session_id).toBe(first.login.session_id);
  });

  row('D.13 another browser has no session, and a login that is not remembered is asked for again', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser);
    expect(browser.jar.list(new URL(scene.upstream.publicUrl)).map(cookieBrief)).not.toContainEqual(
      expect.objectContaining({ name: 'session' }),
    );
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: false, subject: '' });
    await signIn(scene, browser, { login: { remember: true, remember_for: 60 } });
    expect(await scene.admin.getLogin(await beginLogin(scene, scene.browser()))).toMatchObject({ skip: false, subject: '' });
  });

  row('D.14 a skipped login is accepted without remember or with remember false, and the session continues', async (scene) => {
    const browser = scene.browser();
    const { login } = await signIn(scene, browser, { login: { remember: true, remember_for: 3600 } });
    await signIn(scene, browser);
    await signIn(scene, browser, { login: { remember: false } });
    const third = await scene.admin.getLogin(await beginLogin(scene, browser));
    expect(third).toMatchObject({ skip: true, session_id: login.session_id });
  });

  row(
    'D.14 acr, amr and context of a session are not stored: they must be sent again when the login is skipped',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, { login: { remember: true, remember_for: 60, acr: '2', amr: ['pwd'], context: { a: 1 } } });
      expect(await reachConsent(scene, browser)).toMatchObject({ acr: '', amr: [], context: null });
      expect(await reachConsent(scene, browser, { login: { acr: '2', amr: ['pwd'] } })).toMatchObject({ acr: '2', amr: ['pwd'] });
    },
  );

  row(
    'D.15 another subject at a skipped login is not an error: the browser returns to the same request with prompt=login',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, { login: { remember: true, remember_for: 60 } });
      const challenge = await beginLogin(scene, browser);
      const redirect = new URL(await scene.admin.acceptLogin(challenge, { subject: newSubject() }));
      expect(redirect.searchParams.get('prompt')).toBe('login');
      expect(redirect.searchParams.has('login_verifier')).toBe(false);
      redirect.searchParams.delete('prompt');
      const asked = new URL(scene.app.authorizationUrl()).searchParams;
      asked.sort();
      expect(redirect.searchParams.toString()).toBe(asked.toString());
    },
  );

  row('D.16 a login that is not remembered ends the earlier session', async (scene) => {
    const browser = scene.browser();
    const subject = newSubject();
    await signIn(scene, browser, { login: { subject, remember: true, remember_for: 60 } });
    const challenge = await beginLogin(scene, browser, { prompt: 'login' });
    const answer = await browser.get(await scene.admin.acceptLogin(challenge, { subject }));
    expect(answer.setCookies.map(cookieBrief)).toContainEqual({ name: 'session', httpOnly: true, path: '/', maxAgeSeconds: 0 });
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: false });
  });

  rowWith(
    ['configurable'],
    'remember_for 0 means a long session since v25.4, and a session of the browser in older releases',
    async (scene) => {
      const browser = scene.browser();
      const challenge = await beginLogin(scene, browser);
      const answer = await browser.get(await scene.admin.acceptLogin(challenge, { subject: newSubject(), remember: true }));
      const session = answer.setCookies.find(({ name }) => name.startsWith('ory_hydra_session'));
      expect(session?.maxAgeSeconds).toBe(scene.has('rememberForZeroIsLong') ? MONTH_SECONDS : undefined);
    },
  );

  row('extend_session_lifespan renews the session cookie of a skipped login', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: { remember: true, remember_for: 60 } });
    const cookiesAfter = async (extend: boolean): Promise<(number | undefined)[]> => {
      const { challenge, subject } = await scene.admin.getLogin(await beginLogin(scene, browser));
      const accept = { subject, extend_session_lifespan: extend, remember: true, remember_for: 600 };
      const answer = await browser.get(await scene.admin.acceptLogin(challenge, accept));
      return answer.setCookies.filter(({ name }) => name.startsWith('ory_hydra_session')).map((cookie) => cookie.maxAgeSeconds);
    };
    expect(await cookiesAfter(false)).toEqual([]);
    expect(await cookiesAfter(true)).toEqual([600]);
  });

  row('D.29 a rejected login gives the client the error, the description with the hint, and the state', async (scene) => {
    const browser = scene.browser();
    const rejection = {
      error: 'access_denied',
      error_description: 'no',
      error_hint: 'hint',
      error_debug: 'dbg',
      status_code: 403,
    };
    const answer = await browser.get(await scene.admin.rejectLogin(await beginLogin(scene, browser), rejection));
    expect(toClientQuery(answer).toString()).toBe('error=access_denied&error_description=no+hint&state=state-12345678');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  row('D.30 a login rejected without a reason has an error name with spaces', async (scene) => {
    const browser = scene.browser();
    const received = toClientQuery(await browser.get(await scene.admin.rejectLogin(await beginLogin(scene, browser), {})));
    expect(Object.fromEntries(received)).toEqual({
      error: 'login request denied',
      error_description: '',
      state: 'state-12345678',
    });
  });

  row('a rejected login keeps the earlier session', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: { remember: true, remember_for: 60 } });
    const challenge = await beginLogin(scene, browser, { prompt: 'login' });
    toClientQuery(await browser.get(await scene.admin.rejectLogin(challenge, { error: 'access_denied' })));
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: true });
  });

  row('D.37 when a login is accepted twice before it is followed, the second answer can be completed', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    const subject = newSubject();
    const first = await scene.admin.acceptLogin(challenge, { subject: newSubject() });
    const second = await scene.admin.acceptLogin(challenge, { subject });
    expect(second).not.toBe(first);
    const consent = await scene.admin.getConsent(findChallenge(await browser.get(second), 'consent'));
    expect(consent.subject).toBe(subject);
    getCode(await passConsent(scene, browser, consent.challenge, grantAll(consent)));
  });

  row('D.37 when a login is accepted twice before it is followed, the first answer can be completed too', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    const subject = newSubject();
    const first = await scene.admin.acceptLogin(challenge, { subject });
    const second = await scene.admin.acceptLogin(challenge, { subject });
    const consent = await scene.admin.getConsent(findChallenge(await browser.get(first), 'consent'));
    expect(consent.subject).toBe(subject);
    getCode(await passConsent(scene, browser, consent.challenge, grantAll(consent)));
    expect(second).not.toBe(first);
  });

  row('D.37 a rejected login may still be accepted', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    await scene.admin.rejectLogin(challenge, { error: 'access_denied' });
    await passLogin(scene, browser, challenge, { subject: newSubject() });
  });

  row('D.38 the request of a finished login can still be read', async (scene) => {
    const { login } = await signIn(scene, scene.browser());
    expect(await scene.admin.getLogin(login.challenge)).toEqual(login);
  });

  row('D.39 a repetition of a finished flow from the login on gives no second code', async (scene) => {
    const browser = scene.browser();
    const { login } = await signIn(scene, browser);
    const consentChallenge = await passLogin(scene, browser, login.challenge, { subject: newSubject() });
    const received = await passConsent(scene, browser, consentChallenge, { grant_scope: ['openid'] });
    expect(received.get('code')).toBeNull();
    expect(received.get('error')).toBe('access_denied');
    expect(received.get('error_description')).toContain('The consent verifier has already been used.');
  });
}

/** Only some lengths of the request lead to padding, so the request is lengthened until there is padding. */
async function makePaddedChallenge(scene: Scene): Promise<{ challenge: string; location: string }> {
  for (let extra = ''; extra.length < 12; extra += 'x') {
    const answer = await scene.browser().get(scene.app.authorizationUrl({ login_hint: extra }));
    const challenge = findChallenge(answer, 'login');
    if (challenge.endsWith('=')) return { challenge, location: answer.headers.get('location') ?? '' };
  }
  throw new Error('no challenge was padded');
}
