/**
 * What a logout in this browser came to, sealed in a cookie: the page after it is shown by a plain address that anybody can
 * open, and claims only what this says. It contains no secret and ends nothing.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export type LogoutResult =
  /** Accepted for a session of this browser; done when Hydra says that the challenge was used. */
  | { kind: 'accepted'; challenge: string; notified: boolean }
  /** Ended here, without a challenge. `notified`: Hydra has ended all sessions, and so notified their apps. */
  | { kind: 'ended'; notified: boolean }
  | { kind: 'rejected' }
  /**
   * The person wants to log out, but the session is not of this browser: Hydra decides by its own cookie, without a second
   * question. `returnTo`: checked address of the app that asked for the logout.
   */
  | { kind: 'confirmed'; subject: string; returnTo?: string };

/** The cookie has to fit into the headers of an answer. */
const LONGEST_RETURN = 1000;

@Injectable()
export class LogoutResults {
  constructor(private readonly keys: Keys) {}

  /** @returns value of the cookie; without a very long address to return to, a page says that the logout is done */
  write(given: LogoutResult): string {
    const isTooLong = given.kind === 'confirmed' && (given.returnTo ?? '').length > LONGEST_RETURN;
    const result = isTooLong ? { kind: given.kind, subject: given.subject } : given;
    return this.keys.seal('logout-result', JSON.stringify(result));
  }

  read({ logout }: RequestContext): LogoutResult | null {
    const plaintext = logout === null ? null : this.keys.open('logout-result', logout);
    return plaintext === null ? null : (JSON.parse(plaintext) as LogoutResult);
  }
}
