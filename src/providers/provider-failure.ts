/**
 * Maps failures to the errors of the port: the person cancelled, the provider is unavailable, or its answer is refused. The messages
 * of these errors, which are logged, contain no part of the answer except a status or a short error code.
 */
import * as oidc from 'openid-client';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from './provider.errors.js';
import { cutText } from '../config/cut-text.js';

/** The person declined: the code of OAuth 2.0 (RFC 6749, section 4.1.2.1), and Apple's codes. */
const CANCELLED_CODES = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'];
/** The provider fails, or refuses this client. */
const UNAVAILABLE_CODES = [
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
];

/** Error texts are untrusted, so only a short error code is logged. */
const ERROR_CODE = /^[a-z0-9_]{1,60}$/i;

export function toPortError(error: unknown): ProviderCancelled | ProviderRefused | ProviderUnavailable {
  const chain = findCauses(error);
  const portError = chain.find((one) => one instanceof ProviderUnavailable || one instanceof ProviderRefused);
  if (portError) return portError;
  if (error instanceof oidc.AuthorizationResponseError) return toFailure('the provider answers', error.error);
  if (error instanceof oidc.ResponseBodyError) return toFailure('the token endpoint answers', error.error);
  if (error instanceof oidc.WWWAuthenticateChallengeError) {
    return new ProviderUnavailable(
      'the token endpoint refuses the credentials of this installation, or userinfo refuses the access token',
    );
  }
  const code = error instanceof oidc.ClientError ? error.code : undefined;
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    return new ProviderUnavailable('an answer is not valid OAuth');
  }
  // The messages of the library name claims, but not their values. Those of JSON.parse quote the text that it could not read.
  const messages = chain.filter((one) => !(one instanceof SyntaxError)).map(({ message }) => message);
  const reason = cutText([...new Set(messages)].join(': '), 300);
  return new ProviderRefused(reason === '' ? 'the answer is not valid' : reason);
}

function toFailure(subject: string, code: string): ProviderCancelled | ProviderRefused | ProviderUnavailable {
  const message = `${subject} ${ERROR_CODE.test(code) ? code : 'with an unknown error'}`;
  if (CANCELLED_CODES.includes(code)) return new ProviderCancelled(message);
  return UNAVAILABLE_CODES.includes(code) ? new ProviderUnavailable(message) : new ProviderRefused(message);
}

function findCauses(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 5; cause = cause.cause) chain.push(cause);
  return chain;
}
