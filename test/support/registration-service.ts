/**
 * A registration service without pages: keys, all kinds of answers, and a browser that was sent to it. Its key server
 * can be set to fail, be slow, or rotate keys.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  SignJWT,
  UnsecuredJWT,
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';
import type { Config } from '../../src/config/config.js';
import { PATHS, SERVER_PATHS } from '../../src/contract/paths.js';
import { ANSWER_TYPE, TICKET_TYPE } from '../../src/providers/registration/registration-service.js';
import type { TestGateway } from './gateway.js';
import type { TestBrowser, TestPage } from './test-browser.js';

export const SERVICE = 'https://register.example';

/** A person whose browser is at the service. */
export interface SentToService {
  browser: TestBrowser;
  challenge: string;
  ticket: JWTPayload & { txn: string };
  /** The encoded ticket. */
  encoded: string;
}

export interface AnswerChange {
  claims?: JWTPayload;
  header?: Record<string, unknown>;
  /** A key to use instead of that of the service. */
  key?: CryptoKey | Uint8Array;
}

export class TestRegistrationService {
  #server: Server | undefined;
  #key!: CryptoKey;
  #jwk!: JWK;
  #rolls = 0;
  keysUrl = '';
  /** Number of successful key requests. */
  readings = 0;
  /** The fault of the key server, which it answers with instead of the keys. */
  fault: 'cut' | 'silent' | 'error' | 'garbage' | null = null;

  async start(): Promise<this> {
    await this.rotateKey();
    const server = createServer((_request, response) => {
      this.readings += 1;
      if (this.fault === 'silent') return;
      if (this.fault === 'cut') return void response.destroy();
      response.writeHead(this.fault === 'error' ? 500 : 200, { 'content-type': 'application/json' });
      response.end(this.fault === 'garbage' ? '{"keys": 7}' : JSON.stringify({ keys: [this.#jwk] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    this.keysUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** Replaces the service's key. */
  async rotateKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    this.#key = privateKey;
    this.#jwk = { ...(await exportJWK(publicKey)), kid: `key-${++this.#rolls}`, alg: 'ES256', use: 'sig' };
  }

  get publicJwk(): JWK {
    return this.#jwk;
  }

  config(): Partial<Config> {
    const proof = { kind: 'jwks', url: this.keysUrl } as const;
    return {
      registration: { hintNames: ['invitation', 'contract'], service: { url: `${SERVICE}/start?v=1`, issuer: SERVICE, proof } },
    };
  }

  /** @param claims `account`, `sub` or `error` */
  async answer(
    gateway: TestGateway,
    { ticket }: Pick<SentToService, 'ticket'>,
    claims: JWTPayload,
    change: AnswerChange = {},
  ): Promise<string> {
    const now = Math.floor(gateway.clock.now().getTime() / 1000);
    const payload = {
      iss: SERVICE,
      aud: gateway.config.publicUrl,
      iat: now,
      exp: now + 300,
      txn: ticket.txn,
      ...claims,
      ...change.claims,
    };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: `key-${this.#rolls}`, typ: ANSWER_TYPE, ...change.header })
      .sign(change.key ?? this.#key);
  }
}

export function encodeUnsigned(payload: JWTPayload): string {
  return new UnsecuredJWT(payload).encode();
}

let count = 0;

/** Opens the login page of a new request and continues to the service. */
export async function continueToService(
  gateway: TestGateway,
  more: object = {},
  hints: Record<string, string> = {},
  browser = gateway.browser({ 'accept-language': 'de' }),
): Promise<SentToService> {
  const challenge = `registration-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, ...more });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token: _xsrf } = page.state('login').login;
  const posted = Object.fromEntries(Object.entries(hints).map(([name, value]) => [`hints[${name}]`, value]));
  const away = await browser.post(PATHS.register, { _xsrf, login_challenge: challenge, ...posted });
  return { browser, challenge, ticket: findTicket(away), encoded: findEncodedTicket(away) };
}

export function findTicket(page: TestPage): SentToService['ticket'] {
  return decodeJwt(findEncodedTicket(page));
}

function findEncodedTicket({ status, location, html }: TestPage): string {
  if (status !== 303 || !location?.startsWith(SERVICE)) throw new Error(`Not sent to the service: ${status} ${location ?? html}`);
  return new URL(location).searchParams.get('ticket') ?? '';
}

/** Verifies a ticket as a service does: with the published keys only. */
export async function verifyTicket(gateway: TestGateway, ticket: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(gateway.url + SERVER_PATHS.registerKeys));
  const { payload } = await jwtVerify(ticket, keys, {
    issuer: gateway.config.publicUrl,
    audience: SERVICE,
    typ: TICKET_TYPE,
    algorithms: ['ES256'],
    currentDate: gateway.clock.now(),
  });
  return payload;
}

export function returnToFoyer(browser: TestBrowser, answer: string): Promise<TestPage> {
  return browser.get(`${PATHS.registerCallback}?answer=${encodeURIComponent(answer)}`, { 'sec-fetch-site': 'cross-site' });
}
