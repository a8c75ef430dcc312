/** The part of a token endpoint's answer that the demo app stores. */
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { ProtocolFailure } from './protocol-errors.js';

export interface TokenSet {
  idToken: string;
  claims: Readonly<Record<string, unknown>> & { sub: string; sid?: string };
  accessToken: string;
  refreshToken?: string;
  scopes: readonly string[];
  /** Milliseconds since 1970. */
  expiresAt?: number;
}

/**
 * @param knownValues the values that the answer may omit: the requested scopes (RFC 6749, section 5.1), or at a refresh the previous
 * tokens (OpenID Connect Core, 12.2; RFC 6749, section 6)
 * @throws ProtocolFailure if neither the answer nor `knownValues` has an ID token
 */
export function readTokens(
  answer: TokenEndpointResponse & TokenEndpointResponseHelpers,
  knownValues: Pick<TokenSet, 'scopes'> & Partial<TokenSet>,
): TokenSet {
  const idToken = answer.id_token ?? knownValues.idToken;
  const claims = (answer.claims() as TokenSet['claims'] | undefined) ?? knownValues.claims;
  if (idToken === undefined || claims === undefined) throw new ProtocolFailure('The token endpoint returned no ID token.');
  const refreshToken = answer.refresh_token ?? knownValues.refreshToken;
  const seconds = answer.expiresIn();
  return {
    idToken,
    claims,
    accessToken: answer.access_token,
    scopes: answer.scope === undefined ? knownValues.scopes : answer.scope.split(' ').filter(Boolean),
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(seconds === undefined ? {} : { expiresAt: Date.now() + seconds * 1000 }),
  };
}

/** @param userinfo null if it is not known */
export function toName({ claims }: TokenSet, userinfo: Readonly<Record<string, unknown>> | null): string | null {
  const candidates = [claims['name'], userinfo?.['name'], claims['preferred_username'], userinfo?.['preferred_username']];
  return candidates.find((candidate): candidate is string => typeof candidate === 'string' && candidate !== '') ?? null;
}
