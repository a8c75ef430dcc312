/** States of the screens that give a password anew, take all factors away, or say "that was not me" (PWR-1 … 6, FAR-1, 2). */
import type { PasswordFault, PasswordRules } from './manage-state.js';

export interface PasswordRequestFormState {
  error: 'empty-username' | 'limited' | null;
  xsrf_token: string;
  /** As it was typed, or as the waiting sign-in knows it. */
  username: string;
  /** Sealed way back into the sign-in that waits; empty without one. */
  ticket: string;
  retry_after?: number;
  /** The sign-in that waits, for whoever remembers the password after all. */
  restart_url?: string;
}

export interface PasswordRequestStatusState {
  /** `success` says the same for every username. */
  status: 'success' | 'error';
  /** The form once more, with the sign-in that waits. */
  again_url: string;
  restart_url?: string;
}

export interface PasswordResetFormState {
  error: 'empty-password' | 'empty-password-repeat' | 'passwords-not-equal' | 'password-strength' | 'busy' | null;
  /** With `password-strength`. */
  reasons?: readonly PasswordFault[];
  reset_token: string;
  xsrf_token: string;
  rules: PasswordRules;
}

export interface PasswordResetStatusState {
  status: 'success' | 'error-token' | 'error';
  /** The sign-in that waited when the mail was asked for. */
  restart_url?: string;
}

export interface MfaResetFormState {
  error: 'password' | 'limited' | null;
  reset_token: string;
  xsrf_token: string;
  /** The installation asks for the password as a second proof. */
  password_required: boolean;
  retry_after?: number;
}

export interface MfaResetStatusState {
  status: 'success' | 'error-token' | 'error';
}

/** `ask` is the question behind the link of a notice; the others say how it ended. */
export type NotMeState =
  | {
      status: 'ask';
      token: string;
      xsrf_token: string;
      /** How long credentials stay as they are, in whole hours. */
      freeze_hours: number;
    }
  /** `used`: it has happened before. */
  | { status: 'success' | 'used' | 'error-token' | 'error' };

export interface ResetPages {
  password_request_form: PasswordRequestFormState;
  password_request_status: PasswordRequestStatusState;
  password_reset_form: PasswordResetFormState;
  password_reset_status: PasswordResetStatusState;
  mfa_reset_form: MfaResetFormState;
  mfa_reset_status: MfaResetStatusState;
  not_me: NotMeState;
}
