/**
 * Supported releases of Hydra and the capabilities that Foyer uses or shows. The contract suite
 * (test/conformance/upstream), docs/hydra-versions.md and the doctor use this table. Suite rows depend on a capability,
 * never on a version. An unreadable version (a self-built server reports `master`) is treated as the newest.
 */
type Release = readonly [major: number, minor: number, patch: number];

export const OLDEST_RELEASE: Release = [2, 3, 0];
export const NEWEST_RELEASE: Release = [26, 2, 0];

interface Capability {
  /** First release with the capability. */
  since: Release;
  /** Subject of the check. */
  what: string;
  has: string;
  lacks: string;
  /** Consequence for Foyer and its operators. */
  means: string;
}

/** Differences between releases. */
export const CAPABILITIES = {
  deviceFlow: {
    since: [25, 4, 0],
    what: 'device authorization (RFC 8628)',
    has: 'yes',
    lacks: 'no',
    means: 'Foyer has the page for the code: `URLS_DEVICE_VERIFICATION`, `URLS_DEVICE_SUCCESS`',
  },
  rememberForZeroIsLong: {
    since: [25, 4, 0],
    what: 'a login accepted with `remember_for: 0`',
    has: 'lasts 30 days',
    lacks: 'ends with the browser',
    means: 'Foyer always sends a number, `REMEMBER_SECONDS` or `SESSION_SECONDS`',
  },
  rejectedConsentStaysOpen: {
    since: [25, 4, 0],
    what: 'a consent that was denied, after the browser followed the redirect',
    has: 'can still be accepted',
    lacks: 'is used up',
    means: "Foyer's own record refuses it in all releases",
  },
  ignoresUnknownMembers: {
    since: [25, 4, 0],
    what: 'unknown members in bodies',
    has: 'ignored',
    lacks: 'refused with 400',
    means: 'Foyer sends no unknown members',
  },
  consentRequestId: {
    since: [25, 4, 0],
    what: '`consent_request_id`, and revoking one consent by it',
    has: 'yes',
    lacks: 'no',
    means: 'Foyer revokes by person, or by person and app',
  },
  opaquePages: {
    since: [25, 4, 0],
    what: 'lists of consents',
    has: '`Link` header with opaque tokens',
    lacks: '`Link` header with readable tokens, and `X-Total-Count`',
    means: 'Foyer follows the `Link` header',
  },
  forgivingPaths: {
    since: [25, 4, 0],
    what: 'admin paths without `/admin`, or with a slash at their end',
    has: 'corrected',
    lacks: 'redirected to a page that does not exist',
    means: 'Foyer sends exact paths; `HYDRA_ADMIN_URL` is written without `/admin`',
  },
  cacheHeaderOnReadsOnly: {
    since: [25, 4, 0],
    what: '`Cache-Control` of the admin API',
    has: 'on reading',
    lacks: 'on reading and writing',
    means: 'nothing',
  },
  logoutTimes: {
    since: [2, 3, 0],
    what: 'a logout without `id_token_hint`',
    has: 'expires, and its request contains the time',
    lacks: 'never expires',
    means: 'an expired logout ends on the error page, and the person stays signed in',
  },
  exactIntegers: {
    since: [2, 3, 0],
    what: 'large integers in claims',
    has: 'written as integers, exact up to 2^53',
    lacks: 'written with an exponent',
    means: 'Foyer puts no large number into claims',
  },
  reuseIsInvalidGrant: {
    since: [2, 3, 0],
    what: 'a refresh token used twice',
    has: '`invalid_grant` (400), and all tokens of its grant end',
    lacks: '`token_inactive` (401)',
    means: 'apps ask the person to sign in again',
  },
  strayVerifierSpendsNothing: {
    since: [2, 3, 0],
    what: 'a PKCE verifier without a code challenge in the request',
    has: 'refused; the code stays valid',
    lacks: 'refused; the code is used up',
    means: 'nothing',
  },
  openidNeedsRedirectUri: {
    since: [2, 3, 0],
    what: 'an OpenID request without `redirect_uri`',
    has: 'refused',
    lacks: 'accepted if one is registered',
    means: 'apps always send it',
  },
  statelessChallenges: {
    since: [2, 2, 0],
    what: 'a login or consent challenge that was answered',
    has: 'reads like a fresh one (200)',
    lacks: '410 to read, 409 to accept',
    means:
      "Foyer's own record of each challenge makes double click, Back and a stolen link harmless, also where Hydra answers 410 or 409",
  },
} as const satisfies Record<string, Capability>;

export type CapabilityName = keyof typeof CAPABILITIES;

interface Constant {
  what: string;
  is: string;
  means: string;
  /** Beginning of the title of the suite row that proves the behaviour. */
  row: string;
}

