/** Decides which scopes and audiences a client may request: Hydra's default strategies. */
import { OAuthError } from '../oauth-error.js';

export function splitWords(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** @returns the scopes without duplicates */
export function readScopes(text: string): string[] {
  return [...new Set(splitWords(text))];
}

/** Dots separate the parts of patterns and scopes; `*` matches one part, and at the end of a pattern all following parts. */
export function isScopeAllowed(patterns: readonly string[], scope: string): boolean {
  const parts = scope.split('.');
  return patterns.some((pattern) => matches(pattern.split('.'), parts));
}

function matches(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length > parts.length) return false;
  if (pattern.length < parts.length && pattern.at(-1) !== '*') return false;
  return pattern.every((part, index) => (part === '*' ? parts[index] !== '' : part === parts[index]));
}

/** @throws OAuthError */
export function requireScopes(client: { scope: string }, scopes: readonly string[]): void {
  const patterns = splitWords(client.scope);
  const refusedScope = scopes.find((scope) => !isScopeAllowed(patterns, scope));
  if (refusedScope !== undefined) {
    throw OAuthError.create('invalid_scope', `The OAuth 2.0 Client is not allowed to request scope '${refusedScope}'.`);
  }
}

/** Each of several parameters is one audience; a single parameter is a list of audiences, separated by spaces. */
export function readAudiences(values: readonly string[]): string[] {
  const audiences = values.length > 1 ? values.filter((value) => value !== '') : splitWords(values[0] ?? '');
  return [...new Set(audiences)];
}

/**
 * An audience is allowed if it equals or is below one of the client's audiences: same scheme and host, and a path that continues
 * the allowed path. @throws OAuthError
 */
export function requireAudiences(client: { audience: readonly string[] }, audiences: readonly string[]): void {
  const refusedAudience = audiences.find(
    (audience) => !client.audience.some((allowedAudience) => isBelow(allowedAudience, audience)),
  );
  if (refusedAudience !== undefined) {
    throw OAuthError.create(
      'invalid_request',
      `Requested audience '${refusedAudience}' has not been whitelisted by the OAuth 2.0 Client.`,
    );
  }
}

function isBelow(allowedAudience: string, audience: string): boolean {
  if (allowedAudience === audience) return true;
  const allowedParts = splitOrigin(allowedAudience);
  const requestedParts = splitOrigin(audience);
  const path = allowedParts.path.replace(/\/+$/, '');
  return (
    allowedParts.origin === requestedParts.origin && (requestedParts.path === path || requestedParts.path.startsWith(`${path}/`))
  );
}

function splitOrigin(address: string): { origin: string; path: string } {
  const [, origin = '', path = ''] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(address) ?? [];
  return { origin, path };
}
