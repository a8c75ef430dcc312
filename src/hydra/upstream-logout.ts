/**
 * Hydra's logout of the session in this browser, which asks the person first (OpenID Connect RP-Initiated Logout 1.0,
 * section 2).
 */
export function upstreamLogoutUrl({ publicUrl }: { publicUrl: string }): string {
  return new URL('/oauth2/sessions/logout', publicUrl).href;
}
