/**
 * Stand-ins for the providers that are not OpenID providers, on one port. A test acts as the person. Each checks the authorization
 * request, the client, the code, the redirect URI and PKCE, and answers as the provider does. Every answer can be replaced.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { OAUTH_DEFAULTS, type OAuthType } from '../../src/config/provider-presets.js';
import type { ProviderSettings } from '../../src/config/config.js';

export const CLIENT_ID = 'foyer';
export const CLIENT_SECRET = 'of:oauth/+ä';

export interface StandInAnswer {
  status?: number;
  body?: unknown;
  /** Sent in place of `body`. */
  raw?: string;
  location?: string;
  /** The connection stays open without an answer. */
  hangs?: true;
}

interface StandInPaths {
  authorization: string;
  token: string;
  user: string;
  emails?: string;
  clientAuth: 'basic' | 'post';
}

/** The paths as the providers document them. */
const PATHS: Readonly<Record<OAuthType, StandInPaths>> = {
  github: {
    authorization: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    user: '/api/v3/user',
    emails: '/api/v3/user/emails',
    clientAuth: 'post',
  },
  facebook: { authorization: '/dialog/oauth', token: '/oauth/access_token', user: '/me', clientAuth: 'post' },
  discord: { authorization: '/oauth2/authorize', token: '/api/oauth2/token', user: '/api/users/@me', clientAuth: 'basic' },
  x: { authorization: '/i/oauth2/authorize', token: '/2/oauth2/token', user: '/2/users/me', clientAuth: 'basic' },
  bitbucket: {
    authorization: '/site/oauth2/authorize',
    token: '/site/oauth2/access_token',
    user: '/2.0/user',
    emails: '/2.0/user/emails',
    clientAuth: 'basic',
  },
};

interface Grant {
  challenge: string;
  redirectUri: string;
}

export class OAuthStandIn {
  readonly tokens: string[] = [];
  /** The answers of the user APIs, and of the endpoints for addresses. */
  readonly users = new Map<OAuthType, unknown>();
  readonly emails = new Map<OAuthType, unknown>();
  /** Answers that replace those of an endpoint. */
  readonly replaced = new Map<'token' | 'user' | 'emails', StandInAnswer>();
  readonly calls: string[] = [];
  readonly #grants = new Map<string, Grant>();
  #server!: Server;
  url = '';

  static async start(): Promise<OAuthStandIn> {
    const standIn = new OAuthStandIn();
    standIn.#server = createServer((request, response) => void standIn.#answer(request, response));
    await new Promise<void>((resolve) => standIn.#server.listen(0, 'localhost', resolve));
    standIn.url = `http://localhost:${(standIn.#server.address() as AddressInfo).port}`;
    return standIn;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }

  settings(type: OAuthType, change: Partial<ProviderSettings> = {}): ProviderSettings {
    const { name, scopes } = OAUTH_DEFAULTS[type];
    const credential = { kind: 'secret', secret: CLIENT_SECRET } as const;
    return { id: type, name, dialect: type, issuer: this.url, clientId: CLIENT_ID, credential, scopes, ...change };
  }

  /** The person agrees. @param address the authorization request @returns the parameters of the callback */
  agree(type: OAuthType, address: string): { code: string; state: string } {
    const url = new URL(address);
    const { searchParams: request } = url;
    const get = (name: string): string => request.get(name) ?? '';
    if (url.pathname !== PATHS[type].authorization) throw new Error(`not the authorization endpoint: ${url.pathname}`);
    if (get('response_type') !== 'code' || get('client_id') !== CLIENT_ID) throw new Error('not a request of this client');
    if (get('code_challenge_method') !== 'S256' || get('code_challenge') === '') throw new Error('a request without PKCE');
    const code = randomBytes(12).toString('hex');
    this.#grants.set(code, { challenge: get('code_challenge'), redirectUri: get('redirect_uri') });
    return { code, state: get('state') };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    this.calls.push(url.pathname);
    const body = new URLSearchParams(await text(request));
    for (const [type, paths] of Object.entries(PATHS) as [OAuthType, StandInPaths][]) {
      const endpoint = (['token', 'user', 'emails'] as const).find((name) => paths[name] === url.pathname);
      if (endpoint) return send(response, this.replaced.get(endpoint) ?? this.#answerAt(type, { endpoint, request, url, body }));
    }
    send(response, { status: 404, body: { error: 'Not Found' } });
  }

  #answerAt(
    type: OAuthType,
    {
      endpoint,
      request,
      url,
      body,
    }: { endpoint: 'token' | 'user' | 'emails'; request: IncomingMessage; url: URL; body: URLSearchParams },
  ): StandInAnswer {
    if (endpoint === 'token') return this.#redeem(type, request, body);
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    if (!this.tokens.includes(token) || !request.headers['user-agent'])
      return { status: 401, body: { message: 'Bad credentials' } };
    if (type === 'facebook') {
      const proof = createHmac('sha256', CLIENT_SECRET).update(token).digest('hex');
      if (url.searchParams.get('appsecret_proof') !== proof) return { status: 400, body: { error: { code: 100 } } };
    }
    const answers = endpoint === 'user' ? this.users : this.emails;
    return answers.has(type) ? { body: answers.get(type) } : { status: 403, body: { message: 'missing scope' } };
  }

  #redeem(type: OAuthType, request: IncomingMessage, body: URLSearchParams): StandInAnswer {
    const grant = this.#grants.get(body.get('code') ?? '');
    this.#grants.delete(body.get('code') ?? '');
    if (!isClient(PATHS[type].clientAuth, request, body)) return toClientError(type);
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = grant?.challenge === challenge && grant.redirectUri === body.get('redirect_uri');
    if (!isRight || body.get('grant_type') !== 'authorization_code') return toCodeError(type);
    const token = randomBytes(16).toString('hex');
    this.tokens.push(token);
    return {
      body: { access_token: token, token_type: type === 'discord' ? 'Bearer' : 'bearer', refresh_token: `${token}-again` },
    };
  }
}

function isClient(clientAuth: 'basic' | 'post', request: IncomingMessage, body: URLSearchParams): boolean {
  if (clientAuth === 'post') return body.get('client_id') === CLIENT_ID && body.get('client_secret') === CLIENT_SECRET;
  const [id = '', secret = ''] = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64')
    .toString()
    .split(/:(.*)/s);
  return id === CLIENT_ID && secret === CLIENT_SECRET;
}

function toClientError(type: OAuthType): StandInAnswer {
  if (type === 'github') return { body: { error: 'incorrect_client_credentials', error_description: 'secret detail' } };
  if (type === 'facebook') return { status: 400, body: { error: { message: 'Error validating client secret.', code: 1 } } };
  return { status: 401, body: { error: 'invalid_client' } };
}

function toCodeError(type: OAuthType): StandInAnswer {
  if (type === 'github') return { body: { error: 'bad_verification_code', error_description: 'secret detail' } };
  if (type === 'facebook') return { status: 400, body: { error: { message: 'Invalid verification code format.', code: 100 } } };
  return { status: 400, body: { error: 'invalid_grant' } };
}

function send(response: ServerResponse, { status = 200, body, raw, location, hangs }: StandInAnswer): void {
  if (hangs) return;
  const headers = { 'content-type': 'application/json', ...(location === undefined ? {} : { location }) };
  response.writeHead(status, headers).end(raw ?? JSON.stringify(body));
}
