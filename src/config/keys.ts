/**
 * Derives a key for each purpose from `SECRETS_SYSTEM`, and authenticates and encrypts values with these keys. The newest secret encrypts
 * and signs; all listed secrets decrypt and verify, so that a rotation does not sign people out.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Separates keys: a value encrypted or signed for one purpose is not valid for another. */
export type KeyPurpose =
  | 'xsrf'
  | 'ticket'
  | 'limits'
  | 'challenge-result'
  | 'demo-account'
  | 'upstream'
  | 'totp-seed'
  | 'recovery-code'
  | 'one-time-payload'
  | 'sign-in'
  | 'sign-in-answer'
  | 'mfa-token'
  | 'offer-mark'
  | 'rpc-token'
  | 'rpc-answer'
  | 'outbox'
  | 'proof-code'
  | 'kept-text'
  | 'registration-context'
  | 'registration-ticket'
  | 'source-question'
  | 'kept-key'
  | 'key-id'
  | 'session-cookie'
  | 'passkey-challenge'
  | 'browser-check'
  | 'logout-result'
  | 'registration-status'
  | 'console-client'
  | 'console-sign-in'
  | 'support-check'
  | 'sign-up'
  | 'sign-up-work';

export class Keys {
  readonly #secrets: readonly string[];
  readonly #keyObjects = new Map<string, KeyObject>();

  /** @param secrets newest first; at least one */
  constructor(secrets: readonly string[]) {
    if (secrets.length === 0) throw new Error('Keys need at least one secret');
    this.#secrets = secrets;
  }

  /** Sets the key of a purpose whose values must be the same for all gateways and must survive a rotation. */
  use(purpose: KeyPurpose, key: Buffer): void {
    this.#keyObjects.set(`0:${purpose}`, createSecretKey(key));
  }

  /** @returns HMAC-SHA-256 of `data`, base64url */
  mac(purpose: KeyPurpose, data: string): string {
    return createHmac('sha256', this.#key(purpose, 0)).update(data).digest('base64url');
  }

  /** @returns the MACs for all listed secrets, newest first, so that values stored before a rotation are still found */
  macs(purpose: KeyPurpose, data: string): string[] {
    return this.#secrets.map((_, index) => createHmac('sha256', this.#key(purpose, index)).update(data).digest('base64url'));
  }

  verifyMac(purpose: KeyPurpose, data: string, mac: string): boolean {
    const actual = Buffer.from(mac, 'base64url');
    return this.#secrets.some((_, index) => {
      const expected = createHmac('sha256', this.#key(purpose, index)).update(data).digest();
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    });
  }

  /** Encrypts with AES-256-GCM. @returns base64url of nonce, ciphertext and tag */
  seal(purpose: KeyPurpose, plaintext: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key(purpose, 0), nonce);
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
  }

  /** @returns the plaintext, or null for a value that was not encrypted here for this purpose */
  open(purpose: KeyPurpose, sealedValue: string): string | null {
    return this.openKept(purpose, sealedValue)?.plaintext ?? null;
  }

  /**
   * Decrypts a value that is stored for years. `outdated` reports that an older secret encrypted the value, so that it must be
   * encrypted again.
   * @returns null for a value that was not encrypted here for this purpose
   */
  openKept(purpose: KeyPurpose, sealedValue: string): { plaintext: string; outdated: boolean } | null {
    const bytes = Buffer.from(sealedValue, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
    for (let index = 0; index < this.#secrets.length; index++) {
      const plaintext = openWith(this.#key(purpose, index), bytes);
      if (plaintext !== null) return { plaintext, outdated: index > 0 };
    }
    return null;
  }

  /** Derives 32 bytes for one purpose (HKDF-SHA-256, RFC 5869). @param index the index of the secret; 0 is the newest */
  derive(purpose: KeyPurpose, index = 0): Buffer {
    const secret = this.#secrets[index];
    if (secret === undefined) throw new Error(`There is no secret ${index}`);
    return Buffer.from(hkdfSync('sha256', secret, 'foyer', purpose, 32));
  }

  /** Keys are cached as key objects, because Node would prepare a key in bytes again for every use. */
  #key(purpose: KeyPurpose, index: number): KeyObject {
    const label = `${index}:${purpose}`;
    const cachedKey = this.#keyObjects.get(label);
    if (cachedKey) return cachedKey;
    const key = createSecretKey(this.derive(purpose, index));
    this.#keyObjects.set(label, key);
    return key;
  }
}

function openWith(key: KeyObject, bytes: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}

/** Only for secrets of 128 bits and more that are looked up by their hash. @returns SHA-256, base64url */
export function fingerprint(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** @returns `bytes` random bytes, base64url */
export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}
