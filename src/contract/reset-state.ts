/**
 * States of the pages for a password reset, the removal of all factors, "that was not me", "keep my account", "stop this" and the
 * words for the help desk (PWR-1 … 7, FAR-1 … 3).
 */
import type { PasswordFault, PasswordRules, SupportWordsState } from './manage-state.js';
import type { AccountState } from './request-state.js';

/** A form that mails something to the account of a username. It is the same for every username, so that it does not reveal accounts. */
export interface UsernameFormState {
  /** People may also type a verified e-mail address. */
  by_email?: true;
  /** `stale`, here and below: the form is older than a sign-in or sign-out in another window; nothing was done. */
  error: 'empty-username' | 'limited' | 'stale' | null;
  /** The typed username, or the username of the waiting sign-in. */
  username: string;
  retry_after?: number;
}

export interface PasswordRequestFormState extends UsernameFormState {
  xsrf_token: string;
  /** Encrypted link back to the waiting sign-in; empty without one. */
  ticket: string;
  /** Address of the waiting sign-in, for a person who remembers the password. */
  restart_url?: string;
}

export interface PasswordRequestStatusState {
  /** See `UsernameFormState`. */
  by_email?: true;
  /** `success` is the same for every username, so that it does not reveal accounts. */
  status: 'success' | 'error';
  /** Shows the form again, with the waiting sign-in. */
  again_url: string;
  restart_url?: string;
}

export interface PasswordResetFormState {
  error: 'empty-password' | 'empty-password-repeat' | 'passwords-not-equal' | 'password-strength' | 'busy' | 'stale' | null;
  /** With `password-strength`. */
  reasons?: readonly PasswordFault[];
  /**
   * The account whose password is set. Anybody who has the link may see it: the owner, or a person to whom a contact person gave the
   * link.
   */
  account?: AccountState;
  reset_token: string;
  xsrf_token: string;
  rules: PasswordRules;
}

export interface PasswordResetStatusState {
  status: 'success' | 'error-token' | 'error';
  /** The sign-in that was waiting when the mail was requested. */
  restart_url?: string;
}

export interface MfaResetFormState {
  error: 'password' | 'limited' | 'stale' | null;
  /** The account whose factors are removed; absent if the link is not valid. */
  account?: AccountState;
  reset_token: string;
  xsrf_token: string;
  /** The installation requires the password as a second proof. */
  password_required: boolean;
  retry_after?: number;
}

export interface MfaResetStatusState {
  status: 'success' | 'error-token' | 'error';
}

/** `ask`: the question that the link of a notice opens; the other states are results. */
export type NotMeState =
  | {
      status: 'ask';
      token: string;
      xsrf_token: string;
      /** How long credentials cannot be changed, in whole hours. */
      freeze_hours: number;
      /** The address that is restored, mostly masked; absent if the address does not change. */
      restored_address?: string;
    }
  /** `used`: the link was already used. */
  | { status: 'success' | 'used' | 'error-token' | 'error' };

/** "Keep my account", behind the link of the mail about its deletion. */
export type KeepAccountState =
  | {
      status: 'ask';
      token: string;
      xsrf_token: string;
      /** ISO 8601, UTC. */
      due_at: string;
    }
  /** `success`: the account will not be deleted. The deletion may have been cancelled before. */
  | { status: 'success' | 'error-token' | 'error' };

/** The change that somebody requested at the help desk. */
export interface AnnouncedChangeState {
  kind: 'factors' | 'factor' | 'password' | 'address' | 'no-address' | 'source' | 'other';
  /** The new address, with `address`. */
  email?: string;
}

/** "Stop this", behind the link of the mail about a change that somebody requested at the help desk. */
export type StopChangeState =
  | {
      status: 'ask';
      token: string;
      xsrf_token: string;
      change: AnnouncedChangeState;
      /** The earliest time of the change: ISO 8601, UTC. */
      not_before: string;
    }
  /** `used`: the change was already stopped. `done`: the change was made. `ended`: the change will not be made. */
  | { status: 'success' | 'used' | 'done' | 'ended' | 'error-token' | 'error' };

/** The page of a person who has called the help desk and cannot sign in. */
export type SupportState =
  | (UsernameFormState & { status: 'ask'; xsrf_token: string })
  /** This state is the same for every name, so that it does not reveal accounts. */
  | { status: 'code'; error: 'invalid verification code' | 'stale' | null; xsrf_token: string }
  | {
      status: 'words';
      xsrf_token: string;
      /** Absent if no check is open. */
      check?: SupportWordsState;
    }
  /** The code cannot be entered any more, or the access of this browser has ended. */
  | { status: 'ended' };

export interface ResetPages {
  password_request_form: PasswordRequestFormState;
  password_request_status: PasswordRequestStatusState;
  password_reset_form: PasswordResetFormState;
  password_reset_status: PasswordResetStatusState;
  mfa_reset_form: MfaResetFormState;
  mfa_reset_status: MfaResetStatusState;
  not_me: NotMeState;
  keep_account: KeepAccountState;
  stop_change: StopChangeState;
  support: SupportState;
}
