/**
 * An example of a service whose people sign in at Foyer: two signed calls, `lookup` and `verify`. It is one file to copy and
 * shares no code with the product; `docs/people.md` describes the protocol between them. Put your own table of people and your
 * own check of passwords in the place of `people` and `isPassword`.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import {
  SignJWT,
  calculateJwkThumbprint,
  createRemoteJWKSet,
  errors,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

export interface ServicePerson {
  /** Never changes, and is never given to somebody else. */
  sub: string;
  username: string;
  display_name?: string;
  email?: string;
  email_verified?: boolean;
  /** Further names that this person signs in with. */
  login?: readonly string[];
  groups?: readonly string[];
  attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** Made by `hashPassword`. */
  hash: Promise<string> | string;
  /** `false` means the same as the state `disabled`. */
  active?: boolean;
  state?: 'disabled' | 'locked' | 'must_change';
}

export interface PeopleServiceSettings {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  /** Public address of Foyer (`PUBLIC_URL`): who asks. */
  foyerUrl: string;
  /** Where Foyer's keys are read, if that is another address. */
  foyerKeysUrl?: string;
  /** This service, as `issuer` in `USER_SOURCES`; without it the address on which it listens. */
  issuer?: string;
  people: readonly ServicePerson[];
  onFailure?: (error: unknown) => void;
}

interface Question extends JWTPayload {
  call: string;
  identifier?: string;
  password?: string;
}

/** The question is not answered. */
class Refused extends Error {
  constructor(readonly status: 401 | 404 | 405 | 413) {
    super(`HTTP ${status}`);
  }
}

const MOST_BYTES = 16 * 1024;
/** Longer than a question is valid, with the difference of the clocks. */
const REMEMBERED_MS = 120_000;
const CLOCK_SKEW_SECONDS = 30;

const derive = promisify(scrypt) as (password: string, salt: Buffer, bytes: number) => Promise<Buffer>;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(password, salt, 32)).toString('base64url')}`;
}

async function isPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', expected = ''] = hash.split('.');
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url'), 32), Buffer.from(expected, 'base64url'));
}

class PeopleService {
  /** Questions that were answered: when, by their id. In life: where all processes of the service see it. */
  readonly #answered = new Map<string, number>();
  readonly #foyerKeys: ReturnType<typeof createRemoteJWKSet>;
  /** Whoever is not known costs the same hash. */
  #nobody: Promise<string> | undefined;

  constructor(
    private readonly settings: PeopleServiceSettings & { issuer: string },
    private readonly key: { privateKey: CryptoKey; publicJwk: JWK },
  ) {
    const { foyerUrl, foyerKeysUrl = `${foyerUrl}/sources/jwks` } = settings;
    this.#foyerKeys = createRemoteJWKSet(new URL(foyerKeysUrl));
  }

  async answer(request: IncomingMessage): Promise<{ type: string; body: string }> {
    if (request.url === '/jwks')
      return { type: 'application/jwk-set+json', body: JSON.stringify({ keys: [this.key.publicJwk] }) };
    const call = request.url?.slice(1) ?? '';
    if (call !== 'lookup' && call !== 'verify') throw new Refused(404);
    if (request.method !== 'POST') throw new Refused(405);
    const question = await this.#questionOf(await textOf(request), call);
    const said = call === 'lookup' ? this.#lookup(question) : await this.#verify(question);
    return { type: 'application/jwt', body: await this.#signed(said, question) };
  }

  async #questionOf(token: string, call: string): Promise<Question> {
    const { payload } = await jwtVerify<Question>(token, this.#foyerKeys, {
      issuer: this.settings.foyerUrl,
      audience: this.settings.issuer,
      algorithms: ['ES256'],
      typ: 'foyer-source-question+jwt',
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'iat', 'jti', 'call'],
    });
    const { jti = '' } = payload;
    for (const [id, at] of this.#answered) if (at < Date.now() - REMEMBERED_MS) this.#answered.delete(id);
    if (payload.call !== call || this.#answered.has(jti)) throw new Refused(401);
    this.#answered.set(jti, Date.now());
    return payload;
  }

  #lookup({ identifier, sub }: Question): JWTPayload {
    const typed = identifier?.toLowerCase();
    const toNames = ({ username, email, login = [] }: ServicePerson) => [username, email, ...login];
    const [person, ...others] = this.settings.people.filter((one) =>
      typed === undefined ? one.sub === sub : toNames(one).some((name) => name?.toLowerCase() === typed),
    );
    // A name that two people have finds neither.
    if (!person || others.length > 0) return { result: 'nobody' };
    const { hash: _, state: __, ...known } = person;
    return { result: 'found', person: { ...known, active: !isDisabled(person) } };
  }

  async #verify({ sub, password = '' }: Question): Promise<JWTPayload> {
    const person = this.settings.people.find((one) => one.sub === sub);
    this.#nobody ??= hashPassword(randomBytes(16).toString('base64url'));
    const isRight = await isPassword(password, await (person?.hash ?? this.#nobody));
    const said = sub === undefined ? {} : { sub };
    if (!person || !isRight) return { ...said, result: 'wrong' };
    // Said after the right password only: before it, that would tell who exists.
    return { ...said, result: isDisabled(person) ? 'disabled' : (person.state ?? 'proven') };
  }

  #signed(said: JWTPayload, { jti = '' }: Question): Promise<string> {
    return new SignJWT({ ...said, nonce: jti })
      .setProtectedHeader({ alg: 'ES256', typ: 'foyer-source-answer+jwt', kid: this.key.publicJwk.kid ?? '' })
      .setIssuer(this.settings.issuer)
      .setAudience(this.settings.foyerUrl)
      .setIssuedAt()
      .setExpirationTime('30s')
      .sign(this.key.privateKey);
  }
}

/** @throws the listening error */
export async function startPeopleService(settings: PeopleServiceSettings): Promise<{ url: string; close(): Promise<void> }> {
  // In life: one key that is kept, and published with its successor before that one signs.
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const publicJwk = { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'ES256', use: 'sig' };
  const server = createServer();
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(settings.port, settings.host, resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const service = new PeopleService({ issuer: url, ...settings }, { privateKey, publicJwk });
  server.on('request', (request, response) => {
    service.answer(request).then(
      ({ type, body }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body),
      (error: unknown) => refuse(error, response, settings.onFailure),
    );
  });
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The reason of a failure belongs into the log: never the question, which has a password in it. */
function refuse(error: unknown, response: ServerResponse, onFailure: PeopleServiceSettings['onFailure']): void {
  const isForged = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
  const status = error instanceof Refused ? error.status : isForged ? 401 : 500;
  if (status === 500) onFailure?.(error);
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${status}\n`);
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MOST_BYTES) throw new Refused(413);
  }
  return text;
}

function isDisabled({ active = true, state }: ServicePerson): boolean {
  return !active || state === 'disabled';
}
