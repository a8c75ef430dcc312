import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { isCall } from '../../src/gateway/http/calls.js';
import { UpstreamUnavailable } from '../../src/hydra/hydra.errors.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import type { Fields, TestBrowser } from '../support/test-browser.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({
    config: ({ app }) => ({
      app: {
        ...app,
        name: 'Haus & Hof',
        footer: [
          { id: 'imprint', urls: { de: 'https://example.org/impressum', en: 'https://example.org/imprint' } },
          { id: 'sfdr', urls: { de: 'https://example.org/sfdr' } },
        ],
      },
    }),
  });
  const { id: subject } = await gateway.account('maria.musterfrau');
  gateway.hydra.addLogin({ challenge: 'login' });
  gateway.hydra.addConsent({ challenge: 'consent', subject });
  gateway.hydra.addLogout({ challenge: 'logout', subject });
});

afterAll(() => gateway.close());
afterEach(() => gateway.hydra.fail(null));

const FORMS: [string, Fields][] = [
  [PATHS.loginNative, { login_challenge: 'login', username: 'maria.musterfrau', password: PASSWORD }],
  [PATHS.loginProceed, { login_challenge: 'login', user: 'x' }],
  [PATHS.consentAccept, { consent_challenge: 'consent', scopes: 'openid' }],
  [PATHS.consentReject, { consent_challenge: 'consent' }],
  [PATHS.logoutAccept, { logout_challenge: 'logout' }],
  [PATHS.logoutReject, { logout_challenge: 'logout' }],
];

let count = 0;

/** A challenge that no other test uses. */
function freshLogin(): string {
  const challenge = `fresh-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge });
  return challenge;
}

async function toXsrf(browser: TestBrowser): Promise<string> {
  return (await browser.get(`${PATHS.login}?login_challenge=login`)).state('login').login.xsrf_token;
}

describe('anti-forgery', () => {
  it.each(FORMS)('%s refuses every foreign form without a call to the upstream', async (path, fields) => {
    const browser = gateway.browser();
    const own = await toXsrf(browser);
    const foreign = await toXsrf(gateway.browser());
    const calls = gateway.hydra.calls.length;
    const attempts = await Promise.all([
      browser.post(path, fields),
      browser.post(path, { ...fields, _xsrf: '' }),
      browser.post(path, { ...fields, _xsrf: foreign }),
      browser.post(path, { ...fields, _xsrf: [own, own] }),
      browser.post(path, { ...fields, '_xsrf[]': own }),
      browser.post(`${path}?_xsrf=${own}`, fields),
      gateway.browser().post(path, { ...fields, _xsrf: own }),
      browser.post(path, { ...fields, _xsrf: own }, { 'sec-fetch-site': 'cross-site' }),
      browser.post(path, { ...fields, _xsrf: own }, { 'sec-fetch-site': 'same-site' }),
      browser.post(path, { ...fields, _xsrf: own }, { origin: 'https://evil.example' }),
    ]);
    expect(attempts.map(({ status }) => status)).toEqual(attempts.map(() => 403));
    expect(gateway.hydra.calls).toHaveLength(calls);
  });

  it('refuses with a page that leads back into the request', async () => {
    const browser = gateway.browser();
    gateway.hydra.addLogin({ challenge: 'leads-back' });
    const page = await browser.get(`${PATHS.login}?login_challenge=leads-back`);
    const { ticket } = page.state('login').login;
    const answer = await browser.post(PATHS.loginNative, { login_challenge: 'leads-back', ticket });
    expect(answer.state('server_error').server_error).toMatchObject({
      code: 'forbidden',
      restart_url: gateway.hydra.requestUrl(),
    });
  });

  it('masks the value differently on each page, because pages are compressed', async () => {
    const browser = gateway.browser();
    expect(await toXsrf(browser)).not.toBe(await toXsrf(browser));
  });
});

describe('methods and paths', () => {
  it('an address that begins with two slashes redirects to no other host', async () => {
    const answer = await fetch(`${gateway.url}//evil.example?x=1`, { redirect: 'manual', headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/(href|action)="\/\//);
  });

  it('the address of every form shows a page, because "Try again" and the language links of its error page open it', () => {
    const { router } = gateway.get(HttpAdapterHost).httpAdapter.getInstance<Express>();
    const stack = router.stack as unknown as { route?: { path: string; methods: Record<string, boolean> } }[];
    const listPaths = (method: string) => stack.flatMap(({ route }) => (route?.methods[method] ? [route.path] : []));
    const pagePaths = listPaths('get');
    expect(pagePaths).toContain(PATHS.consentAccept);
    expect(listPaths('post').filter((path) => !isCall(path) && !pagePaths.includes(path))).toEqual([]);
  });

  it('[GEN-4] [ERR-1] an unknown path is a 404 page with the code page_not_found', async () => {
    const strange = ['/login/', '/LOGIN', '/login/x', '/assets/none.js', '/.git/config', '/%00', '/%E0%A4%A', '/__proto__'];
    for (const path of strange) expect((await gateway.browser().get(path)).status).toBe(404);
    const page = await gateway.browser({ 'accept-language': 'en' }).get('/nowhere');
    expect(page.status).toBe(404);
    expect(page.state('server_error').server_error).toMatchObject({ status: 404, code: 'page_not_found' });
    expect(page.html).toContain('The page was not found');
  });

  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    '%s on the address of a form decides nothing',
    async (method) => {
      const calls = gateway.hydra.calls.length;
      for (const [path] of FORMS) {
        if (method === 'GET' || method === 'TRACE') continue;
        const answer = await gateway.browser().request(path, { method });
        expect(answer.status).toBe(405);
        expect(answer.headers.get('allow')).toContain('POST');
      }
      const answer = await gateway
        .browser()
        .request(`${PATHS.loginNative}?username=maria.musterfrau&password=${encodeURIComponent(PASSWORD)}&_method=POST`);
      expect(answer.status).toBe(400);
      expect(gateway.hydra.calls).toHaveLength(calls);
    },
  );
});

