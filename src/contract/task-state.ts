/** State of the page for what a person has to do between a proof and the app (TSK-1 …). */
import type { PasswordFault, PasswordRules } from './manage-state.js';
import type { RegistrationFieldState } from './registration-state.js';
import type { AccountState, ClientState } from './request-state.js';

/** Further fields of the form. They are not in `FIELDS`, so that the login page does not load them. */
export const TASK_FIELDS = {
  /** The task that the form completes: the kind, and for terms a dot and their id. */
  task: 'task',
  /** Hash of the text of the terms that the page shows. */
  termsHash: 'terms_hash',
  /** `true`: the person accepts the terms. */
  accepted: 'accepted',
} as const;

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
  /**
   * `operator`: an operator requires it, or the current password came from a user source. `breached`: the list of breached passwords
   * contains the current one.
   */
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

/** The person accepts terms. */
export interface TermsTaskState extends TaskFrame {
  kind: 'terms';
  /** Id of the terms in the settings. */
  terms: string;
  /** The first line of the text. */
  title: string;
  /** The whole text, with the title. */
  text: string;
  /** Language of the text, which may not be available in the language of the page. */
  language: string;
  terms_hash: string;
  /** The time (ISO 8601, UTC) from which the task cannot be postponed; absent if it cannot be postponed now. */
  later_until?: string;
  /** `not-accepted`: the checkbox of the form was not checked. `changed`: the text has changed since the person saw it. */
  error: 'not-accepted' | 'changed' | 'stale' | null;
}

/** The person proves an e-mail address with a mailed code. */
export interface EmailTaskState extends TaskFrame {
  kind: 'email';
  /** As in the account area. `email not available` is shown only to a person who reads the mail of the address. */
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
  /** The address in the form: the address of the account or the entered one; empty if there is neither. */
  email: string;
  /** Where the code was mailed; absent if the form asks for the address. */
  sent_to?: string;
  /** Shows the form for the address again. */
  other_url?: string;
  /** The time (ISO 8601, UTC) from which the task cannot be postponed; absent if it cannot be postponed now. */
  later_until?: string;
  /** In seconds, with `too many requests`. */
  retry_after?: number;
  /** Address at which a link to a new password is mailed, which also proves the address; absent if mail is off. */
  password_reset_url?: string;
}

/** The person fills in the required details that the account lacks. */
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

export type TaskState = PasswordTaskState | TermsTaskState | EmailTaskState | FieldsTaskState | DoneTaskState;
