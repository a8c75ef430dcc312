/** When the upstream asks again: prompt, max_age, id_token_hint, and their combinations. */
import { expect } from '@jest/globals';
import type { Browser } from '../../../support/upstream-browser.js';
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
  reachConsent,
  signIn,
  signInForTokens,
} from '../walk.js';

const REMEMBERED = { login: { remember: true, remember_for: 3600 }, consent: { remember: true, remember_for: 0 } };

export function promptRows({ row }: Rows): void {
  row('D.19 prompt=login asks again and begins a new session', async (scene) => {
    const browser = scene.browser();
    const { login } = await signIn(scene, browser, REMEMBERED);
    const again = await scene.admin.getLogin(await beginLogin(scene, browser, { prompt: 'login' }));
    expect(again).toMatchObject({ skip: false, subject: '' });
    expect(again.session_id).not.toBe(login.session_id);
  });

  row('D.20 prompt=consent asks for a consent that is remembered', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    expect(await reachConsent(scene, browser)).toMatchObject({ skip: true });
    expect(await reachConsent(scene, browser, { parameters: { prompt: 'consent' } })).toMatchObject({ skip: false });
  });

  row('D.21 prompt=none without a session is refused at once, with the state', async (scene) => {
    const answer = await scene.browser().get(scene.app.authorizationUrl({ prompt: 'none' }));
    const received = toClientQuery(answer);
    expect([...received.keys()]).toEqual(['error', 'error_description', 'state']);
    expect(received.get('error')).toBe('login_required');
    expect(received.get('error_description')).toMatch(/^The Authorization Server requires End-User authentication\./);
    expect(received.get('state')).toBe('state-12345678');
    expect(answer.setCookies).toEqual([]);
  });

  row('D.22 prompt=none with session and consent requests both pages with skip, then gives a code', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    const { login, consent } = await signIn(scene, browser, { parameters: { prompt: 'none' } });
    expect([login.skip, consent.skip]).toEqual([true, true]);
    expect(new URL(login.request_url).searchParams.get('prompt')).toBe('none');
  });

  row('D.23 prompt=none without a remembered consent is refused after the login page was requested', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: { remember: true, remember_for: 60 } });
    const { challenge, subject, skip } = await scene.admin.getLogin(await beginLogin(scene, browser, { prompt: 'none' }));
    expect(skip).toBe(true);
    const received = toClientQuery(await browser.get(await scene.admin.acceptLogin(challenge, { subject })));
    expect(received.get('error')).toBe('consent_required');
    expect(received.get('error_description')).toMatch(/^The Authorization Server requires End-User consent\./);
  });

  row('prompt=none with another value is login_required at once, or invalid_request after the login page', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    const atOnce = toClientQuery(await browser.get(scene.app.authorizationUrl({ prompt: 'none login' })));
    expect(atOnce.get('error')).toBe('login_required');
    expect(await errorAfterLogin(scene, browser, 'none consent')).toBe('invalid_request');
  });

  row('D.25 prompt=registration leads to the registration page with an ordinary login request', async (scene) => {
    const browser = scene.browser();
    const answer = await browser.get(scene.app.authorizationUrl({ prompt: 'registration' }));
    const challenge = findChallenge(answer, 'login');
    if (scene.page('registration')) expect(answer.location?.href.split('?')[0]).toBe(scene.page('registration'));
    expect(await scene.admin.getLogin(challenge)).toMatchObject({ skip: false, subject: '' });
    const consent = await reachConsent(scene, browser, { parameters: { prompt: 'registration' } });
    getCode(await passConsent(scene, browser, consent.challenge, grantAll(consent)));
  });

  row('D.26 prompt=select_account reaches the login page and is refused after it (up to v26.2)', async (scene) => {
    expect(await errorAfterLogin(scene, scene.browser(), 'select_account')).toBe('invalid_request');
    expect(await errorAfterLogin(scene, scene.browser(), 'create')).toBe('invalid_request');
    expect(await errorAfterLogin(scene, scene.browser(), 'login select_account')).toBe('invalid_request');
  });

  row('D.26 registration and select_account do not force a login: with a session, both requests have skip', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    for (const prompt of ['registration', 'select_account']) {
      expect(await scene.admin.getLogin(await beginLogin(scene, browser, { prompt }))).toMatchObject({ skip: true });
    }
  });

  row('D.26 registration together with login forces a login and still leads to the registration page', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    const answer = await browser.get(scene.app.authorizationUrl({ prompt: 'login registration' }));
    if (scene.page('registration')) expect(answer.location?.href.split('?')[0]).toBe(scene.page('registration'));
    expect(await scene.admin.getLogin(findChallenge(answer, 'login'))).toMatchObject({ skip: false });
  });

  row(
    'D.27 max_age=0 always asks, a large one does not, and one that is not a number is reported to the client',
    async (scene) => {
      const browser = scene.browser();
      await signIn(scene, browser, REMEMBERED);
      expect(await scene.admin.getLogin(await beginLogin(scene, browser, { max_age: '0' }))).toMatchObject({ skip: false });
      expect(await scene.admin.getLogin(await beginLogin(scene, browser, { max_age: '600' }))).toMatchObject({ skip: true });
      const received = toClientQuery(await browser.get(scene.app.authorizationUrl({ max_age: 'x' })));
      expect([received.get('error'), received.get('error_description')]).toEqual(['error', 'The error is unrecognizable']);
    },
  );

  row('D.28 an id_token_hint of the person with the session is skipped, and the request has its claims', async (scene) => {
    const browser = scene.browser();
    const { tokens, consent } = await signInForTokens(scene, browser, REMEMBERED);
    const parameters = { id_token_hint: tokens.id_token };
    const login = await scene.admin.getLogin(await beginLogin(scene, browser, parameters));
    expect(login).toMatchObject({ skip: true, subject: consent.subject });
    expect(login.oidc_context?.id_token_hint_claims).toMatchObject({ sub: consent.subject, aud: [scene.app.id] });
    expect(login.challenge.length).toBeGreaterThan(2000);
  });

  row('D.28 an id_token_hint of another client works too', async (scene) => {
    const browser = scene.browser();
    const { tokens } = await signInForTokens(scene, browser, { ...REMEMBERED, app: await scene.newApp() });
    expect(await scene.admin.getLogin(await beginLogin(scene, browser, { id_token_hint: tokens.id_token }))).toMatchObject({
      skip: true,
    });
  });

  row('D.28 an id_token_hint of another person is refused before any page', async (scene) => {
    const other = await signInForTokens(scene, scene.browser(), REMEMBERED);
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    const received = toClientQuery(await browser.get(scene.app.authorizationUrl({ id_token_hint: other.tokens.id_token })));
    expect(received.get('error')).toBe('login_required');
    expect(received.get('error_description')).toMatch(/^The Authorization Server requires End-User authentication\./);
  });

  row('D.28 without a session, the login of another person than that of the hint is refused', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser());
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser, { id_token_hint: tokens.id_token });
    const accept = { subject: newSubject(), remember: true, remember_for: 60 };
    const answer = await browser.get(await scene.admin.acceptLogin(challenge, accept));
    expect(toClientQuery(answer).get('error')).toBe('login_required');
    expect(answer.setCookies.map(cookieBrief)).toContainEqual({ name: 'session', httpOnly: true, path: '/', maxAgeSeconds: 0 });
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: false });
  });

  row('D.28 an id_token_hint that is not a token is refused', async (scene) => {
    const received = toClientQuery(await scene.browser().get(scene.app.authorizationUrl({ id_token_hint: 'garbage' })));
    expect(received.get('error')).toBe('invalid_request');
  });
}

/** The error that the client gets once the login of a request with this prompt is accepted. */
async function errorAfterLogin(scene: Scene, browser: Browser, prompt: string): Promise<string | null> {
  const { challenge, subject } = await scene.admin.getLogin(await beginLogin(scene, browser, { prompt }));
  const accept = { subject: subject || newSubject() };
  return toClientQuery(await browser.get(await scene.admin.acceptLogin(challenge, accept))).get('error');
}
