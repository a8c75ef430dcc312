/** Authenticates the client at the token endpoint, with the methods of each provider. */
import { createPublicKey, timingSafeEqual } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify, type JWTPayload, type JWTVerifyOptions } from 'jose';
import type { SiteRequest } from '../site/read-request.js';
import type { ClientAuthentication, Dialect, DemoProviderClient } from './dialect.js';

/** Apple's limit: half a year. */
const MAX_SECRET_SECONDS = 15_777_000;
const MAX_ASSERTION_SECONDS = 300;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A token request, and what its client authentication is checked against. */
export interface ClientCheck {
  request: SiteRequest;
  form: URLSearchParams;
  client: DemoProviderClient;
  /** Expected audience of a signed token. */
  issuer: string;
  now: Date;
}

export async function isClient(dialect: Dialect, check: ClientCheck): Promise<boolean> {
  const method = findMethod(dialect, check);
  if (!dialect.clientAuthentication.includes(method)) return false;
  if (method === 'assertion') return isValidAssertion(check);
  const { id, secret } = method === 'basic' ? readBasicCredentials(check) : readFormCredentials(check);
  if (id !== check.client.id) return false;
  return method === 'signed-secret' ? isValidSignedSecret(secret, check) : isEqual(secret, check.client.secret);
}

function findMethod({ clientAuthentication }: Dialect, { request, form }: ClientCheck): ClientAuthentication {
  if (request.headers.authorization !== undefined) return 'basic';
  if (form.has('client_assertion')) return 'assertion';
  return clientAuthentication.includes('signed-secret') ? 'signed-secret' : 'post';
}

function readFormCredentials({ form }: ClientCheck): { id: string; secret: string } {
  return { id: form.get('client_id') ?? '', secret: form.get('client_secret') ?? '' };
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function readBasicCredentials({ request }: ClientCheck): { id: string; secret: string } {
  const encodedPair = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [id = '', secret = ''] = Buffer.from(encodedPair, 'base64').toString('utf8').split(':').map(decodeFormValue);
  return { id, secret };
}

function decodeFormValue(value: string): string {
  return new URLSearchParams(`value=${value}`).get('value') ?? '';
}

async function isValidAssertion({ form, client, issuer, now }: ClientCheck): Promise<boolean> {
  if (client.assertionKey === undefined || form.get('client_assertion_type') !== ASSERTION_TYPE) return false;
  const expected = { issuer: client.id, subject: client.id, audience: issuer, currentDate: now };
  const payload = await verifyToken(form.get('client_assertion') ?? '', client.assertionKey, expected);
  return payload !== null && toLifetimeSeconds(payload) <= MAX_ASSERTION_SECONDS;
}

async function isValidSignedSecret(secret: string, { client, issuer, now }: ClientCheck): Promise<boolean> {
  if (!client.key) return false;
  const expected = { issuer: client.key.teamId, subject: client.id, audience: issuer, currentDate: now };
  const payload = await verifyToken(secret, client.key.publicKey, expected);
  return (
    payload !== null && decodeProtectedHeader(secret).kid === client.key.keyId && toLifetimeSeconds(payload) <= MAX_SECRET_SECONDS
  );
}

async function verifyToken(token: string, publicKey: string, expected: JWTVerifyOptions): Promise<JWTPayload | null> {
  const options = { ...expected, algorithms: ['ES256', 'RS256'], requiredClaims: ['iat', 'exp'], clockTolerance: 60 };
  try {
    return (await jwtVerify(token, createPublicKey(publicKey), options)).payload;
  } catch {
    return null;
  }
}

function toLifetimeSeconds({ iat = 0, exp = 0 }: JWTPayload): number {
  return exp - iat;
}

function isEqual(secret: string, expected: string | undefined): boolean {
  const [secretBytes, expectedBytes] = [Buffer.from(secret), Buffer.from(expected ?? '')];
  return expected !== undefined && secretBytes.length === expectedBytes.length && timingSafeEqual(secretBytes, expectedBytes);
}
