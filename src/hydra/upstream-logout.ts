/**
 * Builds the address at which Hydra logs out the session of this browser, after it has asked the person (OpenID Connect
 * RP-Initiated Logout 1.0, section 2).
 */
export function buildUpstreamLogoutUrl({ publicUrl }: { publicUrl: string }): string {
  return new URL('/oauth2/sessions/logout', publicUrl).href;
}
