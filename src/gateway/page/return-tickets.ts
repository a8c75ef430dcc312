/**
 * The ticket that every page of a flow carries: the sealed address of the request that waits. When the challenge has
 * expired or was used, it leads back into the same request with one click. It holds no identity and grants nothing.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Keys, fingerprint } from '../../config/keys.js';

const LIFETIME_MS = 24 * 3600 * 1000;

interface TicketContent {
  /** Address of the request. */
  u: string;
  /** Fingerprint of the challenge that the page was shown for. */
  c: string;
  /** Last moment, in ms since the epoch. */
  e: number;
}

@Injectable()
export class ReturnTickets {
  readonly #keys: Keys;
  readonly #clock: Clock;

  constructor(keys: Keys, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  issue(requestUrl: string, challenge: string): string {
    const content: TicketContent = { u: requestUrl, c: fingerprint(challenge), e: this.#clock.now().getTime() + LIFETIME_MS };
    return this.#keys.seal('ticket', JSON.stringify(content));
  }

  /** @returns the request's address, or null for a ticket that is foreign or too old */
  open(ticket: string | null | undefined): string | null {
    return this.#read(ticket)?.u ?? null;
  }

  /** Like `open`, for a ticket that was kept beside the page: only when it was issued for this very challenge. */
  openFor(ticket: string | null | undefined, challenge: string): string | null {
    const content = this.#read(ticket);
    return content?.c === fingerprint(challenge) ? content.u : null;
  }

  #read(ticket: string | null | undefined): TicketContent | null {
    if (!ticket) return null;
    const plaintext = this.#keys.open('ticket', ticket);
    if (plaintext === null) return null;
    const content = JSON.parse(plaintext) as TicketContent;
    return content.e > this.#clock.now().getTime() ? content : null;
  }
}