describe('hostile input', () => {
  it.each([
    ['an array', { username: ['maria.musterfrau', 'admin'] }, 400],
    ['a nested name', { 'username[a]': 'x', 'username[__proto__][x]': '1' }, 422],
    ['100 kB', { username: 'x'.repeat(100_000) }, 413],
    ['a long name', { username: 'x'.repeat(2000) }, 400],
    ['NUL', { username: 'a\0b' }, 400],
    ['control characters', { username: 'a\u0007\u202eb' }, 422],
    ['a lone surrogate and zero width', { username: '\u200b\ufeff' }, 422],
    ['SQL', { username: "' OR 1=1--" }, 422],
    ['a huge password', { username: 'maria.musterfrau', password: 'p'.repeat(5000) }, 400],
  ])('%s in a field of the login form', async (_what, fields, status) => {
    const browser = gateway.browser();
    const answer = await browser.post(PATHS.loginNative, {
      _xsrf: await toXsrf(browser),
      login_challenge: freshLogin(),
      password: 'x',
      ...fields,
    });
    expect(answer.status).toBe(status);
    expect(answer.html).not.toMatch(/at .*\.(ts|js):\d+/);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    ['application/json', '{"login_challenge":"login"}', 415],
    ['text/plain', '_xsrf=x', 415],
    ['application/x-www-form-urlencoded; charset=utf-16', '_xsrf=x', 415],
  ])('a body of type %s', async (type, body, status) => {
    const answer = await gateway
      .browser()
      .request(PATHS.loginNative, { method: 'POST', body, headers: { 'content-type': type } });
    expect(answer.status).toBe(status);
  });

  it('a form with more fields than any form of the product', async () => {
    const body = Array.from({ length: 1000 }, (_, index) => `f${index}=1`).join('&');
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await gateway.browser().request(PATHS.loginNative, { method: 'POST', body, headers })).status).toBe(413);
  });

  it('[ERR-5] [S-95b] shows the parameters of /error as text, shortened and cleaned', async () => {
    const query = new URLSearchParams({
      error: '<script>alert(1)</script>\r\n\u202e',
      error_description: `"><img src=x>${'x'.repeat(8000)}`,
    });
    const page = await gateway.browser().get(`${PATHS.error}?${query.toString()}`);
    const { oauth_error } = page.state('oauth_error');
    expect(page.status).toBe(400);
    expect(oauth_error.error).toBe('<script>alert(1)</script>');
    expect(oauth_error.error_description.length).toBeLessThanOrEqual(1000);
    expect(page.html).not.toContain('<script>alert');
    expect(page.html).not.toContain('<img src=x');
    const twice = await gateway.browser().get(`${PATHS.error}?error=a&error=b`);
    expect(twice.state('oauth_error').oauth_error.error).toBe('');
  });

  it('[ERR-5] cuts the parameters of /error before a character that does not fit as a whole', async () => {
    const query = new URLSearchParams({ error: 'invalid_request', error_description: `${'x'.repeat(999)}😀` });
    const page = await gateway.browser().get(`${PATHS.error}?${query.toString()}`);
    expect(page.state('oauth_error').oauth_error.error_description).toBe('x'.repeat(999));
  });

  it('[ERR-5] does not report a request object that Hydra refuses as a failed logout', async () => {
    const query = new URLSearchParams({
      error: 'invalid_request',
      error_description:
        "OpenID Connect 'request' or 'request_uri' context was given, but the OAuth 2.0 Client does not have any JSON Web Keys registered.",
    });
    const page = await gateway.browser().get(`${PATHS.error}?${query.toString()}`);
    expect(page.state('oauth_error').oauth_error).not.toHaveProperty('logout_url');
  });
});

