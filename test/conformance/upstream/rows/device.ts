/** The device flow (RFC 8628), which Hydra has since v25.4. */
import { expect } from '@jest/globals';
import type { OAuthClient } from '../../../support/oauth-client.js';
import { expectStatus, toJson, type Answer } from '../../../support/upstream-answer.js';
import type { Browser } from '../../../support/upstream-browser.js';
import type { TokenAnswer, WireError } from '../../../support/upstream-wire.js';
import { cookieBrief } from '../shapes.js';
import { newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { findChallenge, grantAll, passLogin } from '../walk.js';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** Eight characters, without those that are easily confused. */
const UNAMBIGUOUS = /^[abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXY34679]{8}$/;
const WRONG_CODE = "The 'user_code' session could not be found or has expired or is otherwise malformed.";

interface Device {
  app: OAuthClient;
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export function deviceRows({ rowWith }: Rows): void {
  const row = (title: string, prove: (scene: Scene) => Promise<void>): void => rowWith(['deviceFlow'], title, prove);

  row(
    'D.60 a device gets its codes, the browser completes verification, login and consent, and the device gets its tokens',
    async (scene) => {
      const device = await startDevice(scene);
      expect(await pollError(device)).toEqual([400, 'authorization_pending']);
      const browser = scene.browser();
      const loginChallenge = findChallenge(await browser.get(await verify(scene, browser, device)), 'login');
      const login = await scene.admin.getLogin(loginChallenge);
      expect(login).toMatchObject({ skip: false, subject: '', oidc_context: null, requested_scope: ['openid', 'offline'] });
      expect(login.request_url).toBe(`${device.verification_uri}?client_id=${device.app.id}&user_code=%2A%2A%2A%2A`);
      const subject = newSubject();
      const consent = await scene.admin.getConsent(await passLogin(scene, browser, loginChallenge, { subject, acr: '2' }));
      expect(consent).toMatchObject({ subject, acr: '2', oidc_context: null });
      const done = expectStatus(await browser.get(await scene.admin.acceptConsent(consent.challenge, grantAll(consent))), 302);
      expect(done.location?.search).toBe(`?client_id=${device.app.id}`);
      if (scene.page('deviceSuccess')) expect(done.location?.href.split('?')[0]).toBe(scene.page('deviceSuccess'));
      const tokens = toJson<TokenAnswer>(expectStatus(await pollToken(device), 200));
      expect(tokens).toMatchObject({ scope: 'openid offline', id_token: expect.any(String), refresh_token: expect.any(String) });
      expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true, sub: subject });
      expect((await accept(scene, await openVerification(scene, browser, device), device.user_code)).status).toBe(400);
    },
  );

  row('D.60 a device receives codes, addresses and lifetimes', async (scene) => {
    const { app, device_code, ...received } = await startDevice(scene);
    expect(app.id).toBeTruthy();
    expect(device_code.length).toBeGreaterThan(20);
    expect(received).toMatchObject({
      user_code: expect.stringMatching(UNAMBIGUOUS),
      verification_uri: `${scene.upstream.publicUrl}/oauth2/device/verify`,
      verification_uri_complete: `${scene.upstream.publicUrl}/oauth2/device/verify?user_code=${received.user_code}`,
      interval: expect.any(Number),
    });
    if (scene.hasDefaultLifetimes) expect([599, 600]).toContain(received.expires_in);
  });

  row('D.60 the verification page gets a challenge, a cookie and the code, even a wrong one', async (scene) => {
    const device = await startDevice(scene);
    const answer = await scene.browser().get(device.verification_uri_complete);
    const challenge = findChallenge(answer, 'device');
    expect(challenge.length).toBeGreaterThan(100);
    expect(answer.location?.searchParams.get('user_code')).toBe(device.user_code);
    if (scene.page('deviceVerification')) expect(answer.location?.href.split('?')[0]).toBe(scene.page('deviceVerification'));
    expect(answer.setCookies.map(cookieBrief)).toEqual([
      { name: 'device_csrf', httpOnly: true, path: '/', maxAgeSeconds: expect.any(Number) },
    ]);
    findChallenge(await scene.browser().get(`${device.verification_uri}?user_code=wrong`), 'device');
  });

  row(
    'D.60 wrong, empty and lower-cased codes are answered with 400, unknown challenges with 404, missing ones with 400',
    async (scene) => {
      const device = await startDevice(scene);
      const challenge = await openVerification(scene, scene.browser(), device);
      for (const wrong of ['wrongcode', `${device.user_code} `, otherCase(device.user_code)]) {
        const answer = await accept(scene, challenge, wrong);
        expect([answer.status, toJson<WireError>(answer).error]).toEqual([400, 'invalid_request']);
        expect(toJson<WireError>(answer).error_description).toContain(WRONG_CODE);
      }
      const empty = await scene.admin.request('device', 'accept', challenge, { body: {} });
      expect(toJson<WireError>(empty).error_description).toContain("Field 'user_code' must not be empty.");
      expect((await accept(scene, 'nope', device.user_code)).status).toBe(404);
      expect((await accept(scene, '', device.user_code)).status).toBe(400);
    },
  );

  row(
    'D.60 a second acceptance before the end is answered with 200, and challenge and code are not bound to each other',
    async (scene) => {
      const [first, second] = [await startDevice(scene), await startDevice(scene)];
      const challenge = await openVerification(scene, scene.browser(), first);
      expect((await accept(scene, challenge, second.user_code)).status).toBe(200);
      expect((await accept(scene, challenge, second.user_code)).status).toBe(200);
    },
  );

  row('D.60 prompt, max_age and id_token_hint in the address have no effect, and a session is always offered', async (scene) => {
    const browser = scene.browser();
    const subject = newSubject();
    const first = findChallenge(await browser.get(await verify(scene, browser, await startDevice(scene))), 'login');
    await passLogin(scene, browser, first, { subject, remember: true, remember_for: 3600 });
    for (const query of ['prompt=login', 'prompt=none', 'prompt=select_account', 'max_age=0', 'id_token_hint=x']) {
      const device = await startDevice(scene);
      const challenge = findChallenge(await browser.get(`${device.verification_uri}?${query}`), 'device');
      const { redirect_to: next } = toJson<{ redirect_to: string }>(await accept(scene, challenge, device.user_code));
      expect(next).toContain(query);
      const login = findChallenge(await browser.get(next), 'login');
      expect(await scene.admin.getLogin(login)).toMatchObject({ skip: true, subject });
      await passLogin(scene, browser, login, { subject, remember: true });
    }
  });

  row('D.60 the verifier in another browser is answered with 403, as JSON', async (scene) => {
    const device = await startDevice(scene);
    const answer = await scene.browser().get(await verify(scene, scene.browser(), device));
    expect([answer.status, toJson<WireError>(answer).error]).toEqual([403, 'request_forbidden']);
  });

  row('D.60 a rejected login or consent is JSON in the browser, and the device continues to wait', async (scene) => {
    const device = await startDevice(scene);
    const browser = scene.browser();
    const rejection = { error: 'access_denied', error_description: 'no' };
    const challenge = findChallenge(await browser.get(await verify(scene, browser, device)), 'login');
    const answer = await browser.get(await scene.admin.rejectLogin(challenge, rejection));
    expect([answer.status, toJson(answer)]).toEqual([400, rejection]);
    const consent = await passLogin(scene, browser, challenge, { subject: newSubject() });
    const refused = await browser.get(await scene.admin.rejectConsent(consent, rejection));
    expect([refused.status, toJson(refused)]).toEqual([400, rejection]);
    expect(await pollError(device)).toEqual([400, 'authorization_pending']);
  });
}

