/** Passkeys on pages of related origins: a real Chromium loads the file of the relying party over https, and accepts it. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext } from 'playwright-core';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { launchChromium } from '../support/chromium.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

const OPENSSL = '/usr/bin/openssl';
const LOGIN = 'login.ok.example';
const SHOP = 'https://shop.example';
const STRANGER = 'https://stranger.example';
const TIMEOUT_MS = 180_000;

const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

if (!existsSync(OPENSSL)) process.stderr.write('SKIPPED: passkeys on related origins: no openssl\n');

(existsSync(OPENSSL) ? describe : describe.skip)('passkeys on related origins', () => {
  let gateway: TestGateway;
  let front: Server;
  let chromium: Browser;
  let context: BrowserContext;
  /** Headers of the requests of the browser for the file. */
  const asked: IncomingHttpHeaders[] = [];

  /** The gateway at the host of the relying party; elsewhere an empty page. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.host !== LOGIN) return void response.setHeader('content-type', 'text/html').end('<title>Shop</title>');
    asked.push(request.headers);
    void fetch(new URL(request.url ?? '/', gateway.url)).then(async (page) => {
      response.writeHead(page.status, Object.fromEntries(page.headers)).end(await page.text());
    });
  }

  beforeAll(async () => {
    gateway = await startTestGateway({
      config: ({ passkeys }) => ({
        publicUrl: `https://${LOGIN}`,
        passkeys: { ...passkeys, rpId: LOGIN, origins: [SHOP] },
      }),
    });
    const folder = await mkdtemp(join(tmpdir(), 'related-origins-'));
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem'];
    const names = `subjectAltName=${[LOGIN, SHOP, STRANGER].map((name) => `DNS:${name.replace('https://', '')}`).join(',')}`;
    const request = ['req', '-x509', ...key, '-out', 'certificate.pem', '-days', '2', '-subj', '/CN=tests', '-addext', names];
    execFileSync(OPENSSL, request, { cwd: folder, stdio: 'ignore' });
    const [cert, privateKey] = await Promise.all(['certificate.pem', 'key.pem'].map((file) => readFile(join(folder, file))));
    await rm(folder, { recursive: true });
    front = createServer({ cert, key: privateKey }, answer);
    await new Promise<void>((resolve) => void front.listen(0, '127.0.0.1', resolve));
    const { port } = front.address() as AddressInfo;
    chromium = await launchChromium([`--host-resolver-rules=MAP * 127.0.0.1:${port}`, '--ignore-certificate-errors']);
    context = await chromium.newContext();
    await context.addCookies([{ name: 'secret', value: 'of the login page', url: `https://${LOGIN}/` }]);
  }, TIMEOUT_MS);

  afterAll(async () => {
    await chromium.close();
    front.closeAllConnections();
    front.close();
    await gateway.close();
  }, TIMEOUT_MS);

  /** @returns `made`, or the name of the error of the browser */
  async function makePasskey(origin: string): Promise<string> {
    const page = await context.newPage();
    await page.goto(origin);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR });
    return page.evaluate<string>(`navigator.credentials.create({ publicKey: {
      rp: { id: '${LOGIN}', name: 'Foyer' },
      user: { id: new Uint8Array(8), name: 'maria', displayName: 'Maria' },
      challenge: new Uint8Array(32),
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    } }).then(() => 'made', (error) => error.name)`);
  }

  it('can be created on a page that the file names, which is requested without cookies', async () => {
    expect(await makePasskey(SHOP)).toBe('made');
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toHaveProperty('cookie');
    expect(asked[0]).not.toHaveProperty('referer');
  });

  it('cannot be created on any other page', async () => {
    expect(await makePasskey(STRANGER)).toBe('SecurityError');
  });

  it('have a file that other sites may load', async () => {
    const { headers } = await fetch(new URL(SERVER_PATHS.relatedOrigins, gateway.url));
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  });
});
