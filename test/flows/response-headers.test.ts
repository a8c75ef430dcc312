/** The headers of every answer fit into the buffer of a proxy (4 kB in nginx), however long the request of an app is. */
import { HttpAdapterHost } from '@nestjs/core';
import type { Express } from 'express';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PATHS } from '../../src/contract/paths.js';
import { FakeHydra } from '../../src/hydra/fake-hydra.js';
import type { UpstreamRedirect } from '../../src/hydra/hydra.port.js';
import { PASSWORD, startTestGateway, type TestGateway } from '../support/gateway.js';
import { TestBrowser, type TestPage } from '../support/test-browser.js';

/** 4 kB without the headers that servers between gateway and proxy may add. */
const MAX_BYTES = 4096 - 512;
const HINT = `${'h'.repeat(80)}.${'p'.repeat(2500)}.${'s'.repeat(683)}`;
const LONG = { id_token_hint: HINT, state: 's'.repeat(1500), ui_locales: 'de' };

/** Answers with redirects as long as real ones, which repeat the request with a verifier. */
class LongHydra extends FakeHydra {
  override acceptLogin(...given: Parameters<FakeHydra['acceptLogin']>): Promise<UpstreamRedirect> {
    return withHint(super.acceptLogin(...given));
  }
  override rejectLogin(...given: Parameters<FakeHydra['rejectLogin']>): Promise<UpstreamRedirect> {
    return withHint(super.rejectLogin(...given));
  }
  override acceptConsent(...given: Parameters<FakeHydra['acceptConsent']>): Promise<UpstreamRedirect> {
    return withHint(super.acceptConsent(...given));
  }
  override rejectConsent(...given: Parameters<FakeHydra['rejectConsent']>): Promise<UpstreamRedirect> {
    return withHint(super.rejectConsent(...given));
  }
}

async function withHint(redirect: Promise<UpstreamRedirect>): Promise<UpstreamRedirect> {
  return `${await redirect}&a="<b>"&id_token_hint=${HINT}`;
}

let gateway: TestGateway;
let hydra: LongHydra;
let count = 0;
const measured = new Map<string, number>();

/** A browser that measures every answer. */
class MeasuringBrowser extends TestBrowser {
  override async request(path: string, init: RequestInit = {}): Promise<TestPage> {
    // The browser sends these headers because a proxy in front of the gateway has the certificate.
    const cookie = [this.headers['cookie'] ?? '', ...this.cookies(path)].filter(Boolean).join('; ');
    const page = await super.request(path, { ...init, headers: { ...(init.headers as object), cookie } });
    const lines = [...page.headers].map(([name, value]) => name.length + value.length + 4);
    const bytes = lines.reduce((sum, each) => sum + each, 'HTTP/1.1 200 OK\r\n\r\n'.length);
    const route = `${init.method ?? 'GET'} ${path.split('?')[0]} ${page.status}`;
    measured.set(route, Math.max(bytes, measured.get(route) ?? 0));
    return page;
  }
}

beforeAll(async () => {
  hydra = new LongHydra();
  gateway = await startTestGateway({ hydra, config: () => ({ publicUrl: 'https://login.example.org' }) });
  await gateway.account('maria.musterfrau');
});

afterAll(() => gateway.close());

function listTooLong(): [string, number][] {
  return [...measured].filter(([, bytes]) => bytes > MAX_BYTES);
}