/** A person lets a device in. @returns how the device asks for its tokens */
export async function completeDevice(scene: Scene): Promise<{ subject: string; poll(): Promise<Answer> }> {
  const device = await startDevice(scene);
  const [browser, subject] = [scene.browser(), newSubject()];
  const challenge = findChallenge(await browser.get(await verify(scene, browser, device)), 'login');
  const consent = await scene.admin.getConsent(await passLogin(scene, browser, challenge, { subject }));
  expectStatus(await browser.get(await scene.admin.acceptConsent(consent.challenge, grantAll(consent))), 302);
  return { subject, poll: () => pollToken(device) };
}

async function startDevice(scene: Scene): Promise<Device> {
  const app = await scene.newApp({
    grant_types: [DEVICE_GRANT, 'refresh_token'],
    token_endpoint_auth_method: 'none',
    client_secret: undefined,
  });
  const answer = expectStatus(await app.post('/oauth2/device/auth', { scope: 'openid offline' }), 200);
  return { ...toJson<Omit<Device, 'app'>>(answer), app };
}

const pollToken = ({ app, device_code }: Device): Promise<Answer> =>
  app.post('/oauth2/token', { grant_type: DEVICE_GRANT, device_code });

async function pollError(device: Device): Promise<[number, string]> {
  const answer = await pollToken(device);
  return [answer.status, toJson<WireError>(answer).error];
}

async function openVerification(scene: Scene, browser: Browser, device: Device): Promise<string> {
  return findChallenge(await browser.get(device.verification_uri_complete), 'device');
}

function accept(scene: Scene, challenge: string, user_code: string): Promise<Answer> {
  return scene.admin.request('device', 'accept', challenge, { body: { user_code } });
}

/** Opens the verification page and accepts the right code. @returns where the browser must go next */
async function verify(scene: Scene, browser: Browser, device: Device): Promise<string> {
  const challenge = await openVerification(scene, browser, device);
  const redirect = toJson<{ redirect_to: string }>(
    expectStatus(await accept(scene, challenge, device.user_code), 200),
  ).redirect_to;
  expect(new URL(redirect).searchParams.get('user_code')).toBe('****');
  return redirect;
}

/** Codes are case-sensitive. A code without small letters is changed to small letters, any other to capitals. */
function otherCase(code: string): string {
  return code.toLowerCase() === code ? code.toUpperCase() : code.toLowerCase();
}
