/**
 * Checks of an ID token in addition to those of the library, which verifies signature, issuer, audience, nonce and expiry (OpenID
 * Connect Core 1.0, sections 3.1.3.7 and 3.1.3.8).
 */
import { createHash } from 'node:crypto';
import { decodeProtectedHeader } from 'jose';
import type { IDToken } from 'openid-client';
import { ProviderRefused } from './provider.errors.js';

export interface VerifiedToken {
  idToken: string;
  claims: IDToken;
  accessToken: string;
  clientId: string;
  nowSeconds: number;
}

/** How far the clocks of the provider and of this installation may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** At most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

/** @throws ProviderRefused */
export function requireStrictToken(token: VerifiedToken): void {
  const { claims, clientId, nowSeconds } = token;
  if (!SUBJECT.test(claims.sub)) throw new ProviderRefused('ID token: sub is not 1 to 255 printable ASCII characters');
  if ([claims.aud].flat().some((audience) => audience !== clientId))
    throw new ProviderRefused('ID token: aud names other clients too');
  if (claims['azp'] !== undefined && claims['azp'] !== clientId) throw new ProviderRefused('ID token: azp names another client');
  if (claims.iat > nowSeconds + CLOCK_TOLERANCE_SECONDS) throw new ProviderRefused('ID token: iat is in the future');
  if ((claims.auth_time ?? 0) > nowSeconds + CLOCK_TOLERANCE_SECONDS)
    throw new ProviderRefused('ID token: auth_time is in the future');
  if (claims['at_hash'] !== undefined && claims['at_hash'] !== computeAtHash(token)) {
    throw new ProviderRefused('ID token: at_hash belongs to another access token');
  }
}

/** Computes the value of `at_hash` (OpenID Connect Core 1.0, section 3.1.3.6). */
function computeAtHash({ idToken, accessToken }: VerifiedToken): string {
  const { alg = '' } = decodeProtectedHeader(idToken);
  // Ed25519, also named EdDSA, includes SHA-512 (RFC 8032, section 5.1).
  const bits = /^[A-Z]S(\d{3})$/.exec(alg)?.[1] ?? '512';
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
