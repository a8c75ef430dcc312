/**
 * What the server tells a page: one union, discriminated by `page`. It travels as JSON in `data-state` of the page
 * root (GEN-1), so it is plain data in snake_case. For a page that is added to it the compiler asks for paths
 * (`PAGE_PATHS`) and for the page itself (`web/app.tsx`).
 */
import type {
  ManageFrame,
  ManageConfirmState,
  ManageErrorState,
  ManageFido2State,
  ManageMfaState,
  ManagePasswordState,
  ManageRecoveryCodesState,
  ManageState,
  ManageTotpState,
  ManageUsernameState,
} from './manage-state.js';
import type { Locale, LocaleSource } from './locale.js';
import type { MfaVerificationState } from './mfa-state.js';
import type { AccountState, ChallengeFault, ClientState, ProviderState } from './request-state.js';
import type { ResetPages } from './reset-state.js';

export type { AccountState, ChallengeFault, ClientState, ProviderState } from './request-state.js';

export interface FooterLink {
  id: 'imprint' | 'privacy' | 'terms' | 'sfdr';
  url: string;
  /** The target exists in German only; an English page marks it (GEN-5). */
  german_only: boolean;
}

export interface AppState {
  name: string;
  /** GEN-10: named in texts and mails. */
  login_address: string;
  footer_links: FooterLink[];
  /** Address of this page in each language; absent where detection follows the browser alone (I18-3). */
  language_links?: { locale: Locale; url: string }[];
  /** GEN-6: already checked by the server; a page may link it as it is. */
  return_to_url?: string;
  return_to_name?: string;
  /** Address of the installation's logo; the product's door is drawn when there is none. */
  logo_url?: string;
  /** The place to start a sign-in, for pages that lead nowhere else. */
  home_url?: string;
}

export interface LoginState {
  /**
   * `credentials` with `provider`: nobody has connected that account (LOG-7). `provider-refused`: its answer proves nothing;
   * `provider-down`: it does not answer; `cancelled`: the person said no there. `stale`: the form is from before a sign-in in
   * another window; nothing was looked at.
   */
  error:
    | 'challenge'
    | 'credentials'
    | 'limited'
    | 'busy'
    | 'stale'
    | 'own-proof'
    | 'provider-refused'
    | 'provider-down'
    | 'cancelled'
    | null;
  /** Name of the provider that an error is about. */
  provider?: string;
  /** Absent where none is set up (LOG-2). */
  providers?: ProviderState[];
  challenge_fault?: ChallengeFault;
  /** Leads back into the request that waits; absent when it is not known. */
  restart_url?: string;
  /** Where a new password is asked for; absent where no mail can be sent (LOG-3). */
  password_reset_url?: string;
  /** With `limited`: whole seconds until the next try is looked at. */
  retry_after?: number;
  xsrf_token: string;
  login_challenge: string;
  reg_hints: { key: string; value: string }[];
  ticket: string;
  client?: ClientState;
  username: string;
  /** `ask` shows the box "Stay signed in" (LOG-12). */
  remember: 'ask' | 'fixed';
  remember_checked: boolean;
  /** Field errors of a post that left something out (LOG-8). */
  missing: ('username' | 'password')[];
}

/** One identity, several accounts (ACC-1). */
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
  account?: AccountState;
  xsrf_token: string;
  login_challenge: string;
  ticket: string;
  client?: ClientState;
  /** Restarts the request with `prompt=login` (HNT-5). */
  other_account_url?: string;
}

export interface ScopeState {
  id: string;
  /** Cannot be refused (`openid`). */
  required: boolean;
  /** Texts from the installation's catalogue; the built-in scopes are worded by the page. */
  title?: string;
  description?: string;
}

export interface ConsentState {
  error: 'failed' | 'invalid-scope-requested' | null;
  challenge_fault?: ChallengeFault;
  restart_url?: string;
  client: ClientState & { policy_uri?: string; tos_uri?: string };
  account?: AccountState;
  scopes: ScopeState[];
  consent_challenge: string;
  /** Where a refusal leads without a post (CON-5); set only when the challenge cannot be rejected any more. */
  redirect_uri?: string;
  xsrf_token: string;
  ticket: string;
}

export interface LogoutState {
  status: 'pending' | 'accepted' | 'rejected' | 'failed';
  logout_challenge: string;
  /** The upstream knows of no session, but the account area is open here: asked without a challenge. */
  local?: true;
  xsrf_token: string;
  client?: ClientState;
  account?: AccountState;
}

export interface RegistrationState {
  /** `success`: the account is there, and nobody waits for it any more. */
  status: 'success' | 'error-token' | 'error';
  /** The sign-in that waited. */
  restart_url?: string;
}

/** What the OAuth server says about a request that it could not answer. Anyone can craft it: untrusted text (ERR-5). */
export interface OAuthErrorState {
  error: string;
  error_description: string;
}

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
    | 'limited'
    | 'internal'
    | 'unavailable';
  request_id: string;
  /** Leads back into the request that waits, where one is known. */
  restart_url?: string;
  /** Whole seconds, with `limited` and `unavailable`. */
  retry_after?: number;
}

/** The state of each page, under the name of the page. */
export interface PageStates extends ResetPages {
  login: LoginState;
  accounts: AccountsState;
  login_hint: LoginHintState;
  consent: ConsentState;
  logout: LogoutState;
  registration: RegistrationState;
  oauth_error: OAuthErrorState;
  server_error: ServerErrorState;
  mfa_verification: MfaVerificationState;
  manage: ManageState;
  manage_mfa: ManageMfaState;
  manage_totp: ManageTotpState;
  manage_fido2: ManageFido2State;
  manage_recovery_codes: ManageRecoveryCodesState;
  manage_password: ManagePasswordState;
  manage_username: ManageUsernameState;
  manage_confirm: ManageConfirmState;
  manage_error: ManageErrorState;
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

export type MfaVerificationPage = PageOf<'mfa_verification'>;
export type ManageMfaPage = PageOf<'manage_mfa'>;
export type ManageTotpPage = PageOf<'manage_totp'>;
export type ManageFido2Page = PageOf<'manage_fido2'>;
export type ManageRecoveryCodesPage = PageOf<'manage_recovery_codes'>;

/** A page before the gateway adds what every page has. */
export type PageContent = PageState extends infer State
  ? State extends PageState
    ? Omit<State, 'locale' | 'locale_source' | 'app'>
    : never
  : never;
