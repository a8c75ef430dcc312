/** Builds addresses at Hydra. A path of the settings, as in `https://example.com/hydra`, stays. */

/** @param baseUrl with or without a slash at the end */
export function buildUpstreamUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/$/, '') + path;
}

/**
 * Builds the address of a logout without an ID token (OpenID Connect RP-Initiated Logout 1.0, section 2). If Hydra remembers a session
 * in the browser, it redirects to Foyer's logout page before it ends the session.
 */
export function buildUpstreamLogoutUrl({ publicUrl }: { publicUrl: string }): string {
  return buildUpstreamUrl(publicUrl, '/oauth2/sessions/logout');
}
