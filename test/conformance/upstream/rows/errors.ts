/** Wrong requests: unknown, missing, foreign and changed challenges, bodies, changed verifier URLs, lost cookies. */
import { expect } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { toJson, type Answer } from '../../../support/upstream-answer.js';
import type { WireError } from '../../../support/upstream-wire.js';
import { newSubject, type Scene } from '../scene.js';
import type { Rows } from '../rows.js';
import {
  ACTS,
  actOn,
  toClientQuery,
  beginLogin,
  findChallenge,
  getCode,
  findPageError,
  grantAll,
  passConsent,
  passLogin,
  reachConsent,
  signIn,
  type Act,
  type FlowPurpose,
} from '../walk.js';

const NOT_FOUND: WireError = { error: 'Not Found', error_description: 'Unable to locate the requested resource' };
const OPAQUE: WireError = { error: 'error', error_description: 'The error is unrecognizable' };
const INVALID =
  'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.';
const PURPOSES = ['login', 'consent'] as const;

export function errorRows({ row }: Rows): void {
  row('D.32 an unknown challenge is answered with 404 everywhere', async (scene) => {
    for (const purpose of PURPOSES) {
      for (const act of ACTS) expect(await findRefusal(scene, purpose, act, 'unknown')).toEqual([404, NOT_FOUND]);
    }
  });

  row('D.33 a missing challenge is answered with 400 everywhere', async (scene) => {
    const error_description = `${INVALID} Query parameter 'challenge' is not defined but should have been.`;
    for (const purpose of PURPOSES) {
      for (const act of ACTS) {
        expect(await findRefusal(scene, purpose, act, '')).toEqual([400, { error: 'invalid_request', error_description }]);
      }
    }
  });

  row('D.34 a challenge is valid for its own purpose only', async (scene) => {
    const browser = scene.browser();
    const login = await beginLogin(scene, browser);
    const consent = await passLogin(scene, browser, login, { subject: newSubject() });
    for (const act of ACTS) {
      expect(await findRefusal(scene, 'login', act, consent)).toEqual([404, NOT_FOUND]);
      expect(await findRefusal(scene, 'consent', act, login)).toEqual([404, NOT_FOUND]);
    }
  });

  row('D.35 a changed, shortened or lengthened challenge is answered with 404', async (scene) => {
    const challenge = await beginLogin(scene, scene.browser());
    const middle = Math.floor(challenge.length / 2);
    const flipped = challenge.slice(0, middle) + (challenge[middle] === 'A' ? 'B' : 'A') + challenge.slice(middle + 1);
    const unpadded = challenge.replace(/=+$/, '').slice(0, -1);
    for (const wrong of [flipped, unpadded, challenge.slice(0, 40), `A${challenge}`, `${challenge}AAAA`]) {
      for (const act of ACTS) expect(await findRefusal(scene, 'login', act, wrong)).toEqual([404, NOT_FOUND]);
    }
    expect((await scene.admin.getLogin(challenge)).challenge).toBe(challenge);
  });

  row('D.35 a challenge of hostile text is answered with 404', async (scene) => {
    for (const wrong of ['\u0000', '%', "' or 1=1 --", '../../clients', 'ü', 'x'.repeat(7000)]) {
      expect(await findRefusal(scene, 'login', '', wrong)).toEqual([404, NOT_FOUND]);
    }
  });

  row(
    'bodies that are not JSON or of the wrong type are answered with 400, with a reason at the login and without one at the consent',
    async (scene) => {
      const { challenge: consent } = await reachConsent(scene, scene.browser());
      const login = await beginLogin(scene, scene.browser());
      for (const rawBody of ['{x', '[]', '', '{"subject":5,"error":5,"grant_scope":5}', '"text"', '{"subject":"a"']) {
        for (const act of ['accept', 'reject'] as const) {
          const atLogin = await scene.admin.request('login', act, login, { rawBody });
          const { error, error_description } = toJson<WireError>(atLogin);
          expect([rawBody, atLogin.status, error]).toEqual([rawBody, 400, 'invalid_request']);
          expect(error_description.startsWith(`${INVALID} Unable to decode body because: `)).toBe(true);
          const atConsent = await scene.admin.request('consent', act, consent, { rawBody });
          expect([rawBody, atConsent.status, toJson(atConsent)]).toEqual([rawBody, 400, OPAQUE]);
        }
      }
    },
  );

  row(
    'a login without a subject is answered with 400; a body of null lacks one too, but is accepted for a rejection',
    async (scene) => {
      const challenge = await beginLogin(scene, scene.browser());
      const error_description = `${INVALID} Field 'subject' must not be empty.`;
      for (const rawBody of ['{}', 'null', '{"subject":""}']) {
        const answer = await scene.admin.request('login', 'accept', challenge, { rawBody });
        expect([rawBody, answer.status, toJson(answer)]).toEqual([rawBody, 400, { error: 'invalid_request', error_description }]);
      }
      expect((await scene.admin.request('login', 'reject', challenge, { rawBody: 'null' })).status).toBe(200);
      const { challenge: consent } = await reachConsent(scene, scene.browser());
      expect((await scene.admin.request('consent', 'reject', consent, { rawBody: 'null' })).status).toBe(200);
    },
  );

  row('unknown members are ignored since v25.4 and refused in older releases', async (scene) => {
    const { challenge: consent } = await reachConsent(scene, scene.browser());
    const login = await beginLogin(scene, scene.browser());
    const status = scene.has('ignoresUnknownMembers') ? 200 : 400;
    for (const act of ['accept', 'reject'] as const) {
      const body = { ...(act === 'accept' ? { subject: 'anybody' } : {}), nonsense: 1 };
      const atLogin = await scene.admin.request('login', act, login, { body });
      expect([act, atLogin.status]).toEqual([act, status]);
      if (status === 400) expect(toJson<WireError>(atLogin).error_description).toContain("unknown field 'nonsense'");
      const atConsent = await scene.admin.request('consent', act, consent, { body: { nonsense: 1 } });
      expect([act, atConsent.status]).toEqual([act, status]);
      if (status === 400) expect(toJson(atConsent)).toEqual(OPAQUE);
    }
  });

  row('D.43 without the cookie of the login the client gets request_forbidden; with it the same URL works', async (scene) => {
    const browser = scene.browser();
    const url = await scene.admin.acceptLogin(await beginLogin(scene, browser), { subject: newSubject() });
    const received = toClientQuery(await scene.browser().get(url));
    expect([received.get('error'), received.get('state')]).toEqual(['request_forbidden', 'state-12345678']);
    expect(received.get('error_description')).toBe('The request is not allowed. No CSRF value available in the session cookie.');
    findChallenge(await browser.get(url), 'consent');
  });

  row('D.43 a cookie that is missing at the consent leads to request_forbidden and uses up the flow', async (scene) => {
    const browser = scene.browser();
    const consent = await reachConsent(scene, browser);
    const url = await scene.admin.acceptConsent(consent.challenge, grantAll(consent));
    expect(toClientQuery(await scene.browser().get(url)).get('error')).toBe('request_forbidden');
    expect(toClientQuery(await browser.get(url)).get('error')).toBe('access_denied');
  });

  row(
    'D.44 of two tabs, the older one is forbidden if they belong to one client; tabs of two clients both continue',
    async (scene) => {
      const browser = scene.browser();
      const first = await beginLogin(scene, browser);
      const second = await beginLogin(scene, browser);
      const received = toClientQuery(await browser.get(await scene.admin.acceptLogin(first, { subject: newSubject() })));
      expect(received.get('error')).toBe('request_forbidden');
      expect(received.get('error_description')).toBe(
        'The request is not allowed. The CSRF value from the token does not match the CSRF value from the data store.',
      );
      await passLogin(scene, browser, second, { subject: newSubject() });
      const mine = await beginLogin(scene, browser);
      const other = await beginLogin(scene, browser, {}, await scene.newApp());
      await passLogin(scene, browser, mine, { subject: newSubject() });
      await passLogin(scene, browser, other, { subject: newSubject() });
    },
  );

  row('D.44 the older of two consent pages of one client is forbidden, and its flow is used up', async (scene) => {
    const browser = scene.browser();
    const first = await reachConsent(scene, browser);
    const second = await reachConsent(scene, browser);
    const older = await scene.admin.acceptConsent(first.challenge, grantAll(first));
    expect(toClientQuery(await browser.get(older)).get('error')).toBe('request_forbidden');
    expect(toClientQuery(await browser.get(older)).get('error')).toBe('access_denied');
    getCode(await passConsent(scene, browser, second.challenge, grantAll(second)));
  });

  row(
    'D.45 another client in the verifier URL is invalid_client, at login and at consent, and uses nothing up',
    async (scene) => {
      const browser = scene.browser();
      const other = await scene.newApp();
      const url = new URL(await scene.admin.acceptLogin(await beginLogin(scene, browser), { subject: newSubject() }));
      url.searchParams.set('client_id', other.id);
      expect(toClientQuery(await browser.get(url)).get('error')).toBe('invalid_client');
      const consent = await reachConsent(scene, browser);
      const verifier = new URL(await scene.admin.acceptConsent(consent.challenge, grantAll(consent)));
      verifier.searchParams.set('client_id', other.id);
      expect(toClientQuery(await browser.get(verifier)).get('error')).toBe('invalid_client');
      verifier.searchParams.set('client_id', scene.app.id);
      getCode(toClientQuery(await browser.get(verifier)));
    },
  );

  row('D.44 the older of two consent pages of one client is forbidden, but may be rejected', async (scene) => {
    for (const act of ['accept', 'reject'] as const) {
      const browser = scene.browser();
      const older = await reachConsent(scene, browser);
      await reachConsent(scene, browser);
      const body = act === 'accept' ? grantAll(older) : { error: 'access_denied' };
      const answer = await scene.admin.request('consent', act, older.challenge, { body });
      const received = toClientQuery(await browser.get(toJson<{ redirect_to: string }>(answer).redirect_to));
      expect([act, received.get('error')]).toEqual([act, act === 'accept' ? 'request_forbidden' : 'access_denied']);
    }
  });

  row('a request object is refused if the client has no keys or the server reads none', async (scene) => {
    const codes = [
      ['request', 'request_not_supported'],
      ['request_uri', 'request_uri_not_supported'],
    ] as const;
    for (const [name, code] of codes) {
      const answer = await scene.browser().get(scene.app.authorizationUrl({ [name]: 'https://app.example/request' }));
      if (!scene.tolerates('requestObjects'))
        expect([name, findPageError(scene, answer).error]).toEqual([name, 'invalid_request']);
      else expect([toClientQuery(answer).get('error'), toClientQuery(answer).get('state')]).toEqual([code, 'state-12345678']);
    }
  });

  row('D.61 a request object is ignored without openid in the scope of the address', async (scene) => {
    const members = { prompt: 'none', redirect_uri: 'https://elsewhere.example/', scope: 'openid', client_id: 'another' };
    const objects = [
      { request: new UnsecuredJWT(members).encode() },
      { request: 'x' },
      { request_uri: 'https://app.example/request' },
    ];
    for (const object of objects) {
      const challenge = await beginLogin(scene, scene.browser(), { scope: 'offline profile', ...object });
      const login = await scene.admin.getLogin(challenge);
      expect([object, login.requested_scope]).toEqual([object, ['offline', 'profile']]);
    }
  });

  row('D.45 a scope outside the client is invalid_scope; a scope within it and another state are ignored', async (scene) => {
    const browser = scene.browser();
    const url = new URL(await scene.admin.acceptLogin(await beginLogin(scene, browser), { subject: newSubject() }));
    url.searchParams.set('scope', 'openid offline never-allowed');
    expect(toClientQuery(await browser.get(url)).get('error')).toBe('invalid_scope');
    url.searchParams.set('scope', 'openid offline profile');
    url.searchParams.set('state', 'another-state');
    const consent = await scene.admin.getConsent(findChallenge(await browser.get(url), 'consent'));
    expect(consent.requested_scope).toEqual(['openid', 'offline']);
  });

  row('D.45 unknown verifiers and those of the other purpose are access_denied', async (scene) => {
    const browser = scene.browser();
    const loginUrl = new URL(await scene.admin.acceptLogin(await beginLogin(scene, browser), { subject: newSubject() }));
    const verifier = loginUrl.searchParams.get('login_verifier') ?? '';
    for (const wrong of [{ login_verifier: 'garbage' }, { consent_verifier: 'garbage' }, { consent_verifier: verifier }]) {
      const received = toClientQuery(await browser.get(scene.app.authorizationUrl(wrong)));
      expect([wrong, received.get('error')]).toEqual([wrong, 'access_denied']);
      expect(received.get('error_description')).toMatch(/^The resource owner or authorization server denied the request\./);
    }
  });

  row('D.45 a verifier URL without one of its parameters is handled like any request', async (scene) => {
    const browser = scene.browser();
    const url = await scene.admin.acceptLogin(await beginLogin(scene, browser), { subject: newSubject() });
    const sendWithout = (name: string): Promise<Answer> => {
      const cut = new URL(url);
      cut.searchParams.delete(name);
      return browser.get(cut);
    };
    expect(findPageError(scene, await sendWithout('client_id')).error).toBe('invalid_client');
    expect(toClientQuery(await sendWithout('state')).get('error')).toBe('invalid_state');
    expect(toClientQuery(await sendWithout('response_type')).get('error')).toBe('unsupported_response_type');
    findChallenge(await browser.get(url), 'consent');
  });

  row('D.46 an unknown client and an unregistered redirect address lead to the error page', async (scene) => {
    const browser = scene.browser();
    const unknown = findPageError(scene, await browser.get(scene.app.authorizationUrl({ client_id: 'nope' })));
    expect(unknown).toEqual({
      error: 'invalid_client',
      error_description: expect.stringContaining('The requested OAuth 2.0 Client does not exist.'),
    });
    const foreign = findPageError(
      scene,
      await browser.get(scene.app.authorizationUrl({ redirect_uri: 'http://127.0.0.1:2/other' })),
    );
    expect(foreign).toEqual({
      error: 'invalid_request',
      error_description: expect.stringContaining("The 'redirect_uri' parameter does not match"),
    });
    const missing = findPageError(scene, await browser.get(scene.app.authorizationUrl({ client_id: undefined })));
    expect(missing.error).toBe('invalid_client');
  });

  row('D.47 a missing state and one of fewer than eight characters are invalid_state', async (scene) => {
    const short = await scene.browser().get(scene.app.authorizationUrl({ state: 'short' }));
    expect(Object.fromEntries(toClientQuery(short))).toMatchObject({ error: 'invalid_state', state: 'short' });
    const none = await scene.browser().get(scene.app.authorizationUrl({ state: undefined }));
    expect(toClientQuery(none).get('error')).toBe('invalid_state');
  });

  row('scopes outside the client and unknown response types lead to the client before any page', async (scene) => {
    const scope = toClientQuery(await scene.browser().get(scene.app.authorizationUrl({ scope: 'openid never-allowed' })));
    expect([scope.get('error'), scope.get('state')]).toEqual(['invalid_scope', 'state-12345678']);
    const type = toClientQuery(await scene.browser().get(scene.app.authorizationUrl({ response_type: 'nonsense' })));
    expect(type.get('error')).toBe('unsupported_response_type');
  });

  row('a request can begin by POST, but its body is lost after the login', async (scene) => {
    const browser = scene.browser();
    const url = new URL(scene.app.authorizationUrl());
    const answer = await browser.post(`${url.origin}${url.pathname}`, Object.fromEntries(url.searchParams));
    const login = await scene.admin.getLogin(findChallenge(answer, 'login'));
    expect(login.request_url).toBe(`${scene.upstream.publicUrl}/oauth2/auth`);
  });

  row('a subject in another alphabet and hostile text in the request are returned unchanged', async (scene) => {
    const login_hint = '<script>alert(1)</script>"\'&\u2028';
    const browser = scene.browser();
    const { login, callback } = await signIn(scene, browser, { parameters: { login_hint, state: '<b>"12345678"</b>&x=1' } });
    expect(login.oidc_context?.login_hint).toBe(login_hint);
    expect(callback.get('state')).toBe('<b>"12345678"</b>&x=1');
  });
}

/** Status and body of the answer to one act on a challenge. */
async function findRefusal(scene: Scene, purpose: FlowPurpose, act: Act, challenge: string): Promise<[number, WireError]> {
  const answer = await actOn(scene, purpose, act, challenge);
  expect(answer.headers.get('content-type')).toBe('application/json');
  return [answer.status, toJson(answer)];
}
