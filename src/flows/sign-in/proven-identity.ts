import type { Account } from '../../accounts/account/accounts.js';
import type { BegunSession } from '../../accounts/sessions/browser-sessions.js';
import type { PasskeyCreation } from '../../contract/passkey-state.js';
import type { NewTrust } from '../../accounts/sessions/trusted-browsers.js';

/** How a person was proven. Every way of signing in ends in this value (docs/architecture.md). */
export interface ProvenIdentity {
  account: Account;
  /** All methods proven for this request; `acr` follows from them. */
  amr: readonly string[];
  /** "Stay signed in". A step-up keeps the kind that the session of the account in this browser has. */
  remember: boolean;
  /** The device of this browser is known for the account and not due for renewal. */
  isKnownDevice: boolean;
  /** The device is known to this account or another one; absent if it was not looked at. */
  isOwnedDevice?: boolean | undefined;
  /** Of the password, if one was proven: it must not have been replaced since. */
  passwordVersion?: string | undefined;
  /** Of the account, if another proof was used; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person, if any. */
  provider?: string | undefined;
  /** When it authenticated the person, if it says so. */
  providerAuthTime?: Date | null | undefined;
  /** The provider only confirmed an earlier session of its own; nothing was proven in this sign-in. */
  isEarlierProof?: boolean | undefined;
  /** The password was typed in a browser that may go without a second factor. */
  isTrusted?: boolean | undefined;
  /** The browser becomes one that may, for this long, unless the account has changed since. */
  trusts?: Pick<NewTrust, 'lifetimeSeconds' | 'stamp'> | undefined;
  /** What the browser has said that it can do; absent if a passkey is not to be offered (`passkey-offer.ts`). */
  passkeyCreation?: PasskeyCreation | undefined;
  /** The session, if it began together with the proof, and the id that the browser gets. */
  begun?: (BegunSession & { browser: string }) | undefined;
}
