/** States about passkeys: creating one, the offer after a sign-in, and the data with which browsers update an account's passkeys. */
import type { AccountState, ClientState } from './request-state.js';

/** How a browser can create a passkey: only by asking the person, or also without asking (`conditionalCreate`). */
export const PASSKEY_CREATIONS = ['asked', 'unasked'] as const;

export type PasskeyCreation = (typeof PASSKEY_CREATIONS)[number];

/** The offer of a passkey after a sign-in with a password. The sign-in continues whatever the person chooses. */
export interface PasskeyOfferState {
  /** `refused`: the credential of the browser was not accepted, and the account has no new passkey. */
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
  /** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3, section 5.1.8). */
  public_key: object;
  /** The browser first tries to create the passkey without asking the person (`mediation: 'conditional'`). */
  unasked?: true;
}

/** The data with which a browser updates an account's passkeys (WebAuthn Level 3, section 5.1.10). */
export interface AcceptedPasskeysState {
  rp_id: string;
  /** User handle, base64url. */
  user_id: string;
  /** Ids of all credentials of the account, base64url. */
  accepted: string[];
  name: string;
  display_name: string;
}
