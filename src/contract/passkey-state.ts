/** States about passkeys beside their rows in the account area. */
import type { AccountState, ClientState } from './request-state.js';

/** What a browser says of itself: it can make a passkey when the person is asked, or also without that (`conditionalCreate`). */
export const PASSKEY_CREATIONS = ['asked', 'unasked'] as const;

export type PasskeyCreation = (typeof PASSKEY_CREATIONS)[number];

/** Offered after a sign-in with a password, before the app is reached; whatever is chosen, the sign-in goes on. */
export interface PasskeyOfferState {
  /** `refused`: what the browser made was not accepted, and the account has no passkey by it. */
  error: 'refused' | null;
  login_challenge: string;
  xsrf_token: string;
  ticket: string;
  account: AccountState;
  client?: ClientState;
  /** Absent with an error. */
  setup?: PasskeySetupState;
}

export interface PasskeySetupState {
  session_id: string;
  /** `PublicKeyCredentialCreationOptionsJSON` (Web Authentication, level 3). */
  public_key: object;
  /** The browser is asked first to make it without a question (`mediation: 'conditional'`). */
  unasked?: true;
}

/** What a browser is to know of an account's passkeys (Web Authentication, level 3, section 5.1.10). */
export interface AcceptedPasskeysState {
  rp_id: string;
  /** User handle, base64url. */
  user_id: string;
  /** Credential ids, base64url: all that the account has. */
  accepted: string[];
  name: string;
  display_name: string;
}
