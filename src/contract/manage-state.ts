/** States of the pages of the account area (MAN-1 … 14). */
import type { RpcErrorCode } from './rpc.js';
import type { AcceptedPasskeysState } from './passkey-state.js';
import type { FactorEntryState, FactorSetupState } from './mfa-state.js';
import type { ManageProtection, RecoveryCodesLeft } from './manage-protection.js';
import type { AccountState, ProviderState } from './request-state.js';

/** The parts of the account area that an installation may leave out (`MANAGE_FEATURES`). */
export const MANAGE_FEATURES = ['activity', 'email', 'data', 'deletion'] as const;

export type ManageFeature = (typeof MANAGE_FEATURES)[number];

export interface UserState {
  id: string;
  username: string;
  display_name: string;
  picture?: string;
}

/** Members of every page of the account area except the error page. */
export interface ManageFrame {
  /** The first token for RPC calls; each answer contains the next one (docs/rpc.md). */
  api: { token: string };
  /** Absent only if the page has to load the user itself (MAN-7). */
  user?: UserState;
  area: { xsrf_token: string };
  /** The last change, from the address of the page (MAN-8, MAN-10). The overview shows its own members for the same values. */
  last_change?: {
    status?: ManageStatus;
    /** Untrusted text from the address. */
    oauth_error?: string;
  };
}

export const MANAGE_STATUSES = [
  'password-success',
  'username-success',
  'email-success',
  'oauth-disconnect-success',
  'oauth-connect-success',
  'mfa-success',
  'mfa-removed',
  'recovery-codes-success',
  'trust-ended',
  'app-removed',
  'apps-removed',
  'app-narrowed',
  'device-ended',
  'devices-ended',
  'deletion-cancelled',
  'account-security',
  /** The form came from an outdated page; nothing has changed. */
  'form-stale',
] as const;

export type ManageStatus = (typeof MANAGE_STATUSES)[number];

export interface ManageProviderState extends ProviderState {
  /** The provider is configured; otherwise it can only be disconnected. */
  offered: boolean;
  connected: boolean;
  /** Name of the identity from the provider: untrusted text. */
  label: string | null;
  /** The account comes from this provider, so it cannot be disconnected. */
  stays?: true;
}

/** The words to read out to the help desk. */
export interface SupportWordsState {
  words: string;
  /** Name of the operator; null for a token. */
  operator: string | null;
  /** ISO 8601, UTC. */
  expires_at: string;
}

export interface ManageState {
  error?: RpcErrorCode;
  /** Result of the last change (MAN-8). */
  status: ManageStatus | null;
  /** Kind of factor to which `mfa-success` or `mfa-removed` refers: untrusted text. */
  status_factor?: string;
  /** Untrusted text from the address (MAN-10). */
  oauth_error?: string;
  username: string;
  password_set: boolean;
  /** The password belongs to another system; `url`: the address at which it is changed, null if unknown. */
  password_elsewhere?: { url: string | null };
  /** Present if the username belongs to another system and is changed there. */
  username_elsewhere?: true;
  /** Absent if the person cannot change the address here. `address` is null if there is none. */
  email?: { address: string | null; verified: boolean };
  /** Kinds that are set up, with the number of factors. */
  factors: { name: string; count: number }[];
  /** Kinds with which people sign in without a password, with the number of each. A kind with 0 can be set up. */
  ways_in?: { name: string; count: number }[];
  /** Present after a change that browsers should learn about. */
  passkeys?: AcceptedPasskeysState;
  totp_registered: boolean;
  count_registered_fido2_devices: number;
  /** Absent if no factor is set up. */
  recovery_codes_left?: number;
  /** Present while credentials are frozen: whole hours until they can be changed. */
  frozen_hours?: number;
  /** The end of `frozen_hours`: ISO 8601, UTC. */
  frozen_until?: string;
  /** When the account will be deleted: ISO 8601, UTC. Absent if no deletion is planned. */
  deletion_due_at?: string;
  /** Present while the help desk checks who is calling. Absent if the session has only an access token. */
  support_check?: SupportWordsState;
  providers: ManageProviderState[];
  /** The features that the installation offers. */
  features: readonly ManageFeature[];
  /**
   * Absent while credentials are frozen, if the account has neither a password nor a passkey, or if it needs another second factor that the
   * person cannot set up here.
   */
  protection?: ManageProtection;
  /**
   * A new password is required at the next sign-in with the password. This member and those below are absent if the session has only an
   * access token.
   */
  password_required?: true;
  /** The address has to be proven on the way to an app. `later_until`: the time (ISO 8601, UTC) from which this cannot be postponed. */
  email_required?: { later_until?: string };
  /** A second factor will be required, or is required at the next sign-in. `later_until`: as in `email_required`. */
  factor_required?: { later_until?: string };
  /** The account lacks details, which are asked for on the way to an app. */
  fields_required?: true;
  /** Terms that apply to every app are not accepted yet. */
  terms_open?: true;
  /** The last change of the password in the audit log: ISO 8601, UTC. Absent if there is none, or if the password is not stored here. */
  password_changed_at?: string;
  /** Number of browsers in which the person is signed in. */
  device_count?: number;
  /** Number of apps with access. Absent if Hydra does not answer immediately, or if there are too many apps. */
  app_count?: number;
  /** The last sign-in, if it is known: when it began (ISO 8601, UTC), and the browser and its system. */
  last_session?: { began_at: string; browser?: string };
  /** When the state was read, so that the page can say "today": ISO 8601, UTC. */
  read_at?: string;
}

