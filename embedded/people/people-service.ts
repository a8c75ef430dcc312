/**
 * An example of a user source over HTTP: it answers two signed calls, `lookup` and `verify`. Copy this file; it shares no code with
 * the product, and `docs/people.md` describes the protocol. Replace `people` with your own table of people and `isPassword` with your own
 * password check.
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
  /** Never changes, and never identifies another person. */
  sub: string;
  username: string;
  display_name?: string;
  email?: string;
  email_verified?: boolean;
  /** Additional names that this person can sign in with. */
  login?: readonly string[];
  groups?: readonly string[];
  attributes?: Readonly<Record<string, string | readonly string[]>>;
  /** The result of `hashPassword`. */
  hash: Promise<string> | string;
  /** `false` means the same as the state `disabled`. */
  active?: boolean;
  state?: 'disabled' | 'locked' | 'must_change';
}

export interface PeopleServiceSettings {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  /** Public address of Foyer (`PUBLIC_URL`), which is the issuer of the calls. */
  foyerUrl: string;
  /** Address of Foyer's keys, if it differs from `foyerUrl` with `/sources/jwks`. */
  foyerKeysUrl?: string;
  /** The issuer of this service, as in `USER_SOURCES`. Default: `http://localhost:` and the port. */
  issuer?: string;
  people: readonly ServicePerson[];
  onFailure?: (error: unknown) => void;
}

interface Question extends JWTPayload {
  call: string;
  identifier?: string;
  password?: string;
}

/** A request that is refused with this status. */
class RequestError extends Error {
  constructor(readonly status: 401 | 404 | 405 | 413) {
    super(`HTTP ${status}`);
  }
}

const MAX_BODY_BYTES = 16 * 1024;
/** Longer than a question is valid, including the allowed difference between the clocks. */
const REPLAY_WINDOW_MS = 120_000;
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
  /**
   * When each question was answered, by its `jti`, so that no question is answered twice. In production, store this where all
   * processes see it.
   */
  readonly #answerTimes = new Map<string, number>();
  readonly #foyerKeys: ReturnType<typeof createRemoteJWKSet>;
  /** A hash to verify for unknown people, so that the answer takes the same time as for known ones. */
  #dummyHash: Promise<string> | undefined;

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
    if (call !== 'lookup' && call !== 'verify') throw new RequestError(404);
    if (request.method !== 'POST') throw new RequestError(405);
    const question = await this.#readQuestion(await readText(request), call);
    const answer = call === 'lookup' ? this.#lookup(question) : await this.#verify(question);
    return { type: 'application/jwt', body: await this.#sign(answer, question) };
  }

  async #readQuestion(token: string, call: string): Promise<Question> {
    const { payload } = await jwtVerify<Question>(token, this.#foyerKeys, {
      issuer: this.settings.foyerUrl,
      audience: this.settings.issuer,
      algorithms: ['ES256'],
      typ: 'foyer-source-question+jwt',
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'iat', 'jti', 'call'],
    });
    const { jti = '' } = payload;
    for (const [id, timeMs] of this.#answerTimes) if (timeMs < Date.now() - REPLAY_WINDOW_MS) this.#answerTimes.delete(id);
    if (payload.call !== call || this.#answerTimes.has(jti)) throw new RequestError(401);
    this.#answerTimes.set(jti, Date.now());
    return payload;
  }

  #lookup({ identifier, sub }: Question): JWTPayload {
    const typedName = identifier?.toLowerCase();
    const toNames = ({ username, email, login = [] }: ServicePerson) => [username, email, ...login];
    const [person, ...otherPeople] = this.settings.people.filter((candidate) =>
      typedName === undefined ? candidate.sub === sub : toNames(candidate).some((name) => name?.toLowerCase() === typedName),
    );
    // If two people have the name, neither is found.
    if (!person || otherPeople.length > 0) return { result: 'nobody' };
    const { hash: _, state: __, ...claims } = person;
    return { result: 'found', person: { ...claims, active: !isDisabled(person) } };
  }

  async #verify({ sub, password = '' }: Question): Promise<JWTPayload> {
    const person = this.settings.people.find((candidate) => candidate.sub === sub);
    this.#dummyHash ??= hashPassword(randomBytes(16).toString('base64url'));
    const isRight = await isPassword(password, await (person?.hash ?? this.#dummyHash));
    const subject = sub === undefined ? {} : { sub };
    if (!person || !isRight) return { ...subject, result: 'wrong' };
    // The state is reported only after the right password. Otherwise anyone could find out which people exist.
    return { ...subject, result: isDisabled(person) ? 'disabled' : (person.state ?? 'proven') };
  }

  #sign(answer: JWTPayload, { jti = '' }: Question): Promise<string> {
    return new SignJWT({ ...answer, nonce: jti })
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
  // In production, store the key, and publish the next key before it signs.
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

/** Reports the cause of a failure to the log, but never the question, because a question may contain a password. */
function refuse(error: unknown, response: ServerResponse, onFailure: PeopleServiceSettings['onFailure']): void {
  const isInvalid = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
  const status = error instanceof RequestError ? error.status : isInvalid ? 401 : 500;
  if (status === 500) onFailure?.(error);
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${status}\n`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_BODY_BYTES) throw new RequestError(413);
  }
  return text;
}

function isDisabled({ active = true, state }: ServicePerson): boolean {
  return !active || state === 'disabled';
}
