/**
 * What the server sends to a page: one union, discriminated by `page`. It is sent as JSON in `data-state` of the page
 * root (GEN-1), so it is plain data in snake_case. For a page that is added to it the compiler asks for paths
 * (`PAGE_PATHS`) and for the page itself (`web/app.tsx`).
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

export type { ClaimState, ConsentState, ScopeState } from './consent-state.js';
export type { AccountState, ChallengeFault, ClientState, ProviderState } from './request-state.js';

export interface FooterLink {
  id: 'imprint' | 'privacy' | 'terms' | 'sfdr';
  url: string;
  /** The target exists in German only; an English page shows this (GEN-5). */
  german_only: boolean;
  /** The language of the target, where it is not that of the page. */
  locale?: Locale;
}

/** The same page in another language. */
export interface LanguageLink {
  locale: Locale;
  url: string;
  /** In the language itself. */
  name: string;
  dir: TextDirection;
}

export interface AppState {
  name: string;
  /** GEN-10: shown in texts and mails. */
  login_address: string;
  footer_links: FooterLink[];
  /** Address of this page in each language; absent if only the browser's language counts (I18-3). */
  language_links?: LanguageLink[];
  /** GEN-6: already validated by the server, so a page may link to it. */
  return_to_url?: string;
  return_to_name?: string;
  /** Address of the installation's logo. Without one, the product's logo is shown. */
  logo_url?: string;
  /** The same for dark pages. */
  logo_dark_url?: string;
  /** Where to start a sign-in, for pages without another link. */
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

export interface LoginState {
  /** A verified e-mail address is a name to sign in with, too. */
  by?: 'email';
  /**
   * `credentials` with `provider`: no account is connected to that identity (LOG-7). `provider-refused`: its answer
   * is not valid; `provider-down`: it does not answer; `cancelled`: the person cancelled there. `stale`: the form is
   * older than a sign-in in another window; nothing was checked. `new-proof`: the app requires a new authentication, the
   * provider confirmed an earlier one, and the password is asked for instead; `earlier-session`: there is no password.
   * `passkey`: it was not accepted; `passkey-unknown`: nobody has it any more; `passkey-stale`: the page is too old for it.
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
    | 'passkey'
    | 'passkey-unknown'
    | 'passkey-stale'
    | null;
  /** Name of the provider that caused the error. */
  provider?: string;
  /** Absent if none is configured (LOG-2). */
  providers?: ProviderState[];
  /** To sign in with a passkey; absent if nobody does here. */
  passkey?: {
    request: PasskeyRequest;
    /** Shown before the password. */
    first?: true;
    /** With `passkey-unknown`: id of the credential, for the authenticator to forget. */
    unknown?: string;
  };
  challenge_fault?: ChallengeFault;
  /** Returns to the waiting request, that of a device by its code; absent if the request is not known. */
  restart_url?: string;
  restart_asks_code?: true;
  /** Where to reset the password; absent if mail is off (LOG-3). */
  password_reset_url?: string;
  /** With `limited`: whole seconds until the next attempt is checked. */
  retry_after?: number;
  /**
   * With `limited`, after a password. `account`: passwords of this username wait, whether or not an account has it; `network`:
   * passwords and passkeys from this network. What else is offered works.
   */
  limited?: 'account' | 'network';
  xsrf_token: string;
  login_challenge: string;
  reg_hints: { key: string; value: string }[];
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

export interface LogoutState {
  status: 'pending' | 'accepted' | 'rejected' | 'failed';
  logout_challenge: string;
  /** Hydra has no session, but somebody is signed in in this browser: the sign-out is confirmed without a challenge. */
  local?: true;
  /** With `accepted`: the sessions have ended at Hydra, which has notified the apps. */
  apps_notified?: boolean;
  /** Nobody is signed in in this browser; whether a logout took place is not known. */
  nobody?: true;
  xsrf_token: string;
  client?: ClientState;
  account?: AccountState;
}

export interface RegistrationState {
  /** `success`: the account exists, but no sign-in is waiting for it. */
  status: 'success' | 'error-token' | 'error';
  /** The waiting sign-in. */
  restart_url?: string;
}

/** An error that Hydra reports through the browser. Anybody can forge it: untrusted text (ERR-5). */
export interface OAuthErrorState {
  error: string;
  error_description: string;
  /** The error of a logout: where to log out without the app's request. */
  logout_url?: string;
}

/**
 * The password may be right, and nobody is signed in. `source_unavailable`: it could not be checked everywhere. The others come
 * after the right password: it has to be changed where it is, or the person may not sign in.
 */
export type SourceRefusal = 'source_unavailable' | 'password_change' | 'not_allowed';

/**
 * A provider has said who the person is. `not_admitted`: not somebody who may sign in. `no_account`: no account can be made,
 * because the username is taken, reserved or cannot be one. `not_allowed`: the user source that the account belongs to does not
 * let them in.
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
    /** The registration of the app cannot be read. */
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
  /** Where the password is changed; with `password_change`. */
  password_url?: string;
}

/** The state of each page, under the name of the page. */
export interface PageStates extends DevicePages, ManagePageStates, ResetPages {
  login: LoginState;
  accounts: AccountsState;
  login_hint: LoginHintState;
  consent: ConsentState;
  logout: LogoutState;
  registration: RegistrationState;
  oauth_error: OAuthErrorState;
  server_error: ServerErrorState;
  mfa_verification: MfaVerificationState;
  passkey_offer: PasskeyOfferState;
}

export type PageName = keyof PageStates;

/** What every page has, and the state of this one under its name. */
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

/** A page before the gateway adds the values that all pages have. */
export type PageContent = PageState extends infer State
  ? State extends PageState
    ? Omit<State, 'locale' | 'locale_source' | 'app'>
    : never
  : never;
