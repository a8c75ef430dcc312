/** What is known of providers that an entry of `OIDC_PROVIDERS` names by `type` (docs/providers.md). */

/** What an entry need not say. */
interface OAuthDefaults {
  name: string;
  /** Part of every connected identity, so it never changes. These providers have no issuer in the sense of OpenID Connect. */
  issuer: string;
  scopes: readonly string[];
  /** Requested in addition where the address of the person is needed; null if the provider tells none. */
  emailScope: string | null;
}

/** Providers that are not OpenID providers, by `type`. */
export const OAUTH_DEFAULTS = {
  github: { name: 'GitHub', issuer: 'https://github.com', scopes: ['read:user'], emailScope: 'user:email' },
  facebook: { name: 'Facebook', issuer: 'https://www.facebook.com', scopes: ['public_profile'], emailScope: 'email' },
  discord: { name: 'Discord', issuer: 'https://discord.com', scopes: ['identify'], emailScope: 'email' },
  x: { name: 'X', issuer: 'https://x.com', scopes: ['users.read', 'tweet.read'], emailScope: null },
  bitbucket: { name: 'Bitbucket', issuer: 'https://bitbucket.org', scopes: ['account'], emailScope: 'email' },
} as const satisfies Record<string, OAuthDefaults>;

export type OAuthType = keyof typeof OAUTH_DEFAULTS;

export const OAUTH_TYPES = Object.keys(OAUTH_DEFAULTS) as OAuthType[];

export function isOAuthType(text: unknown): text is OAuthType {
  return typeof text === 'string' && Object.hasOwn(OAUTH_DEFAULTS, text);
}
