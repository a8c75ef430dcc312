/** State of the second step of a sign-in (MFV-1 … 8). */
import type { RpcErrorCode } from './rpc.js';
import type { AccountState, ChallengeFault, ClientState } from './request-state.js';

/** What a kind of factor shows of a set-up or of a proof; which members it has is its own. Plain data. */
export type FactorSetupState = object;

/** A factor of the account: the app, one of the keys. */
export interface FactorEntryState {
  /** Where there may be several. */
  id?: string;
  name?: string;
  /** ISO 8601, UTC. */
  created_at: string;
  last_used_at: string | null;
}

/** A kind of factor as the second step has it. */
export interface MfaFactorState {
  /** As addresses and fields name it. */
  name: string;
  /** It can be proven here. */
  registered: boolean;
  /** It can be set up here. */
  offered: boolean;
  /** Of the proof that is shown. */
  state?: FactorSetupState;
}

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
  factors: MfaFactorState[];
  totp_registered: boolean;
  fido2_registered: boolean;
  login_challenge: string;
  xsrf_token: string;
  /**
   * What the page shows first: the name of the factor that is proven, `enrol-` and the name of the one that is set up;
   * `choose`: several are there; `enrol`: none is, and one is wanted; `codes`: recovery codes that were just made, shown once.
   */
  view: string;
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
  setup?: FactorSetupState;
  /** With `codes`: each shown this once. */
  codes?: string[];
  /** With `codes`: what the form hands in to finish the sign-in. */
  mfa_token?: string;
}
