/** Proof Key for Code Exchange (RFC 7636) with Hydra's rules: optional, and S256 only. */
import { createHash } from 'node:crypto';
import { OAuthError } from '../oauth-error.js';

export interface CodeChallenge {
  challenge: string;
  challengeMethod: string;
}

/** Runs before a code is issued. @throws OAuthError */
export function requireKnownMethod({ challenge, challengeMethod }: CodeChallenge): void {
  if (challenge === '' || challengeMethod === 'S256') return;
  const isPlain = challengeMethod === '' || challengeMethod === 'plain';
  throw OAuthError.create(
    'invalid_request',
    isPlain
      ? 'Clients must use code_challenge_method=S256, plain is not allowed.'
      : 'The code_challenge_method is not supported, use S256 instead.',
  );
}

/** Runs when a code is redeemed. @throws OAuthError */
export function requireVerifier({ challenge, challengeMethod }: CodeChallenge, verifier: string): void {
  if (challenge === '' && challengeMethod === '') {
    if (verifier !== '') throw toRefusal('Unable to find initial PKCE data tied to this request');
    return;
  }
  if (challenge === '' && verifier === '') return;
  if (verifier.length < 43) throw toRefusal('The PKCE code verifier must be at least 43 characters.');
  if (Buffer.byteLength(verifier) > 128) throw toRefusal('The PKCE code verifier can not be longer than 128 characters.');
  if (/[^\w.~-]/.test(verifier)) {
    throw toRefusal("The PKCE code verifier must only contain [a-Z], [0-9], '-', '.', '_', '~'.");
  }
  if (challenge === '') {
    throw toRefusal('The PKCE code verifier was provided but the code challenge was absent from the authorization request.');
  }
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge) {
    throw toRefusal('The PKCE code challenge did not match the code verifier.');
  }
}

function toRefusal(hint: string): OAuthError {
  return OAuthError.create('invalid_grant', hint);
}