describe('every answer', () => {
  it('has the content policy without exceptions, and is not cached', async () => {
    const browser = gateway.browser();
    const answers = [
      await browser.get(`${PATHS.login}?login_challenge=${freshLogin()}`),
      await browser.get('/nowhere'),
      await browser.post(PATHS.loginNative, {}),
      await browser.get(SERVER_PATHS.healthLive),
    ];
    for (const { headers } of answers) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toMatch(/unsafe|form-action/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('content-type')).toMatch(/charset=utf-8/);
    }
  });

  it('[GEN-5] [GEN-7] has a footer in its language, with the name of the product', async () => {
    const english = await gateway.browser({ 'accept-language': 'en' }).get(`${PATHS.login}?login_challenge=${freshLogin()}`);
    expect(english.state('login').app).toMatchObject({
      name: 'Haus & Hof',
      footer_links: [
        { id: 'imprint', url: 'https://example.org/imprint', german_only: false },
        { id: 'sfdr', url: 'https://example.org/sfdr', german_only: true },
      ],
    });
    expect(english.html).toMatch(/href="https:\/\/example.org\/sfdr"[^>]*hreflang="de"/i);
    expect(english.html).toContain('(German)');
    expect(english.html).toMatch(/<title>[^<]*Haus &amp; Hof<\/title>/);
    const german = await gateway.browser({ 'accept-language': 'de' }).get(`${PATHS.login}?login_challenge=${freshLogin()}`);
    expect(german.html).toContain('https://example.org/impressum');
    expect(german.html).not.toContain('(German)');
  });

  it('names its language and links itself in each other language', async () => {
    const page = await gateway.browser({ 'accept-language': 'de' }).get(`${PATHS.login}?login_challenge=${freshLogin()}`);
    expect(page.html).toMatch(/^<!doctype html><html lang="de"/);
    expect(page.state('login').app.language_links?.map(({ url }) => url)).toEqual([
      `/login?login_challenge=fresh-${count}&lng=de`,
      `/login?login_challenge=fresh-${count}&lng=en`,
    ]);
  });

  it('is compressed if the browser supports it', async () => {
    for (const encoding of ['br', 'gzip']) {
      const page = await gateway.browser().get(`${PATHS.login}?login_challenge=${freshLogin()}`, { 'accept-encoding': encoding });
      expect(page.headers.get('content-encoding')).toBe(encoding);
      expect(page.state('login').login.error).toBeNull();
    }
  });
});

