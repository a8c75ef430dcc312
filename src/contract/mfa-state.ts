/** State of the second step of a sign-in (MFV-1 … 8). */
import type { RpcErrorCode } from './rpc.js';
import type { AccountState, ChallengeFault, ClientState } from './request-state.js';

/** Data of a set-up or proof. Each kind of factor defines its members. */
export type FactorSetupState = object;

/** A factor of the account, for example one security key. */
export interface FactorEntryState {
  /** Present for kinds that can have several. */
  id?: string;
  name?: string;
  /** ISO 8601, UTC. */
  created_at: string;
  last_used_at: string | null;
  /** For a passkey: whether it may be synced to other devices. */
  synced?: boolean;
}

/** A kind of factor in the second step. */
export interface MfaFactorState {
  /** Name in addresses and fields. */
  name: string;
  /** The account has a factor of this kind, which can be proven. */
  registered: boolean;
  /** A factor of this kind can be set up. */
  offered: boolean;
  /** State of the proof; only for the factor that is shown. */
  state?: FactorSetupState;
}

/** Secret of an authenticator app, to scan or type. */
export interface TotpSetupState {
  /** PNG, base64, without a prefix. */
  qr_code: string;
  /** Base32 without padding. */
  secret: string;
  /** `otpauth://…`, for an app on the phone that shows the page. */
  otpauth_url: string;
}

/** The state of codes by e-mail. */
export interface EmailCodeState {
  /** The address, mostly masked; empty if the account has none. */
  address: string;
  /** A code was sent and can be entered. */
  sent: boolean;
}

export interface MfaVerificationState {
  /** Authorizes the `/mfa/*` calls; empty when `error` is `challenge` or `closed`. */
  token: string;
  factors: MfaFactorState[];
  totp_registered: boolean;
  fido2_registered: boolean;
  login_challenge: string;
  xsrf_token: string;
  /**
   * The first view: the name of the factor to prove; `enrol-` and the name of the factor to set up; `choose`: several
   * factors; `enrol`: no factor can be proven, and the person chooses one to set up; `codes`: new recovery codes, shown once.
   */
  view: string;
  error: 'challenge' | 'limited' | 'closed' | RpcErrorCode | null;
  challenge_fault?: ChallengeFault;
  /** The id with which operators find the refusal in the audit log; absent if the log does not contain it. */
  request_id?: string;
  restart_url?: string;
  /** At `restart_url`, the person has to enter the code of the device again. */
  restart_asks_code?: true;
  /** Whole seconds, with `limited`. */
  retry_after?: number;
  account?: AccountState;
  client?: ClientState;
  /** Whether the person can enter a recovery code: unused codes are left, and the request does not require a key. */
  recovery_codes_left: boolean;
  /** Number of days for which the person may trust this browser; absent if the browser cannot be trusted. */
  trust_days?: number;
  /** The person has ticked the checkbox in the form that is shown again. */
  trust_checked?: true;
  /** Who requires the second factor, for the text of the set-up. */
  wanted_by: 'account' | 'client' | 'installation';
  ticket: string;
  /** Cancels this sign-in and starts a new one. */
  cancel_url?: string;
  /** The time (ISO 8601, UTC) from which the set-up cannot be postponed; absent if it cannot be postponed now. */
  later_until?: string;
  /** Authorizes the RPC calls of a set-up during a sign-in; absent if the sign-in proves a factor. */
  enrol_token?: string;
  /** The set-up that the address of the page or form names, if it has begun. */
  setup?: FactorSetupState;
  /** With `codes`: shown once. */
  codes?: string[];
  /** With `codes`: the token that the form submits to finish the sign-in. */
  mfa_token?: string;
}
