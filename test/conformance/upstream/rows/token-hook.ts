/** The token hook (`oauth2.token_hook`): when it is asked, with what, and what its answers do. */
import { afterAll, expect } from '@jest/globals';
import { decodeJwt } from 'jose';
import { HookListener, type HookCall } from '../../../support/hook-listener.js';
import { expectStatus, toJson } from '../../../support/upstream-answer.js';
import type { TokenAnswer, WireError } from '../../../support/upstream-wire.js';
import type { Rows } from '../rows.js';
import { newSubject, type Scene } from '../scene.js';
import { signIn, type SignIn } from '../walk.js';
import { completeDevice } from './device.js';

const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const TARGET = /^The token hook target responded with an error\./;
const CLAIMS = { id_token: { name: 'Alice', deep: { a: [1] } }, access_token: { level: 1 } };

export function tokenHookRows({ onOwnServer }: Rows): void {
  let hook: HookListener | undefined;
  const settings = async () => {
    hook = await HookListener.start();
    return { tokenHook: { url: hook.url, header: hook.header } };
  };
  const prepare = async () => undefined;

  onOwnServer('with a token hook', settings, prepare, ({ row, rowWith }) => {
    afterAll(() => hook?.close());
    const getHook = (): HookListener => {
      if (hook === undefined) throw new Error('the hook has not been started');
      return hook;
    };

    /** Signs in while the hook changes nothing. */
    async function begin(scene: Scene, how: SignIn = {}) {
      getHook().answer = 204;
      const signedIn = await signIn(scene, scene.browser(), { consent: { session: CLAIMS }, ...how });
      getHook().take();
      return signedIn;
    }

    async function beginTokens(scene: Scene): Promise<{ tokens: TokenAnswer; subject: string }> {
      const { code, consent } = await begin(scene);
      const tokens = await scene.app.redeem(code);
      getHook().take();
      return { tokens, subject: consent.subject };
    }

    const refresh = (scene: Scene, { refresh_token: token = '' }: TokenAnswer) => scene.app.refresh(token);

    row('H.1 it is asked at a code, with the key, the session and the request, but without the granted scopes', async (scene) => {
      const subject = newSubject();
      const { code, consent, login } = await begin(scene, {
        login: { subject, acr: '2', amr: ['pwd'] },
        consent: { session: CLAIMS },
      });
      await scene.app.redeem(code);
      const calls = getHook().take();
      expect(calls).toHaveLength(1);
      const { headers, body } = calls[0] as HookCall;
      expect([headers['x-foyer-hook-key'], headers['content-type']]).toEqual([
        getHook().header.value,
        'application/json; charset=UTF-8',
      ]);
      expect(Object.keys(body)).toEqual(['session', 'request']);
      expect(body.session).toMatchObject({
        id_token: {
          subject,
          headers: { extra: { kid: expect.any(String) } },
          id_token_claims: {
            ...{ sub: subject, iss: scene.issuer, aud: [scene.app.id], acr: '2', amr: ['pwd'], jti: '', at_hash: '', c_hash: '' },
            ...{
              iat: expect.stringMatching(SECOND),
              rat: expect.stringMatching(SECOND),
              auth_time: expect.stringMatching(SECOND),
            },
            ext: { name: 'Alice', deep: { a: [1] }, sid: login.session_id },
          },
        },
        ...{ extra: { level: 1 }, client_id: scene.app.id, consent_challenge: expect.any(String) },
      });
      expect(body.request).toEqual({
        client_id: scene.app.id,
        requested_scopes: consent.requested_scope,
        granted_scopes: [],
        granted_audience: [],
        grant_types: ['authorization_code'],
        payload: { grant_type: ['authorization_code'] },
      });
    });

    row('H.2 it is asked at a refresh, with the granted scopes and the time of the authorization', async (scene) => {
      const { code, consent } = await begin(scene, {
        consent: { grant_scope: ['offline'] },
        parameters: { scope: 'openid offline profile' },
      });
      const tokens = await scene.app.redeem(code);
      const [first] = getHook().take();
      const renewed = toJson<TokenAnswer>(expectStatus(await refresh(scene, tokens), 200));
      expectStatus(await refresh(scene, renewed), 200);
      const later = getHook().take();
      expect(later).toHaveLength(2);
      for (const { body } of later) {
        expect(body.request).toMatchObject({
          requested_scopes: consent.requested_scope,
          granted_scopes: ['offline'],
          grant_types: ['refresh_token'],
          payload: { grant_type: ['refresh_token'] },
        });
        expect(toIssued(body.session)).toBe(toIssued(first?.body.session));
      }
    });

    row(
      'H.3 an answer with 200 replaces the claims in ID token, userinfo and introspection, also sid, and stays',
      async (scene) => {
        const { tokens } = await beginTokens(scene);
        getHook().answer = { session: { id_token: { name: 'New', sid: 'of-the-hook' }, access_token: { level: 2 } } };
        const renewed = toJson<TokenAnswer>(expectStatus(await refresh(scene, tokens), 200));
        const claims = decodeJwt(renewed.id_token ?? '');
        expect([claims['name'], claims['sid'], claims['deep']]).toEqual(['New', 'of-the-hook', undefined]);
        expect(toJson(await scene.app.userinfo(renewed.access_token))).toMatchObject({ name: 'New' });
        expect(await scene.admin.introspect(renewed.access_token)).toMatchObject({ ext: { level: 2 } });
        getHook().answer = { session: { id_token: { name: 'Newer' } } };
        const again = toJson<TokenAnswer>(expectStatus(await refresh(scene, renewed), 200));
        expect(decodeJwt(again.id_token ?? '')).not.toHaveProperty('sid');
        expect((await scene.admin.introspect(again.access_token)).ext).toBeUndefined();
        getHook().answer = 204;
        getHook().take();
        const last = toJson<TokenAnswer>(expectStatus(await refresh(scene, again), 200));
        expect(decodeJwt(last.id_token ?? '')['name']).toBe('Newer');
        expect(getHook().take()[0]?.body.session).toMatchObject({ id_token: { id_token_claims: { ext: { name: 'Newer' } } } });
      },
    );

    row('H.4 at 403 the app receives access_denied, and the refresh token stays valid', async (scene) => {
      const { tokens } = await beginTokens(scene);
      getHook().answer = 403;
      const refused = await refresh(scene, tokens);
      expect([refused.status, toJson<WireError>(refused)]).toEqual([
        403,
        { error: 'access_denied', error_description: expect.stringMatching(TARGET) },
      ]);
      expect(getHook().take()).toHaveLength(1);
      getHook().answer = 204;
      expectStatus(await refresh(scene, tokens), 200);
    });

    row('H.4 a code that was refused stays valid', async (scene) => {
      const { code } = await begin(scene);
      getHook().answer = 403;
      expect((await scene.app.tryRedeem(code)).status).toBe(403);
      getHook().answer = 204;
      expectStatus(await scene.app.tryRedeem(code), 200);
    });

    row('H.5 at any other status the app receives server_error, and the refresh token stays valid', async (scene) => {
      const { tokens } = await beginTokens(scene);
      for (const status of [400, 401, 404, 422, 424]) {
        getHook().answer = status;
        const refused = await refresh(scene, tokens);
        expect([status, refused.status, toJson<WireError>(refused).error]).toEqual([status, 500, 'server_error']);
        expect([status, getHook().take().length]).toEqual([status, 1]);
      }
      getHook().answer = 503;
      const failed = await refresh(scene, tokens);
      expect([failed.status, toJson<WireError>(failed).error]).toEqual([500, 'server_error']);
      getHook().answer = 204;
      expectStatus(await refresh(scene, tokens), 200);
    });

    row(
      'H.5 at an answer that cannot be decoded the app receives server_error, and the refresh token stays valid',
      async (scene) => {
        const { tokens } = await beginTokens(scene);
        for (const answer of [[], { session: [] }, { session: { id_token: 'x' } }, { session: { access_token: [1] } }]) {
          getHook().answer = answer;
          const refused = await refresh(scene, tokens);
          expect([answer, refused.status, toJson(refused)]).toEqual([
            answer,
            500,
            { error: 'server_error', error_description: expect.stringMatching(TARGET) },
          ]);
        }
        getHook().answer = 204;
        expectStatus(await refresh(scene, tokens), 200);
      },
    );

    row('H.6 it is asked for a token of the client itself, whose subject is the id of the client', async (scene) => {
      getHook().answer = 204;
      getHook().take();
      const app = await scene.newApp({ grant_types: ['client_credentials'] });
      expectStatus(await app.post('/oauth2/token', { grant_type: 'client_credentials', scope: 'profile' }), 200);
      const [call] = getHook().take();
      expect(call?.body.session).toMatchObject({
        id_token: { subject: app.id, id_token_claims: { sub: '', ext: null } },
        extra: {},
      });
      expect(call?.body.request).toEqual({
        client_id: app.id,
        requested_scopes: ['profile'],
        granted_scopes: ['profile'],
        granted_audience: [],
        grant_types: ['client_credentials'],
        payload: { grant_type: ['client_credentials'], scope: ['profile'] },
      });
      getHook().answer = 403;
      expect((await app.post('/oauth2/token', { grant_type: 'client_credentials' })).status).toBe(403);
    });

    row('its payload has the parameters of the request without secrets, also those that the grant ignores', async (scene) => {
      const app = await scene.newApp({ token_endpoint_auth_method: 'none', client_secret: undefined });
      const { code } = await begin(scene, { app });
      const ignored = { scope: 'openid offline', response_type: 'code', assertion: 'abc', extra: 'x' };
      expectStatus(await app.tryRedeem(code, ignored), 200);
      expect(getHook().take()[0]?.body.request['payload']).toEqual({
        grant_type: ['authorization_code'],
        client_id: [app.id],
        scope: ['openid offline'],
        response_type: ['code'],
        assertion: ['abc'],
      });
    });

    rowWith(['deviceFlow'], 'H.7 it is asked for a device, and a refused device may ask again', async (scene) => {
      getHook().answer = 403;
      getHook().take();
      const { subject, poll } = await completeDevice(scene);
      expect((await poll()).status).toBe(403);
      getHook().answer = 204;
      expectStatus(await poll(), 200);
      const [call] = getHook().take();
      expect(call?.body.session).toMatchObject({ id_token: { subject } });
      expect(call?.body.request).toMatchObject({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] });
    });
  });
}

function toIssued(session: Record<string, unknown> | undefined): unknown {
  return (session?.['id_token'] as { id_token_claims: { iat: string } } | undefined)?.id_token_claims.iat;
}
