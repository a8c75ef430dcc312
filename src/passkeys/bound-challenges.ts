/**
 * Challenges of WebAuthn that are not stored: a MAC binds each challenge to its use, and to values such as the login request and
 * the browser. The code that uses the challenges ensures that a response cannot be replayed.
 */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../config/clock.js';
import type { Keys } from '../config/keys.js';

/** As long as Hydra keeps a login request by default, because the page may wait for the person that long. */
const LIFETIME_SECONDS = 1800;
/** At least 16 random bytes (WebAuthn Level 3, section 13.4.3). */
const NONCE_BYTES = 16;
const EXPIRY_BYTES = 6;
const MAC_BYTES = 32;

export type ChallengeUse = 'sign-in' | 'sign-up';

export class BoundChallenges {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** @param parts what the challenge is bound to; without line breaks @returns base64url */
  issue(use: ChallengeUse, parts: readonly string[]): string {
    const head = Buffer.concat([randomBytes(NONCE_BYTES), Buffer.alloc(EXPIRY_BYTES)]);
    head.writeUIntBE(this.#nowSeconds() + LIFETIME_SECONDS, NONCE_BYTES, EXPIRY_BYTES);
    const mac = this.keys.mac('passkey-challenge', toMacInput(head, use, parts));
    return Buffer.concat([head, Buffer.from(mac, 'base64url')]).toString('base64url');
  }

  /** @param encodedText base64url @returns whether the challenge was issued for this use and these parts, and has not expired */
  verify(encodedText: string, use: ChallengeUse, parts: readonly string[]): boolean {
    const bytes = Buffer.from(encodedText, 'base64url');
    if (bytes.length !== NONCE_BYTES + EXPIRY_BYTES + MAC_BYTES) return false;
    const head = bytes.subarray(0, NONCE_BYTES + EXPIRY_BYTES);
    const mac = bytes.subarray(NONCE_BYTES + EXPIRY_BYTES).toString('base64url');
    if (!this.keys.verifyMac('passkey-challenge', toMacInput(head, use, parts), mac)) return false;
    return head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES) >= this.#nowSeconds();
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function toMacInput(head: Buffer, use: ChallengeUse, parts: readonly string[]): string {
  return [use, head.toString('base64url'), ...parts].join('\n');
}
