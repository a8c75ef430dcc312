/**
 * The challenge of a sign-in with a passkey. The challenge is not stored: a MAC binds it to the login request and the browser. An
 * assertion cannot be replayed, because a login request is answered once.
 */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Keys } from '../config/keys.js';
import type { PasskeyRequest } from '../contract/page-state.js';
import { toParty, buildRequestOptions } from './ceremony.js';

/** The time for which Hydra keeps a login request by default, because the page may wait for the person that long. */
const LIFETIME_SECONDS = 1800;
/** At least 16 random bytes (WebAuthn Level 3, section 13.4.3). */
const NONCE_BYTES = 16;
const EXPIRY_BYTES = 6;
const MAC_BYTES = 32;

/** The login request and the browser that it belongs to. */
export interface SignInSlot {
  challenge: string;
  browser: string;
}

@Injectable()
export class SignInChallenges {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'app' | 'passkeys'>,
  ) {}

  /** @returns options for the browser; null if passkeys are turned off */
  options(slot: SignInSlot): PasskeyRequest | null {
    return this.config.passkeys.mode === 'off' ? null : buildRequestOptions(toParty(this.config), this.#issue(slot));
  }

  #issue(slot: SignInSlot): string {
    const head = Buffer.concat([randomBytes(NONCE_BYTES), Buffer.alloc(EXPIRY_BYTES)]);
    head.writeUIntBE(this.#nowSeconds() + LIFETIME_SECONDS, NONCE_BYTES, EXPIRY_BYTES);
    return Buffer.concat([head, Buffer.from(this.keys.mac('passkey-challenge', toMacInput(head, slot)), 'base64url')]).toString(
      'base64url',
    );
  }

  /** @param encodedText base64url @returns whether the challenge was issued for this login request and browser, and has not expired */
  verify(encodedText: string, slot: SignInSlot): boolean {
    const bytes = Buffer.from(encodedText, 'base64url');
    if (bytes.length !== NONCE_BYTES + EXPIRY_BYTES + MAC_BYTES) return false;
    const head = bytes.subarray(0, NONCE_BYTES + EXPIRY_BYTES);
    const mac = bytes.subarray(NONCE_BYTES + EXPIRY_BYTES).toString('base64url');
    if (!this.keys.verifyMac('passkey-challenge', toMacInput(head, slot), mac)) return false;
    return head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES) >= this.#nowSeconds();
  }

  #nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** The text that the MAC covers. Challenge and browser id contain no line breaks. */
function toMacInput(head: Buffer, { challenge, browser }: SignInSlot): string {
  return `sign-in\n${head.toString('base64url')}\n${challenge}\n${browser}`;
}
