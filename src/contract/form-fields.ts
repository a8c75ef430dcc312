/** Names of form fields. They are the specification's (section 7) and may not be renamed. */
export const FIELDS = {
  xsrf: '_xsrf',
  loginChallenge: 'login_challenge',
  consentChallenge: 'consent_challenge',
  logoutChallenge: 'logout_challenge',
  username: 'username',
  password: 'password',
  /** Which accounts somebody may choose from, once. */
  token: 'token',
  remember: 'remember',
  scopes: 'scopes',
  user: 'user',
  proceed: 'proceed',
  /** Sealed address of the request that waits; leads back into it when the challenge has died. */
  ticket: 'ticket',
  resetToken: 'reset_token',
  /** Of the link in a notice that says "that was not me". */
  noticeToken: 'token',
  passwordRepeat: 'password_repeat',
  mfaToken: 'mfa_token',
  /** A code of the authenticator app, or a recovery code where one may stand for it. */
  code: 'code',
  /** Which kind of second factor the page is about: `totp`, `fido2`, `recovery`. */
  method: 'method',
  newPassword: 'newPassword',
  newPasswordRepeat: 'newPasswordRepeat',
  /** Where to go on after a fresh proof: a path of the account area. */
  next: 'next',
  /** Id of a security key. */
  key: 'key',
  /** What a person calls a security key. */
  keyName: 'key_name',
} as const;

/** Query parameter that brings the access token into the account area; names what a change led to. */
export const MANAGE_QUERY = {
  token: 't',
  status: 'status',
  oauthError: 'oauth-error',
  setup: 'setup',
  method: 'method',
  /** Sealed: what was typed before a fresh proof was asked for. */
  kept: 'kept',
} as const;

/** Query parameters of the ways to and from a provider. */
export const PROVIDER_QUERY = { answer: 'answer', ticket: 'ticket' } as const;

/** Headers of the calls by script. */
export const CALL_HEADERS = { xsrf: 'x-xsrftoken', nextToken: 'x-api-next-token' } as const;

/** Query parameter, cookie and storage keys of the language (specification, section 9). */
export const LANGUAGE_KEYS = { query: 'lng', cookie: 'i18next', storage: 'i18nextLng' } as const;
