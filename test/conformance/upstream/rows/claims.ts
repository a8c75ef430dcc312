/** Where a client finds what the gateway puts into a session: ID token, userinfo, introspection. */
import { expect } from '@jest/globals';
import { idClaims } from '../../../support/oauth-client.js';
import { toJson } from '../../../support/upstream-answer.js';
import { API_AUDIENCE, newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { toClientQuery, getCode, reachConsent, signInForTokens } from '../walk.js';

const OFFICIAL = {
  sub: 'evil',
  iss: 'evil',
  aud: ['evil'],
  exp: 1,
  iat: 1,
  jti: 'evil',
  sid: 'evil',
  nonce: 'evil',
  acr: 'evil',
  amr: ['x'],
};

export function claimsRows({ row, rowWith }: Rows): void {
  row('D.8 claims of the session are in the ID token and in userinfo, integers intact', async (scene) => {
    const id_token = { email: 'a@b.example', n: 1723546027, nested: { list: [1, 'two', null] }, yes: true };
    const { tokens, login, consent } = await signInForTokens(scene, scene.browser(), { consent: { session: { id_token } } });
    expect(idClaims(tokens)).toMatchObject({ ...id_token, sub: consent.subject, sid: login.session_id });
    const userinfo = toJson<Record<string, unknown>>(await scene.app.userinfo(tokens.access_token));
    expect(userinfo).toMatchObject({ ...id_token, sub: consent.subject });
  });

  row('D.8 the ID token has exactly these claims', async (scene) => {
    const started = Math.floor(scene.upstream.now() / 1000);
    const { tokens, login, consent } = await signInForTokens(scene, scene.browser(), {
      parameters: { nonce: 'n-0123456789' },
      login: { acr: 'loa2', amr: ['pwd', 'otp'] },
    });
    const claims = idClaims(tokens);
    expect(claims).toEqual({
      acr: 'loa2',
      amr: ['pwd', 'otp'],
      at_hash: expect.any(String),
      aud: [scene.app.id],
      auth_time: expect.any(Number),
      exp: expect.any(Number),
      iat: expect.any(Number),
      iss: scene.issuer,
      jti: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
      nonce: 'n-0123456789',
      rat: expect.any(Number),
      sid: login.session_id,
      sub: consent.subject,
    });
    for (const time of [claims.auth_time, claims.rat, claims.iat])
      expect(Math.abs(Number(time) - started)).toBeLessThanOrEqual(30);
  });

  row('D.8 without acr and amr of the login, the ID token has no acr, and no amr or an empty one', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser());
    expect(Object.keys(idClaims(tokens)).sort()).toEqual(
      ['at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'rat', 'sid', 'sub'].sort(),
    );
  });

  row('D.8 userinfo repeats the claims except those that belong to the token itself', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser(), {
      parameters: { nonce: 'n-0123456789' },
      login: { acr: 'loa2', amr: ['pwd'] },
      consent: { session: { id_token: { name: 'Al' } } },
    });
    const answer = await scene.app.userinfo(tokens.access_token);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(toJson(answer)).toEqual({
      acr: 'loa2',
      amr: ['pwd'],
      aud: [scene.app.id],
      auth_time: expect.any(Number),
      iat: expect.any(Number),
      iss: scene.issuer,
      name: 'Al',
      rat: expect.any(Number),
      sub: consent.subject,
    });
  });

  rowWith(['exactIntegers'], 'D.8 above 2^53 a number loses its last digits', async (scene) => {
    const browser = scene.browser();
    const { challenge } = await reachConsent(scene, browser);
    const rawBody = '{"grant_scope":["openid"],"session":{"id_token":{"exact":9007199254740992,"lost":9007199254740993}}}';
    const accepted = await scene.admin.request('consent', 'accept', challenge, { rawBody });
    const received = toClientQuery(await browser.get(toJson<{ redirect_to: string }>(accepted).redirect_to));
    const { id_token = '', access_token } = await scene.app.redeem(getCode(received));
    const payload = Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString();
    for (const text of [payload, (await scene.app.userinfo(access_token)).text]) {
      expect(text).toContain('"exact":9007199254740992');
      expect(text).toContain('"lost":9007199254740992');
    }
  });

  row('D.8 auth_time is the time of the login and stays the same when the login is skipped', async (scene) => {
    const browser = scene.browser();
    const first = await signInForTokens(scene, browser, { login: { remember: true, remember_for: 600 } });
    const second = await signInForTokens(scene, browser);
    expect(idClaims(second.tokens).auth_time).toBe(idClaims(first.tokens).auth_time);
    expect(idClaims(second.tokens).sid).toBe(idClaims(first.tokens).sid);
  });

  row('D.9 access token claims are in introspection, under ext', async (scene) => {
    const access_token = { foo: 'bar', sub: 'evil', list: [1, 2] };
    const { tokens, consent } = await signInForTokens(scene, scene.browser(), { consent: { session: { access_token } } });
    const found = await scene.admin.introspect(tokens.access_token);
    expect(found).toEqual({
      active: true,
      scope: 'openid offline',
      client_id: scene.app.id,
      sub: consent.subject,
      exp: expect.any(Number),
      iat: expect.any(Number),
      nbf: found.iat,
      aud: [],
      iss: scene.issuer,
      token_type: 'Bearer',
      token_use: 'access_token',
      ext: access_token,
    });
    expectLifetime(scene, found, 3600);
  });

  row('D.9 a refresh token is introspected too, and lives for 30 days', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser());
    const found = await scene.admin.introspect(tokens.refresh_token ?? '');
    expect(found).toMatchObject({ active: true, token_use: 'refresh_token', sub: consent.subject, client_id: scene.app.id });
    expectLifetime(scene, found, 30 * 24 * 3600);
    expect(found).not.toHaveProperty('ext');
  });

  row('D.10 claims of the session cannot replace those of the issuer', async (scene) => {
    const { tokens, login, consent } = await signInForTokens(scene, scene.browser(), {
      parameters: { nonce: 'n-0123456789' },
      login: { acr: 'loa2', amr: ['pwd'] },
      consent: { session: { id_token: { ...OFFICIAL, auth_time: 1, rat: 1, at_hash: 'evil' } } },
    });
    const claims = idClaims(tokens);
    expect(claims).toMatchObject({
      sub: consent.subject,
      iss: scene.issuer,
      aud: [scene.app.id],
      nonce: 'n-0123456789',
    });
    expect(claims).toMatchObject({ acr: 'loa2', amr: ['pwd'] });
    for (const name of ['exp', 'iat', 'auth_time', 'rat', 'jti', 'at_hash'] as const)
      expect([1, 'evil']).not.toContain(claims[name]);
    expect(login.session_id).toBeTruthy();
    expect(toJson(await scene.app.userinfo(tokens.access_token))).toMatchObject({ sub: consent.subject });
  });

  row('D.11 an audience is in the token only if it is granted', async (scene) => {
    const parameters = { audience: API_AUDIENCE };
    const granted = await signInForTokens(scene, scene.browser(), { parameters });
    expect(granted.consent.requested_access_token_audience).toEqual([API_AUDIENCE]);
    expect((await scene.admin.introspect(granted.tokens.access_token)).aud).toEqual([API_AUDIENCE]);
    const consent = { grant_access_token_audience: [] };
    const refused = await signInForTokens(scene, scene.browser(), { parameters, consent });
    expect((await scene.admin.introspect(refused.tokens.access_token)).aud).toEqual([]);
  });

  row('D.12 an audience that the client is not allowed is refused before any page', async (scene) => {
    const received = toClientQuery(await scene.browser().get(scene.app.authorizationUrl({ audience: 'https://no.example' })));
    expect(received.get('error')).toBe('invalid_request');
    expect(received.get('error_description')).toContain("Requested audience 'https://no.example' has not been whitelisted");
  });

  row('the subject may be any text', async (scene) => {
    const subject = `ü "quoted" <b> %20 ${newSubject()}`;
    const { tokens } = await signInForTokens(scene, scene.browser(), { login: { subject } });
    expect(idClaims(tokens).sub).toBe(subject);
    expect((await scene.admin.introspect(tokens.access_token)).sub).toBe(subject);
  });
}

/** The two times are rounded separately, so their difference may be one second off. */
function expectLifetime(scene: Scene, { iat = 0, exp = 0 }: { iat?: number; exp?: number }, seconds: number): void {
  if (scene.hasDefaultLifetimes) expect(Math.abs(exp - iat - seconds)).toBeLessThanOrEqual(1);
}
