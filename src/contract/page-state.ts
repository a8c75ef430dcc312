/**
 * The state that the server sends to a page: one union, discriminated by `page`. It is plain data in snake_case, sent as JSON in
 * `data-state` of the page root (GEN-1). A new page does not compile without its paths (`PAGE_PATHS`) and its component
 * (`web/app.tsx`).
 */
import type { ManagePageStates } from './manage-data-state.js';
import type { ManageFrame } from './manage-state.js';
import type { Locale, LocaleSource, TextDirection } from './locale.js';
import type { ConsentState } from './consent-state.js';
import type { DevicePages } from './device-state.js';
import type { MfaVerificationState } from './mfa-state.js';
import type { PasskeyOfferState } from './passkey-state.js';
import type { AccountState, ChallengeFault, ClientState, ClientWithPolicyState, ProviderState } from './request-state.js';
import type { ResetPages } from './reset-state.js';
import type { TaskState } from './task-state.js';
import type { InvitationState, RegistrationStepState } from './registration-state.js';

export type { ClaimState, ConsentState, ScopeState } from './consent-state.js';
export type { AccountState, ChallengeFault, ClientState, ProviderState } from './request-state.js';

export interface FooterLink {
  id: 'imprint' | 'privacy' | 'terms' | 'sfdr';
  url: string;
  /** The target is in German, and the page is not: the page mentions this (GEN-5). */
  german_only: boolean;
  /** The language of the target, if it differs from the language of the page. */
  locale?: Locale;
}

/** The same page in another language. */
export interface LanguageLink {
  locale: Locale;
  url: string;
  /** Name of the language in that language. */
  name: string;
  dir: TextDirection;
}

export interface AppState {
  name: string;
  /** The address that people type to sign in, shown in texts and mails (GEN-10). */
  login_address: string;
  footer_links: FooterLink[];
  /** Address of this page in each language; absent if the browser alone decides about the language (I18-3). */
  language_links?: LanguageLink[];
  /** The server has validated the address, so a page may link to it (GEN-6). */
  return_to_url?: string;
  return_to_name?: string;
  /** Address of the installation's logo; if absent, the product's logo is shown. */
  logo_url?: string;
  /** The logo for dark pages. */
  logo_dark_url?: string;
  /** Address at which a sign-in starts, for pages without another link. */
  home_url?: string;
}

/** Members of `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3, section 5.1). */
export interface PasskeyRequest {
  /** Base64url. */
  challenge: string;
  rpId?: string;
  timeout?: number;
  userVerification?: string;
}

