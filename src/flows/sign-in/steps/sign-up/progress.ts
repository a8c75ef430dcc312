/**
 * What a person who creates an account has entered and proven so far. It is sealed in a cookie of the browser: before the
 * account is created or applied for, nothing that was entered is stored, except the address in the queued mail. A proof counts only for the
 * request for which it was made, which belongs to one browser (`SignIns`); what was entered is filled in again when the request has to start
 * again.
 */
import { Injectable } from '@nestjs/common';
import type { SignUpDetails } from '../../../../accounts/changes/sign-up.js';
import { Clock } from '../../../../config/clock.js';
import { Keys, fingerprint } from '../../../../config/keys.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';

export interface Progress {
  /** The challenge itself is too long for a cookie, because it contains the whole request. */
  challengeHash: string;
  details: SignUpDetails;
  /** The code that was requested last. `expires`: in ms since the epoch, whether or not a code was mailed. */
  code: { id: string; expires: number } | null;
  /** Whether a code has proven the address. */
  isEmailProven: boolean;
  /** Whether another account has the username. */
  isUsernameTaken: boolean;
  /** The application waits for an operator's decision; of the details, only the address is kept. */
  isWaiting?: true;
}

/** Leaves about 1,000 bytes for the other headers of an answer, so that all of them fit into the buffer of a proxy (`header-size.ts`). */
const MAX_COOKIE_LENGTH = 2600;
const LIFETIME_MS = 30 * 60 * 1000;

@Injectable()
export class SignUpProgress {
  constructor(
    private readonly keys: Keys,
    private readonly clock: Clock,
  ) {}

  /** @returns what this browser has entered last, for any request; null if there is nothing, or it has expired */
  open({ signUp }: RequestContext): Progress | null {
    const plaintext = signUp === null ? null : this.keys.open('sign-up', signUp);
    if (plaintext === null) return null;
    const { expires, progress } = JSON.parse(plaintext) as { expires: number; progress: Progress };
    return expires > this.clock.now().getTime() ? progress : null;
  }

  /** @returns the progress of this request; null if there is none */
  openFor(challenge: string, context: RequestContext): Progress | null {
    const progress = this.open(context);
    return progress?.challengeHash === fingerprint(challenge) ? progress : null;
  }

  /** @returns null unless the address is proven for this request, and the username is free */
  findProven(challenge: string, context: RequestContext): Progress | null {
    const progress = this.openFor(challenge, context);
    return progress?.isEmailProven === true && !progress.isUsernameTaken ? progress : null;
  }

  /** @returns the value of the cookie; null if the value is too long for a cookie. A proof does not make the value longer */
  seal(progress: Progress): string | null {
    const sealedProgress = this.keys.seal(
      'sign-up',
      JSON.stringify({ expires: this.clock.now().getTime() + LIFETIME_MS, progress }),
    );
    return sealedProgress.length > MAX_COOKIE_LENGTH ? null : sealedProgress;
  }
}
