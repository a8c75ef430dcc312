/**
 * Names of form fields, query parameters, headers of calls, and the keys of the language.
 *
 * The names of form fields must not be changed: the specification defines many of them (section 7), and pages that were loaded before an
 * update send the old names.
 */
export const FIELDS = {
  xsrf: '_xsrf',
  loginChallenge: 'login_challenge',
  consentChallenge: 'consent_challenge',
  logoutChallenge: 'logout_challenge',
  deviceChallenge: 'device_challenge',
  /** The short code that a device shows (RFC 8628, section 3.2). */
  userCode: 'user_code',
  username: 'username',
  email: 'email',
  password: 'password',
  /** `true`: the page asks for the password here, so the address that was typed does not lead to a provider. */
  passwordHere: 'password_here',
  /** Offer to connect the identity that a provider has proven: id of the provider, a dot, a secret. */
  connectOffer: 'connect_offer',
  /** Single-use token for the list of accounts from which the person chooses (ACC-1). */
  token: 'token',
  remember: 'remember',
  /** The assertion of a passkey, as JSON. */
  passkey: 'passkey',
  scopes: 'scopes',
  /** Those values of `scopes` that the page shows as granted before. */
  granted: 'granted',
  user: 'user',
  /**
   * `later`: postpones the task, or the set-up of a factor, until the next sign-in if it is not due yet. `cancel`: the person does not
   * accept the terms. `true`: sent by the login hint; the server does not read it.
   */
  proceed: 'proceed',
  /** Encrypted address of the waiting request, which starts it again after its challenge has expired. */
  ticket: 'ticket',
  resetToken: 'reset_token',
  /** Token from a mailed link: "that was not me", "keep my account", "stop this", or an invitation. */
  linkToken: 'token',
  passwordRepeat: 'password_repeat',
  mfaToken: 'mfa_token',
  /** A code from an authenticator app or a mail, or a recovery code where one is accepted. */
  code: 'code',
  /**
   * The method that is proven: a kind of second factor such as `totp`, or `recovery`; in the account area also `password` or `mail`. With
   * new recovery codes: the kind whose set-up created them.
   */
  method: 'method',
  /** `true`: this browser may go without a second factor for some time. In the form of a task: see `TaskFrame`. */
  trustBrowser: 'trust_browser',
  /** How the browser can create a passkey (`PASSKEY_CREATIONS`). Set by script. */
  passkeyCreation: 'passkey_creation',
  /** JSON of a credential that the browser created. */
  credential: 'credential',
  setupSession: 'setup_session',
  newPassword: 'newPassword',
  newPasswordRepeat: 'newPasswordRepeat',
  /** Where to continue after a fresh proof: a path of the account area. */
  next: 'next',
  /** See `MANAGE_QUERY.entry`. */
  entry: 'entry',
  /** Id of the list entry that the form changes: a factor, a trusted browser, a signed-in device, a client or accepted terms. */
  key: 'key',
  /** Name that a person gave a security key or a passkey. */
  keyName: 'key_name',
} as const;

/** Query parameters of the account area. Pages outside of it also use `status`, and the second step of a sign-in `method` and `setup`. */
export const MANAGE_QUERY = {
  /** The result of a change or request. `ask`: the form that requests a code is shown, although a code was mailed. */
  status: 'status',
  /** Kind of second factor, or `passkey`, to which `status` refers. */
  factor: 'factor',
  setup: 'setup',
  /** Identifies an access token of another person that arrived while the account area is open. */
  entry: 'entry',
  method: 'method',
  /** The position at which a page of a list begins. */
  cursor: 'cursor',
  /** The group of security events that is listed. */
  show: 'show',
  /** The form values from before a fresh proof was required, encrypted. */
  kept: 'kept',
} as const;

/** Query parameters that no page reads or writes. */
export const SERVER_QUERY = {
  /** The access token with which an app opens the account area. */
  token: 't',
  /** Why a provider was not connected. */
  oauthError: 'oauth-error',
} as const;

/** Query parameters of the routes to and from a provider. */
export const PROVIDER_QUERY = { answer: 'answer', ticket: 'ticket', loginHint: 'login_hint' } as const;

/** Headers of calls by script: `xsrf` in the request, `nextToken` in the answer. */
export const CALL_HEADERS = { xsrf: 'x-xsrftoken', nextToken: 'x-api-next-token' } as const;

/** Query parameter, cookie and storage keys of the language (specification, section 9). */
export const LANGUAGE_KEYS = { query: 'lng', cookie: 'i18next', storage: 'i18nextLng' } as const;