describe('when the upstream fails', () => {
  it('[ERR-6] answers 503 with a request id and no details', async () => {
    gateway.hydra.fail(new UpstreamUnavailable('secret detail'));
    for (const path of [
      `${PATHS.login}?login_challenge=login`,
      `${PATHS.consent}?consent_challenge=consent`,
      `${PATHS.logout}?logout_challenge=logout`,
    ]) {
      const page = await gateway.browser().get(path);
      expect(page.status).toBe(503);
      expect(page.headers.get('retry-after')).not.toBeNull();
      expect(page.state('server_error').server_error).toMatchObject({
        code: 'unavailable',
        request_id: page.headers.get('x-request-id'),
      });
      expect(page.html).not.toContain('secret detail');
    }
  });

  it('[ERR-6] [GEN-3] answers an unexpected failure with a page of status 500, or JSON for JSON clients; the log has the reason', async () => {
    gateway.hydra.fail(new Error('secret detail'));
    const page = await gateway.browser({ 'accept-language': 'en' }).get(`${PATHS.login}?login_challenge=login`);
    expect(page.status).toBe(500);
    expect(page.html).toContain('500 Internal Server Error');
    expect(page.html).not.toContain('secret detail');
    const json = await gateway.browser().get(`${PATHS.login}?login_challenge=login`, { accept: 'application/json' });
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.parse(json.html)).toEqual({ error: 'internal', request_id: json.headers.get('x-request-id') });
    const line = gateway.logLines.find(({ requestId }) => requestId === page.headers.get('x-request-id'));
    expect(line).toBeDefined();
  });

  it('[INS-4] stays live, and ready too once Hydra has answered: a reset works without Hydra', async () => {
    const browser = gateway.browser();
    expect((await browser.get(SERVER_PATHS.healthReady)).status).toBe(200);
    gateway.hydra.fail();
    expect((await browser.get(SERVER_PATHS.healthLive)).status).toBe(200);
    const down = await browser.get(SERVER_PATHS.healthReady);
    expect(down.status).toBe(200);
    expect(JSON.parse(down.html)).toEqual({ status: 'degraded', database: 'ok', clock: 'ok', upstream: 'unavailable' });
    expect((await browser.get(PATHS.passwordRequestForm)).status).toBe(200);
    gateway.hydra.fail(null);
    expect(JSON.parse((await browser.get(SERVER_PATHS.healthReady)).html)).toMatchObject({ status: 'ok', upstream: 'ok' });
  });

  it('[INS-4] is not ready before Hydra has answered once, and recovers by itself', async () => {
    const begun = await startTestGateway();
    begun.hydra.fail();
    const browser = begun.browser();
    const before = await browser.get(SERVER_PATHS.healthReady);
    expect(before.status).toBe(503);
    expect(JSON.parse(before.html)).toEqual({ status: 'unavailable', database: 'ok', clock: 'ok', upstream: 'unavailable' });
    begun.hydra.fail(null);
    expect((await browser.get(SERVER_PATHS.healthReady)).status).toBe(200);
    // A proxy probes every second, so only a refusal has a meaning.
    const logged = begun.logLines.filter(
      ({ path, level }) => level === pino.levels.values['info'] && String(path).startsWith('/health/'),
    );
    expect(logged.map(({ status }) => status)).toEqual([503]);
    await begun.close();
  });

  it('keeps the challenge of a right password open for another attempt', async () => {
    gateway.hydra.addLogin({ challenge: 'patient' });
    const browser = gateway.browser();
    const page = await browser.get(`${PATHS.login}?login_challenge=patient`);
    const fields = {
      _xsrf: page.state('login').login.xsrf_token,
      login_challenge: 'patient',
      username: 'maria.musterfrau',
      password: PASSWORD,
    };
    gateway.hydra.fail();
    const ticket = page.state('login').login.ticket;
    const down = await browser.post(PATHS.loginNative, { ...fields, ticket });
    expect(down.status).toBe(503);
    expect(down.state('server_error').server_error.restart_url).toBe(gateway.hydra.requestUrl());
    gateway.hydra.fail(null);
    expect((await browser.post(PATHS.loginNative, fields)).status).toBe(303);
  });
});

