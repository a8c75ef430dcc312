/**
 * Identity providers: one port for all dialects of OpenID Connect, and for providers that are not OpenID providers. The port proves an
 * identity and has no access to accounts. The code that begins a transaction stores it, sealed and bound to the browser.
 */
import { PATHS, SERVER_PATHS } from '../contract/paths.js';

export interface ProviderProfile {
  /**
   * Part of paths and settings: `google`, `microsoft`, `apple`, or the id of another provider. Lower-case letters,
   * digits, hyphens.
   */
  id: string;
  /** Display name. */
  name: string;
  /** Selects the logo on the page; null for a provider without a logo. */
  brand: 'google' | 'microsoft' | 'apple' | null;
  /** `form_post`: the callback is a cross-site POST without Lax cookies (Apple). */
  responseMode: 'query' | 'form_post';
  /** Whoever types an address of one of these domains is sent to the provider. The domains are as `toDomain` returns them. */
  domains?: readonly string[];
}

export interface ProviderRequest {
  provider: string;
  /** Absolute URI that is registered at the provider, and different for each provider to prevent mix-up attacks. */
  redirectUri: string;
  /** 256 random bits, base64url, generated for each request; identifies the transaction in the callback. */
  state: string;
  uiLocales?: readonly string[];
  /** The address that the person typed on Foyer's page, for the provider's own form; untrusted. */
  loginHint?: string | undefined;
  /** The provider lets the person choose an account (when connecting another one). */
  chooseAccount?: boolean;
  /** The person must authenticate at the provider again. `maxAgeSeconds` is the `max_age` of the login request; 0 for `prompt=login`. */
  reauthentication?: { maxAgeSeconds: number } | undefined;
}

/** Input of `finish`, as plain JSON. Contains secrets (nonce and PKCE verifier), so it has to be stored sealed. */
export interface ProviderTransaction {
  provider: string;
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
  /** Start of the request in seconds since 1970. Absent in transactions of version 0.1. */
  begunAt?: number;
}

export interface ProviderStart {
  /** Address to which the browser is redirected. */
  url: string;
  transaction: ProviderTransaction;
}

/** An identity is (issuer, subject), never an e-mail address (OpenID Connect Core, section 5.7). */
export interface ExternalIdentity {
  provider: string;
  issuer: string;
  subject: string;
  /** Name of the person or account at the provider; untrusted, for display only, cut to 200 characters. */
  label: string | null;
  /** When the person authenticated at the provider; null if the provider does not report the time. */
  authTime: Date | null;
  /** The person authenticated after this request began, not in an earlier session of the provider. */
  isProvenNow: boolean;
  /** Whether the claims meet the requirements of the settings. */
  isAdmitted: boolean;
  /** The requirements that are not met, for the log. */
  unmetRequirements?: readonly string[];
  /** An address that the provider has verified; absent unless it is used to offer a connection. */
  verifiedEmail?: string;
  /** The provider's data about the person; absent if Foyer creates no accounts for people of the provider. */
  person?: ProvidedPerson;
  /**
   * The claims that SCIM sources compare with `externalId` (`comparedClaims`): from the ID token, or from the user API of a provider
   * that has no ID tokens. Not validated.
   */
  claims?: Readonly<Record<string, unknown>>;
}

/** A person as described by a provider. The texts come from the provider and are not validated yet. */
export interface ProvidedPerson {
  subject: string;
  /** Empty if the provider sends none. */
  username: string;
  displayName?: string;
  email?: string;
  emailVerified: boolean;
  /** All groups; absent if the provider is not asked for groups. */
  groups?: readonly string[];
  /** Whether the first group also becomes the account's `group_name`. */
  hasGroupName?: boolean;
  /** The attributes that the settings map; the value is null if the provider does not send it. */
  attributes: Readonly<Record<string, unknown>>;
  isActive: boolean;
}

/** Builds the redirect URI that is registered at the provider. @param publicUrl origin without a trailing slash */
export function buildCallbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}${PATHS.login}/${provider}${SERVER_PATHS.providerCallback}`;
}

export abstract class IdentityProviders {
  /** The configured providers, in the order of the buttons. Makes no requests. */
  abstract list(): readonly ProviderProfile[];

  abstract find(id: string): ProviderProfile | null;

  /**
   * Finds the issuer of a provider's identities. Makes no requests.
   * @returns the issuer itself, or the provider's only issuer if `issuer` is absent; null if the provider is not configured, if the
   * issuer does not belong to it, or if `issuer` is absent and the provider has several issuers
   */
  abstract findIssuer(id: string, issuer?: string): string | null;

  /** @throws ProviderUnavailable */
  abstract begin(request: ProviderRequest): Promise<ProviderStart>;

  /**
   * @param parameters parameters of the callback's query or form, which are untrusted
   * @throws ProviderCancelled, ProviderRefused, ProviderUnavailable
   */
  abstract finish(transaction: ProviderTransaction, parameters: URLSearchParams): Promise<ExternalIdentity>;
}
