/** State of the page for what a person has to do between a proof and the app (TSK-1 …). */
import type { PasswordFault, PasswordRules } from './manage-state.js';
import type { AccountState, ClientState } from './request-state.js';

/** Fields of the form, besides `FIELDS`, which the login page loads too. */
export const TASK_FIELDS = {
  /** The task that the form completes: the kind, and for terms a dot and their id. */
  task: 'task',
  /** Keys of the tasks that the person has postponed, separated by spaces. */
  postponed: 'postponed',
  /** Hash of the text of the terms that the page shows. */
  termsHash: 'terms_hash',
  /** `true`: the person accepts the terms. */
  accepted: 'accepted',
} as const;

/** Queries of `PATHS.loginTask`: a form may postpone the task, or cancel the request because the terms are not accepted. */
export const TASK_QUERIES = { later: '?decision=later', cancel: '?decision=cancel' } as const;

interface TaskFrame {
  login_challenge: string;
  xsrf_token: string;
  ticket: string;
  account: AccountState;
  client: ClientState;
  /** Confirms that the person chose at the second factor to trust this browser; empty if not. */
  trust_browser: string;
  /** Keys of the tasks that the person has postponed; empty for none. */
  postponed: string;
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
  /** Until this time the person may postpone the task; absent if that is not possible. */
  later_until?: string;
  /** `not-accepted`: the form was sent without the check mark. `changed`: the text is not the one that the person has seen. */
  error: 'not-accepted' | 'changed' | 'stale' | null;
}

/** Nothing is left to do, for example because it was done in another tab. */
export interface DoneTaskState extends TaskFrame {
  kind: 'none';
  error: 'stale' | null;
}

export type TaskState = PasswordTaskState | TermsTaskState | DoneTaskState;
