/**
 * Maps failures to the port's errors: cancelled by the person, provider unavailable, or answer refused. Log lines
 * contain no part of the answer.
 */
import * as oidc from 'openid-client';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from './provider.errors.js';

/** The person declined: OAuth 2.0, 4.1.2.1, and Apple's code for it. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
/** The provider fails, or does not know this client (any more). */
const UNABLE = ['server_error', 'temporarily_unavailable', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type'];

/** Error texts are untrusted: only a short error code is logged. */
const ERROR_CODE = /^[a-z0-9_]{1,60}$/i;

export function catchFailure(error: unknown): ProviderCancelled | ProviderRefused | ProviderUnavailable {
  const chain = findCauses(error);
  const known = chain.find((one) => one instanceof ProviderUnavailable || one instanceof ProviderRefused);
  if (known) return known;
  if (error instanceof oidc.AuthorizationResponseError) return ofErrorCode('answers', error.error);
  if (error instanceof oidc.ResponseBodyError) return ofErrorCode('token endpoint answers', error.error);
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    return new ProviderUnavailable('token endpoint refuses the credentials of this installation');
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return new ProviderUnavailable('an answer that is not understood');
  }
  // Messages of the library, which name claims but not their values.
  const reason = [...new Set(chain.map(({ message }) => message))].join(': ').slice(0, 300);
  return new ProviderRefused(reason === '' ? 'an answer that proves nothing' : reason);
}

function ofErrorCode(who: string, code: string): ProviderCancelled | ProviderRefused | ProviderUnavailable {
  const message = `${who} ${ERROR_CODE.test(code) ? code : 'with an error'}`;
  if (CANCELLED.includes(code)) return new ProviderCancelled(message);
  return UNABLE.includes(code) ? new ProviderUnavailable(message) : new ProviderRefused(message);
}

function findCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one);
  return chain;
}
