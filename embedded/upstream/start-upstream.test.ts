import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OAuthClient } from '../../test/support/oauth-client.js';
import { AdminApi } from '../../test/support/upstream-admin.js';
import { exchange, type Answer } from '../../test/support/upstream-answer.js';
import { Browser } from '../../test/support/upstream-browser.js';
import { PortUnavailable, startUpstream, type Upstream, type UpstreamEvent, type UpstreamOptions } from './start-upstream.js';

const PAGES = 'http://localhost:9';
const urls = {
  login: `${PAGES}/login`,
  consent: `${PAGES}/consent`,
  logout: `${PAGES}/logout`,
  error: `${PAGES}/error`,
  postLogoutRedirect: `${PAGES}/bye`,
};
const APP = { clientId: 'app', clientSecret: 'secretsecret', redirectUri: `${PAGES}/callback` };

let events: UpstreamEvent[];
let upstreams: Upstream[];

beforeEach(() => {
  events = [];
  upstreams = [];
});

afterEach(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
});

async function start(more: Partial<UpstreamOptions> = {}): Promise<Upstream> {
  const upstream = await startUpstream({
    ...{ host: '127.0.0.1', publicPort: 0, adminPort: 0, urls, dataDir: null, secret: 'a-secret-for-this-test' },
    onEvent: (event) => events.push(event),
    ...more,
  });
  upstreams.push(upstream);
  return upstream;
}

/** A person who signs in to one client of an upstream with one browser. The class accepts the requests in place of a gateway. */
class UpstreamUser {
  readonly admin: AdminApi;
  readonly app: OAuthClient;
  readonly browser = new Browser();

  constructor(private readonly upstream: Upstream) {
    this.admin = new AdminApi(upstream.adminUrl);
    this.app = new OAuthClient(upstream.publicUrl, APP);
  }

  static async begin(upstream: Upstream): Promise<UpstreamUser> {
    const user = new UpstreamUser(upstream);
    await user.admin.createClient({
      client_id: APP.clientId,
      client_secret: APP.clientSecret,
      redirect_uris: [APP.redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'openid offline',
    });
    return user;
  }

  /** @returns the user with the same browser, at the upstream after its restart */
  moveTo(upstream: Upstream): UpstreamUser {
    return Object.assign(new UpstreamUser(upstream), { browser: this.browser });
  }

  async requestLogin(): Promise<string> {
    return findChallenge(await this.browser.get(this.app.authorizationUrl()), 'login');
  }

  /** @returns the address that redeems the consent */
  async acceptRequests(login: string): Promise<string> {
    const { skip } = await this.admin.getLogin(login);
    const redirectUrl = await this.admin.acceptLogin(login, { subject: 'alice', remember: !skip, remember_for: 600 });
    const consent = findChallenge(await this.browser.get(redirectUrl), 'consent');
    return this.admin.acceptConsent(consent, { grant_scope: ['openid', 'offline'], remember: true });
  }

  async signIn(): Promise<string> {
    return findCode(await this.browser.get(await this.acceptRequests(await this.requestLogin()))) ?? '';
  }
}

function findChallenge(answer: Answer, request: 'login' | 'consent'): string {
  return answer.location?.searchParams.get(`${request}_challenge`) ?? '';
}

function findCode(answer: Answer): string | null {
  return answer.location?.searchParams.get('code') ?? null;
}

const toPort = (url: string): number => Number(new URL(url).port);

describe('startUpstream', () => {
  it('signs a person in without output on the console', async () => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((method) => jest.spyOn(console, method));
    const user = await UpstreamUser.begin(await start());
    const tokens = await user.app.redeem(await user.signIn());
    await user.app.refresh('nonsense');
    await user.app.revoke(tokens.access_token);

    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(events).toEqual([]);
  });

  it.each([
    [{ secret: 'short' }, 'at least 16 characters'],
    [{ urls: { ...urls, consent: 'consent' } }, '"consent" is not an http or https URL'],
    [{ issuer: 'javascript:alert(1)' }, '"issuer" is not an http or https URL'],
    [{ loginConsentRequestTtlSeconds: 0 }, 'loginConsentRequestTtlSeconds'],
    [{ loginConsentRequestTtlSeconds: Number.NaN }, 'loginConsentRequestTtlSeconds'],
  ])('names the option that is invalid in %j', async (options, reason) => {
    await expect(start(options)).rejects.toThrow(reason);
  });

  it('names a taken port and leaves nothing behind', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
    const { adminUrl } = await start();
    const takenPort = toPort(adminUrl);

    const startError = await start({ adminPort: takenPort, dataDir: directory }).catch((error: unknown) => error);
    expect(startError).toBeInstanceOf(PortUnavailable);
    expect(startError).toMatchObject({ api: 'admin', port: takenPort });
    expect((startError as Error).message).toContain(`admin port ${takenPort}`);

    // The upstream that did not start has released the data directory.
    await start({ dataDir: directory });
    await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
    rmSync(directory, { recursive: true });
  });

