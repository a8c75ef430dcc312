/** The signing key: generated once, stored, published as a JWK set. Signs with RS256 and verifies its own signatures. */
import { createPrivateKey, createPublicKey, generateKeyPair, randomUUID, sign, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { isObject } from '../http/json-body.js';
import type { KeyRow } from '../store/rows.js';
import type { Store } from '../store/store.js';

export type Claims = Record<string, unknown>;

/** The message is the message of Hydra's library, because the client sees it. */
export class UnverifiableToken extends Error {}

const ROW_ID = 'id-token';
const MODULUS_BITS = 2048;

export class Signer {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  private constructor(private readonly row: KeyRow) {
    this.#privateKey = createPrivateKey({ key: row.jwk, format: 'jwk' });
    this.#publicKey = createPublicKey(this.#privateKey);
  }

  /** @param isPersistent false for a store in memory; all such stores of a process share one key */
  static async load(store: Store, isPersistent = true): Promise<Signer> {
    const storedRow = store.keys.get(ROW_ID);
    if (storedRow) return new Signer(storedRow);
    const row = await (isPersistent ? generateRow() : (sharedRow ??= generateRow()));
    store.keys.put(ROW_ID, row);
    return new Signer(row);
  }

  get kid(): string {
    return this.row.kid;
  }

  /** The public key as a JWK set (RFC 7517). */
  publicJwks(): { keys: Claims[] } {
    const { kty, n, e } = this.#publicKey.export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty, kid: this.row.kid, alg: 'RS256', n, e }] };
  }

  /** The private key, for the library that requires one. */
  privateJwk(): Claims {
    return { ...this.row.jwk, use: 'sig', alg: 'RS256', kid: this.row.kid };
  }

  /** @returns a JWS in compact serialization (RFC 7515) */
  sign(claims: Claims): string {
    const header = { alg: 'RS256', kid: this.row.kid, typ: 'JWT' };
    const input = `${toPart(header)}.${toPart(claims)}`;
    return `${input}.${sign('sha256', Buffer.from(input), this.#privateKey).toString('base64url')}`;
  }

  /** Reads the claims of a token that this key signed. Does not check expiry, because hints may be old. @throws UnverifiableToken */
  read(token: string): Claims {
    const [header, payload, signature, ...extraParts] = token.split('.');
    if (header === undefined || payload === undefined || signature === undefined || extraParts.length > 0) {
      throw new UnverifiableToken('go-jose/go-jose: compact JWS format must have three parts');
    }
    const algorithm = parsePart(header)?.['alg'];
    const claims = parsePart(payload);
    if (algorithm === undefined || !claims) throw new UnverifiableToken('illegal base64 data at input byte 0');
    // Only RS256 is accepted: "none" and HMAC algorithms are refused before a key is used.
    if (algorithm !== 'RS256' || !this.#isSigned(`${header}.${payload}`, signature)) {
      throw new UnverifiableToken('go-jose/go-jose: error in cryptographic primitive');
    }
    return claims;
  }

  #isSigned(input: string, signature: string): boolean {
    return verify('sha256', Buffer.from(input), this.#publicKey, Buffer.from(signature, 'base64url'));
  }
}

/** The key that stores in memory share, because generating a key takes a third of a second of processor time. */
let sharedRow: Promise<KeyRow> | undefined;

async function generateRow(): Promise<KeyRow> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return { kid: randomUUID(), jwk: { ...privateKey.export({ format: 'jwk' }) } };
}

function toPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function parsePart(part: string): Claims | null {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
