/**
 * The result of a logout in this browser, sealed in a cookie. Anybody can open the address of the result page, so the page
 * reports only what the cookie contains. The cookie contains no secret and ends no session.
 */
import { Injectable } from '@nestjs/common';
import { Keys } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export type LogoutResult =
  /** The logout was accepted for a session of this browser. The logout is done when Hydra reports that the challenge was used. */
  | { kind: 'accepted'; challenge: string; notified: boolean }
  /** The sessions of this browser ended without a challenge. `notified`: Hydra has ended all of them and notified their apps. */
  | { kind: 'ended'; notified: boolean }
  | { kind: 'rejected' }
  /**
   * The person wants to log out, but Foyer has no session of the subject in this browser: Hydra decides by its own cookie, and the
   * person is not asked a second time. `returnTo`: validated address of the app that requested the logout.
   */
  | { kind: 'confirmed'; subject: string; returnTo?: string };

/** In characters. The cookie has to fit into the headers of a response. */
const MAX_RETURN_LENGTH = 1000;

@Injectable()
export class LogoutResults {
  constructor(private readonly keys: Keys) {}

  /** Leaves out a very long return address: the result page is shown instead. @returns the value of the cookie */
  write(logoutResult: LogoutResult): string {
    const isTooLong = logoutResult.kind === 'confirmed' && (logoutResult.returnTo ?? '').length > MAX_RETURN_LENGTH;
    const result = isTooLong ? { kind: logoutResult.kind, subject: logoutResult.subject } : logoutResult;
    return this.keys.seal('logout-result', JSON.stringify(result));
  }

  read({ logout }: RequestContext): LogoutResult | null {
    const plaintext = logout === null ? null : this.keys.open('logout-result', logout);
    return plaintext === null ? null : (JSON.parse(plaintext) as LogoutResult);
  }
}
