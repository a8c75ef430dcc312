import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  ChallengeExpired,
  ChallengeUnknown,
  ChallengeUsed,
  ClientUnreadable,
  UpstreamRefused,
  UpstreamUnavailable,
} from './hydra.errors.js';
import { OryHydraAdapter } from './ory-hydra.adapter.js';
import type { NewClient } from './registered-client.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const PUBLIC_URL = 'https://auth.example';
let server: Server;
let handler: Handler;
let receivedRequests: { method: string | undefined; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let adapter: OryHydraAdapter;
/** A time limit that a busy machine alone never reaches. */
const TIMEOUT_MS = 60_000;

function connect(timeoutMs: number): OryHydraAdapter {
  const { port } = server.address() as AddressInfo;
  return new OryHydraAdapter({
    adminUrl: `http://127.0.0.1:${port}/`,
    publicUrl: PUBLIC_URL,
    adminToken: 'admin-token',
    timeoutMs,
  });
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receivedRequests.push({ method: request.method, url: request.url ?? '', headers: request.headers, body });
      handler(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  adapter = connect(TIMEOUT_MS);
  adapter.probeTimeoutMs = TIMEOUT_MS;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): void {
  receivedRequests = [];
  handler = (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const login = {
  challenge: 'abc==',
  skip: false,
  subject: '',
  session_id: 'sid',
  request_url: `${PUBLIC_URL}/oauth2/auth?client_id=a`,
  requested_scope: ['openid'],
  oidc_context: { login_hint: 'maria', ui_locales: ['de'] },
  client: {
    client_id: 'a',
    client_name: 'App',
    redirect_uris: null,
    metadata: { foyer: { confirm_session: true, mfa: 'required' } },
    skip_consent: true,
  },
};

describe('OryHydraAdapter', () => {
  it('sends the encoded challenge to the admin path with the bearer token', async () => {
    answerWith(200, login);
    await adapter.getLogin('abc==');
    expect(receivedRequests[0]).toMatchObject({
      method: 'GET',
      url: '/admin/oauth2/auth/requests/login?login_challenge=abc%3D%3D',
    });
    expect(receivedRequests[0]?.headers.authorization).toBe('Bearer admin-token');
  });

  const rejection = { code: 'access_denied', description: 'No.' } as const;
  const authentication = { subject: 's', acr: '0', amr: [], remember: false, rememberForSeconds: 0 };
  const grant = { scopes: [], audience: [], idTokenClaims: {}, accessTokenClaims: {}, remember: false, rememberForSeconds: 0 };
  const requestsPath = '/admin/oauth2/auth/requests';
  const sessionsPath = '/admin/oauth2/auth/sessions';

  it.each<[string, () => Promise<unknown>]>([
    [`GET ${requestsPath}/login?login_challenge=c`, () => adapter.getLogin('c')],
    [`PUT ${requestsPath}/login/accept?login_challenge=c`, () => adapter.acceptLogin('c', authentication)],
    [`PUT ${requestsPath}/login/reject?login_challenge=c`, () => adapter.rejectLogin('c', rejection)],
    [`GET ${requestsPath}/consent?consent_challenge=c`, () => adapter.getConsent('c')],
    [`PUT ${requestsPath}/consent/accept?consent_challenge=c`, () => adapter.acceptConsent('c', grant)],
    [`PUT ${requestsPath}/consent/reject?consent_challenge=c`, () => adapter.rejectConsent('c', rejection)],
    [`GET ${requestsPath}/logout?logout_challenge=c`, () => adapter.getLogout('c')],
    [`PUT ${requestsPath}/logout/accept?logout_challenge=c`, () => adapter.acceptLogout('c')],
    [`PUT ${requestsPath}/logout/reject?logout_challenge=c`, () => adapter.rejectLogout('c')],
    [`GET ${sessionsPath}/consent?page_size=50&subject=s`, () => adapter.listSessionIds('s')],
    [`DELETE ${sessionsPath}/login?subject=s`, () => adapter.endLoginSessions('s')],
    [`DELETE ${sessionsPath}/login?sid=one`, () => adapter.endLoginSession('one')],
    [`DELETE ${sessionsPath}/consent?all=true&subject=s`, () => adapter.revokeConsents('s')],
    ['POST /admin/oauth2/introspect', () => adapter.introspect('t')],
    ['GET /admin/clients/a', () => adapter.getClient('a')],
    ['GET /admin/clients?page_size=1', () => adapter.isReady()],
  ])('sends %s', async (expected, call) => {
    answerWith(200, {});
    await call().catch(() => undefined);
    const { pathname, searchParams } = new URL(receivedRequests[0]?.url ?? '', 'http://upstream');
    searchParams.sort();
    const query = searchParams.toString();
    expect(`${receivedRequests[0]?.method} ${pathname}${query && '?'}${query}`).toBe(expected);
    expect(receivedRequests).toHaveLength(1);
    if (expected.endsWith('/introspect')) expect(receivedRequests[0]?.body).toBe('token=t');
  });

  it.each(['.', '..'])('does not request the client %j, which would lead to another path', async (id) => {
    answerWith(200, {});
    expect([await adapter.getClient(id), await adapter.getClientScopes(id)]).toEqual([null, null]);
    expect(receivedRequests).toEqual([]);
  });

  it('reads a login request, including null lists and missing members', async () => {
    answerWith(200, login);
    expect(await adapter.getLogin('x')).toMatchObject({
      sessionId: 'sid',
      loginHint: 'maria',
      uiLocales: ['de'],
      acrValues: [],
      client: {
        id: 'a',
        redirectUris: [],
        skipConsent: true,
        skipLogoutConsent: false,
        foyer: { confirmSession: true, mfa: 'required' },
      },
    });
  });

  const buildLogin = (metadata: unknown): object => ({ ...login, client: { ...login.client, metadata } });

  it.each([
    ['mfa', { mfa: 'optional' }],
    ['mfa', { mfa: true }],
    ['mfa', { mfa: ['required'] }],
    ['confirm_session', { confirm_session: 'true' }],
    ['device_acr_values', { device_acr_values: { phr: true } }],
    ['device_acr_values', { device_acr_values: ['phr', 1] }],
    ['device_acr_values', { device_acr_values: '' }],
    ['device_acr_values', { device_acr_values: ' ' }],
    ['device_acr_values', { device_acr_values: [] }],
    ['the value', 'mfa=required'],
    ['the value', [{ mfa: 'required' }]],
  ])('[MFV-7] [S-149] refuses the login and consent requests of a client whose %s cannot be read: %j', async (member, foyer) => {
    await expectRefusal({ foyer }, new RegExp(`^metadata.foyer of the client "a": ${member} is `));
  });

  it.each(['{"foyer":{"mfa":"required"}}', 'foyer: { mfa: required }', [{ foyer: { mfa: 'required' } }], ['foyer']])(
    '[MFV-7] [S-149] refuses the login and consent requests of a client whose metadata mentions foyer but is not an object: %j',
    async (metadata) => {
      const message = 'metadata.foyer of the client "a": the value is part of metadata that is not a JSON object';
      await expectRefusal(metadata, new RegExp(`^${message}`));
    },
  );

  /** Expects that login and consent requests of a client with this metadata are refused, and other answers are read. */
  async function expectRefusal(metadata: unknown, message: RegExp): Promise<void> {
    answerWith(200, buildLogin(metadata));
    await expect(adapter.getLogin('x')).rejects.toThrow(message);
    await expect(adapter.getLogin('x')).rejects.toThrow(ClientUnreadable);
    const { client } = buildLogin(metadata) as typeof login;
    answerWith(200, { challenge: 'x', subject: 's', request_url: login.request_url, requested_scope: [], client });
    await expect(adapter.getConsent('x')).rejects.toThrow(message);
    // A person who is signed in can still sign out, and sees the app in the list.
    answerWith(200, { challenge: 'x', subject: 's', client });
    expect((await adapter.getLogout('x')).client?.id).toBe('a');
    answerWith(200, client);
    expect((await adapter.getClient('a'))?.id).toBe('a');
  }

  it.each([null, 'a portal', ['a portal'], 7])(
    'ignores metadata that is not an object and does not mention foyer: %j',
    async (metadata) => {
      answerWith(200, buildLogin(metadata));
      expect((await adapter.getLogin('x')).client.foyer).toEqual({ confirmSession: false, returnUrls: [] });
    },
  );

  it.each([
    [{ mfa: null, confirm_session: null, device_acr_values: null, return_urls: null, look: null }],
    [{ return_urls: 'https://more.example', logo: 1, colour: 'red' }],
    [null],
    [undefined],
  ])('ignores members that limit nobody: %j', async (foyer) => {
    answerWith(200, buildLogin({ foyer }));
    expect((await adapter.getLogin('x')).client.foyer).toEqual({ confirmSession: false, returnUrls: [] });
  });

  it.each(['phr urn:foyer:acr:mfa', ['phr', 'urn:foyer:acr:mfa'], [' phr  urn:foyer:acr:mfa ']])(
    '[DEV-6] reads the classes for devices from %j',
    async (acrValues) => {
      answerWith(200, {
        ...buildLogin({ foyer: { device_acr_values: acrValues } }),
        request_url: `${PUBLIC_URL}/oauth2/device/verify?client_id=a`,
      });
      expect((await adapter.getLogin('x')).acrValues).toEqual(['phr', 'urn:foyer:acr:mfa']);
    },
  );

  it.each([
    [
      ['[phr', 'urn:foyer:acr:mfa]'],
      ['phr', 'urn:foyer:acr:mfa'],
    ],
    [['[phr]'], ['phr']],
    [['[]'], []],
    [['%!s(float64=2)'], ['2']],
    [
      ['[%!s(int64=3)', '%!s(float64=2)]'],
      ['3', '2'],
    ],
  ])('[MFV-7] reads a list of a request object as Hydra renders it: %j', async (acr, expected) => {
    answerWith(200, { ...login, oidc_context: { acr_values: acr, ui_locales: acr } });
    expect(await adapter.getLogin('x')).toMatchObject({ acrValues: expected, uiLocales: expected });
  });

  it('accepts a login with documented members only, and with remember_for', async () => {
    answerWith(200, { redirect_to: `${PUBLIC_URL}/oauth2/auth?login_verifier=v` });
    const authentication = { subject: 's', acr: 'urn:foyer:acr:pwd', amr: ['pwd'], remember: false, rememberForSeconds: 3600 };
    expect(await adapter.acceptLogin('x', authentication)).toBe(`${PUBLIC_URL}/oauth2/auth?login_verifier=v`);
    expect(JSON.parse(receivedRequests[0]?.body ?? '')).toEqual({
      subject: 's',
      acr: 'urn:foyer:acr:pwd',
      amr: ['pwd'],
      remember: false,
      remember_for: 3600,
    });
  });

  it.each([
    [400, { error: 'invalid_request' }, UpstreamRefused],
    [401, { error: 'request_unauthorized' }, ChallengeExpired],
    [401, { error: 'access token missing' }, UpstreamUnavailable],
    [404, { error: 'Not Found' }, ChallengeUnknown],
    [404, '<html>404</html>', UpstreamUnavailable],
    [409, { error: 'conflict' }, ChallengeUsed],
    [410, { redirect_to: '/oauth2/sessions/logout' }, ChallengeUsed],
    [500, { error: 'error' }, UpstreamUnavailable],
    [503, 'busy', UpstreamUnavailable],
    [302, '', UpstreamUnavailable],
  ])('maps status %i %j to an error', async (status, body, ErrorClass) => {
    answerWith(status, body, status === 302 ? { location: 'http://127.0.0.1:1/' } : {});
    await expect(adapter.getLogin('x')).rejects.toBeInstanceOf(ErrorClass);
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['HTML', '<html></html>'],
    ['truncated JSON', '{"challenge":"x"'],
    ['nothing', ''],
    ['wrong types', { ...login, challenge: 7 }],
    ['no client', { ...login, client: null }],
  ])('treats %s as an outage, not as an answer', async (_what, body) => {
    answerWith(200, body === null ? 'null' : body);
    await expect(adapter.getLogin('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
  });

  it.each([
    {},
    { redirect_to: '' },
    { redirect_to: '/relative' },
    { redirect_to: 'https://evil.example/' },
    { redirect_to: 'javascript:alert(1)' },
    { redirect_to: 'https://auth.example@evil.example/' },
  ])('never sends the browser to %j', async (body) => {
    answerWith(200, body);
    await expect(adapter.acceptLogout('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
  });

  it('retries once after a broken connection, but not after a timeout', async () => {
    let calls = 0;
    handler = (request, response) => {
      calls += 1;
      if (calls === 1) return void request.socket.destroy();
      response.end(JSON.stringify(login));
    };
    expect((await adapter.getLogin('x')).challenge).toBe('abc==');
    calls = 0;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });
    try {
      const arrival = new Promise<void>((resolve) => {
        handler = () => {
          calls += 1;
          resolve();
        };
      });
      const assertion = expect(adapter.getLogin('x')).rejects.toThrow('no complete answer');
      await arrival;
      jest.advanceTimersByTime(TIMEOUT_MS);
      await assertion;
    } finally {
      jest.useRealTimers();
    }
    expect(calls).toBe(1);
    server.closeAllConnections();
  });

  describe('after a connection that broke when Hydra had changed a client', () => {
    const client = { client_id: 'shop', client_name: 'Shop' };
    const HYDRA_ERROR = { error: 'error' };

    /** Does the first call without an answer, and answers the repeated call. Later calls read the client. */
    function breakFirstCall(status: number, body: unknown): void {
      let calls = 0;
      handler = (request, response) => {
        calls += 1;
        if (calls === 1) return void request.socket.destroy();
        const answer = calls === 2 ? ([status, body] as const) : ([200, client] as const);
        response.writeHead(answer[0], { 'content-type': 'application/json' });
        response.end(typeof answer[1] === 'string' ? answer[1] : JSON.stringify(answer[1]));
      };
    }

    it('the repeated call succeeds', async () => {
      breakFirstCall(409, HYDRA_ERROR);
      expect(await adapter.createClient({ ...client, client_secret: 'a secret' })).toMatchObject(client);
      breakFirstCall(404, HYDRA_ERROR);
      await adapter.deleteClient('shop');
    });

    it('a client with other values, which another operator has registered meanwhile, is not taken for the created one', async () => {
      breakFirstCall(409, HYDRA_ERROR);
      const otherClient = { ...client, client_name: 'Another shop', client_secret: 'a secret' };
      await expect(adapter.createClient(otherClient)).rejects.toBeInstanceOf(ChallengeUsed);
    });

    it('no other error is taken for a success', async () => {
      breakFirstCall(404, HYDRA_ERROR);
      await expect(adapter.createClient(client as NewClient)).rejects.toBeInstanceOf(ChallengeUnknown);
      breakFirstCall(404, 'the page of a proxy');
      await expect(adapter.deleteClient('shop')).rejects.toBeInstanceOf(UpstreamUnavailable);
      answerWith(409, HYDRA_ERROR);
      await expect(adapter.createClient(client as NewClient)).rejects.toBeInstanceOf(ChallengeUsed);
      answerWith(404, HYDRA_ERROR);
      await expect(adapter.deleteClient('shop')).rejects.toBeInstanceOf(ChallengeUnknown);
    });
  });

  it('stops reading an answer that exceeds the size limit', async () => {
    handler = (_request, response) => response.end(Buffer.alloc(2 * 1024 * 1024, 'x'));
    await expect(adapter.getLogin('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
  });

  it('reports why a server cannot be reached', async () => {
    const unreachableAdapter = new OryHydraAdapter({
      adminUrl: 'http://127.0.0.1:1',
      publicUrl: PUBLIC_URL,
      timeoutMs: TIMEOUT_MS,
    });
    await expect(unreachableAdapter.getLogin('x')).rejects.toThrow('ECONNREFUSED');
  });

  it('treats an answer that switches the protocol as an outage', async () => {
    answerWith(101, '', { connection: 'upgrade', upgrade: 'x' });
    await expect(adapter.getLogin('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
  });

  it('reads an answer that ends with its connection', async () => {
    handler = (request) => request.socket.end(`HTTP/1.0 200 OK\r\n\r\n${JSON.stringify(login)}`);
    expect(await adapter.getLogin('x')).toMatchObject({ challenge: 'abc==' });
  });

  it('gives up on an answer that stops halfway', async () => {
    handler = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"challenge":');
    };
    await expect(connect(200).getLogin('x')).rejects.toBeInstanceOf(UpstreamUnavailable);
    server.closeAllConnections();
  });

  it('keeps challenges, bodies and the bearer token out of its errors', async () => {
    answerWith(500, { error: 'secret body' });
    const error: unknown = await adapter.getLogin('secret-challenge').catch((thrown: unknown) => thrown);
    const text = JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).stack);
    for (const secret of ['secret-challenge', 'secret body', 'admin-token']) expect(text).not.toContain(secret);
  });

  it('reads the sessions of a person page by page, stops if a page leads to itself, and refuses anything but a list', async () => {
    const tokens: (string | null)[] = [];
    handler = (request, response) => {
      const token = new URL(request.url ?? '', 'http://upstream').searchParams.get('page_token');
      tokens.push(token);
      const nextToken = token === null ? 'two' : 'three';
      response.writeHead(200, { link: `</x?page_size=50>; rel="first",</x?page_size=50&page_token=${nextToken}>; rel="next"` });
      response.end(JSON.stringify([{ consent_request: { login_session_id: token ?? 'one' } }, { consent_request: {} }]));
    };
    expect(await adapter.listSessionIds('s')).toEqual(['one', 'two', 'three']);
    expect(tokens).toEqual([null, 'two', 'three']);
    answerWith(200, []);
    expect(await adapter.listSessionIds('s')).toEqual([]);
    answerWith(200, { not: 'a list' });
    await expect(adapter.listSessionIds('s')).rejects.toBeInstanceOf(UpstreamUnavailable);
    answerWith(200, [], { link: '<http://[>; rel="next"' });
    await expect(adapter.listSessionIds('s')).rejects.toBeInstanceOf(UpstreamUnavailable);
  });

  it('is ready when the admin API reports so, and never throws', async () => {
    answerWith(200, []);
    expect(await adapter.isReady()).toBe(true);
    answerWith(200, { status: 'ok' });
    expect(await adapter.isReady()).toBe(true);
    expect(receivedRequests.map(({ url }) => url)).toEqual(['/health/ready']);
    answerWith(503, { error: 'x' });
    expect(await adapter.isReady()).toBe(false);
  });

  it.each<[string, number, unknown]>([
    ['the public API, which has no list of clients', 404, '404 page not found'],
    ['another server, which answers everything', 200, { status: 'ok' }],
    ['a proxy that denies access', 403, { error: 'forbidden' }],
  ])('is never ready at %s', async (_server, status, body) => {
    const { port } = server.address() as AddressInfo;
    const wrongAdapter = new OryHydraAdapter({
      adminUrl: `http://127.0.0.1:${port}`,
      publicUrl: PUBLIC_URL,
      timeoutMs: TIMEOUT_MS,
    });
    answerWith(status, body);
    const previousHandler = handler;
    handler = (request, response, requestBody) => {
      if (request.url === '/health/ready') response.writeHead(200).end('{"status":"ok"}');
      else previousHandler(request, response, requestBody);
    };
    expect([await wrongAdapter.isReady(), await wrongAdapter.isReady()]).toEqual([false, false]);
  });
});
