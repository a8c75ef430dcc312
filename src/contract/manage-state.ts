/** States of the account area's pages (MAN-1 … 14). */
import type { RpcErrorCode } from './rpc.js';
import type { FactorEntryState, FactorSetupState } from './mfa-state.js';
import type { ProviderState } from './request-state.js';

export interface UserState {
  id: string;
  username: string;
  display_name: string;
  picture?: string;
}

/** What every page of the area but the error has. */
export interface ManageFrame {
  /** The first token of the calls by script; each answer brings the next one (docs/rpc.md). */
  api: { token: string };
  /** Absent only where a page has to load it (MAN-7). */
  user?: UserState;
  area: {
    xsrf_token: string;
  };
}

export const MANAGE_STATUSES = [
  'password-success',
  'username-success',
  'oauth-disconnect-success',
  'oauth-connect-success',
  'mfa-success',
  'mfa-removed',
  'recovery-codes-success',
  'account-security',
  /** A form that came from a page which was out of date: nothing has changed. */
  'form-stale',
] as const;

export type ManageStatus = (typeof MANAGE_STATUSES)[number];

export interface ManageProviderState extends ProviderState {
  /** Set up; one that is not any more can only be disconnected. */
  offered: boolean;
  connected: boolean;
  /** As the provider calls the person: untrusted text. */
  label: string | null;
}

export interface ManageState {
  error?: RpcErrorCode;
  /** What just happened (MAN-8). */
  status: ManageStatus | null;
  /** Untrusted text of the address (MAN-10). */
  oauth_error?: string;
  username: string;
  password_set: boolean;
  /** Those that are set up, of each kind how many. */
  factors: { name: string; count: number }[];
  totp_registered: boolean;
  count_registered_fido2_devices: number;
  /** Absent while no factor is set up. */
  recovery_codes_left?: number;
  /** Present while nothing that somebody signs in with can be changed: whole hours until it can. */
  frozen_hours?: number;
  providers: ManageProviderState[];
}

/** A kind of factor in the overview. */
export interface ManagedFactorState {
  name: string;
  /** It can be set up here. */
  offered: boolean;
  entries: FactorEntryState[];
}

export interface ManageMfaState {
  error: RpcErrorCode | null;
  /** Kinds that can be set up, or are. */
  factors: ManagedFactorState[];
  /** Absent while no factor is set up. */
  recovery_codes?: { left: number; total: number };
  /** There is one, and one is required: it can be replaced, not removed. */
  last_stays?: true;
}

/** The set-up of a factor. */
export interface ManageFactorState {
  /** Name of its kind. */
  factor: string;
  error: RpcErrorCode | null;
  /** Present after a plain form began the set-up; a browser with script begins it by a call. */
  setup?: FactorSetupState;
  /** What goes once the new one is there: the only one, or the one of this id. */
  replaces?: true | string;
  retry_after?: number;
}

export interface ManageRecoveryCodesState {
  error: RpcErrorCode | null;
  left: number;
  /** Just made, shown this once; also after the first factor was set up. */
  codes?: string[];
}

/** Why a new password is not taken (VAL-1). */
export type PasswordFault =
  | 'empty'
  | 'too-short'
  | 'too-long'
  | 'characters'
  | 'lower-missing'
  | 'upper-missing'
  | 'digit-missing'
  | 'common'
  | 'username'
  | 'app-name';

export interface PasswordRules {
  min_length: number;
  require_lower: boolean;
  require_upper: boolean;
  require_digit: boolean;
}

export interface ManagePasswordState {
  error: RpcErrorCode | null;
  /** With `password not strong enough`. */
  reasons?: readonly PasswordFault[];
  /** Without one there is nothing to prove the change by: a link by mail makes the first one. */
  password_set: boolean;
  rules: PasswordRules;
  retry_after?: number;
}

export interface ManageUsernameState {
  error: RpcErrorCode | null;
  /** As it was typed, else as it is. */
  username: string;
  retry_after?: number;
}

/** "Confirm that it is you", before a sensitive change (MAN-14). */
export interface ManageConfirmState {
  error: RpcErrorCode | null;
  /** `password`, names of factors; `mail`: a code by mail, for who has nothing else. Empty: there is no way. */
  methods: string[];
  method: string;
  /** Of the factor that `method` names, where it has more to show. */
  factor?: FactorSetupState;
  /** With `mail`: where the code goes, all but a few letters hidden. */
  mail?: { address: string; sent: boolean };
  /** Path to go on to. */
  next: string;
  retry_after?: number;
}

export interface ManageErrorState {
  /** Of the address: untrusted unless it is one that the page has words for. */
  code: string;
  /** Leads into the area again, where somebody is signed in. */
  back_url?: string;
}