describe('logs', () => {
  it('contain no password, challenge, cookie, ticket or anti-forgery value', async () => {
    gateway.hydra.addLogin({ challenge: 'challenge-that-is-secret' });
    const browser = gateway.browser();
    const page = await browser.get(`${PATHS.login}?login_challenge=challenge-that-is-secret`);
    const { xsrf_token, ticket } = page.state('login').login;
    const fields = { _xsrf: xsrf_token, ticket, login_challenge: 'challenge-that-is-secret', username: 'maria.musterfrau' };
    await browser.post(PATHS.loginNative, { ...fields, password: 'wrong but secret' });
    const answer = await browser.post(PATHS.loginNative, { ...fields, password: PASSWORD });
    const text = JSON.stringify(gateway.logLines);
    const cookie = answer.setCookies.find(({ name }) => name === 'foyer')?.value ?? '';
    for (const secret of [
      'challenge-that-is-secret',
      'wrong but secret',
      PASSWORD,
      xsrf_token,
      ticket,
      cookie,
      'login_verifier',
    ]) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('"path":"/login/native"');
  });

  it('hold no piece of an invalid address, nor of a body that cannot be read [S-95] [S-41b]', async () => {
    const browser = gateway.browser();
    expect((await browser.get(`${PATHS.manage}/?t=token-of-a-mistyped-address`)).status).toBe(404);
    const body = '{"code": secret-of-a-damaged-body}';
    const headers = { 'content-type': 'application/json' };
    const damaged = await fetch(`${gateway.url}${SERVER_PATHS.mfaVerifyTotp}`, { method: 'POST', headers, body });
    expect(damaged.status).toBe(400);
    const text = JSON.stringify(gateway.logLines);
    expect(text).not.toContain('token-of-a-mistyped-address');
    expect(text).not.toContain('secret-of');
    expect(text).toContain('"reason":"BadRequestException"');
  });
});

describe('the way back to the app', () => {
  let returns = 0;

  it.each([
    ['http://localhost:5555/start', 'http://localhost:5555/start'],
    ['https://evil.example', 'http://localhost:5555/'],
    ['//evil.example', 'http://localhost:5555/'],
    ['http://localhost:5555@evil.example/', 'http://localhost:5555/'],
    ['http://localhost:5555.evil.example/', 'http://localhost:5555/'],
    ['javascript:alert(1)', 'http://localhost:5555/'],
    ['http://localhost', 'http://localhost:5555/'],
  ])('[GEN-6] %s is linked as %s', async (wanted, linked) => {
    const challenge = `return-${(returns += 1)}`;
    gateway.hydra.addLogin({ challenge, requestUrl: gateway.hydra.requestUrl({ return_to_url: wanted }) });
    const page = await gateway.browser().get(`${PATHS.login}?login_challenge=${challenge}`);
    expect(page.state('login').app).toMatchObject({ return_to_url: linked, return_to_name: 'Beispielportal' });
    expect(page.html).toContain(`href="${linked}"`);
  });

  it('[GEN-6] is not linked without an address that the client has registered', async () => {
    const client = gateway.hydra.client({ clientUri: 'https://elsewhere.example/' });
    gateway.hydra.addLogin({ challenge: 'no-return', client });
    const page = await gateway.browser().get(`${PATHS.login}?login_challenge=no-return`);
    expect(page.state('login').app.return_to_url).toBeUndefined();
  });
});
