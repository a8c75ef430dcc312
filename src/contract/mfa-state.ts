/** State of the second step of a sign-in (MFV-1 … 8). */
import type { FactorKind } from './authentication.js';
import type { RpcErrorCode } from './rpc.js';
import type { AccountState, ChallengeFault, ClientState } from './request-state.js';

/** What a person scans or types into an authenticator app. */
export interface TotpSetupState {
  /** PNG, base64, without a prefix. */
  qr_code: string;
  /** Base32 without padding. */
  secret: string;
  /** `otpauth://…`, for an app on the phone that shows the page. */
  otpauth_url: string;
}

export interface MfaVerificationState {
  /** Authorizes the `/mfa/*` calls; empty when `error` is `challenge`. */
  token: string;
  totp_registered: boolean;
  fido2_registered: boolean;
  login_challenge: string;
  xsrf_token: string;
  /**
   * What the page shows first. `choose`: both kinds are there; `enrol`: none is, and one is wanted; `recovery`: a recovery
   * code instead of a factor; `codes`: recovery codes that were just made, shown once.
   */
  view: 'choose' | FactorKind | 'recovery' | 'enrol' | 'enrol-totp' | 'enrol-fido2' | 'codes';
  error: 'challenge' | 'limited' | 'closed' | RpcErrorCode | null;
  challenge_fault?: ChallengeFault;
  restart_url?: string;
  /** Whole seconds, with `limited`. */
  retry_after?: number;
  account?: AccountState;
  client?: ClientState;
  /** Unused recovery codes are left. */
  recovery_codes_left: boolean;
  /** Who wants a second factor, for the words of the set-up. */
  wanted_by: 'account' | 'client' | 'installation';
  ticket: string;
  /** Gives this sign-in up and begins it anew. */
  cancel_url?: string;
  /** Authorizes the calls of a set-up at login; absent unless `view` is one of `enrol…`. */
  enrol_token?: string;
  /** A set-up that was begun by a plain form. */
  setup?: TotpSetupState;
  /** With `codes`: each shown this once. */
  codes?: string[];
  /** With `codes`: what the form hands in to finish the sign-in. */
  mfa_token?: string;
}
