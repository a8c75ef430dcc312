/**
 * Builds the address of a logout without an ID token (OpenID Connect RP-Initiated Logout 1.0, section 2). If Hydra remembers a session
 * in the browser, it redirects to Foyer's logout page before it ends the session.
 */
export function buildUpstreamLogoutUrl({ publicUrl }: { publicUrl: string }): string {
  return `${publicUrl.replace(/\/$/, '')}/oauth2/sessions/logout`;
}
