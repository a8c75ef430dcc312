/** Names of form fields. They are the specification's (section 7) and may not be renamed. */
export const FIELDS = {
  xsrf: '_xsrf',
  loginChallenge: 'login_challenge',
  consentChallenge: 'consent_challenge',
  logoutChallenge: 'logout_challenge',
  username: 'username',
  password: 'password',
  remember: 'remember',
  scopes: 'scopes',
  user: 'user',
  proceed: 'proceed',
  /** Sealed address of the request that waits; leads back into it when the challenge has died. */
  ticket: 'ticket',
} as const;

/** Query parameter, cookie and storage keys of the language (specification, section 9). */
export const LANGUAGE_KEYS = { query: 'lng', cookie: 'i18next', storage: 'i18nextLng' } as const;
