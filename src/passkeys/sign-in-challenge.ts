/**
 * The challenge of a sign-in with a passkey. The challenge is not stored: a MAC binds it to the login request and the browser. An
 * assertion cannot be replayed, because a login request is answered once.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Keys } from '../config/keys.js';
import type { PasskeyRequest } from '../contract/page-state.js';
import { BoundChallenges } from './bound-challenges.js';
import { toParty, buildRequestOptions } from './ceremony.js';

/** The login request and the browser that it belongs to. */
export interface SignInSlot {
  challenge: string;
  browser: string;
}

@Injectable()
export class SignInChallenges {
  readonly #challenges: BoundChallenges;

  constructor(
    keys: Keys,
    clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'app' | 'passkeys'>,
  ) {
    this.#challenges = new BoundChallenges(keys, clock);
  }

  /** @returns options for the browser; null if passkeys are turned off */
  buildOptions(slot: SignInSlot): PasskeyRequest | null {
    return this.config.passkeys.mode === 'off'
      ? null
      : buildRequestOptions(toParty(this.config), this.#challenges.issue('sign-in', toParts(slot)));
  }

  /**
   * @param encodedText base64url
   * @returns whether the challenge was issued for this login request and browser, and has not expired
   */
  verify(encodedText: string, slot: SignInSlot): boolean {
    return this.#challenges.verify(encodedText, 'sign-in', toParts(slot));
  }
}

/** Challenge and browser id contain no line breaks. */
function toParts({ challenge, browser }: SignInSlot): string[] {
  return [challenge, browser];
}