/** A kind of factor in the overview. */
export interface ManagedFactorState {
  name: string;
  /** A factor of this kind can be set up. */
  offered: boolean;
  entries: FactorEntryState[];
}

/** A browser in which no second factor is required. */
export interface TrustedBrowserState {
  id: string;
  /** Browser and system; null if unknown. */
  name: string | null;
  /** This browser shows the page. */
  is_this: boolean;
  /** ISO 8601, UTC. */
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** A client with consents of the person. The owner of the client chooses its name and addresses: untrusted text. */
export interface ManagedAppState {
  /** `client_id`. */
  id: string;
  name: string;
  logo_url?: string;
  /** The logo for dark pages. */
  logo_dark_url?: string;
  /** Home page of the app: an http(s) address. */
  url?: string;
  /** The scopes of all valid consents for the app. */
  scopes: { id: string; title?: string }[];
  /** The app receives the scopes that it requests without asking, so individual scopes cannot be removed. */
  trusted?: true;
  /** ISO 8601, UTC. Null if not known. */
  granted_at: string | null;
  last_used_at: string | null;
}

export interface ManageAppsState {
  /** Sorted by name. */
  apps: ManagedAppState[];
  /** There may be more apps. */
  incomplete?: true;
}

/** A browser in which the person is signed in. */
export interface DeviceState {
  id: string;
  /** Browser and system; null if unknown. */
  name: string | null;
  address: string | null;
  /** This browser shows the page. */
  is_this: boolean;
  /** How the person was authenticated there; empty if the browser is signed in to the account area only. */
  amr: string[];
  /** ISO 8601, UTC. */
  signed_in_at: string;
  last_used_at: string;
}

export interface ManageDevicesState {
  /** This browser first, then the others, the most recently used first. */
  devices: DeviceState[];
  /** Newest first; absent if there are none. */
  trusted_browsers?: TrustedBrowserState[];
}

export interface ManageMfaState {
  error: RpcErrorCode | null;
  /** The accepted passkeys, for the browser; absent if passkeys are turned off, or if the account never had one. */
  passkeys?: AcceptedPasskeysState;
  /** Newest first; absent if there are none, or if the session has only an access token. */
  trusted_browsers?: TrustedBrowserState[];
  /** Kinds that can be set up, or are set up. */
  factors: ManagedFactorState[];
  /** Absent if no factor is set up. */
  recovery_codes?: RecoveryCodesLeft & { total: number };
  /** A factor is required, and the account has one second factor or passkey, which cannot be removed. */
  last_stays?: true;
  /** Present while credentials are frozen: ISO 8601, UTC. */
  frozen_until?: string;
}

/** The set-up of a factor. */
export interface ManageFactorState {
  /** Name of the kind. */
  factor: string;
  error: RpcErrorCode | null;
  /** The set-up, if it has begun. Without script, a form begins it; with script, a call. */
  setup?: FactorSetupState;
  /** The factor that the new one replaces: `true` for the only one, or an id. */
  replaces?: true | string;
  /** Names of the other kinds that can be set up now; absent for a replacement, and in the answer to a form. */
  others?: string[];
  retry_after?: number;
}

export interface ManageRecoveryCodesState extends RecoveryCodesLeft {
  error: RpcErrorCode | null;
  /** New codes, shown once; also after the first factor was set up. */
  codes?: string[];
}

/** Why a new password is rejected (VAL-1). */
export type PasswordFault =
  | 'empty'
  | 'too-short'
  | 'too-long'
  | 'characters'
  | 'lower-missing'
  | 'upper-missing'
  | 'digit-missing'
  | 'common'
  | 'breached'
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
  /** If false, a mailed link sets the first password. */
  password_set: boolean;
  rules: PasswordRules;
  retry_after?: number;
}

export interface ManageUsernameState {
  error: RpcErrorCode | null;
  /** The typed value, or the current one. */
  username: string;
  retry_after?: number;
}

export interface ManageEmailState {
  error: RpcErrorCode | null;
  /** The typed address; on a new form, the current address if it is not verified. */
  email: string;
  /** The current address of the account; null if it has none. */
  current: string | null;
  /** The address to which a code was sent; present on the page for the code. */
  sent_to?: string;
  retry_after?: number;
}

/** "Confirm that it is you", before a sensitive change (MAN-14). */
export interface ManageConfirmState {
  error: RpcErrorCode | null;
  /**
   * `password`, names of factors, or `mail`: a code by mail, offered if no other method exists or if passkeys are the only method.
   * If the list is empty, no method is possible.
   */
  methods: string[];
  method: string;
  /** State of the factor in `method`, if it has any. */
  factor?: FactorSetupState;
  /** With `mail`: the recipient, mostly masked. */
  mail?: { address: string; sent: boolean };
  /** Path of the next page. */
  next: string;
  retry_after?: number;
}

/** The account area is open for one person, and an app has sent another person here. */
export interface ManageSwitchState {
  /** The account whose account area would be opened. */
  account: AccountState;
  /** Value for the form, valid once and only in this session. */
  entry: string;
}

export interface ManageErrorState {
  /** The code from the address, which is untrusted unless the page has a message for it. */
  code: string;
  /** Link to the account area, if it is open. */
  back_url?: string;
}
