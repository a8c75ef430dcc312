/** State of the page for what a person has to do between a proof and the app (TSK-1 …). */
import type { PasswordFault, PasswordRules } from './manage-state.js';
import type { RegistrationFieldState } from './registration-state.js';
import type { AccountState, ClientState } from './request-state.js';

export interface TaskFrame {
  login_challenge: string;
  xsrf_token: string;
  ticket: string;
  account: AccountState;
  client: ClientState;
  /** Confirms that the person chose at the second factor to trust this browser; empty if not. */
  trust_browser: string;
  /** Cancels this sign-in and starts a new one. */
  cancel_url?: string;
}

/** The person chooses a new password. */
export interface PasswordTaskState extends TaskFrame {
  kind: 'password';
  /** Who requires the new password: an operator, or the list of breached passwords. */
  required_by: 'operator' | 'breached';
  /** `same`: the new password is the current one. `frozen`: credentials cannot be changed at the moment. `stale`: see the login page. */
  error:
    | 'empty-password'
    | 'empty-password-repeat'
    | 'passwords-not-equal'
    | 'password-strength'
    | 'same'
    | 'busy'
    | 'frozen'
    | 'stale'
    | null;
  /** With `password-strength`. */
  reasons?: readonly PasswordFault[];
  rules: PasswordRules;
  /** Address at which a link to a new password is mailed; absent if mail is off. */
  password_reset_url?: string;
}

/** The person proves an e-mail address with a mailed code. */
export interface EmailTaskState extends TaskFrame {
  kind: 'email';
  /** As in the account area. `email not available` is shown only to somebody who reads the mail of the address. */
  error:
    | 'email is empty'
    | 'email is invalid'
    | 'email not available'
    | 'invalid verification code'
    | 'session expired'
    | 'too many requests'
    | 'credentials frozen'
    | 'stale'
    | null;
  /** The address in the form: the one of the account, or what was entered; empty if the account has none. */
  email: string;
  /** Where the code was mailed; absent if the form asks for the address. */
  sent_to?: string;
  /** Shows the form for the address again. */
  other_url?: string;
  /** The day from which it cannot be postponed any more (ISO 8601); absent if it cannot be postponed now. */
  later_until?: string;
  /** In seconds, with `too many requests`. */
  retry_after?: number;
  /** Address at which a link to a new password is mailed, which also proves the address; absent if mail is off. */
  password_reset_url?: string;
}

/** The person fills in what the account lacks. */
export interface FieldsTaskState extends TaskFrame {
  kind: 'fields';
  /** `fields`: at least one field has an error. */
  error: 'fields' | 'stale' | null;
  fields: readonly RegistrationFieldState[];
}

/** Nothing is left to do, for example because it was done in another tab. */
export interface DoneTaskState extends TaskFrame {
  kind: 'none';
  error: 'stale' | null;
}

export type TaskState = PasswordTaskState | EmailTaskState | FieldsTaskState | DoneTaskState;
