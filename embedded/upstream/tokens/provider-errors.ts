/**
 * Translates oidc-provider's errors into Hydra's, except the one that Hydra does not report (`isUnknownToken`). Any other error that has
 * no translation is a defect in this server.
 */
import { OAuthError } from '../oauth-error.js';

/** The parts of the request that select the message. */
export interface RefusedRequest {
  grantType: string;
  isEmpty: boolean;
  isRevocation: boolean;
}

interface ProviderError {
  error?: unknown;
  error_description?: unknown;
  statusCode?: unknown;
}

const NO_CREDENTIALS = 'Client credentials missing or malformed in both HTTP Authorization header and HTTP POST body.';

/** @returns null if the request is not the cause */
export function translate(cause: unknown, request: RefusedRequest): OAuthError | null {
  if (cause instanceof OAuthError) return cause;
  const { error, error_description: description } = cause as ProviderError;
  switch (error) {
    // A client with contradictory settings cannot be authenticated.
    case 'invalid_client':
    case 'invalid_client_metadata':
    case 'invalid_redirect_uri':
      return OAuthError.create('invalid_client');
    case 'invalid_request':
      return translateInvalidRequest(String(description), request);
    case 'unsupported_grant_type':
      return OAuthError.create('invalid_request');
    case 'invalid_scope':
      return OAuthError.create('invalid_scope');
    default:
      return null;
  }
}

/** The library refuses to revoke a JWT. For Hydra it is a token that it does not know, which needs no revocation (RFC 7009, section 2.2). */
export function isUnknownToken(cause: unknown): boolean {
  return (cause as ProviderError).error === 'unsupported_token_type';
}

function translateInvalidRequest(description: string, request: RefusedRequest): OAuthError {
  if (request.isRevocation) return OAuthError.create('invalid_request');
  if (request.isEmpty) return OAuthError.create('invalid_request', 'The POST body can not be empty.');
  if (/no client authentication|invalid authorization header/.test(description)) {
    return OAuthError.create('invalid_request', NO_CREDENTIALS);
  }
  if (/grant_type/.test(description)) return OAuthError.create('invalid_request', "Request parameter 'grant_type' is missing");
  if (/not allowed for this client/.test(description)) {
    return OAuthError.create(
      'unauthorized_client',
      `The OAuth 2.0 Client is not allowed to use authorization grant '${request.grantType}'.`,
    );
  }
  return OAuthError.create('invalid_request');
}
