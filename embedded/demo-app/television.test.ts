import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { toString } from 'qrcode';
import { StandInIssuer, toDemoAppSettings } from '../../test/support/stand-in-issuer.js';
import { Browser } from '../../test/support/upstream-browser.js';
import type { Site } from '../site/start-site.js';
import { startDemoApp } from './start-demo-app.js';

const INTERVAL_MS = 5000;

const renderQrCode = ({ url }: StandInIssuer): Promise<string> =>
  toString(`${url}/oauth2/device/verify?user_code=abcdEFGH`, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 });

describe('the television of the demo app', () => {
  const issuer = new StandInIssuer();
  let app: Site;
  let browser: Browser;
  let nowMs = 0;

  const startApp = (issuerUrl: string): Promise<Site> => startDemoApp({ ...toDemoAppSettings(issuerUrl), nowMs: () => nowMs });

  beforeAll(async () => {
    await issuer.start();
    app = await startApp(issuer.url);
  });

  beforeEach(() => {
    browser = new Browser();
    issuer.tokenCalls.length = 0;
    issuer.revokedTokens.length = 0;
    issuer.down = false;
  });

  const cleanups: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await Promise.all(cleanups.splice(0).map((stop) => stop()));
  });

  afterAll(async () => {
    await app.close();
    await issuer.stop();
  });

  const fetchScreen = async (): Promise<string> => (await browser.get(`${app.url}/tv`)).text;

  const start = async (): Promise<void> => {
    const answer = await browser.post(`${app.url}/tv/code`, {});
    expect([answer.status, answer.location?.pathname]).toEqual([303, '/tv']);
  };

  const allow = (claims: JWTPayload = {}): void => {
    issuer.allowDevice({ scope: 'openid profile', claims: { aud: 'television', sub: 'maria-1', name: 'Maria <i>', ...claims } });
    nowMs += INTERVAL_MS;
  };

  it('[DEV-2] starts on request, sets its own cookie, and shows the address, the code and the QR code', async () => {
    expect(await fetchScreen()).toContain('action="/tv/code"');
    const answer = await browser.post(`${app.url}/tv/code`, {});
    const [cookie] = answer.setCookies;
    expect(cookie).toMatchObject({ name: 'beispielportal-tv', httpOnly: true, sameSite: 'Lax', path: '/', secure: false });
    const page = await fetchScreen();
    expect(page).toContain(`href="${issuer.url}/oauth2/device/verify"`);
    expect(page).toContain('<span>abcd</span><span>EFGH</span>');
    const [, modules] = /<path stroke="#000000" d="([^"]+)"/.exec(await renderQrCode(issuer)) ?? [];
    expect(page).toContain(modules);
    expect(page).toContain('another 10 minutes');
    expect(page).not.toContain(cookie?.value);
    expect(page).not.toMatch(/device-\d/);
    expect((await new Browser().get(`${app.url}/tv`)).text).not.toContain('EFGH');
  });

  it('[DEV-2] polls the token endpoint after the interval, as a public client, and shows who is signed in', async () => {
    await start();
    await fetchScreen();
    expect(issuer.tokenCalls).toHaveLength(0);
    nowMs += INTERVAL_MS;
    expect(await fetchScreen()).toContain('EFGH');
    allow();
    expect(await fetchScreen()).toContain('Hello, Maria &lt;i&gt;');
    expect(issuer.tokenCalls).toHaveLength(2);
    expect(issuer.tokenCalls[1]?.get('client_id')).toBe('television');
    expect(issuer.tokenCalls[1]?.has('client_secret')).toBe(false);
    expect((await browser.post(`${app.url}/tv/code`, {})).status).toBe(303);
    expect(await fetchScreen()).toContain('Hello, Maria');
  });

  it('revokes its token at sign-out, and stays signed in while the issuer does not answer', async () => {
    await start();
    allow();
    await fetchScreen();
    issuer.down = true;
    const answer = await browser.post(`${app.url}/tv/sign-out`, {});
    expect([answer.status, await fetchScreen()]).toEqual([503, expect.stringContaining('Hello, Maria')]);
    issuer.down = false;
    await browser.post(`${app.url}/tv/sign-out`, {});
    expect(issuer.revokedTokens).toEqual(['access']);
    expect(await fetchScreen()).not.toContain('Maria');
  });

  it.each([
    ['another audience', { aud: 'portal' }],
    ['another issuer', { iss: 'http://evil.example' }],
    ['an expiry in the past', { exp: 1 }],
  ])('refuses an ID token with %s', async (_what, claims: JWTPayload) => {
    await start();
    allow(claims);
    const page = await fetchScreen();
    expect(page).toContain('You could not be signed in');
    expect(page).not.toContain('Maria');
  });

  it('refuses an ID token that another issuer has signed', async () => {
    const otherIssuer = new StandInIssuer();
    cleanups.push(() => otherIssuer.stop());
    await otherIssuer.start();
    const forgedToken = await otherIssuer.sign({ iss: issuer.url, aud: 'television', sub: 'maria-1', name: 'Maria' });
    await start();
    issuer.nextTokenAnswer = { status: 200, body: { access_token: 'a', token_type: 'bearer', id_token: forgedToken } };
    nowMs += INTERVAL_MS;
    expect(await fetchScreen()).toContain('You could not be signed in');
  });

  it('[DEV-4] says that access was denied, and offers a new code', async () => {
    await start();
    issuer.nextTokenAnswer = { status: 400, body: { error: 'access_denied' } };
    nowMs += INTERVAL_MS;
    const page = await fetchScreen();
    expect(page).toContain('Access was denied');
    expect(page).toContain('New code');
    await start();
    expect(await fetchScreen()).toContain('EFGH');
  });

  it('[DEV-7] says that the code has expired, and offers a new code', async () => {
    await start();
    nowMs += 600_000;
    const page = await fetchScreen();
    expect(page).toContain('The code has expired');
    expect(page).toContain('New code');
  });

  it('keeps waiting through an outage in which a proxy answers 502', async () => {
    await start();
    issuer.nextTokenAnswer = { status: 502, body: 'Bad gateway' };
    nowMs += INTERVAL_MS;
    expect(await fetchScreen()).toContain('EFGH');
    allow();
    nowMs += INTERVAL_MS;
    expect(await fetchScreen()).toContain('Hello, Maria');
  });

  it('names the first version of Hydra that can sign in devices, and detects a newer Hydra without a restart', async () => {
    const oldIssuer = new StandInIssuer();
    oldIssuer.hasDevices = false;
    await oldIssuer.start();
    const otherApp = await startApp(oldIssuer.url);
    cleanups.push(
      () => oldIssuer.stop(),
      () => otherApp.close(),
    );
    const answer = await browser.post(`${otherApp.url}/tv/code`, {});
    expect(answer.status).toBe(501);
    expect(answer.text).toContain('This version of Hydra cannot sign in devices; version 25.4 and later can.');
    oldIssuer.hasDevices = true;
    expect((await browser.post(`${otherApp.url}/tv/code`, {})).status).toBe(303);
  });

  it('says that the issuer does not answer, and keeps the current code', async () => {
    await start();
    issuer.down = true;
    const answer = await browser.post(`${app.url}/tv/code`, {});
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('is not answering');
    expect(await fetchScreen()).toContain('EFGH');
  });

  it('[GEN-9] reloads itself without script, and otherwise runs only its own script', async () => {
    await start();
    const { text, headers } = await browser.get(`${app.url}/tv`);
    expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="5" \/><\/noscript>/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const script = await browser.get(`${app.url}/television.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('returns to the television after a change of the language, and redirects to no other site', async () => {
    const { location } = await browser.get(`${app.url}/language?to=de&back=/tv`);
    expect(location?.pathname).toBe('/tv');
    expect(await fetchScreen()).toContain('Ihre Verträge auf dem großen Bildschirm');
    expect((await browser.get(`${app.url}/language?to=de&back=//evil.example`)).location?.href).toBe(`${app.url}/`);
  });
});
