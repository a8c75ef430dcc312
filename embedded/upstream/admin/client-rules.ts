/** Hydra's validation rules for clients, in Hydra's order and with Hydra's messages. */
import { OAuthError } from '../oauth-error.js';
import { MIN_SECRET_BYTES } from '../tokens/client-secret.js';
import type { ClientInput } from './client-fields.js';

/** @throws OAuthError naming the first invalid field */
export function requireValidClient(input: ClientInput): void {
  requireKeys(input);
  for (const field of ['tos_uri', 'policy_uri', 'logo_uri', 'client_uri'] as const) requireWebPage(field, input[field] ?? '');
  const secret = input.client_secret ?? '';
  if (secret !== '' && Buffer.byteLength(secret) < MIN_SECRET_BYTES) {
    throw toInvalidMetadata(`Field client_secret must contain a secret that is at least ${MIN_SECRET_BYTES} characters long.`);
  }
  input.allowed_cors_origins?.forEach(requireOrigin);
  requireUserinfoAlgorithm(input.userinfo_signed_response_alg ?? '');
  input.redirect_uris?.forEach(requireRedirect);
  requirePublicSubjects(input.subject_type ?? '');
  for (const uri of input.post_logout_redirect_uris ?? []) requireLogoutRedirect(uri, input.redirect_uris ?? []);
  requireKnownStrategy(input.access_token_strategy ?? '');
}

function requireUserinfoAlgorithm(algorithm: string): void {
  if (!['', 'none', 'RS256'].includes(algorithm)) {
    throw toInvalidMetadata("Field userinfo_signed_response_alg can either be 'none' or 'RS256'.");
  }
}

/** Pairwise subjects are not supported, as in a Hydra that does not enable them. */
function requirePublicSubjects(type: string): void {
  if (!['', 'public'].includes(type)) {
    throw toInvalidMetadata(`Subject type ${type} is not supported by server, only [public] are allowed.`);
  }
}

function requireKnownStrategy(strategy: string): void {
  if (!['', 'jwt', 'opaque'].includes(strategy)) {
    throw toInvalidMetadata(`invalid access token strategy: expected one of [jwt, opaque] but got ${strategy}`);
  }
}

function requireKeys({ token_endpoint_auth_method: method, jwks_uri: uri, jwks }: ClientInput): void {
  const hasKeys = jwks !== undefined && Object.keys(jwks).length > 0;
  if (method === 'private_key_jwt' && !uri && !hasKeys) {
    throw toInvalidMetadata("When token_endpoint_auth_method is 'private_key_jwt', either jwks or jwks_uri must be set.");
  }
  if (uri && hasKeys) throw toInvalidMetadata('Fields jwks and jwks_uri can not both be set, you must choose one.');
}

function requireWebPage(field: string, uri: string): void {
  if (uri === '') return;
  const parsedUri = parse(uri);
  if (!parsedUri) throw toInvalidMetadata(`Field ${field} must be a valid URI.`);
  if (!isWeb(parsedUri.scheme)) throw toInvalidMetadata(`${uri} must use https:// or http:// as HTTP scheme for field ${field}.`);
}

function requireOrigin(origin: string): void {
  const parsedUri = parse(origin);
  if (!parsedUri || !isWeb(parsedUri.scheme))
    throw toInvalidMetadata(`Origin URL ${origin} must use https:// or http:// as HTTP scheme.`);
  if (parsedUri.authority.includes('@')) {
    throw toInvalidMetadata(`Origin URL ${origin} has HTTP user and/or password set which is not allowed.`);
  }
  if (parsedUri.rest.replace(/\/+$/, '') !== '') {
    throw toInvalidMetadata(
      `Origin URL ${origin} must have an empty path, query, and fragment but one of the parts is not empty.`,
    );
  }
}

/** @param origin that `requireValidClient` has accepted. @returns the origin as Hydra stores it: without a slash at its end */
export function toStoredOrigin(origin: string): string {
  const { scheme = '', authority = '' } = parse(origin) ?? {};
  return `${scheme}://${authority}`;
}

function requireRedirect(uri: string): void {
  if (uri.includes('#')) throw OAuthError.create('invalid_redirect_uri', 'Redirect URIs must not contain fragments (#).');
  if (!parse(uri)) throw OAuthError.create('invalid_redirect_uri', `Unable to parse redirect URL: ${uri}`);
}

function requireLogoutRedirect(uri: string, redirects: readonly string[]): void {
  const parsedUri = parse(uri);
  if (!parsedUri) throw toInvalidMetadata(`Unable to parse post_logout_redirect_uri: ${uri}`);
  const isRegistered = redirects
    .map(parse)
    .some((redirect) => redirect?.scheme === parsedUri.scheme && toHost(redirect) === toHost(parsedUri));
  if (!isRegistered) {
    throw toInvalidMetadata(
      `post_logout_redirect_uri "${uri}" must match the domain, port, scheme of at least one of the registered redirect URIs but did not`,
    );
  }
}

interface ParsedUri {
  scheme: string;
  authority: string;
  rest: string;
}

/** Parses an absolute URI or an absolute path. @returns null for anything else */
function parse(uri: string): ParsedUri | null {
  if (!/^[\x21-\x7e\u0080-\uffff]+$/.test(uri)) return null;
  const [, scheme, hierarchicalPart, opaquePart] = /^([a-z][a-z0-9+.-]*):(?:\/\/(.*)|(.+))$/i.exec(uri) ?? [];
  if (scheme === undefined) return uri.startsWith('/') ? { scheme: '', authority: '', rest: uri } : null;
  const [, authority = '', rest = ''] = /^([^/?#]*)(.*)$/.exec(hierarchicalPart ?? '') ?? [];
  return { scheme: scheme.toLowerCase(), authority, rest: hierarchicalPart === undefined ? (opaquePart ?? '') : rest };
}

/** @returns host and port, without user info */
function toHost({ authority }: ParsedUri): string {
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function isWeb(scheme: string): boolean {
  return scheme === 'http' || scheme === 'https';
}

function toInvalidMetadata(hint: string): OAuthError {
  return OAuthError.create('invalid_client_metadata', hint);
}