/** With the error `challenge`, all members for ways to sign in are absent (`providers`, `passkey`, `code_url` and others). */
export interface LoginState {
  /** The form also accepts e-mail addresses: verified addresses, addresses of a user source, or addresses that lead to a provider. */
  by?: 'email';
  /** Some addresses lead to a provider, so the form can be sent without a password. */
  by_domain?: true;
  /** Whoever signs in with this form connects an identity of the provider. `offer` is sent back by the form. */
  connect?: { offer: string; provider: string };
  /** The page asks for the password here, also for an address that leads to a provider. */
  password_here?: true;
  /**
   * `credentials` with `provider`: no account is connected to that identity (LOG-7). `provider-refused`: the answer of the
   * provider is not valid; `provider-down`: the provider does not answer; `cancelled`: the person cancelled the sign-in there. `stale`: the
   * form is older than a sign-in or sign-out in another window; nothing was checked. `new-proof`: the app requires a new authentication, but
   * the provider confirmed an earlier one, so the page asks for the password; `earlier-session`: the same without a password.
   * `own-proof`: the request needs more than the proof of the provider, so the page asks for the password.
   * `connect` with `provider`: the identity can be connected with an account that has its address, by signing in here.
   * `passkey`: the passkey was not accepted; `passkey-unknown`: no account has the passkey, for example because it was removed;
   * `passkey-stale`: the challenge of the page has expired.
   */
  error:
    | 'challenge'
    | 'credentials'
    | 'limited'
    | 'busy'
    | 'stale'
    | 'own-proof'
    | 'new-proof'
    | 'earlier-session'
    | 'provider-refused'
    | 'provider-down'
    | 'cancelled'
    | 'connect'
    | 'passkey'
    | 'passkey-unknown'
    | 'passkey-stale'
    | null;
  /** Name of the provider that caused the error. */
  provider?: string;
  /** Absent if none is configured (LOG-2). */
  providers?: ProviderState[];
  /** Data for a sign-in with a passkey; absent if passkeys are turned off. */
  passkey?: {
    request: PasskeyRequest;
    /** Shown before the password. */
    first?: true;
    /** With `passkey-unknown`: id of the credential, which the authenticator can delete. */
    unknown?: string;
  };
  challenge_fault?: ChallengeFault;
  /** The id with which operators find the refusal in the audit log; absent if the log does not contain it. */
  request_id?: string;
  /** Returns to the waiting request; for a device, to the form for its code. Absent if the request is unknown. */
  restart_url?: string;
  /** At `restart_url`, the person has to enter the code of the device again. */
  restart_asks_code?: true;
  /** Address at which a code by mail is requested to sign in; absent if that is off. */
  code_url?: string;
  /** Address at which the password can be reset; absent if mail is off (LOG-3). */
  password_reset_url?: string;
  /** With `limited`: whole seconds until the next attempt. */
  retry_after?: number;
  /**
   * With `limited`, after a password. `account`: neither passwords nor mailed codes are checked for this username, whether or not an
   * account has it; `network`: no passwords, mailed codes or passkeys are checked from this network. Other ways to sign in still work.
   */
  limited?: 'account' | 'network';
  xsrf_token: string;
  login_challenge: string;
  reg_hints: { key: string; value: string }[];
  /** People create their accounts here, with or without hints. */
  can_register?: true;
  ticket: string;
  client?: ClientWithPolicyState;
  username: string;
  /** `ask` shows the checkbox "Stay signed in" (LOG-12). */
  remember: 'ask' | 'fixed';
  remember_checked: boolean;
  /** Field errors of a submitted form with missing values (LOG-8). */
  missing: ('username' | 'password')[];
}

/** One identity with several accounts (ACC-1). */
export interface AccountsState {
  accounts: (AccountState & { group_name: string })[];
  token: string;
  login_challenge: string;
  xsrf_token: string;
  ticket: string;
  provider: { id: string; name: string };
}

export interface LoginHintState {
  error: 'challenge' | null;
  challenge_fault?: ChallengeFault;
  restart_url?: string;
  restart_asks_code?: true;
  account?: AccountState;
  xsrf_token: string;
  login_challenge: string;
  ticket: string;
  client?: ClientState;
  /** Restarts the request with `prompt=login` (HNT-5). */
  other_account_url?: string;
}

interface MailedCodeFrame {
  xsrf_token: string;
  login_challenge: string;
  ticket: string;
  client?: ClientState;
  /** The login page of the same request. */
  login_url: string;
  /** With `limited` and `busy`: whole seconds until the next attempt. */
  retry_after?: number;
}

/** Signs in with a code by mail. The forms are the same for every name, so that they do not reveal accounts. */
export type MailedCodeState = MailedCodeFrame &
  (
    | {
        status: 'ask';
        /** People may also type a verified e-mail address. */
        by_email?: true;
        /** `ended`: the time or the tries for the code are used up, or the account has changed. */
        error: 'empty-username' | 'limited' | 'stale' | 'ended' | null;
        username: string;
      }
    | {
        status: 'code';
        /** `limited`: neither codes nor passwords are checked for this name, or from this network. */
        error: 'invalid verification code' | 'limited' | 'busy' | 'stale' | null;
        /** See `LoginState`. */
        remember: 'ask' | 'fixed';
        remember_checked: boolean;
        /** Shows the form for the username again. */
        again_url: string;
      }
    /** The code was right, but the request needs a password or more. */
    | { status: 'not-enough' }
  );