/** Behaviour common to all supported releases that Foyer or apps depend on. */
export const CONSTANTS: readonly Constant[] = [
  {
    what: '`skip_consent`, `skip_logout_consent` of a client',
    is: 'reported, but not obeyed',
    means: 'Foyer obeys them',
    row: 'D.48 skip_consent is only reported',
  },
  {
    what: '`prompt=registration`',
    is: 'goes to `URLS_REGISTRATION`',
    means:
      'leads to your registration service, or to the first page of a sign-up (`REGISTRATION=own`, `own-with-approval`); otherwise Foyer shows the login page',
    row: 'D.25 prompt=registration leads',
  },
  {
    what: '`prompt=select_account`',
    is: 'reaches the login page, and is refused after the login',
    means: 'Foyer asks "is it you?" and finishes the request without that value',
    row: 'D.26 prompt=select_account reaches',
  },
  {
    what: '`prompt=none`',
    is: 'opens the login and consent address if a session exists',
    means: 'Foyer answers without a screen: a code, `login_required` or `consent_required`',
    row: 'D.22 prompt=none with session and consent',
  },
  {
    what: '`acr_values`, `login_hint`, `ui_locales`, `display`',
    is: 'passed on',
    means: 'Foyer uses them for the required factors, the name that it fills in, and the language; it does not use `display`',
    row: 'D.3 the OpenID parameters arrive',
  },
  {
    what: '`id_token_hint` of another person',
    is: '`login_required` before any page',
    means: 'apps send the hint of the person they mean, or none',
    row: 'D.28 an id_token_hint of another person',
  },
  {
    what: '`acr`, `amr` of a remembered sign-in',
    is: 'not stored',
    means: 'Foyer stores them and sends them again, so that tokens stay correct',
    row: 'D.14 acr, amr and context of a session are not stored',
  },
  {
    what: 'granted scopes, audience, claims',
    is: 'accepted as sent, even beyond the request',
    means: 'Foyer grants only what was requested, selected and allowed',
    row: 'D.6 a grant is not compared with the request',
  },
  {
    what: 'a challenge older than `TTL_LOGIN_CONSENT_REQUEST`',
    is: '401 without a way back',
    means: 'Foyer offers to start the same request again',
    row: 'D.36 an expired challenge is answered with 401',
  },
  {
    what: 'two tabs of one app',
    is: 'the older tab ends at the app with `request_forbidden`',
    means: 'apps start again after that error',
    row: 'D.44 of two tabs, the older one is forbidden',
  },
  {
    what: 'a logout challenge that was used',
    is: '410 with a relative address',
    means: 'Foyer shows that the logout is done',
    row: 'D.57 a completed request is answered with 410',
  },
  {
    what: 'a logout that a stranger starts with an ID token',
    is: "ends the session of the token's owner once accepted",
    means: 'Foyer asks, unless the session belongs to this browser and the app may log out without a question',
    row: 'anybody with an ID token can start a logout',
  },
  {
    what: 'logout of a sign-in that is not remembered',
    is: 'finished immediately: no page, no call to other apps',
    means: "apps end their own session first, regardless of Hydra's page",
    row: 'D.55 a logout without a session is complete at once',
  },
  {
    what: 'back-channel logout',
    is: 'when a session is logged out or ended by its id (`sid`); not when all sessions of a person are ended (`sub`)',
    means: 'an app that must learn about "sign out everywhere" also introspects its tokens',
    row: 'the end of one session by its id runs the back channel',
  },
  {
    what: 'tokens after a logout',
    is: 'stay valid',
    means: 'apps revoke their refresh token; Foyer revokes where access was ended',
    row: 'tokens stay valid after a logout',
  },
  {
    what: 'lifespans of a single client',
    is: 'apply to its tokens',
    means: 'Foyer does not need them',
    row: 'lifespans of a client apply to its tokens',
  },
  {
    what: 'CORS at the token endpoint',
    is: 'none, unless `SERVE_PUBLIC_CORS_ENABLED`',
    means: 'single-page apps need it, always with `SERVE_PUBLIC_CORS_ALLOWED_ORIGINS`: without it every origin is allowed',
    row: 'D.5 the token endpoint ignores an Origin',
  },
];

export function hasCapability(version: string, capability: CapabilityName): boolean {
  const release = findRelease(version);
  return release === null || compareReleases(release, CAPABILITIES[capability].since) >= 0;
}

/** @returns null if the version is not a release */
export function findRelease(version: string): Release | null {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)];
}

/** @returns a negative number if the first release is older, a positive number if it is newer */
export function compareReleases(first: Release, second: Release): number {
  const position = first.findIndex((part, index) => part !== second[index]);
  return position < 0 ? 0 : (first[position] ?? 0) - (second[position] ?? 0);
}

export function toReleaseName(release: Release): string {
  return `v${release.join('.')}`;
}
