/**
 * Claims of an account for the granted scopes (OpenID Connect Core, section 5.4). Hydra copies the given claims into
 * the ID token and userinfo without checking scopes, so only claims of granted scopes may be sent
 * (docs/hydra-behaviour.md B.4).
 */
import type { Account } from '../../accounts/account/accounts.js';

export function claimsFor(account: Account, scopes: readonly string[]): Record<string, unknown> {
  return {
    ...(scopes.includes('profile') ? profileClaims(account) : {}),
    ...(scopes.includes('email') && account.email !== undefined
      ? { email: account.email, email_verified: account.emailVerified }
      : {}),
  };
}

function profileClaims(account: Account): Record<string, unknown> {
  return {
    name: account.displayName,
    preferred_username: account.username,
    updated_at: Math.floor(account.updatedAt.getTime() / 1000),
    ...(account.picture === undefined ? {} : { picture: account.picture }),
    ...(account.language === undefined ? {} : { locale: account.language }),
  };
}
