/** What the admin API can end: sessions of a browser, and consents with their tokens. */
import { expect } from '@jest/globals';
import { expectStatus, toJson, type Answer } from '../../../support/upstream-answer.js';
import type { WireError } from '../../../support/upstream-wire.js';
import { newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import { toClientQuery, beginLogin, passLogin, reachConsent, signIn, signInForTokens } from '../walk.js';

const STAY = { remember: true, remember_for: 3600 };
const REMEMBERED = { login: STAY, consent: { remember: true, remember_for: 0 } };

export function sessionRows({ row, rowWith }: Rows): void {
  row('D.59 login sessions of a subject can be ended: the login is asked for again, and tokens stay valid', async (scene) => {
    const browser = scene.browser();
    const { tokens, consent } = await signInForTokens(scene, browser, REMEMBERED);
    const ended = await endLogin(scene, { subject: consent.subject });
    expect([ended.status, ended.text]).toEqual([204, '']);
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: false, subject: '' });
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true });
    expect((await endLogin(scene, { subject: newSubject() })).status).toBe(204);
  });

  row('D.59 one login session can be ended by its id, which counts when a subject is sent too', async (scene) => {
    const [first, second] = [scene.browser(), scene.browser()];
    const subject = newSubject();
    const { login } = await signIn(scene, first, { login: { ...STAY, subject } });
    await signIn(scene, second, { login: { ...STAY, subject } });
    expect((await endLogin(scene, { sid: login.session_id, subject })).status).toBe(204);
    expect(await scene.admin.getLogin(await beginLogin(scene, first))).toMatchObject({ skip: false });
    expect(await scene.admin.getLogin(await beginLogin(scene, second))).toMatchObject({ skip: true, subject });
    expect((await endLogin(scene, { sid: 'unknown' })).status).toBe(204);
    const neither = await endLogin(scene, {});
    expect([neither.status, toJson<WireError>(neither).error]).toEqual([400, 'invalid_request']);
  });

  row(
    'D.59 a stale cookie and a login that is not remembered lead to error=error at the client, and the next attempt works',
    async (scene) => {
      const browser = scene.browser();
      const { consent } = await signIn(scene, browser, REMEMBERED);
      await endLogin(scene, { subject: consent.subject });
      const challenge = await beginLogin(scene, browser);
      const received = toClientQuery(await browser.get(await scene.admin.acceptLogin(challenge, { subject: consent.subject })));
      expect([received.get('error'), received.get('error_description')]).toEqual(['error', 'The error is unrecognizable']);
      await signIn(scene, browser, { login: { subject: consent.subject } });
    },
  );

  row(
    'D.59 consents of a subject and a client can be revoked: tokens end, consent is asked for again, the session stays',
    async (scene) => {
      const browser = scene.browser();
      const app = await scene.newApp();
      const kept = await signInForTokens(scene, browser, { ...REMEMBERED, app });
      const { tokens, consent } = await signInForTokens(scene, browser, { consent: REMEMBERED.consent });
      const revoked = await revokeConsents(scene, { subject: consent.subject, client: scene.app.id });
      expect([revoked.status, revoked.text]).toEqual([204, '']);
      expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
      expect((await scene.app.refresh(tokens.refresh_token ?? '')).status).toBe(400);
      expect(await scene.admin.introspect(kept.tokens.access_token)).toMatchObject({ active: true });
      const again = await reachConsent(scene, browser);
      expect(again).toMatchObject({ skip: false, subject: consent.subject });
      expect(
        (await scene.admin.consentSessions(consent.subject)).map((session) => session.consent_request.client.client_id),
      ).toEqual([app.id]);
    },
  );

  row('D.59 all consents of a subject can be revoked', async (scene) => {
    const subject = newSubject();
    const app = await scene.newApp();
    const first = await signInForTokens(scene, scene.browser(), { login: { subject } });
    const second = await signInForTokens(scene, scene.browser(), { login: { subject }, app });
    expect((await revokeConsents(scene, { subject, all: 'true' })).status).toBe(204);
    for (const { tokens } of [first, second])
      expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
    expect(await scene.admin.consentSessions(subject)).toEqual([]);
  });

  row('D.59 revoking nothing is answered with 204 too, and an incomplete request with 400', async (scene) => {
    const nobody = newSubject();
    expect((await revokeConsents(scene, { subject: nobody, all: 'true' })).status).toBe(204);
    expect((await revokeConsents(scene, { subject: nobody, client: scene.app.id })).status).toBe(204);
    for (const half of [{}, { subject: nobody }, { client: scene.app.id }, { all: 'true' }]) {
      const answer = await revokeConsents(scene, half);
      expect([half, answer.status, toJson<WireError>(answer).error]).toEqual([half, 400, 'invalid_request']);
    }
  });

  row(
    'D.59 subject, client and all together are refused with 400 since v25.4; older releases apply the client',
    async (scene) => {
      const question = { subject: newSubject(), client: scene.app.id, all: 'true' };
      expect((await revokeConsents(scene, question)).status).toBe(scene.has('opaquePages') ? 400 : 204);
    },
  );

  rowWith(['consentRequestId'], 'D.59 one consent can be revoked by its id alone', async (scene) => {
    const { tokens, consent } = await signInForTokens(scene, scene.browser());
    const question = { consent_request_id: consent.consent_request_id ?? '' };
    expect((await revokeConsents(scene, { ...question, subject: consent.subject })).status).toBe(400);
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true });
    expect((await revokeConsents(scene, question)).status).toBe(204);
    expect(await scene.admin.introspect(tokens.access_token)).toEqual({ active: false });
  });

  row('D.59 consents are listed as they were given, with the request that they answered', async (scene) => {
    const given = {
      session: { access_token: { a: 1 }, id_token: { b: 2 } },
      remember: true,
      remember_for: 60,
      context: { x: 1 },
    };
    const { consent, login } = await signIn(scene, scene.browser(), { consent: given });
    const flowId = expect.stringMatching(/^[\da-f]{32}$/);
    const { challenge: _, ...request } = consent;
    expect(await scene.admin.consentSessions(consent.subject)).toEqual([
      {
        ...given,
        ...(scene.has('consentRequestId') ? { consent_request_id: flowId } : {}),
        grant_scope: ['openid', 'offline'],
        grant_access_token_audience: [],
        handled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
        consent_request: {
          ...request,
          challenge: scene.has('consentRequestId') ? '' : expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
          context: { x: 1 },
        },
      },
    ]);
    expect(request.login_session_id).toBe(login.session_id);
  });

  row('D.59 skipped consents are not listed, but those that are not remembered are', async (scene) => {
    const browser = scene.browser();
    const { consent } = await signIn(scene, browser, { login: STAY });
    await signIn(scene, browser, { consent: REMEMBERED.consent });
    expect((await signIn(scene, browser)).consent.skip).toBe(true);
    const listed = await scene.admin.consentSessions(consent.subject);
    expect(listed.map(({ remember }) => remember).sort()).toEqual([false, true]);
  });

  row('D.59 the list can be limited to a session, is empty for an unknown subject, and 400 without a subject', async (scene) => {
    const subject = newSubject();
    const first = await signIn(scene, scene.browser(), { login: { ...STAY, subject } });
    await signIn(scene, scene.browser(), { login: { ...STAY, subject } });
    const list = (query: Record<string, string>): Promise<Answer> =>
      scene.admin.send('GET', '/admin/oauth2/auth/sessions/consent', { query });
    expect(toJson(await list({ subject, login_session_id: first.login.session_id }))).toHaveLength(1);
    expect(toJson(await list({ subject }))).toHaveLength(2);
    expect(toJson(await list({ subject: newSubject() }))).toEqual([]);
    const nobody = await list({});
    expect([nobody.status, toJson<WireError>(nobody).error]).toEqual([400, 'invalid_request']);
  });

  /** v2.3.0 swaps pages and items in this header, so its links are wrong. */
  rowWith(['opaquePages'], 'D.59 the list is split into pages, each with a link to the next', async (scene) => {
    const browser = scene.browser();
    const { consent } = await signIn(scene, browser, { login: STAY });
    await signIn(scene, browser);
    const query = { subject: consent.subject, page_size: '1' };
    const page = expectStatus(await scene.admin.send('GET', '/admin/oauth2/auth/sessions/consent', { query }), 200);
    expect(toJson(page)).toHaveLength(1);
    expect(page.headers.has('x-total-count')).toBe(false);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(next).toMatch(/^\/admin\/oauth2\/auth\/sessions\/consent\?/);
    const following = expectStatus(await scene.admin.send('GET', next), 200);
    expect(toJson(following)).toHaveLength(1);
    expect(following.text).not.toBe(page.text);
  });

  row('a changed session cookie counts as missing', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: STAY });
    const url = new URL(scene.upstream.publicUrl);
    const session = browser.jar.list(url).find(({ name }) => name.startsWith('ory_hydra_session'));
    if (session === undefined) throw new Error('there is no session cookie');
    browser.jar.keep(url, [{ ...session, value: `${session.value.slice(0, -6)}AAAAAA` }]);
    expect(await scene.admin.getLogin(await beginLogin(scene, browser))).toMatchObject({ skip: false, subject: '' });
  });

  row('the session cookie of another person signs in every browser that has it', async (scene) => {
    const browser = scene.browser();
    const { consent } = await signIn(scene, browser, REMEMBERED);
    const thief = browser.clone();
    expect(await scene.admin.getLogin(await beginLogin(scene, thief))).toMatchObject({ skip: true, subject: consent.subject });
    await passLogin(scene, thief, await beginLogin(scene, thief), { subject: consent.subject });
  });
}

function endLogin(scene: Scene, query: Record<string, string>): Promise<Answer> {
  return scene.admin.send('DELETE', '/admin/oauth2/auth/sessions/login', { query });
}

function revokeConsents(scene: Scene, query: Record<string, string>): Promise<Answer> {
  return scene.admin.send('DELETE', '/admin/oauth2/auth/sessions/consent', { query });
}
