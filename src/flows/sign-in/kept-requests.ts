/**
 * The login request as the record of its challenge keeps it, so that the form does not ask the OAuth server again. For minutes,
 * because the client may change and the challenge may expire meanwhile; the OAuth server decides in the end, when it accepts.
 */
import { Injectable } from '@nestjs/common';
import { ChallengeRecords, type ClaimState } from '../../accounts/sessions/challenge-records.js';
import { Clock } from '../../config/clock.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { CHALLENGE_SECONDS, loginOwner } from './finished-answer.js';

const LIFETIME_MS = 10 * 60 * 1000;
/** An address of an authorization request can be very long, and everybody may send one: then nothing is kept. */
const LONGEST = 8 * 1024;
/** Raised with each change of the members of `LoginRequest`: another version may read what this one has written. */
export const VERSION = 4;

interface KeptRequest {
  version: number;
  /** In ms since the epoch. */
  expires: number;
  request: LoginRequest;
}

@Injectable()
export class KeptRequests {
  constructor(
    private readonly records: ChallengeRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * The first browser that opens the challenge owns it. A session already says which browser that is: then nothing is written.
   */
  open(request: LoginRequest, context: RequestContext): Promise<ClaimState> {
    const owner = loginOwner(request.challenge, context);
    return request.skip ? this.records.peek(owner) : this.records.claim(owner, CHALLENGE_SECONDS, this.#write(request));
  }

  /** @param text from the record @returns null if nothing is kept of this challenge, or too long ago */
  read(text: string | null, challenge: string): LoginRequest | null {
    if (text === null) return null;
    const { version, expires, request } = JSON.parse(text) as KeptRequest;
    const isCurrent = version === VERSION && expires > this.clock.now().getTime();
    return isCurrent && request.challenge === challenge ? request : null;
  }

  #write(request: LoginRequest): string | null {
    const kept: KeptRequest = { version: VERSION, expires: this.clock.now().getTime() + LIFETIME_MS, request };
    const text = JSON.stringify(kept);
    return text.length > LONGEST ? null : text;
  }
}
