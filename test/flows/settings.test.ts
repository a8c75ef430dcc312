/** The effects of single settings on the gateway, each with a separate gateway. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config/load-config.js';
import { PATHS } from '../../src/contract/paths.js';
import { startTestGateway } from '../support/gateway.js';

describe('the login address', () => {
  it('[GEN-10] is the host of the public URL, or the value of the setting', async () => {
    const address = async (change: object): Promise<string> => {
      const gateway = await startTestGateway({ config: ({ app }) => ({ app: { ...app, ...change } }) });
      const page = await gateway.browser().get(PATHS.logoutCallback);
      await gateway.close();
      return page.state('logout').app.login_address;
    };
    expect(await address({})).toBe('localhost:3000');
    expect(await address({ loginAddress: 'login.example.org' })).toBe('login.example.org');
    const { config } = loadConfig({ PUBLIC_URL: 'http://localhost:8080', LOGIN_ADDRESS: 'login.example.org' });
    expect(config.app.loginAddress).toBe('login.example.org');
    expect(loadConfig({ PUBLIC_URL: 'http://localhost:8080' }).config.app.loginAddress).toBe('localhost:8080');
  });
});

describe('the root address', () => {
  it('leads to the start of a sign-in, or explains that there is no page', async () => {
    const usual = await startTestGateway();
    const leads = await usual.browser().get('/');
    await usual.close();
    const other = await startTestGateway({
      config: ({ app }) => {
        const { homeUrl, ...rest } = app;
        expect(homeUrl).toBe('http://localhost:5555/');
        return { app: rest };
      },
    });
    const answer = await other.browser().get('/');
    await other.close();
    expect(answer.status).toBe(404);
    expect(leads.location).toBe('http://localhost:5555/');
  });
});

describe('language detection by the browser alone', () => {
  it('reads only Accept-Language, stores nothing and links no language', async () => {
    const other = await startTestGateway({ config: ({ language }) => ({ language: { ...language, detection: 'browser' } }) });
    other.hydra.addLogin({ challenge: 'login', uiLocales: ['de'] });
    const browser = other.browser({ 'accept-language': 'en', cookie: 'i18next=de' });
    const page = await browser.get(`${PATHS.login}?login_challenge=login&lng=de`);
    await other.close();
    expect(page.state('login').locale).toBe('en');
    expect(page.state('login').app.language_links).toBeUndefined();
    expect(page.setCookies.map(({ name }) => name)).not.toContain('i18next');
  });
});

describe('slow clients', () => {
  it('are disconnected at the limits, not at a later check', async () => {
    const slow = await startTestGateway({
      config: ({ http }) => ({ http: { ...http, headersTimeoutMs: 300, requestTimeoutMs: 600 } }),
    });
    // The limits are the same, and checks are twice as frequent as the default of Node.
    const later = createServer({ headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 15_000 });
    await new Promise<void>((resolve) => later.listen(0, '127.0.0.1', resolve));
    const laterUrl = `http://127.0.0.1:${(later.address() as AddressInfo).port}`;
    const first = await Promise.race([laterUrl, slow.url].map(async (url) => (await waitForCut(url), url)));
    later.closeAllConnections();
    later.close();
    await slow.close();
    expect(first).toBe(slow.url);
  });

  async function waitForCut(url: string): Promise<void> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
      socket.write('GET /login HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    );
    socket.on('data', () => undefined).on('error', () => undefined);
    await new Promise((resolve) => socket.once('close', resolve));
  }

  it('do not include a proxy, which closes idle connections before the gateway does', async () => {
    const gateway = await startTestGateway();
    const { headers } = await fetch(`${gateway.url}/health/alive`);
    await gateway.close();
    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
  });
});
