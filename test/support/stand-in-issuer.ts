/**
 * A minimal OpenID provider: discovery, keys, token endpoint, userinfo, device authorization. It has no pages; a test acts as the person
 * and requests a code. Every answer can be changed to test the client with invalid ones.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import type { DemoAppSettings } from '../../embedded/demo-app/start-demo-app.js';

interface Answer {
  status: number;
  body: unknown;
}

interface Grant {
  scope: string;
  claims: JWTPayload;
}

/** @param issuerUrl the address of the stand-in, or one at which nothing listens */
export function toDemoAppSettings(issuerUrl: string): DemoAppSettings {
  return {
    host: 'localhost',
    port: 0,
    issuer: issuerUrl,
    clientId: CLIENT_ID,
    clientSecret: 'portal-secret',
    televisionClientId: 'television',
    baseUrl: 'http://localhost',
    gatewayUrl: 'http://localhost:3000',
  };
}

const CLIENT_ID = 'portal';

export class StandInIssuer {
  readonly clientId = CLIENT_ID;
  readonly #grants = new Map<string, Grant>();
  #server: Server | undefined;
  #key!: CryptoKey;
  #jwk!: JWK;
  #codes = 0;
  #deviceCodes = 0;
  /** Whether discovery names device authorization. */
  hasDevices = true;
  /** Whether discovery names the address of logout requests. */
  hasLogout = true;
  readonly revokedTokens: (string | null)[] = [];
  /** Bodies of the requests to the token endpoint. */
  readonly tokenCalls: URLSearchParams[] = [];
  /** The answer to the next request to the token endpoint. */
  nextTokenAnswer: Answer | undefined;
  /** The answer in place of the keys. */
  keysAnswer: Answer | undefined;
  /** The answer in place of the metadata. */
  metadataAnswer: Answer | undefined;
  /** The token endpoint answers after this has ended. */
  beforeTokenAnswer: () => Promise<void> = () => Promise.resolve();
  /** While true, connections are closed without an answer. */
  down = false;
  url = '';

  async start(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    this.#key = privateKey;
    this.#jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    const server = createServer((request, response) => {
      if (this.down) return void response.destroy();
      void this.#answer(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    this.#server = server;
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }

  /** Issues a code for the consent of a person. */
  code(grant: Grant): string {
    const code = `code-${++this.#codes}`;
    this.#grants.set(code, grant);
    return code;
  }

  /** Allows the access of the device that asked last, as a person does. */
  allowDevice(grant: Grant): void {
    this.#grants.set(`device-${this.#deviceCodes}`, grant);
  }

  /** Signs with the key of this issuer; `claims` may override all claims. */
  sign(claims: JWTPayload): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ iss: this.url, aud: this.clientId, iat: now, exp: now + 3600, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(this.#key);
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const path = new URL(request.url ?? '', this.url).pathname;
    if (path === '/.well-known/openid-configuration') return this.metadataAnswer ?? { status: 200, body: this.#metadata() };
    if (path === '/jwks') return this.keysAnswer ?? { status: 200, body: { keys: [this.#jwk] } };
    if (path === '/token') return this.#token(new URLSearchParams(await toBody(request)));
    if (path === '/device') return { status: 200, body: this.#deviceAuthorization() };
    if (path === '/revoke') {
      this.revokedTokens.push(new URLSearchParams(await toBody(request)).get('token'));
      return { status: 200, body: {} };
    }
    if (path === '/userinfo') return { status: 200, body: { sub: 'maria-1', name: 'Maria Musterfrau' } };
    return { status: 404, body: {} };
  }

  async #token(form: URLSearchParams): Promise<Answer> {
    this.tokenCalls.push(form);
    const bent = this.nextTokenAnswer;
    this.nextTokenAnswer = undefined;
    await this.beforeTokenAnswer();
    if (bent) return bent;
    if (form.get('grant_type') === 'refresh_token') return { status: 200, body: tokens('openid refreshed') };
    const code = form.get('code') ?? form.get('device_code') ?? '';
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (!grant && form.has('device_code')) return { status: 400, body: { error: 'authorization_pending' } };
    if (!grant) return { status: 400, body: { error: 'invalid_grant', error_description: 'used' } };
    return { status: 200, body: { ...tokens(grant.scope), id_token: await this.sign(grant.claims) } };
  }

  #deviceAuthorization(): object {
    const code = `device-${++this.#deviceCodes}`;
    const verification = `${this.url}/oauth2/device/verify`;
    const uris = { verification_uri: verification, verification_uri_complete: `${verification}?user_code=abcdEFGH` };
    return { device_code: code, user_code: 'abcdEFGH', ...uris, expires_in: 600, interval: 5 };
  }

  #metadata(): object {
    return {
      ...(this.hasDevices ? { device_authorization_endpoint: `${this.url}/device` } : {}),
      revocation_endpoint: `${this.url}/revoke`,
      issuer: this.url,
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      userinfo_endpoint: `${this.url}/userinfo`,
      ...(this.hasLogout ? { end_session_endpoint: `${this.url}/logout` } : {}),
      jwks_uri: `${this.url}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
    };
  }
}

function tokens(scope: string): object {
  return { access_token: 'access', refresh_token: 'refresh', token_type: 'bearer', expires_in: 3600, scope };
}

async function toBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) body += chunk;
  return body;
}
