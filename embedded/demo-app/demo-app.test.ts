import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { StandInIssuer, toDemoAppSettings } from '../../test/support/stand-in-issuer.js';
import type { Answer } from '../../test/support/upstream-answer.js';
import { Browser } from '../../test/support/upstream-browser.js';
import type { Site } from '../site/start-site.js';
import { startDemoApp } from './start-demo-app.js';

const REQUEST_START = 'http.server.request.start';
const LOGOUT_EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** @returns a promise that resolves as soon as servers of this process have received `count` requests for the path */
function waitForRequests(path: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let requestCount = 0;
    const countRequest = (message: unknown): void => {
      if ((message as { request: IncomingMessage }).request.url !== path || (requestCount += 1) < count) return;
      unsubscribe(REQUEST_START, countRequest);
      resolve();
    };
    subscribe(REQUEST_START, countRequest);
  });
}

describe('the demo app', () => {
  const issuer = new StandInIssuer();
  let app: Site;
  let browser: Browser;

  const startApp = (issuerUrl: string): Promise<Site> => startDemoApp(toDemoAppSettings(issuerUrl));

  beforeAll(async () => {
    await issuer.start();
    app = await startApp(issuer.url);
  });

  beforeEach(() => {
    browser = new Browser();
    issuer.tokenCalls.length = 0;
    issuer.down = false;
    issuer.beforeTokenAnswer = () => Promise.resolve();
  });

  /** Functions that stop the servers of a single test. */
  const cleanups: (() => Promise<void>)[] = [];

  const startAnotherIssuer = async (): Promise<StandInIssuer> => {
    const otherIssuer = new StandInIssuer();
    cleanups.push(() => otherIssuer.stop());
    await otherIssuer.start();
    return otherIssuer;
  };

  afterEach(async () => {
    await Promise.all(cleanups.splice(0).map((stop) => stop()));
  });

  afterAll(async () => {
    await app.close();
    await issuer.stop();
  });

  const begin = async (query = '', agent = browser): Promise<URLSearchParams> => {
    const answer = await agent.get(`${app.url}/sign-in${query}`);
    expect(answer.status).toBe(303);
    return answer.location!.searchParams;
  };

  const buildCallback = (request: URLSearchParams, claims: JWTPayload = {}): string => {
    const scope = request.get('scope') ?? '';
    const code = issuer.code({ scope, claims: { sub: 'maria-1', sid: 'session-1', nonce: request.get('nonce'), ...claims } });
    return `${app.url}/callback?${new URLSearchParams({ code, state: request.get('state') ?? '', scope }).toString()}`;
  };

  const signIn = async (agent = browser, claims: JWTPayload = {}): Promise<Answer> =>
    agent.get(buildCallback(await begin('', agent), claims));

  const fetchHome = async (agent = browser): Promise<string> => (await agent.get(app.url)).text;

  it('requests a sign-in with code flow, PKCE, state and nonce, and forwards the options of its own address', async () => {
    const plainRequest = await begin();
    expect(plainRequest.get('response_type')).toBe('code');
    expect(plainRequest.get('code_challenge_method')).toBe('S256');
    expect(plainRequest.get('code_challenge')).toHaveLength(43);
    expect(plainRequest.get('state')!.length).toBeGreaterThan(40);
    expect(plainRequest.get('nonce')!.length).toBeGreaterThan(40);
    expect(plainRequest.get('scope')).toBe('openid offline_access id');
    const request = await begin('?scope=profile+email&prompt=login&ui_locales=en&max_age=10&redirect_uri=http://evil.example');
    expect(request.get('scope')).toBe('openid offline_access id profile email');
    expect([request.get('prompt'), request.get('ui_locales'), request.get('max_age')]).toEqual(['login', 'en', '10']);
    expect(request.get('redirect_uri')).toBe('http://localhost/callback');
  });

  it('signs in, shows the claims formatted and raw, and sets a session cookie that scripts cannot read', async () => {
    const answer = await signIn(browser, { acr: 'urn:foyer:acr:pwd', amr: ['pwd'], title: '<i>' });
    expect(answer.status).toBe(303);
    expect(answer.location?.pathname).toBe('/');
    const [cookie] = answer.setCookies.filter(({ name }) => name === 'beispielportal');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/', secure: false, maxAgeSeconds: undefined });
    const page = await fetchHome();
    expect(page).toContain('Maria Musterfrau');
    expect(page).toContain('urn:foyer:acr:pwd');
    expect(page).toContain('&quot;amr&quot;');
    expect(page).toContain('&lt;i&gt;');
    expect(page).not.toContain('<i>&');
    expect(page).toContain('offline_access');
    expect(issuer.tokenCalls[0]?.get('code_verifier')!.length).toBeGreaterThan(40);
  });

  const findTries = (page: string): string[] => {
    const [list = ''] = /<section class="tries"[^]*?<\/section>/.exec(page) ?? [];
    return [...list.matchAll(/href="(\/try\/[^"]+)"/g)].map(([, path = '']) => path);
  };

  it('lists five things to try, before and after a sign-in, each with a working link', async () => {
    const fetchTargets = async (): Promise<(string | undefined)[]> => {
      const answers = findTries(await fetchHome()).map((path) => browser.get(app.url + path));
      return (await Promise.all(answers)).map(({ location }) => location?.href.replace(app.url, ''));
    };
    const password = 'http://localhost:3000/password-reset/request-form';
    expect(await fetchTargets()).toEqual([
      '/sign-in',
      '/sign-in?acr_values=urn:foyer:acr:mfa',
      '/sign-in?to=account',
      '/tv',
      password,
    ]);
    await signIn();
    expect(await fetchTargets()).toEqual(['/sign-in', '/sign-in?acr_values=urn:foyer:acr:mfa', '/account', '/tv', password]);
    expect((await browser.get(`${app.url}/try/constructor`)).status).toBe(404);
  });

  it('says where the e-mail with the link arrives only if there is a mailbox', async () => {
    expect(await fetchHome()).not.toContain('arrives here');
    const otherApp = await startDemoApp({ ...toDemoAppSettings(issuer.url), mailboxUrl: 'http://localhost:8025' });
    cleanups.push(() => otherApp.close());
    const { text } = await browser.get(otherApp.url);
    expect(text).toContain('The e-mail with the link arrives here: <a href="http://localhost:8025">');
  });

  it('redirects to the account area after a sign-in with to=account, and to the home page if "to" is another address', async () => {
    expect((await browser.get(buildCallback(await begin('?to=account')))).location?.pathname).toBe('/account');
    expect((await browser.get(buildCallback(await begin('?to=https://evil.example')))).location?.pathname).toBe('/');
  });

  it('serves English by default and the language that a person chooses, and requests the sign-in in the chosen language', async () => {
    expect(await fetchHome()).toContain('<html lang="en">');
    await browser.get(`${app.url}/language?to=de`);
    expect(await fetchHome()).toContain('Anmelden');
    expect((await begin()).get('ui_locales')).toBe('de');
    expect((await begin('?ui_locales=en')).get('ui_locales')).toBe('en');
    await browser.get(`${app.url}/language?to=fr`);
    expect(await fetchHome()).toContain('<html lang="de">');
  });

  it('[MAN-1] redirects to the account area with the access token, and answers 400 to a person who is not signed in', async () => {
    expect((await browser.get(`${app.url}/account`)).status).toBe(400);
    await signIn();
    expect(await fetchHome()).toContain('href="/account"');
    const { status, location } = await browser.get(`${app.url}/account`);
    expect(status).toBe(303);
    expect(location?.href).toBe('http://localhost:3000/manage?t=access&return_to_url=http%3A%2F%2Flocalhost%2F');
  });

  it('has the requested scopes if the token answer names none (RFC 6749, section 5.1)', async () => {
    const request = await begin('?scope=profile');
    const idToken = await issuer.sign({ sub: 'maria-1', nonce: request.get('nonce') });
    issuer.nextTokenAnswer = { status: 200, body: { access_token: 'access', token_type: 'bearer', id_token: idToken } };
    await browser.get(buildCallback(request));
    const page = await fetchHome();
    for (const scope of ['openid', 'offline_access', 'id', 'profile'])
      expect(page).toContain(`<code class="chip">${scope}</code>`);
    expect(page).toContain('href="/account"');
  });

  it('redeems a code once, however often the callback is requested', async () => {
    const callback = buildCallback(await begin());
    const answers = await Promise.all([browser.get(callback), browser.clone().get(callback)]);
    expect(answers.map(({ status, location }) => [status, location?.pathname])).toEqual([
      [303, '/'],
      [303, '/'],
    ]);
    expect((await browser.get(callback)).location?.pathname).toBe('/');
    expect(issuer.tokenCalls).toHaveLength(1);
  });

  it('explains that a sign-in was started in another browser, and does not redeem its code', async () => {
    const callback = buildCallback(await begin());
    const answer = await new Browser().get(callback);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('started in another browser');
    expect(issuer.tokenCalls).toHaveLength(0);
    expect((await browser.get(callback)).status).toBe(303);
  });

  it('answers 400 and says that the person is not signed in when a page needs a session', async () => {
    for (const answer of [await new Browser().get(`${app.url}/account`), await new Browser().post(`${app.url}/refresh`, {})]) {
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('You are not signed in');
    }
  });

  it.each([
    ['a foreign nonce', { nonce: 'other' }],
    ['another audience', { aud: 'somebody-else' }],
    ['another issuer', { iss: 'http://evil.example' }],
    ['an expiry in the past', { exp: 1 }],
  ])('refuses an ID token with %s', async (_what, claims: JWTPayload) => {
    const answer = await signIn(browser, claims);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('did not pass our checks');
    expect(await fetchHome()).toContain('Sign in');
  });

  it('refuses an ID token that another issuer has signed', async () => {
    const otherIssuer = await startAnotherIssuer();
    const request = await begin();
    const forgedToken = await otherIssuer.sign({ iss: issuer.url, sub: 'maria-1', nonce: request.get('nonce') });
    issuer.nextTokenAnswer = { status: 200, body: { access_token: 'a', token_type: 'bearer', id_token: forgedToken } };
    const answer = await browser.get(buildCallback(request));
    expect(answer.status).toBe(400);
    expect(await fetchHome()).not.toContain('Maria');
  });

  it('explains an OAuth error and escapes its texts', async () => {
    const state = (await begin()).get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', error_description: '<script>1</script>', state });
    const answer = await browser.get(`${app.url}/callback?${query.toString()}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('You did not allow access');
    expect(answer.text).toContain('&lt;script&gt;');
    const unsolicitedAnswer = await new Browser().get(`${app.url}/callback?error=__proto__&error_description=x`);
    expect(unsolicitedAnswer.text).toContain('The sign-in service refused the request.');
  });

  it('refreshes its tokens, once for two simultaneous requests, and explains a refusal', async () => {
    await signIn();
    expect((await browser.post(`${app.url}/refresh`, {})).location?.hash).toBe('#access');
    expect(await fetchHome()).toContain('refreshed');
    issuer.tokenCalls.length = 0;
    const bothRequestsReceived = waitForRequests('/refresh', 2);
    // The home page is requested after the app has received both refreshes. Once it is answered, both are waiting for the token.
    issuer.beforeTokenAnswer = async () => void (await bothRequestsReceived, await new Browser().get(app.url));
    await Promise.all([browser.post(`${app.url}/refresh`, {}), browser.post(`${app.url}/refresh`, {})]);
    expect(issuer.tokenCalls).toHaveLength(1);
    issuer.nextTokenAnswer = { status: 400, body: { error: 'invalid_grant' } };
    const refusal = await browser.post(`${app.url}/refresh`, {});
    expect(refusal.status).toBe(400);
    expect(refusal.text).toContain('<h1>The request was refused</h1>');
    expect(refusal.text).toContain('The code or the token is no longer valid');
    expect(await fetchHome()).toContain('Maria Musterfrau');
  });

  it('logs out at the issuer and ends its session only when the return has the right state', async () => {
    await signIn();
    const { location } = await browser.post(`${app.url}/sign-out`, {});
    expect(location?.pathname).toBe('/logout');
    expect(location?.searchParams.get('id_token_hint')).toMatch(/^ey/);
    expect(location?.searchParams.get('post_logout_redirect_uri')).toBe('http://localhost/signed-out');
    expect((await browser.get(`${app.url}/signed-out?state=planted`)).status).toBe(303);
    expect(await fetchHome()).toContain('Maria Musterfrau');
    const signedOutPage = await browser.get(`${app.url}/signed-out?state=${location?.searchParams.get('state') ?? ''}`);
    expect(signedOutPage.text).toContain('You are signed out');
    expect(await fetchHome()).toContain('Sign in');
    expect((await browser.get(`${app.url}/signed-out`)).text).toContain('You are signed out');
  });

  it('explains that it cannot sign a person out if the issuer has no address for it', async () => {
    const otherIssuer = await startAnotherIssuer();
    otherIssuer.hasLogout = false;
    const otherApp = await startApp(otherIssuer.url);
    cleanups.push(() => otherApp.close());
    const request = (await browser.get(`${otherApp.url}/sign-in`)).location!.searchParams;
    const code = otherIssuer.code({ scope: 'openid', claims: { sub: 'maria-1', nonce: request.get('nonce') } });
    await browser.get(`${otherApp.url}/callback?${new URLSearchParams({ code, state: request.get('state')! }).toString()}`);
    const answer = await browser.post(`${otherApp.url}/sign-out`, {});
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('did not pass our checks');
  });

  it('says why it refuses a request before it reads the request', async () => {
    const foreign = await fetch(`${app.url}/sign-out`, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect([foreign.status, await foreign.text()]).toEqual([403, expect.stringContaining('The form was sent by another site.')]);
    const large = await fetch(`${app.url}/sign-out`, { method: 'POST', body: 'x'.repeat(300_000) });
    expect([large.status, await large.text()]).toEqual([413, expect.stringContaining('The request is too large.')]);
  });

  it('ends the sessions that a logout token names, and no others', async () => {
    const otherBrowser = new Browser();
    await signIn();
    await signIn(otherBrowser, { sid: 'session-2' });
    const post = async (claims: JWTPayload): Promise<number> => {
      const token = await issuer.sign({ events: LOGOUT_EVENT, jti: 'x', ...claims });
      return (await new Browser().post(`${app.url}/backchannel-logout`, { logout_token: token })).status;
    };
    expect(await post({ sid: 'session-1', nonce: 'n' })).toBe(400);
    expect(await post({ sid: 'session-1', events: {} })).toBe(400);
    expect(await post({ sid: 'session-1', aud: 'somebody-else' })).toBe(400);
    expect(await post({ sid: 'session-1', iat: 1000 })).toBe(400);
    expect(await post({})).toBe(400);
    expect(await fetchHome()).toContain('Maria Musterfrau');
    expect(await post({ sid: 'session-1' })).toBe(200);
    expect(await fetchHome()).toContain('Sign in');
    expect(await fetchHome(otherBrowser)).toContain('Maria Musterfrau');
    expect(await post({ sub: 'maria-1' })).toBe(200);
    expect(await fetchHome(otherBrowser)).toContain('Sign in');
  });

  it('starts before its issuer is reachable, and redirects to the issuer as soon as it is', async () => {
    const lateIssuer = await startAnotherIssuer();
    lateIssuer.down = true;
    const earlyApp = await startApp(lateIssuer.url);
    cleanups.push(() => earlyApp.close());
    const answer = await browser.get(`${earlyApp.url}/sign-in`);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('is not answering');
    lateIssuer.down = false;
    expect((await browser.get(`${earlyApp.url}/sign-in`)).status).toBe(303);
  });

  it('sends the code again if the first request did not reach the issuer', async () => {
    const callback = buildCallback(await begin());
    issuer.down = true;
    expect((await browser.get(callback)).status).toBe(503);
    issuer.down = false;
    expect((await browser.get(callback)).status).toBe(303);
    expect(await fetchHome()).toContain('Maria Musterfrau');
  });

  it('allows no script except for the television, no framing, and no form targets besides itself, the issuer and the gateway', async () => {
    const policy = (await browser.get(app.url)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(policy).toContain(`form-action 'self' ${issuer.url} http://localhost:3000;`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect((await browser.get(`${app.url}/portal.css`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });
});
