/** How the other apps of a session are notified of its end: back channel (a POST) and front channel (iframes). */
import { expect } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { BackChannelListener } from '../../../support/back-channel-listener.js';
import type { OAuthClient } from '../../../support/oauth-client.js';
import { expectStatus, type Answer } from '../../../support/upstream-answer.js';
import type { Browser } from '../../../support/upstream-browser.js';
import { waitUntil } from '../../../support/upstream-waiting.js';
import { BYE, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { findChallenge, signInForTokens } from '../walk.js';

const STAY = { login: { remember: true, remember_for: 3600 } };
const FRONT_CHANNEL = 'http://127.0.0.1:2/front?x=1';
const HEARD_WITHIN_MS = 60_000;

export function channelRows({ row, rowWith }: Rows): void {
  row('front-channel logout shows a page with one frame for each app, then continues', async (scene) => {
    const browser = scene.browser();
    const app = await scene.newApp({ frontchannel_logout_uri: FRONT_CHANNEL });
    const { tokens, login } = await signInForTokens(scene, browser, { ...STAY, app });
    const page = expectStatus(
      await logOut(scene, browser, app.logoutUrl({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })),
      200,
    );
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const frames = [...page.text.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(
      ([, src = '']) => new URL(src.replaceAll('&amp;', '&')),
    );
    expect(frames.map(({ origin, pathname }) => origin + pathname)).toEqual([FRONT_CHANNEL.split('?')[0]]);
    expect(Object.fromEntries(frames[0]?.searchParams ?? [])).toEqual({
      x: '1',
      iss: scene.issuer,
      sid: login.session_id,
    });
    expect(page.text).toContain(BYE);
    expect(page.setCookies.map(({ maxAgeSeconds }) => maxAgeSeconds)).toEqual([0]);
  });

  rowWith(['reachesLoopback'], 'back-channel logout posts a signed logout token to every app of the session', async (scene) => {
    const heard = await BackChannelListener.start();
    try {
      const app = await scene.newApp({
        backchannel_logout_uri: heard.url,
        backchannel_logout_session_required: true,
      });
      const browser = scene.browser();
      const { tokens, login } = await signInForTokens(scene, browser, { ...STAY, app });
      expectStatus(await logOut(scene, browser, app.logoutUrl({ id_token_hint: tokens.id_token })), 302);
      const claims = await findLogoutToken(scene, app, heard);
      expect(claims).toEqual({
        iss: scene.issuer,
        aud: [app.id],
        iat: expect.any(Number),
        jti: expect.any(String),
        sid: login.session_id,
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
    } finally {
      await heard.close();
    }
  });

  rowWith(['reachesLoopback'], 'a logout verifier that is opened again notifies nobody a second time', async (scene) => {
    const heard = await BackChannelListener.start();
    try {
      const app = await scene.newApp({ frontchannel_logout_uri: FRONT_CHANNEL, backchannel_logout_uri: heard.url });
      const browser = scene.browser();
      const { tokens } = await signInForTokens(scene, browser, { ...STAY, app });
      const url = app.logoutUrl({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE });
      const verifierUrl = await scene.admin.acceptLogout(findChallenge(await browser.get(url), 'logout'));
      expectStatus(await browser.get(verifierUrl), 200);
      expect(expectStatus(await browser.get(verifierUrl), 302).location?.href).toBe(BYE);
      const last = await signInForTokens(scene, scene.browser(), { ...STAY, app });
      expectStatus(await endLogin(scene, { sid: last.login.session_id }), 204);
      await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 1);
      expect(heard.bodies).toHaveLength(2);
    } finally {
      await heard.close();
    }
  });

  rowWith(
    ['reachesLoopback'],
    'the end of one session by its id runs the back channel; the end of all sessions of a subject does not',
    async (scene) => {
      const heard = await BackChannelListener.start();
      try {
        const app = await scene.newApp({ backchannel_logout_uri: heard.url });
        const bySubject = await signInForTokens(scene, scene.browser(), { ...STAY, app });
        const bySession = await signInForTokens(scene, scene.browser(), { ...STAY, app });
        expectStatus(await endLogin(scene, { subject: bySubject.consent.subject }), 204);
        expectStatus(await endLogin(scene, { sid: bySession.login.session_id }), 204);
        expect((await findLogoutToken(scene, app, heard)).sid).toBe(bySession.login.session_id);
        expect(heard.bodies).toHaveLength(1);
      } finally {
        await heard.close();
      }
    },
  );

  rowWith(
    ['reachesLoopback'],
    'a session that was ended by subject or is not remembered notifies nobody when it is ended by its id',
    async (scene) => {
      const heard = await BackChannelListener.start();
      try {
        const app = await scene.newApp({ backchannel_logout_uri: heard.url });
        const ended = await signInForTokens(scene, scene.browser(), { ...STAY, app });
        const short = await signInForTokens(scene, scene.browser(), { app });
        const last = await signInForTokens(scene, scene.browser(), { ...STAY, app });
        expectStatus(await endLogin(scene, { subject: ended.consent.subject }), 204);
        for (const { login } of [ended, short, last]) expectStatus(await endLogin(scene, { sid: login.session_id }), 204);
        expect((await findLogoutToken(scene, app, heard)).sid).toBe(last.login.session_id);
        expect(heard.bodies).toHaveLength(1);
      } finally {
        await heard.close();
      }
    },
  );
}

async function findLogoutToken(scene: Scene, app: OAuthClient, heard: BackChannelListener): Promise<Record<string, unknown>> {
  await waitUntil(HEARD_WITHIN_MS, async () => heard.bodies.length > 0);
  const keys = createRemoteJWKSet(new URL(`${scene.upstream.publicUrl}/.well-known/jwks.json`));
  const token = heard.bodies[0]?.get('logout_token') ?? '';
  return (await jwtVerify(token, keys, { issuer: scene.issuer, audience: app.id })).payload;
}

function endLogin(scene: Scene, query: Record<string, string>): Promise<Answer> {
  return scene.admin.send('DELETE', '/admin/oauth2/auth/sessions/login', { query });
}

async function logOut(scene: Scene, browser: Browser, url: string) {
  return browser.get(await scene.admin.acceptLogout(findChallenge(await browser.get(url), 'logout')));
}
