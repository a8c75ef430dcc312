/** The steps of the client: code, tokens, refresh, revocation, discovery, keys; one row uses a library, the others plain HTTP. */
import { expect } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { OAuthClient, idClaims } from '../../../support/oauth-client.js';
import { libraryClient, signInWithLibrary } from '../../../support/oauth-library-client.js';
import { exchange, expectStatus, toJson } from '../../../support/upstream-answer.js';
import type { TokenAnswer, WireError } from '../../../support/upstream-wire.js';
import type { Rows } from '../rows.js';
import { toClientQuery, grantAll, passConsent, passLogin, reachConsent, signIn, signInForTokens } from '../walk.js';

export function tokenRows({ row, rowWith }: Rows): void {
  row('D.5 login and consent lead to the client with code, scope and state, in one 303', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const answer = await browser.get(await scene.admin.acceptConsent(consent.challenge, grantAll(consent)));
    const received = toClientQuery(answer);
    expect([...received.keys()]).toEqual(['code', 'scope', 'state']);
    expect([received.get('scope'), received.get('state')]).toEqual(['openid offline', 'state-12345678']);
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect([answer.text, answer.setCookies]).toEqual(['', []]);
  });

  row('D.5 the token answer has exactly these members', async (scene) => {
    const { code } = await signIn(scene, scene.browser());
    const answer = expectStatus(await scene.app.tryRedeem(code), 200);
    const tokens = toJson<TokenAnswer>(answer);
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(tokens).toMatchObject({ scope: 'openid offline', token_type: 'bearer' });
    if (scene.hasDefaultLifetimes) expect([3599, 3600]).toContain(tokens.expires_in);
    expect(answer.headers.get('content-type')?.toLowerCase().replace('; ', ';')).toBe('application/json;charset=utf-8');
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
  });

  row('lifespans of a client apply to its tokens', async (scene) => {
    const app = await scene.newApp();
    const lifespans = {
      authorization_code_grant_access_token_lifespan: '5m0s',
      authorization_code_grant_id_token_lifespan: '10m0s',
    };
    expectStatus(await scene.admin.send('PUT', `/admin/clients/${app.id}/lifespans`, { body: lifespans }), 200);
    const { code } = await signIn(scene, scene.browser(), { app });
    const tokens = await app.redeem(code);
    const { exp = 0, iat = 0 } = idClaims(tokens);
    expect([299, 300]).toContain(tokens.expires_in);
    expect(exp - iat).toBe(600);
  });

  row('D.5 the token endpoint ignores an Origin and sends no CORS headers', async (scene) => {
    const { code } = await signIn(scene, scene.browser());
    const { clientId, clientSecret = '', redirectUri } = scene.app.registration;
    const answer = await exchange(`${scene.upstream.publicUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri }),
      headers: {
        authorization: `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`,
        origin: 'https://elsewhere.example',
      },
    });
    expect(toJson<TokenAnswer>(expectStatus(answer, 200)).access_token).toBeDefined();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  row('D.5 an ordinary OpenID client (openid-client) can sign in, with PKCE, nonce and a verified signature', async (scene) => {
    const client = await libraryClient(scene.issuer, scene.app.registration);
    const result = await signInWithLibrary(client, scene.app.registration, async (authorizationUrl) => {
      const browser = scene.browser();
      const login = new URL((await browser.get(authorizationUrl)).location ?? '').searchParams.get('login_challenge') ?? '';
      const consent = await scene.admin.getConsent(
        await passLogin(scene, browser, login, { subject: 'alice', acr: '2', amr: ['pwd'] }),
      );
      const answer = await browser.get(await scene.admin.acceptConsent(consent.challenge, grantAll(consent)));
      return new URL(answer.location ?? '');
    });
    expect(result.claims).toMatchObject({ sub: 'alice', acr: '2', amr: ['pwd'] });
    expect(result.userinfo.sub).toBe('alice');
    expect(result.refreshed.claims()?.sub).toBe('alice');
  });

  row('D.5 the ID token is signed with a published key', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser());
    const keys = createRemoteJWKSet(new URL(`${scene.upstream.publicUrl}/.well-known/jwks.json`));
    const verified = await jwtVerify(tokens.id_token ?? '', keys, { issuer: scene.issuer, audience: scene.app.id });
    expect([verified.payload.sub, verified.protectedHeader.alg]).toEqual([consent.subject, 'RS256']);
    expect(verified.protectedHeader).toMatchObject({ typ: 'JWT', kid: expect.any(String) });
  });

  row(
    'a refresh token works once, gives the same claims again, and ends with its family when it is used twice',
    async (scene) => {
      const session = { id_token: { email: 'a@b.example' }, access_token: { foo: 'bar' } };
      const { tokens } = await signInForTokens(scene, scene.browser(), { consent: { session } });
      const renewed = toJson<TokenAnswer>(expectStatus(await scene.app.refresh(tokens.refresh_token ?? ''), 200));
      expect(renewed).toMatchObject({ scope: 'openid offline', token_type: 'bearer', id_token: expect.any(String) });
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
      expect(await scene.admin.introspect(renewed.access_token)).toMatchObject({ active: true, ext: { foo: 'bar' } });
      const again = await scene.app.refresh(tokens.refresh_token ?? '');
      const refusal = scene.has('reuseIsInvalidGrant') ? [400, 'invalid_grant'] : [401, 'token_inactive'];
      expect([again.status, toJson<WireError>(again).error]).toEqual(refusal);
      expect(await scene.admin.introspect(renewed.access_token)).toEqual({ active: false });
      expect((await scene.app.refresh(renewed.refresh_token ?? '')).status).toBe(refusal[0]);
    },
  );

  row('the ID token of a refresh belongs to the same session and login', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser(), {
      parameters: { nonce: 'n-0123456789' },
      login: { acr: '2', amr: ['pwd'] },
      consent: { session: { id_token: { email: 'a@b.example' } } },
    });
    const renewed = toJson<TokenAnswer>(expectStatus(await scene.app.refresh(tokens.refresh_token ?? ''), 200));
    const { at_hash: _1, exp: _2, iat: _3, jti: first, ...kept } = idClaims(tokens);
    expect(idClaims(renewed)).toMatchObject(kept);
    expect(idClaims(renewed).jti).not.toBe(first);
  });

  row('a code that is used twice is refused, and its tokens end', async (scene) => {
    const { code } = await signIn(scene, scene.browser());
    const tokens = await scene.app.redeem(code);
    const again = await scene.app.tryRedeem(code);
    expect([again.status, toJson<WireError>(again).error]).toEqual([400, 'invalid_grant']);
    expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
  });

  row(
    'an unknown code is invalid_grant, a wrong secret is invalid_client, and the code of another client is refused',
    async (scene) => {
      const unknown = await scene.app.tryRedeem('x');
      expect([unknown.status, toJson<WireError>(unknown).error]).toEqual([400, 'invalid_grant']);
      const { clientId, redirectUri } = scene.app.registration;
      const impostor = new OAuthClient(scene.upstream.publicUrl, { clientId, redirectUri, clientSecret: 'wrongwrong' });
      const { code } = await signIn(scene, scene.browser());
      const wrong = await impostor.tryRedeem(code);
      expect([wrong.status, toJson<WireError>(wrong).error]).toEqual([401, 'invalid_client']);
      const foreign = await (await scene.newApp()).tryRedeem(code);
      expect([foreign.status, toJson<WireError>(foreign).error]).toEqual([400, 'invalid_grant']);
    },
  );

  row('a public client can redeem a code with the PKCE verifier (RFC 7636, appendix B) and not without it', async (scene) => {
    const app = await scene.newApp({ token_endpoint_auth_method: 'none', client_secret: undefined });
    const parameters = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
    const { code } = await signIn(scene, scene.browser(), { app, parameters });
    const without = await app.tryRedeem(code);
    expect([without.status, toJson<WireError>(without).error]).toEqual([400, 'invalid_grant']);
    const other = await signIn(scene, scene.browser(), { app, parameters });
    const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect((await app.tryRedeem(other.code, { code_verifier })).status).toBe(200);
  });

  row('PKCE without a hash is refused, but only after the consent; a public client may omit PKCE', async (scene) => {
    const app = await scene.newApp({ token_endpoint_auth_method: 'none', client_secret: undefined });
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser, { app, parameters: { code_challenge: 'p'.repeat(43) } });
    expect((await passConsent(scene, browser, consent.challenge, grantAll(consent))).get('error')).toBe('invalid_request');
    const { code } = await signIn(scene, scene.browser(), { app });
    expect((await app.tryRedeem(code)).status).toBe(200);
  });

  row('an unexpected PKCE verifier is refused, and since v2.3 the code is still valid without it', async (scene) => {
    const { code } = await signIn(scene, scene.browser());
    const refused = await scene.app.tryRedeem(code, { code_verifier: 'p'.repeat(43) });
    expect([refused.status, toJson<WireError>(refused).error]).toEqual([400, 'invalid_grant']);
    expect((await scene.app.tryRedeem(code)).status).toBe(scene.has('strayVerifierSpendsNothing') ? 200 : 400);
  });

  row('revocation ends a token and does not report unknown ones', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser());
    expect((await scene.app.revoke('never-heard-of')).status).toBe(200);
    const idToken = await scene.app.revoke(tokens.id_token ?? '');
    expect([idToken.status, idToken.text]).toEqual([200, '']);
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true });
    expect((await scene.app.revoke(tokens.refresh_token ?? '')).status).toBe(200);
    expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
    expect((await scene.app.userinfo(tokens.access_token)).status).toBe(401);
  });

  row('all tokens of a client can be deleted', async (scene) => {
    const app = await scene.newApp();
    const { tokens } = await signInForTokens(scene, scene.browser(), { app });
    expect((await scene.admin.send('DELETE', '/admin/oauth2/tokens', { query: { client_id: app.id } })).status).toBe(204);
    expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
  });

  row('introspection is inactive for any invalid token, and 400 without one', async (scene) => {
    const bad = await scene.admin.send('POST', '/admin/oauth2/introspect', { form: { token: 'bad' } });
    expect([bad.status, toJson(bad), bad.headers.get('cache-control')]).toEqual([200, { active: false }, 'no-store']);
    const empty = await scene.admin.send('POST', '/admin/oauth2/introspect', { form: {} });
    expect([empty.status, toJson<WireError>(empty).error]).toEqual([400, 'invalid_request']);
  });

  row('introspection with a scope that was not granted is inactive', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser());
    const ask = (scope: string) =>
      scene.admin.send('POST', '/admin/oauth2/introspect', { form: { token: tokens.access_token, scope } });
    expect(toJson(await ask('openid'))).toMatchObject({ active: true });
    expect(toJson(await ask('email'))).toEqual({ active: false });
  });

  row('userinfo without a valid token is 401 with a WWW-Authenticate header', async (scene) => {
    const answer = await scene.app.userinfo('x');
    expect([answer.status, toJson<WireError>(answer).error]).toEqual([401, 'request_unauthorized']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="request_unauthorized"/);
  });

  row('userinfo does not require openid: any access token of a person gives the subject', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser(), { consent: { grant_scope: ['offline'] } });
    const answer = expectStatus(await scene.app.userinfo(tokens.access_token), 200);
    expect(toJson(answer)).toMatchObject({ sub: consent.subject });
  });

  row('discovery names the endpoints that clients use', async (scene) => {
    const { publicUrl } = scene.upstream;
    const found = toJson<Record<string, unknown>>(
      expectStatus(await exchange(`${publicUrl}/.well-known/openid-configuration`), 200),
    );
    expect(found).toMatchObject({
      issuer: publicUrl,
      authorization_endpoint: `${publicUrl}/oauth2/auth`,
      token_endpoint: `${publicUrl}/oauth2/token`,
      userinfo_endpoint: `${publicUrl}/userinfo`,
      revocation_endpoint: `${publicUrl}/oauth2/revoke`,
      end_session_endpoint: `${publicUrl}/oauth2/sessions/logout`,
      jwks_uri: `${publicUrl}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['RS256'],
      backchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
    });
    expect(found.scopes_supported).toEqual(expect.arrayContaining(['openid', 'offline', 'offline_access']));
    expect(found.code_challenge_methods_supported).toEqual(expect.arrayContaining(['S256']));
    expect(found.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'client_secret_post', 'none']),
    );
  });

  rowWith(['deviceFlow'], 'discovery names the device endpoint', async (scene) => {
    const { publicUrl } = scene.upstream;
    const found = toJson<Record<string, unknown>>(await exchange(`${publicUrl}/.well-known/openid-configuration`));
    expect(found.device_authorization_endpoint).toBe(`${publicUrl}/oauth2/device/auth`);
  });

  row('codes and tokens have a prefix for their kind', async (scene) => {
    const { code, tokens } = await signInForTokens(scene, scene.browser());
    expect([code, tokens.access_token, tokens.refresh_token].map((text) => text?.slice(0, 7))).toEqual([
      'ory_ac_',
      'ory_at_',
      'ory_rt_',
    ]);
  });

  row('discovery lists the supported response types', async (scene) => {
    const url = `${scene.upstream.publicUrl}/.well-known/openid-configuration`;
    const { response_types_supported } = toJson<{ response_types_supported: string[] }>(await exchange(url));
    const hybrid = ['code', 'code id_token', 'id_token', 'token id_token', 'token', 'token id_token code'];
    expect(response_types_supported).toEqual(scene.tolerates('codeFlowOnly') ? ['code'] : hybrid);
  });

  row('offline_access gives a refresh token as offline does, if the client has the grant type', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser(), { parameters: { scope: 'openid offline_access' } });
    expect(tokens.refresh_token).toEqual(expect.any(String));
    expect(tokens.scope).toBe('openid offline_access');
    const app = await scene.newApp({ grant_types: ['authorization_code'] });
    const without = await signInForTokens(scene, scene.browser(), { app });
    expect(without.tokens.refresh_token).toBeUndefined();
  });

  row('a request without openid gives tokens without an ID token', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser(), { parameters: { scope: 'profile' } });
    expect(tokens.id_token).toBeUndefined();
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ sub: consent.subject, scope: 'profile' });
  });

  row('a client that authenticates in the form body is accepted', async (scene) => {
    const app = await scene.newApp({ token_endpoint_auth_method: 'client_secret_post' });
    const { code } = await signIn(scene, scene.browser(), { app });
    expect((await app.tryRedeem(code)).status).toBe(401);
    const { clientId, clientSecret = '', redirectUri } = app.registration;
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    };
    const answer = await exchange(`${scene.upstream.publicUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect(answer.status).toBe(200);
  });
}
