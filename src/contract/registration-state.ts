/**
 * State of the page on which people create their own accounts: the steps of the sign-up (their details, the code from the mail, and the
 * password), and the form of an invitation.
 */
import type { PasswordFault, PasswordRules } from './manage-state.js';
import type { ClientState } from './request-state.js';

/**
 * `taken` is shown only after the address is proven. `domain`: no addresses of this domain may sign up. `source`: the people with addresses
 * of this domain belong to a user source, and sign in without a sign-up.
 */
export type RegistrationFieldFault =
  | 'missing'
  | 'format'
  | 'characters'
  | 'too-short'
  | 'too-long'
  | 'reserved'
  | 'taken'
  | 'domain'
  | 'source';

export interface RegistrationFieldState {
  /** `username`, `display_name`, `email` or the name of an attribute. */
  name: string;
  kind: 'text' | 'choice' | 'flag';
  required: boolean;
  /** The value in the field: untrusted text. */
  value: string;
  /** The name that the installation gives an attribute. */
  label?: string;
  options?: readonly string[];
  error?: RegistrationFieldFault;
}

/** `stale`, below: the form is older than a sign-in or sign-out in another window; nothing was done. */
interface SignUpStep {
  xsrf_token: string;
  login_challenge: string;
}

/** What a browser has to do before a code is mailed. */
export interface WorkState {
  /** The form sends it back unchanged. */
  token: string;
  /** A challenge of ALTCHA. */
  challenge: object;
  /** Without script: seconds until the form is accepted. */
  wait: number;
}

/** A step of the sign-up. No state reveals whether an account has the address, except `exists`, after the address is proven. */
export type RegistrationStepState =
  | (SignUpStep & {
      status: 'details';
      /**
       * `fields`: at least one field has an error. `full`: too many people wait for an operator's decision. `work`: the work of the
       * browser was not done, was used before or has expired, or the wait in its place was too short.
       */
      error: 'fields' | 'limited' | 'work' | 'stale' | 'full' | null;
      client?: ClientState;
      fields: readonly RegistrationFieldState[];
      login_url: string;
      /** An operator has to approve the account. */
      approval?: true;
      retry_after?: number;
      work?: WorkState;
    })
  | (SignUpStep & {
      status: 'code';
      error: 'invalid verification code' | 'used-up' | 'expired' | 'limited' | 'work' | 'stale' | null;
      sent_to: string;
      details_url: string;
      retry_after?: number;
      /** Required before another code is mailed. */
      work?: WorkState;
    })
  | (SignUpStep & {
      status: 'password';
      /** `passkey`: the credential of the browser was not accepted. */
      error:
        | 'empty-password'
        | 'empty-password-repeat'
        | 'passwords-not-equal'
        | 'password-strength'
        | 'passkey'
        | 'busy'
        | 'stale'
        | null;
      /** With `password-strength`. */
      reasons?: readonly PasswordFault[];
      /** The name to sign in with: the username, or the address. */
      username: string;
      rules: PasswordRules;
      /** An operator has to approve the account. */
      approval?: true;
      /**
       * `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3, section 5.1.8) of a passkey that takes the place of the password; absent
       * if passkeys are turned off, or an operator has to approve the account.
       */
      passkey?: object;
    })
  /** By now, an account has the address, or a user source knows it. */
  | { status: 'exists'; login_url: string }
  /** The application waits for an operator's decision, which is mailed to this address. */
  | { status: 'waits'; sent_to: string; login_url: string };

/** Form fields of the work. `solution` is set by script. */
export const WORK_FIELDS = { token: 'work', solution: 'work_solution' } as const;

/** The form behind the link of an invitation. Anybody who has the link may see the form; the link is mailed only to the invited address. */
export interface InvitationState {
  status: 'invitation';
  error: Extract<RegistrationStepState, { status: 'password' }>['error'] | 'fields' | 'limited';
  xsrf_token: string;
  token: string;
  /** The invited address. */
  email: string;
  /** Who invites, in the words of the operator: untrusted text. */
  inviter?: string;
  /** The app to which the person is invited; absent for the installation itself, and if Hydra does not return the app. */
  client?: ClientState;
  /** ISO 8601, UTC. */
  expires_at: string;
  /** Without the address. */
  fields: readonly RegistrationFieldState[];
  rules: PasswordRules;
  /** With `password-strength`. */
  reasons?: readonly PasswordFault[];
  retry_after?: number;
}

/** The link of an invitation, and its form. Only the page of registrations loads it into the browser. */
export const INVITATION_PATH = '/register/invitation';

/** Name of the form field for a detail of a new account. The detail may have any name. */
export const toDetailField = (name: string): string => `detail_${name}`;