  it('refuses requests from web pages on the admin port', async () => {
    const { adminUrl, publicUrl } = await start();
    const pageRequest = { headers: { origin: 'https://evil.example', 'content-type': 'text/plain' }, method: 'POST', body: '{}' };
    expect((await exchange(`${adminUrl}/admin/clients`, pageRequest)).status).toBe(403);
    expect((await exchange(`${adminUrl}/admin/clients`, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect(await sendRawRequest(adminUrl, 'GET /admin/clients HTTP/1.1\r\nHost: evil.example\r\n\r\n')).toBe(403);
    expect((await exchange(`${adminUrl}/admin/clients`)).status).toBe(200);
    expect((await exchange(`${publicUrl}/health/ready`, { headers: { origin: 'https://evil.example' } })).status).toBe(200);
  });

  it('refuses a body that is too large, and continues', async () => {
    const { adminUrl, publicUrl } = await start();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `a=${'x'.repeat(3_000_000)}`;
    for (const url of [`${adminUrl}/admin/clients`, `${publicUrl}/oauth2/auth`, `${publicUrl}/oauth2/sessions/logout`]) {
      expect((await exchange(url, { method: 'POST', headers, body })).status).toBe(413);
    }
    expect((await exchange(`${publicUrl}/oauth2/token`, { method: 'POST', headers, body })).status).toBe(400);
    expect((await exchange(`${publicUrl}/health/ready`)).status).toBe(200);
    expect(events).toEqual([]);
  });

  it('refuses a patch that gives a member of a client the wrong type', async () => {
    const upstream = await start();
    const { admin } = await UpstreamUser.begin(upstream);
    const body = [{ op: 'replace', path: '/scope', value: 7 }];
    expect((await admin.send('PATCH', `/admin/clients/${APP.clientId}`, { body })).status).toBe(400);
    expect(events).toEqual([]);
  });

  it('refuses a patch with a path that is too deep, and can still show and store the client', async () => {
    const { adminUrl } = await start();
    const admin = new AdminApi(adminUrl);
    await admin.createClient({ client_id: APP.clientId });
    const body = [{ op: 'add', path: `/metadata${'/a'.repeat(50_000)}`, value: 1 }];
    expect((await admin.send('PATCH', `/admin/clients/${APP.clientId}`, { body })).status).toBe(400);
    expect((await admin.send('GET', `/admin/clients/${APP.clientId}`)).status).toBe(200);
    expect(events).toEqual([]);
  });

  it('does not create a client again that is deleted while its lifespans arrive', async () => {
    const { adminUrl } = await start();
    const admin = new AdminApi(adminUrl);
    await admin.createClient({ client_id: APP.clientId });
    const socket = await open(adminUrl);
    const answer = new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(data.toString())));
    socket.write(`PUT /admin/clients/${APP.clientId}/lifespans HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{`);
    // The answer to a later request shows that the first one has arrived.
    await admin.send('GET', '/health/alive');
    await admin.deleteClient(APP.clientId);
    socket.write('}');

    expect(await answer).toMatch(/^HTTP\/1\.1 404 /);
    expect((await admin.send('GET', `/admin/clients/${APP.clientId}`)).status).toBe(404);
    socket.destroy();
  });

  it('shows when the lifespans of a client were changed', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const { adminUrl } = await start({ now: () => now });
    const admin = new AdminApi(adminUrl);
    await admin.createClient({ client_id: APP.clientId });
    now += 60_000;
    const answer = await admin.send('PUT', `/admin/clients/${APP.clientId}/lifespans`, { body: {} });
    expect(JSON.parse(answer.text)).toMatchObject({ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:01:00Z' });
  });

  it('continues when a client closes its connection early', async () => {
    const { adminUrl, publicUrl } = await start();
    for (const [url, path] of [
      [publicUrl, '/oauth2/auth'],
      [publicUrl, '/oauth2/token'],
      [adminUrl, '/admin/clients'],
    ] as const) {
      const type = 'Content-Type: application/x-www-form-urlencoded';
      await sendRawRequest(
        url,
        `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: 100\r\n\r\nabc`,
        'hang up',
      );
    }
    expect((await exchange(`${publicUrl}/health/ready`)).status).toBe(200);
    expect(events).toEqual([]);
  });

  it('closes every open connection when it closes', async () => {
    const upstream = await start();
    const idleSocket = await open(upstream.publicUrl);
    idleSocket.write('GET /health/alive HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => idleSocket.once('data', resolve));
    const slowSocket = await open(upstream.adminUrl);
    slowSocket.write('POST /admin/clients HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    slowSocket.on('error', () => undefined);

    const closings = [idleSocket, slowSocket].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await Promise.all([upstream.close(), upstream.close(), ...closings]);
    await expect(exchange(`${upstream.publicUrl}/health/alive`)).rejects.toThrow();
    expect(events).toEqual([]);
  });
});

describe('startUpstream, with several requests at once', () => {
  it('issues one code for one consent', async () => {
    const user = await UpstreamUser.begin(await start());
    const redeemUrl = await user.acceptRequests(await user.requestLogin());
    const answers = await Promise.all(Array.from({ length: 8 }, () => user.browser.clone().get(redeemUrl)));

    expect(answers.filter((answer) => findCode(answer) !== null)).toHaveLength(1);
    const errors = answers.map((answer) => answer.location?.searchParams.get('error')).filter((error) => error !== null);
    expect(errors).toEqual(Array.from({ length: 7 }, () => 'access_denied'));
  });

  it('accepts a code once, and revokes its tokens when it is used again', async () => {
    const user = await UpstreamUser.begin(await start());
    const code = await user.signIn();
    const answers = await Promise.all(Array.from({ length: 6 }, () => user.app.tryRedeem(code)));

    const [success, ...otherSuccesses] = answers.filter(({ status }) => status === 200);
    expect(otherSuccesses).toEqual([]);
    const { access_token: accessToken } = JSON.parse(success?.text ?? '{}') as { access_token: string };
    expect(await user.admin.introspect(accessToken)).toEqual({ active: false });
  });

  it('accepts a refresh token once, and ends its family when it is used again', async () => {
    const user = await UpstreamUser.begin(await start());
    const { refresh_token: token = '' } = await user.app.redeem(await user.signIn());
    const answers = await Promise.all(Array.from({ length: 6 }, () => user.app.refresh(token)));

    const successes = answers.filter(({ status }) => status === 200);
    expect(successes).toHaveLength(1);
    const { refresh_token: newToken } = JSON.parse(successes[0]?.text ?? '{}') as { refresh_token: string };
    expect((await user.app.refresh(newToken)).status).toBe(400);
  });

  it('creates one client for one id', async () => {
    const { adminUrl } = await start();
    const admin = new AdminApi(adminUrl);
    const body = { client_id: 'same', client_secret: 'secretsecret' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.send('POST', '/admin/clients', { body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('startUpstream with a token hook', () => {
  it('issues no token to a client that is deleted while the hook is called', async () => {
    const hook = createServer((_request, response) => {
      void admin.deleteClient(APP.clientId).then(() => response.writeHead(204).end());
    });
    await once(hook.listen(0, '127.0.0.1'), 'listening');
    const { port } = hook.address() as AddressInfo;
    const { adminUrl, publicUrl } = await start({ tokenHook: { url: `http://127.0.0.1:${port}` } });
    const admin = new AdminApi(adminUrl);
    const { clientId, clientSecret } = APP;
    await admin.createClient({ client_id: clientId, client_secret: clientSecret, grant_types: ['client_credentials'] });
    const answer = await new OAuthClient(publicUrl, APP).post('/oauth2/token', { grant_type: 'client_credentials' });
    hook.close();

    expect([answer.status, JSON.parse(answer.text)]).toEqual([401, expect.objectContaining({ error: 'invalid_client' })]);
  });
});

describe('startUpstream with a directory', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
  });

  afterEach(async () => {
    await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
    rmSync(directory, { recursive: true, force: true });
  });

  /** Starts the upstream again on the same ports, so that addresses that it issued earlier stay valid. */
  async function restart(upstream: Upstream, more: Partial<UpstreamOptions> = {}): Promise<Upstream> {
    await upstream.close();
    const ports = { publicPort: toPort(upstream.publicUrl), adminPort: toPort(upstream.adminUrl) };
    const newUpstream = await start({ dataDir: directory, ...ports, ...more });
    // Node.js keeps connections to the stopped server, and notices only on use that they are closed.
    for (const url of [newUpstream.publicUrl, newUpstream.adminUrl]) {
      for (let attempt = 0; attempt < 3; attempt++) await exchange(`${url}/health/alive`).catch(() => undefined);
    }
    return newUpstream;
  }

  it('continues after a restart', async () => {
    const firstUpstream = await start({ dataDir: directory });
    const userBefore = await UpstreamUser.begin(firstUpstream);
    const tokens = await userBefore.app.redeem(await userBefore.signIn());
    const pendingLogin = await userBefore.requestLogin();
    const redeemUrl = await userBefore.acceptRequests(await userBefore.requestLogin());
    const keys = await exchange(`${firstUpstream.publicUrl}/.well-known/jwks.json`);

    const secondUpstream = await restart(firstUpstream);
    const userAfter = userBefore.moveTo(secondUpstream);
    expect((await exchange(`${secondUpstream.publicUrl}/.well-known/jwks.json`)).text).toBe(keys.text);
    expect(await userAfter.admin.introspect(tokens.access_token)).toMatchObject({ active: true, sub: 'alice' });
    expect((await userAfter.app.refresh(tokens.refresh_token ?? '')).status).toBe(200);
    expect(await userAfter.admin.getLogin(pendingLogin)).toMatchObject({ skip: true, subject: 'alice' });
    expect(findCode(await userAfter.browser.get(redeemUrl))).not.toBeNull();
    expect(findCode(await userAfter.browser.get(redeemUrl))).toBeNull();
    expect(await userAfter.admin.consentSessions('alice')).toHaveLength(1);
  });

  it('keeps the changes that were made before a crash', async () => {
    const firstUpstream = await start({ dataDir: directory });
    const user = await UpstreamUser.begin(firstUpstream);
    const { access_token: accessToken } = await user.app.redeem(await user.signIn());

    // The state that a killed process leaves: not rewritten, not unlocked, and owned by another process.
    const copy = mkdtempSync(join(tmpdir(), 'foyer-upstream-'));
    copyFileSync(join(directory, 'upstream.jsonl'), join(copy, 'upstream.jsonl'));
    writeFileSync(join(copy, 'upstream.lock'), '4194305');
    const secondUpstream = await start({ dataDir: copy });
    expect(await new AdminApi(secondUpstream.adminUrl).introspect(accessToken)).toMatchObject({ active: true });
    await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
    rmSync(copy, { recursive: true });
  });

  it('refuses challenges and cookies that were encrypted with another secret, but keeps its clients', async () => {
    const firstUpstream = await start({ dataDir: directory });
    const userBefore = await UpstreamUser.begin(firstUpstream);
    await userBefore.signIn();
    const pendingLogin = await userBefore.requestLogin();

    const userAfter = userBefore.moveTo(await restart(firstUpstream, { secret: 'quite-another-secret' }));
    expect((await userAfter.admin.request('login', '', pendingLogin)).status).toBe(404);
    expect(await userAfter.admin.getLogin(await userAfter.requestLogin())).toMatchObject({ skip: false });
  });

  it('refuses a key that cannot be read, without an unhandled rejection', async () => {
    const rejections: unknown[] = [];
    const remember = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', remember);
    const head = '{"format":"foyer-upstream","version":1}';
    writeFileSync(join(directory, 'upstream.jsonl'), `${head}\n[["keys","id-token",{"kid":"a","jwk":{}}]]\n`);
    // The name is looked up first, so the ports are opened after the key was read.
    await expect(start({ dataDir: directory, host: 'localhost' })).rejects.toThrow();
    process.off('unhandledRejection', remember);
    expect(rejections).toEqual([]);
  });

  it('refuses a damaged file and names it', async () => {
    const path = join(directory, 'upstream.jsonl');
    writeFileSync(path, 'not ours\n');
    await expect(start({ dataDir: directory })).rejects.toThrow(path);
  });
});

function open(url: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(toPort(url), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends raw text. @returns the status, or 0 if there is no answer */
async function sendRawRequest(url: string, text: string, end: 'wait' | 'hang up' = 'wait'): Promise<number> {
  const socket = await open(url);
  return new Promise((resolve) => {
    socket.on('error', () => resolve(0));
    socket.on('close', () => resolve(0));
    socket.on('data', (data: Buffer) => {
      resolve(Number(data.toString().split(' ')[1]));
      socket.destroy();
    });
    socket.write(text, () => {
      if (end === 'hang up') socket.destroy();
    });
  });
}
