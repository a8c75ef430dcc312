/**
 * Issues and opens return tickets: the sealed address of the waiting authorization request, in the forms of a flow and in a cookie. If
 * the challenge has expired or was used, a link to this address restarts the request. A ticket authenticates nobody and grants nothing.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock.js';
import { Keys, fingerprint } from '../../config/keys.js';
import { DEVICE_VERIFICATION_PATH } from '../../contract/paths.js';
import type { RequestContext } from '../http/request-context.js';

/** The challenge of a form or an address, with the return ticket of the form, if any. */
export interface PresentedChallenge {
  challenge: string;
  ticket?: string | undefined;
}

/** The way back into a request, as members of a page's state. A device request requires the code once more. */
export function toRestartState(restartUrl: string | null): { restart_url?: string; restart_asks_code?: true } {
  if (restartUrl === null) return {};
  const asksCode = new URL(restartUrl).pathname.endsWith(DEVICE_VERIFICATION_PATH);
  return { restart_url: restartUrl, ...(asksCode ? { restart_asks_code: true } : {}) };
}

const LIFETIME_MS = 24 * 3600 * 1000;

interface TicketContent {
  /** Address of the authorization request. */
  u: string;
  /** Fingerprint of the challenge of the page. */
  c: string;
  /** Expiry in ms since the epoch. */
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

  /** @returns the address of the request, or null if the ticket is not authentic or has expired */
  open(ticket: string | null | undefined): string | null {
    return this.#read(ticket)?.u ?? null;
  }

  /** Like `open`, for a ticket in the browser's cookie: only if it was issued for this challenge. */
  openForChallenge(ticket: string | null | undefined, challenge: string): string | null {
    const content = this.#read(ticket);
    return content?.c === fingerprint(challenge) ? content.u : null;
  }

  /** Address that restarts the request of an unusable challenge: from the form's ticket, or else from the browser's cookie. */
  restartUrl({ challenge, ticket }: PresentedChallenge, { resume }: Pick<RequestContext, 'resume'>): string | null {
    return this.open(ticket) ?? this.openForChallenge(resume, challenge);
  }

  #read(ticket: string | null | undefined): TicketContent | null {
    if (!ticket) return null;
    const plaintext = this.#keys.open('ticket', ticket);
    if (plaintext === null) return null;
    const content = JSON.parse(plaintext) as TicketContent;
    return content.e > this.#clock.now().getTime() ? content : null;
  }
}
