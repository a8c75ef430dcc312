/** Errors between the demo app and its issuer. This file translates openid-client's errors, except those of discovery (`issuer.ts`). */
import { AuthorizationResponseError, ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';

/** The issuer answered with an OAuth error, at the callback or at one of its endpoints. Both texts are untrusted. */
export class OAuthError extends Error {
  constructor(
    readonly code: string,
    readonly description: string,
  ) {
    super(`${code}: ${description}`);
    this.name = 'OAuthError';
  }
}

/**
 * An invalid answer (a wrong state, nonce or signature, or an answer that is not an OAuth answer), or a request that cannot be sent
 * because the issuer's metadata has no address for it or the app has no refresh token.
 */
export class ProtocolFailure extends Error {
  override readonly name = 'ProtocolFailure';
}

/** The issuer did not answer, answered with a status of 500 or above, or its discovery failed. */
export class IssuerUnreachable extends Error {
  constructor(issuer: string, options: ErrorOptions) {
    super(`${issuer} did not answer as expected`, options);
    this.name = 'IssuerUnreachable';
  }
}

/** Waits for the work. @throws one of the errors above instead of an error of openid-client */
export async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toOwnError(error);
  }
}

function toOwnError(error: unknown): Error {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return new OAuthError(error.error, error.error_description ?? '');
  }
  if (error instanceof WWWAuthenticateChallengeError) return new OAuthError('invalid_token', `HTTP ${error.status}`);
  const code = error instanceof ClientError ? error.code : undefined;
  // An error without a code means that no answer was received. An answer with a status of 500 and above may come from a proxy.
  const isOutage =
    code === 'OAUTH_TIMEOUT' || (error instanceof Error && error.cause instanceof Response && error.cause.status >= 500);
  if (error instanceof ClientError && code !== undefined && !isOutage) {
    return new ProtocolFailure(error.message, { cause: error });
  }
  return new IssuerUnreachable('The issuer', { cause: error });
}
