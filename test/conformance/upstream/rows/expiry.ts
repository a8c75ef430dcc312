/** What expires. The injected clock is moved; on a real server the test waits for the condition. */
import { expect } from '@jest/globals';
import { idClaims } from '../../../support/oauth-client.js';
import { toJson } from '../../../support/upstream-answer.js';
import type { Browser } from '../../../support/upstream-browser.js';
import { afterTime } from '../../../support/upstream-waiting.js';
import { newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import {
  ACTS,
  actOn,
  toClientQuery,
  beginLogin,
  findChallenge,
  findPageError,
  grantAll,
  passLogin,
  reachConsent,
  signIn,
  signInForTokens,
} from '../walk.js';

/** Challenges count whole seconds, so three seconds are at least two. */
const TTL_SECONDS = 3;
const REMEMBERED = { login: { remember: true, remember_for: 7200 }, consent: { remember: true, remember_for: 0 } };

/** Requests that are begun while challenges are valid, and are checked after they have expired. */
interface Begun {
  browser: Browser;
  login: string;
  loginVerifier: string;
  consentBrowser: Browser;
  consent: string;
  consentVerifier: string;
  logoutBrowser: Browser;
  logout: string;
  hinted: string;
  /** When the logout has expired, which can only be seen when it is followed. */
  endsMs: number;
}

export function expiryRows({ row, onOwnServer }: Rows): void {
  row('D.18 a consent remembered for a few seconds is skipped and then forgotten', async (scene) => {
    const browser = scene.browser();
    /** With a movable clock, long enough for a machine that stands still for seconds. */
    const seconds = scene.upstream.moveClock ? 60 : 3;
    await signIn(scene, browser, { ...REMEMBERED, consent: { remember: true, remember_for: seconds } });
    expect((await reachConsent(scene, browser)).skip).toBe(true);
    await afterTime(scene.upstream, (seconds + 1) * 1_000, async () => !(await reachConsent(scene, browser)).skip);
  });

  row('D.17 a newer remembered consent with fewer scopes replaces the older one', async (scene) => {
    const browser = scene.browser();
    const parameters = { scope: 'openid profile' };
    await signIn(scene, browser, { ...REMEMBERED, parameters });
    expect((await reachConsent(scene, browser, { parameters })).skip).toBe(true);
    const consent = { ...REMEMBERED.consent, grant_scope: ['openid'] };
    /** Consents are ordered by whole seconds, so the smaller one counts from the next second on. */
    await afterTime(scene.upstream, 2_000, async () => {
      await signIn(scene, browser, { parameters: { ...parameters, prompt: 'consent' }, consent });
      return !(await reachConsent(scene, browser, { parameters })).skip;
    });
  });

  row('D.27 max_age asks again when the session is older; with prompt=none it is answered with login_required', async (scene) => {
    const browser = scene.browser();
    await signIn(scene, browser, REMEMBERED);
    const isAsked = async (): Promise<boolean> =>
      !(await scene.admin.getLogin(await beginLogin(scene, browser, { max_age: '1' }))).skip;
    await afterTime(scene.upstream, 3_000, isAsked);
    const received = toClientQuery(await browser.get(scene.app.authorizationUrl({ max_age: '1', prompt: 'none' })));
    expect(received.get('error')).toBe('login_required');
    expect((await scene.admin.getLogin(await beginLogin(scene, browser))).skip).toBe(true);
  });

  row('an expired ID token is still a valid hint, for a logout and for the next request', async (scene) => {
    const app = await scene.newApp({ authorization_code_grant_id_token_lifespan: '1s' });
    const browser = scene.browser();
    const { tokens, consent } = await signInForTokens(scene, browser, { ...REMEMBERED, app });
    const expiresMs = (idClaims(tokens).exp ?? 0) * 1_000;
    await afterTime(scene.upstream, expiresMs - scene.upstream.now() + 1_000, async () => scene.upstream.now() > expiresMs);
    const hint = { id_token_hint: tokens.id_token };
    const { oidc_context } = await scene.admin.getLogin(await beginLogin(scene, scene.browser(), hint, app));
    expect(oidc_context?.id_token_hint_claims).toMatchObject({ sub: consent.subject });
    const logout = await scene.admin.getLogout(findChallenge(await browser.get(app.logoutUrl(hint)), 'logout'));
    expect(logout).toMatchObject({ rp_initiated: true, subject: consent.subject });
  });

  let begun: Begun;
  const prepare = async (scene: Scene): Promise<void> => {
    begun = await beginInTime(scene);
    await afterTime(scene.upstream, (TTL_SECONDS + 2) * 1_000, () => isAllExpired(scene, begun));
  };

  onOwnServer(`with requests that live for ${TTL_SECONDS} s`, { loginConsentRequestTtlSeconds: TTL_SECONDS }, prepare, (rows) => {
    rows.row('D.36 an expired challenge is answered with 401 when it is read, accepted or rejected', async (scene) => {
      for (const purpose of ['login', 'consent'] as const) {
        const error_description = `The request could not be authorized. The ${purpose} request has expired, please try again.`;
        for (const act of ACTS) {
          const answer = await actOn(scene, purpose, act, begun[purpose]);
          expect([purpose, act, answer.status]).toEqual([purpose, act, 401]);
          expect(toJson(answer)).toEqual({ error: 'request_unauthorized', error_description });
        }
      }
    });

    rows.row('D.36 an answer that is given in time but followed too late is request_unauthorized at the client', async () => {
      const login = toClientQuery(await begun.browser.get(begun.loginVerifier));
      expect([login.get('error'), login.get('state')]).toEqual(['request_unauthorized', 'state-12345678']);
      expect(login.get('error_description')).toMatch(
        /^The request could not be authorized\. The login request has expired[.,] [Pp]lease try again\.$/,
      );
      const consent = toClientQuery(await begun.consentBrowser.get(begun.consentVerifier));
      expect(consent.get('error')).toBe('request_unauthorized');
    });

    rows.row('D.36 the request itself can start again, and its session still exists', async (scene) => {
      const again = await scene.admin.getLogin(await beginLogin(scene, begun.logoutBrowser));
      expect(again.skip).toBe(true);
    });

    rows.rowWith(
      ['logoutTimes'],
      'a logout without a hint can be read and accepted after it has expired, but not followed',
      async (scene) => {
        expect((await scene.admin.request('logout', '', begun.logout)).status).toBe(200);
        const redirect = await scene.admin.acceptLogout(begun.logout);
        const received = findPageError(scene, await begun.logoutBrowser.get(redirect));
        expect(received.error).toBe('request_unauthorized');
        expect(received.error_description).toContain('The logout request has expired, please try the flow again.');
        expect((await scene.admin.getLogin(await beginLogin(scene, begun.logoutBrowser))).skip).toBe(true);
      },
    );

    rows.row('a logout with a hint never expires', async (scene) => {
      const answer = await begun.logoutBrowser.get(await scene.admin.acceptLogout(begun.hinted));
      expect([answer.status, answer.location?.searchParams.get('error')]).toEqual([302, null]);
      expect((await scene.admin.getLogin(await beginLogin(scene, begun.logoutBrowser))).skip).toBe(false);
    });
  });
}

/** Tries again, because the requests may expire before a machine under load has begun all of them. */
async function beginInTime(scene: Scene, attempts = 3): Promise<Begun> {
  try {
    return await beginEverything(scene);
  } catch (error) {
    if (attempts === 1) throw error;
    return beginInTime(scene, attempts - 1);
  }
}

async function beginEverything(scene: Scene): Promise<Begun> {
  const [browser, consentBrowser, logoutBrowser] = [scene.browser(), scene.browser(), scene.browser()];
  const signedIn = await signInForTokens(scene, logoutBrowser, REMEMBERED);
  const login = await beginLogin(scene, browser);
  const loginVerifier = await scene.admin.acceptLogin(login, { subject: newSubject() });
  const consentLogin = await beginLogin(scene, consentBrowser);
  const consent = await passLogin(scene, consentBrowser, consentLogin, { subject: newSubject() });
  const consentVerifier = await scene.admin.acceptConsent(consent, grantAll(await scene.admin.getConsent(consent)));
  const logout = findChallenge(await logoutBrowser.get(scene.app.logoutUrl()), 'logout');
  const hinted = findChallenge(
    await logoutBrowser.get(scene.app.logoutUrl({ id_token_hint: signedIn.tokens.id_token })),
    'logout',
  );
  const endsMs = scene.upstream.now() + (TTL_SECONDS + 1) * 1_000;
  return { browser, login, loginVerifier, consentBrowser, consent, consentVerifier, logoutBrowser, logout, hinted, endsMs };
}

async function isAllExpired(scene: Scene, { login, consent, endsMs }: Begun): Promise<boolean> {
  const read = [await actOn(scene, 'login', '', login), await actOn(scene, 'consent', '', consent)];
  return read.every(({ status }) => status === 401) && scene.upstream.now() > endsMs;
}
