/** What is known of providers that an entry of `OIDC_PROVIDERS` names by `type` or `preset` (docs/providers.md). */

/** The values for members that an entry omits. */
interface OAuthDefaults {
  name: string;
  /** Part of every connected identity, so it must never change. These providers have no issuer in the sense of OpenID Connect. */
  issuer: string;
  scopes: readonly string[];
  /** Requested in addition where the address of the person is needed; null if the provider does not return it. */
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

/** A well-known OpenID provider. */
interface Preset {
  name: string;
  /** @param domain host of the customer, and a path where the provider has one; empty for a provider with one issuer */
  toIssuer: (domain: string) => string;
  /** Whether each customer has an issuer of their own. */
  needsDomain: boolean;
}

/** Well-known OpenID providers, by `preset`. */
const PRESETS: Readonly<Record<string, Preset>> = {
  // The issuer of Auth0 ends with a slash; the issuer of Okta does not.
  auth0: { name: 'Auth0', needsDomain: true, toIssuer: (domain) => `https://${domain}/` },
  gitlab: { name: 'GitLab', needsDomain: false, toIssuer: () => 'https://gitlab.com' },
  keycloak: { name: 'Keycloak', needsDomain: true, toIssuer: (domain) => `https://${domain}` },
  okta: { name: 'Okta', needsDomain: true, toIssuer: (domain) => `https://${domain}` },
  slack: { name: 'Slack', needsDomain: false, toIssuer: () => 'https://slack.com' },
};

export const PRESET_NAMES = Object.keys(PRESETS);

export function findPreset(name: unknown): Preset | null {
  return typeof name === 'string' && Object.hasOwn(PRESETS, name) ? (PRESETS[name] ?? null) : null;
}
