/** The same sign-in with a library that many apps use (openid-client), as an independent check. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  type Configuration,
  type IDToken,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
  type UserInfoResponse,
  ClientSecretBasic,
} from 'openid-client';
import type { OAuthRegistration } from './oauth-client.js';

export interface LibrarySignIn {
  claims: IDToken;
  userinfo: UserInfoResponse;
  refreshed: TokenEndpointResponse & TokenEndpointResponseHelpers;
}

/** Verifies signatures of ID tokens too, although they come directly from the token endpoint. */
export function libraryClient(issuer: string, { clientId, clientSecret }: OAuthRegistration): Promise<Configuration> {
  return discovery(new URL(issuer), clientId, undefined, ClientSecretBasic(clientSecret ?? ''), {
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
  });
}

/** @param walk leads the browser through login and consent, and returns the callback address */
export async function signInWithLibrary(
  client: Configuration,
  { redirectUri }: OAuthRegistration,
  walk: (authorizationUrl: URL) => Promise<URL>,
): Promise<LibrarySignIn> {
  const [pkceCodeVerifier, expectedNonce, expectedState] = [randomPKCECodeVerifier(), randomNonce(), randomState()];
  const authorizationUrl = buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid offline_access',
    code_challenge: await calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
  });
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(client, await walk(authorizationUrl), checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('the library found no claims');
  return {
    claims,
    userinfo: await fetchUserInfo(client, tokens.access_token, claims.sub),
    refreshed: await refreshTokenGrant(client, tokens.refresh_token ?? ''),
  };
}
