/**
 * The use of a trusted browser, and the choice to trust a browser. A task between the second factor and the app would lose the choice, so
 * the address and the form of the task contain a confirmation. The confirmation is issued only to the form that has proven a factor, so
 * the choice cannot be added after a recovery code.
 */
import { Injectable } from '@nestjs/common';
import { TrustedBrowsers } from '../../accounts/sessions/trusted-browsers.js';
import { Keys } from '../../config/keys.js';
import type { IdentifiedSignIn } from './sign-in.js';

@Injectable()
export class TrustChoice {
  constructor(
    private readonly trustedBrowsers: TrustedBrowsers,
    private readonly keys: Keys,
  ) {}

  /**
   * Records the use of a trusted browser.
   * @param presentedSecrets secrets of the browser
   * @returns whether the account trusts the browser
   */
  use(accountId: string, presentedSecrets: readonly string[]): Promise<boolean> {
    return this.trustedBrowsers.use(accountId, presentedSecrets);
  }

  /** Like `use`, but writes nothing. */
  async isTrusted(accountId: string, presentedSecrets: readonly string[]): Promise<boolean> {
    if (presentedSecrets.length === 0) return false;
    return (await this.trustedBrowsers.list(accountId, presentedSecrets)).some(({ isThis }) => isThis);
  }

  issueConfirmation(signIn: IdentifiedSignIn): string {
    return this.keys.mac('mfa-token', toText(signIn));
  }

  isConfirmed(signIn: IdentifiedSignIn, value: string): boolean {
    return value !== '' && this.keys.verifyMac('mfa-token', toText(signIn), value);
  }
}

/** The prefix prevents a token of the second factor from confirming the choice. */
function toText({ id, proofId }: IdentifiedSignIn): string {
  return `trust ${id} ${proofId}`;
}
