/** Every address that a page, a form or a redirect of this product names. One place, so that none is spelled twice. */
export const PATHS = {
  home: '/',
  login: '/login',
  loginNative: '/login/native',
  loginProceed: '/login/proceed',
  consent: '/consent',
  consentAccept: '/consent/accept',
  consentReject: '/consent/reject',
  logout: '/logout',
  logoutAccept: '/logout/accept',
  logoutReject: '/logout/reject',
  logoutCallback: '/logout/callback',
  register: '/register',
  error: '/error',
  healthLive: '/health/live',
  healthReady: '/health/ready',
  assets: '/assets/',
} as const;