async function signIn(browser: TestBrowser): Promise<TestPage> {
  const challenge = `long-${(count += 1)}`;
  hydra.addLogin({ challenge, requestUrl: hydra.requestUrl(LONG) });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}&lng=de`);
  const { xsrf_token: _xsrf, login_challenge, ticket } = page.state('login').login;
  return browser.post(PATHS.loginNative, { _xsrf, login_challenge, ticket, username: 'maria.musterfrau', password: PASSWORD });
}

describe('an app with a long request', () => {
  it('is redirected by a page if the address does not fit into a header', async () => {
    const answer = await signIn(new MeasuringBrowser(gateway.url, { 'accept-language': 'de' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.location).toMatch(/login_verifier=\d+&a="<b>"&id_token_hint=h+\.p+\.s+$/);
    expect(answer.html).toContain('<html lang="de" dir="ltr">');
    expect(answer.html).toMatch(/<a href="[^"<>]+">Weiter<\/a>/);
    expect(answer.html).not.toContain('<b>');
    expect(listTooLong()).toEqual([]);
  });

  it('[S-91] gets a page that may be in a frame as a redirect may, runs no script and is not cached', async () => {
    const { headers } = await signIn(new MeasuringBrowser(gateway.url));
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('content-security-policy')).toBe("default-src 'none';base-uri 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('gets a redirect for a short address', async () => {
    const browser = new MeasuringBrowser(gateway.url);
    hydra.addLogin({
      challenge: 'short',
      skip: true,
      subject: 'nobody',
      requestUrl: hydra.requestUrl({ state: 's'.repeat(1000) }),
    });
    const answer = await browser.get(`${PATHS.login}?login_challenge=short`);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain('/oauth2/auth?');
  });

  it('[LOG-5] gets no cookie for the return link only if it does not fit', async () => {
    const hasResumeCookie = async (state: string): Promise<boolean> => {
      const challenge = `resume-${(count += 1)}`;
      hydra.addLogin({ challenge, requestUrl: hydra.requestUrl({ state }) });
      const page = await new MeasuringBrowser(gateway.url).get(`${PATHS.login}?login_challenge=${challenge}`);
      return page.setCookies.some(({ name }) => name.endsWith('-resume'));
    };
    expect([await hasResumeCookie('s'.repeat(1500)), await hasResumeCookie('s'.repeat(2500))]).toEqual([true, false]);
    expect(listTooLong()).toEqual([]);
  });

  it('deletes a few cookies with each answer if a browser has many open requests', async () => {
    const opened = Array.from(
      { length: 60 },
      (_, index) => `__Host-foyer-opened-l${'c'.repeat(6)}${String(index).padStart(10, '0')}=${index}`,
    );
    hydra.addLogin({ challenge: 'many' });
    const browser = new MeasuringBrowser(gateway.url, { cookie: opened.join('; ') });
    const page = await browser.get(`${PATHS.login}?login_challenge=many`);
    expect(page.setCookies.filter(({ name }) => name.includes('-opened-'))).toHaveLength(4);
    expect(listTooLong()).toEqual([]);
  });
});

describe('every route', () => {
  it('answers with headers that fit', async () => {
    const browser = new MeasuringBrowser(gateway.url);
    await signIn(browser);
    const { router } = gateway.get(HttpAdapterHost).httpAdapter.getInstance<Express>();
    const stack = router.stack as unknown as { route?: { path: unknown; methods: Record<string, boolean> } }[];
    const routes = stack.flatMap(({ route }) =>
      typeof route?.path === 'string'
        ? Object.keys(route.methods).map((method) => [method.toUpperCase(), route.path] as [string, string])
        : [],
    );
    expect(routes.length).toBeGreaterThan(60);
    for (const [method, pattern] of routes) {
      const path = pattern.replaceAll(/[:*]\w+/g, 'x');
      const challenge = `route-${(count += 1)}`;
      hydra.addLogin({ challenge, requestUrl: hydra.requestUrl({ ...LONG, prompt: 'none' }) });
      hydra.addConsent({ challenge, subject: 'nobody', requestUrl: hydra.requestUrl(LONG) });
      hydra.addLogout({ challenge, subject: 'nobody', rpInitiated: true, returnTo: `https://app.example/?${'r'.repeat(3000)}` });
      const named = { login_challenge: challenge, consent_challenge: challenge, logout_challenge: challenge };
      const query = new URLSearchParams({ ...named, token: 't'.repeat(43), ticket: 'x'.repeat(3000), error: 'e'.repeat(1500) });
      if (method === 'GET') await browser.get(`${path}?${query.toString()}`);
      else await browser.request(path, { method, body: method === 'POST' ? query : null });
    }
    expect(measured.size).toBeGreaterThan(60);
    expect(listTooLong()).toEqual([]);
  });
});
