/** The consent request: what the gateway reads, accepting, rejecting, remembering. */
import { expect } from '@jest/globals';
import { toJson } from '../../../support/upstream-answer.js';
import type { ConsentAccept } from '../../../support/upstream-wire.js';
import { API_AUDIENCE, CALLBACK, newSubject } from '../scene.js';
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
  signInForTokens,
} from '../walk.js';

const STAY = { remember: true, remember_for: 3600 };
const FOR_EVER: ConsentAccept = { remember: true, remember_for: 0 };

export function consentRows({ row, rowWith }: Rows): void {
  row('D.4 a consent request contains the whole flow, under an id that is not the login challenge', async (scene) => {
    const browser = scene.browser();
    const url = scene.app.authorizationUrl({ login_hint: 'bob', audience: API_AUDIENCE });
    const login = await scene.admin.getLogin(findChallenge(await browser.get(url), 'login'));
    const subject = newSubject();
    const challenge = await passLogin(scene, browser, login.challenge, { subject });
    const answer = await scene.admin.request('consent', '', challenge);
    expect(answer.headers.get('cache-control')).toBe('private, no-cache, no-store, must-revalidate');
    const flowId = expect.stringMatching(/^[\da-f]{32}$/);
    expect(toJson(answer)).toEqual({
      challenge,
      ...(scene.has('consentRequestId') ? { consent_request_id: flowId } : {}),
      requested_scope: ['openid', 'offline'],
      requested_access_token_audience: [API_AUDIENCE],
      skip: false,
      subject,
      oidc_context: { login_hint: 'bob' },
      client: login.client,
      request_url: url,
      login_challenge: flowId,
      login_session_id: login.session_id,
      acr: '',
      amr: [],
      context: null,
    });
  });

  row('D.4 all consent requests of one login have the same flow id', async (scene) => {
    const browser = scene.browser();
    const challenge = await beginLogin(scene, browser);
    const findFlow = async (): Promise<string> => {
      const consent = await scene.admin.getConsent(await passLogin(scene, browser, challenge, { subject: newSubject() }));
      return consent.login_challenge;
    };
    expect(await findFlow()).toBe(await findFlow());
  });

  row('D.6 token and introspection show the granted scopes when the grant is smaller than the request', async (scene) => {
    const parameters = { scope: 'openid offline profile email' };
    const { tokens, callback } = await signInForTokens(scene, scene.browser(), {
      parameters,
      consent: { grant_scope: ['openid', 'profile'] },
    });
    expect(tokens.scope).toBe('openid profile');
    expect(callback.get('scope')).toBe('openid profile');
    expect(tokens.refresh_token).toBeUndefined();
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ active: true, scope: 'openid profile' });
  });

  row('D.6 a grant is not compared with the request: everything that the gateway grants counts', async (scene) => {
    const { tokens } = await signInForTokens(scene, scene.browser(), {
      parameters: { scope: 'openid' },
      consent: { grant_scope: ['openid', 'email', 'never-heard-of'], grant_access_token_audience: ['https://unasked.example'] },
    });
    expect(tokens.scope).toBe('openid email never-heard-of');
    expect(await scene.admin.introspect(tokens.access_token)).toMatchObject({ aud: ['https://unasked.example'] });
  });

  row('D.6 a scope that is requested or granted twice counts once', async (scene) => {
    const { consent, tokens } = await signInForTokens(scene, scene.browser(), {
      parameters: { scope: 'openid openid offline' },
      consent: { grant_scope: ['openid', 'offline', 'openid'] },
    });
    expect(consent.requested_scope).toEqual(['openid', 'offline']);
    expect(tokens.scope).toBe('openid offline');
  });

  row('D.7 nothing granted still gives a code, with an empty scope and no ID token', async (scene) => {
    const { tokens, callback } = await signInForTokens(scene, scene.browser(), { consent: { grant_scope: [] } });
    expect(callback.get('scope')).toBe('');
    expect(tokens).toMatchObject({ scope: '', token_type: 'bearer' });
    expect(tokens).not.toHaveProperty('id_token');
    expect(tokens).not.toHaveProperty('refresh_token');
  });

  row('D.7 a body of null is accepted and grants nothing', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const accepted = await scene.admin.request('consent', 'accept', consent.challenge, { rawBody: 'null' });
    const received = toClientQuery(await browser.get(toJson<{ redirect_to: string }>(accepted).redirect_to));
    expect((await scene.app.redeem(getCode(received))).scope).toBe('');
  });

  row('D.17 a remembered consent is skipped for the same or fewer scopes, but not for more', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: STAY, consent: FOR_EVER, parameters: { scope: 'openid offline profile' } });
    const skipFor = async (scope: string): Promise<boolean> =>
      (await reachConsent(scene, browser, { parameters: { scope } })).skip;
    expect(await skipFor('openid offline profile')).toBe(true);
    expect(await skipFor('openid')).toBe(true);
    expect(await skipFor('openid offline email')).toBe(false);
  });

  row('D.17 the remembered grant counts, not its request, and audiences are not compared', async (scene) => {
    const browser = scene.browser();
    const consent = { ...FOR_EVER, grant_scope: ['openid'] };
    await signIn(scene, browser, { login: STAY, consent, parameters: { scope: 'openid profile' } });
    const skipFor = async (parameters: Record<string, string>): Promise<boolean> =>
      (await reachConsent(scene, browser, { parameters })).skip;
    expect(await skipFor({ scope: 'openid profile' })).toBe(false);
    expect(await skipFor({ scope: 'openid', audience: API_AUDIENCE })).toBe(true);
  });

  row('D.17 a newer consent that is not remembered leaves the older remembered one valid', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, { login: STAY, consent: FOR_EVER });
    await signIn(scene, browser, { parameters: { prompt: 'consent' }, consent: { remember: false } });
    expect((await reachConsent(scene, browser)).skip).toBe(true);
  });

  row('D.17 consents are remembered for a person and a client, in every browser', async (scene) => {
    const subject = newSubject();
    await signIn(scene, scene.browser(), { login: { subject }, consent: FOR_EVER });
    expect((await reachConsent(scene, scene.browser(), { login: { subject } })).skip).toBe(true);
    expect((await reachConsent(scene, scene.browser())).skip).toBe(false);
    const app = await scene.newApp();
    expect((await reachConsent(scene, scene.browser(), { app, login: { subject } })).skip).toBe(false);
  });

  row('D.17 a skipped consent fills in nothing: scopes, audience and claims must be sent again', async (scene) => {
    const browser = scene.browser();
    const first = { ...FOR_EVER, session: { id_token: { email: 'a@b.example' } } };
    await signIn(scene, browser, { login: STAY, consent: first });
    const { consent, tokens } = await signInForTokens(scene, browser, { consent: { grant_scope: [] } });
    expect(consent.skip).toBe(true);
    expect(tokens.scope).toBe('');
  });

  row(
    'D.17 a public client is skipped on https and on loopback addresses, but never at an address that other apps can claim',
    async (scene) => {
      const anybodys = 'com.example.app:/callback';
      const app = await scene.newApp({
        token_endpoint_auth_method: 'none',
        client_secret: undefined,
        redirect_uris: [CALLBACK, anybodys],
      });
      const subject = newSubject();
      await signIn(scene, scene.browser(), { app, login: { subject }, consent: FOR_EVER });
      const skipAt = async (redirect_uri: string): Promise<boolean> =>
        (await reachConsent(scene, scene.browser(), { app, login: { subject }, parameters: { redirect_uri } })).skip;
      expect(await skipAt(CALLBACK)).toBe(true);
      expect(await skipAt(anybodys)).toBe(false);
    },
  );

  row('D.31 a rejected consent is reported to the client, gives no code and is not stored', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const rejection = { error: 'access_denied', error_description: 'nope', error_hint: 'hint' };
    const received = toClientQuery(await browser.get(await scene.admin.rejectConsent(consent.challenge, rejection)));
    expect(received.toString()).toBe('error=access_denied&error_description=nope+hint&state=state-12345678');
    expect(await scene.admin.consentSessions(consent.subject)).toEqual([]);
  });

  row('D.31 a consent rejected without a reason has an error name with spaces', async (scene) => {
    const browser = scene.browser();
    const { challenge } = await reachConsent(scene, browser);
    const received = toClientQuery(await browser.get(await scene.admin.rejectConsent(challenge, {})));
    expect([received.get('error'), received.get('error_description')]).toEqual(['consent request denied', '']);
  });

  row('a consent that was rejected and followed can be accepted since v25.4, and is used up in older releases', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    toClientQuery(await browser.get(await scene.admin.rejectConsent(consent.challenge, { error: 'access_denied' })));
    const received = await passConsent(scene, browser, consent.challenge, grantAll(consent));
    expect(received.has('code')).toBe(scene.has('rejectedConsentStaysOpen'));
    expect(received.get('error')).toBe(scene.has('rejectedConsentStaysOpen') ? null : 'access_denied');
  });

  row('D.40 a consent verifier that is opened twice gives one code, which can still be redeemed', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const url = await scene.admin.acceptConsent(consent.challenge, grantAll(consent));
    const code = getCode(toClientQuery(await browser.get(url)));
    const again = toClientQuery(await browser.get(url));
    expect([again.get('code'), again.get('error'), again.get('state')]).toEqual([null, 'access_denied', 'state-12345678']);
    expect(again.get('error_description')).toContain('The consent verifier has already been used.');
    expect((await scene.app.redeem(code)).scope).toBe('openid offline');
  });

  row('D.40 a consent that is accepted twice gives one code, whichever answer is followed', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const first = await scene.admin.acceptConsent(consent.challenge, grantAll(consent));
    const second = await scene.admin.acceptConsent(consent.challenge, { grant_scope: ['openid'] });
    expect(toClientQuery(await browser.get(second)).get('scope')).toBe('openid');
    expect(toClientQuery(await browser.get(first)).get('error')).toBe('access_denied');
    expect((await scene.admin.getConsent(consent.challenge)).subject).toBe(consent.subject);
  });

  rowWith(['decidesRaces'], 'D.40 one of six parallel redemptions gives the code, and five give access_denied', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const url = await scene.admin.acceptConsent(consent.challenge, grantAll(consent));
    const received = (await Promise.all(Array.from({ length: 6 }, () => browser.get(url)))).map(toClientQuery);
    expect(received.filter((callback) => callback.has('code'))).toHaveLength(1);
    expect(received.filter((callback) => callback.get('error') === 'access_denied')).toHaveLength(5);
  });

  row('D.48 skip_consent is only reported: the consent page is still requested', async (scene) => {
    const app = await scene.newApp({ skip_consent: true });
    const { client, skip } = await reachConsent(scene, scene.browser(), { app });
    expect([client.skip_consent, skip]).toEqual([true, false]);
    expect((await reachConsent(scene, scene.browser())).client.skip_consent).toBe(false);
  });

  row('the context of the consent answer replaces that of the login', async (scene) => {
    const browser = scene.browser();
    const { consent } = await signIn(scene, browser, { login: { context: { a: 1 } }, consent: { context: { b: 2 } } });
    expect(consent.context).toEqual({ a: 1 });
    const [stored] = await scene.admin.consentSessions(consent.subject);
    expect(stored?.context).toEqual({ b: 2 });
  });

  rowWith(['ignoresUnknownMembers'], 'handled_at of older releases is accepted and ignored', async (scene) => {
    const { challenge } = await reachConsent(scene, scene.browser());
    const body = { grant_scope: ['openid'], handled_at: '2024-01-01T00:00:00Z' };
    expect((await scene.admin.request('consent', 'accept', challenge, { body })).status).toBe(200);
  });
}
