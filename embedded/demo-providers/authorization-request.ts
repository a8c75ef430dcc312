/** Reads an authorization request, and finds the faults that are not answered to its client but shown on a page. */
import type { SiteRequest } from '../site/read-request.js';
import type { AuthorizationRequest, DemoProviderClient } from './dialect.js';

/** @returns the request, or the error code of its first fault */
export function readAuthorizationRequest(
  { url, params }: SiteRequest,
  client: DemoProviderClient,
): AuthorizationRequest | string {
  const query = url.searchParams;
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== client.id) return 'unknown_client';
  if (!client.redirectUris.includes(redirectUri)) return 'redirect_uri_mismatch';
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  if (query.has('code_challenge') && query.get('code_challenge_method') !== 'S256') return 'invalid_request';
  return {
    tenant: params['tenant'] ?? '',
    redirectUri,
    state: query.get('state'),
    nonce: query.get('nonce'),
    scopes: (query.get('scope') ?? '').split(' ').filter((scope) => scope !== ''),
    codeChallenge: query.get('code_challenge'),
    hasMaxAge: query.has('max_age'),
    requestsAuthTime: (query.get('claims') ?? '').includes('"auth_time"'),
    responseMode: query.get('response_mode') === 'form_post' ? 'form_post' : 'query',
  };
}
