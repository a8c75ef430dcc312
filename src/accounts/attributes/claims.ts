/**
 * Claims of an account for the granted scopes (OpenID Connect Core, section 5.4). Hydra copies all claims that it
 * receives into the tokens and userinfo without checking scopes, so only claims of granted scopes may be sent
 * (docs/hydra-behaviour.md B.4).
 */
import type { ClaimRule } from '../../config/config.js';
import type { Account } from '../account/account.js';

export interface ScopeClaim {
  rule: ClaimRule;
  value: unknown;
}

export interface TokenClaims {
  /** Claims of the ID token and of userinfo. */
  idToken: Record<string, unknown>;
  /** Claims of the access token; Hydra puts them below `ext`. */
  accessToken: Record<string, unknown>;
}

/** Hydra passes the claims on in the URL of a redirect, which proxies limit to 8 kB. */
export const MAX_CLAIM_BYTES = 4096;

/** The claims are too long for a URL. Nothing is granted, because apps rely on all of the claims. */
export class ClaimsTooLarge extends Error {
  constructor(readonly bytes: number) {
    super(`The claims of this person take ${bytes} bytes; the maximum is ${MAX_CLAIM_BYTES}.`);
    this.name = 'ClaimsTooLarge';
  }
}

/** @returns the claims of the scope for which the account has a value */
export function findScopeClaims(account: Account, scope: string, rules: readonly ClaimRule[]): ScopeClaim[] {
  return rules
    .filter((rule) => rule.scope === scope)
    .map((rule) => ({ rule, value: findValue(account, rule.attribute) }))
    .filter(({ value }) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0));
}

/** @throws ClaimsTooLarge */
export function buildClaims(account: Account, scopes: readonly string[], rules: readonly ClaimRule[]): TokenClaims {
  const claims = mergeClaims(account, scopes, rules);
  const bytes = measureSize(claims);
  if (bytes > MAX_CLAIM_BYTES) throw new ClaimsTooLarge(bytes);
  return claims;
}

export function mergeClaims(account: Account, scopes: readonly string[], rules: readonly ClaimRule[]): TokenClaims {
  const scopeClaims = scopes.flatMap((scope) => findScopeClaims(account, scope, rules));
  const toClaims = (token: ClaimRule['tokens'][number]): Record<string, unknown> =>
    Object.fromEntries(
      scopeClaims.filter(({ rule }) => rule.tokens.includes(token)).map(({ rule, value }) => [rule.claim, value]),
    );
  return { idToken: toClaims('id_token'), accessToken: toClaims('access_token') };
}

export function measureSize(claims: TokenClaims): number {
  return Buffer.byteLength(JSON.stringify(claims));
}

/** `email_verified` and `phone_number_verified` have no value without an address or a number. */
function findValue(account: Account, attribute: string): unknown {
  const { attributes } = account;
  switch (attribute) {
    case 'id':
      return account.id;
    case 'username':
      return account.username;
    case 'display_name':
      return account.displayName;
    case 'email':
      return account.email;
    case 'email_verified':
      return account.email === undefined ? undefined : account.emailVerified;
    case 'picture':
      return account.picture;
    case 'language':
      return account.language;
    case 'group_name':
      return account.groupName;
    case 'groups':
      return account.groups;
    case 'updated_at':
      return Math.floor(account.updatedAt.getTime() / 1000);
    case 'phone_number_verified':
      return attributes['phone_number'] === undefined ? undefined : attributes[attribute];
    default:
      return Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
  }
}
