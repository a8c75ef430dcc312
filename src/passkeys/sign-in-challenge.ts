/**
 * The challenge of a sign-in with a passkey. It needs no row: it names the login request and the browser by a MAC, and a login
 * request is answered once, so an assertion is too.
 */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Keys } from '../config/keys.js';
import type { PasskeyRequest } from '../contract/page-state.js';
import { toParty, requestOptions } from './ceremony.js';

/** The page may wait for a person for a while; Hydra forgets the request after 30 minutes by default. */
const LIFETIME_SECONDS = 1800;
/** WebAuthn Level 3, section 13.4.3. */
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

  /** @returns options for the browser; null if nobody signs in with passkeys here */
  options(slot: SignInSlot): PasskeyRequest | null {
    return this.config.passkeys.mode === 'off' ? null : requestOptions(toParty(this.config), this.#issue(slot));
  }

  #issue(slot: SignInSlot): string {
    const head = Buffer.concat([randomBytes(NONCE_BYTES), Buffer.alloc(EXPIRY_BYTES)]);
    head.writeUIntBE(this.#seconds() + LIFETIME_SECONDS, NONCE_BYTES, EXPIRY_BYTES);
    return Buffer.concat([head, Buffer.from(this.keys.mac('passkey-challenge', boundTo(head, slot)), 'base64url')]).toString(
      'base64url',
    );
  }

  /** @param given base64url @returns whether it was issued for this login request in this browser, and has not expired */
  verify(given: string, slot: SignInSlot): boolean {
    const bytes = Buffer.from(given, 'base64url');
    if (bytes.length !== NONCE_BYTES + EXPIRY_BYTES + MAC_BYTES) return false;
    const head = bytes.subarray(0, NONCE_BYTES + EXPIRY_BYTES);
    const mac = bytes.subarray(NONCE_BYTES + EXPIRY_BYTES).toString('base64url');
    if (!this.keys.verifyMac('passkey-challenge', boundTo(head, slot), mac)) return false;
    return head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES) >= this.#seconds();
  }

  #seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** Neither text has a line break. */
function boundTo(head: Buffer, { challenge, browser }: SignInSlot): string {
  return `sign-in\n${head.toString('base64url')}\n${challenge}\n${browser}`;
}