export interface LogoutState {
  status: 'pending' | 'accepted' | 'rejected' | 'failed';
  logout_challenge: string;
  /** There is no logout request of Hydra, but a person is signed in in this browser: the logout is confirmed without a challenge. */
  local?: true;
  /** With `accepted`: the sessions have ended at Hydra, which has notified the apps. */
  apps_notified?: boolean;
  /** Nobody is signed in in this browser. It is unknown whether a logout took place. */
  nobody?: true;
  xsrf_token: string;
  client?: ClientState;
  account?: AccountState;
}

export interface RegistrationResultState {
  /** `success`: the account exists, but no sign-in is waiting for it. */
  status:
    | 'success'
    | 'error-token'
    | 'error'
    /** An account was created with this invitation. */
    | 'invitation-used'
    /** Unknown, replaced, withdrawn or expired, or a second operator would now have to approve the account. */
    | 'invitation-ended'
    /** An account has the invited address already, or a user source knows it. */
    | 'invitation-exists';
  /** The waiting sign-in. */
  restart_url?: string;
}

/** A step of a sign-up here, the form of an invitation, or the result of a registration that did not end in a sign-in. */
export type RegistrationState = RegistrationStepState | InvitationState | RegistrationResultState;

/** An error that Hydra reports through the browser. Anybody can forge such an error: untrusted text (ERR-5). */
export interface OAuthErrorState {
  error: string;
  error_description: string;
  /** After a failed logout: the address at which people log out without the app's request. */
  logout_url?: string;
}

/**
 * Why a user source does not let a person in, although the password, passkey or mailed code may be right. `source_unavailable`: a source
 * did not answer, or the sign-in may succeed if it is repeated. `password_change`: the password is right, but has to be changed at the
 * source. `not_allowed`: the person may not sign in.
 */
export type SourceRefusal = 'source_unavailable' | 'password_change' | 'not_allowed';

/**
 * Why a person cannot sign in although a provider has authenticated them. `not_admitted`: the claims do not meet the settings, or the
 * identity must not be connected with the account of the SCIM source. `no_account`: no account can be created, for example because the
 * username is taken, reserved or invalid. `not_allowed`: the user source to which the account belongs does not let the person in.
 */
export type ProviderRefusal = 'not_admitted' | 'no_account' | Extract<SourceRefusal, 'source_unavailable' | 'not_allowed'>;

export interface ServerErrorState {
  status: number;
  code:
    | 'bad_request'
    | 'unauthorized'
    | 'forbidden'
    | 'page_not_found'
    | 'method_not_allowed'
    | 'too_large'
    | 'unsupported'
    /** The settings of the client at Hydra cannot be read. */
    | 'app_settings'
    | 'limited'
    | 'internal'
    | 'unavailable'
    | SourceRefusal
    | ProviderRefusal;
  request_id: string;
  /** Returns to the waiting request, if it is known. */
  restart_url?: string;
  /** Whole seconds; with `limited` and `unavailable`. */
  retry_after?: number;
  /** With `password_change`: the address at which the password is changed. */
  password_url?: string;
}

/** The state of each page, under the name of the page. */
export interface PageStates extends DevicePages, ManagePageStates, ResetPages {
  login: LoginState;
  accounts: AccountsState;
  login_hint: LoginHintState;
  mailed_code: MailedCodeState;
  consent: ConsentState;
  logout: LogoutState;
  registration: RegistrationState;
  oauth_error: OAuthErrorState;
  server_error: ServerErrorState;
  mfa_verification: MfaVerificationState;
  task: TaskState;
  passkey_offer: PasskeyOfferState;
}

export type PageName = keyof PageStates;

/** The state of one page: the members of every page, and the page's own state under its name. */
export type PageOf<Name extends PageName> = {
  [Page in Name]: {
    page: Page;
    locale: Locale;
    locale_source: LocaleSource;
    app: AppState;
  } & Pick<PageStates, Page> &
    (Page extends 'manage_error' ? unknown : Page extends `manage${string}` ? ManageFrame : unknown);
}[Name];

export type PageState = PageOf<PageName>;

/** The state of a page before the gateway adds the members that every page has. */
export type PageContent = PageState extends infer State
  ? State extends PageState
    ? Omit<State, 'locale' | 'locale_source' | 'app'>
    : never
  : never;
