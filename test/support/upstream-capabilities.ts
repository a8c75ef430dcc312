/**
 * What differs between releases of Hydra, one line each, by the release that brought it. Rows ask for a capability, never
 * for a version. A version that cannot be read (a self-built server says `master`) counts as the newest.
 */
export const CAPABILITIES = {
  /** Members that the server does not know are ignored in request bodies; before, they are refused. */
  ignoresUnknownMembers: [25, 4, 0],
  /** RFC 8628. */
  deviceFlow: [25, 4, 0],
  /** `consent_request_id` in consent requests, and revocation by it. */
  consentRequestId: [25, 4, 0],
  /** The admin port adds a missing `/admin` and forgives a trailing slash. */
  forgivingPaths: [25, 4, 0],
  /** Cache-Control only on answers to GET of the admin port; before, on all of them. */
  cacheHeaderOnReadsOnly: [25, 4, 0],
  /** A login accepted with `remember_for: 0` lasts 30 days; before, as long as the browser. */
  rememberForZeroIsLong: [25, 4, 0],
  /** Paging by opaque tokens without a total. */
  opaquePages: [25, 4, 0],
  /** A consent that was rejected may still be accepted; before, following the rejection spends the flow. */
  rejectedConsentStaysOpen: [25, 4, 0],
  /** Logout without a hint ends in time, and its request says when. */
  logoutTimes: [2, 3, 0],
  /** Large integers in claims are written as integers. */
  exactIntegers: [2, 3, 0],
  /** A refresh token used twice is `invalid_grant`; before, `token_inactive` with 401. */
  reuseIsInvalidGrant: [2, 3, 0],
  /** A PKCE verifier that nobody asked for leaves the code good. */
  strayVerifierSpendsNothing: [2, 3, 0],
  /** Login and consent challenges are sealed copies of the request: never 410, never 409. */
  statelessChallenges: [2, 2, 0],
  /** OpenID requests must name their redirect_uri. */
  openidNeedsRedirectUri: [2, 3, 0],
} as const satisfies Record<string, readonly [number, number, number]>;

export type Capability = keyof typeof CAPABILITIES;

export function hasCapability(version: string, capability: Capability): boolean {
  const wanted = CAPABILITIES[capability];
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return true;
  const differing = parts.findIndex((part, index) => part !== wanted[index]);
  return differing < 0 || (parts[differing] ?? 0) > (wanted[differing] ?? 0);
}
