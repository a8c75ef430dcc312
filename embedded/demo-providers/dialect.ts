/** What differs between the demo providers. `demo-provider.ts` contains what they share (codes, PKCE, single use). */
import type { Person } from './people.js';

export const DIALECT_IDS = ['google', 'microsoft', 'apple', 'company'] as const;

export type DialectId = (typeof DIALECT_IDS)[number];

/** A client that is registered at a demo provider. */
export interface DemoProviderClient {
  id: string;
  secret?: string;
  /** PEM; verifies client assertions, which replace a secret (RFC 7523). */
  assertionKey?: string;
  /** Apple only: the key that verifies signed client secrets, PEM. */
  key?: { teamId: string; keyId: string; publicKey: string };
  redirectUris: readonly string[];
}

export interface AuthorizationRequest {
  /** Microsoft's tenant in the path; empty for others. */
  tenant: string;
  redirectUri: string;
  state: string | null;
  nonce: string | null;
  scopes: readonly string[];
  codeChallenge: string | null;
  /** Whether the request contains `max_age`. */
  hasMaxAge: boolean;
  /** Whether `auth_time` occurs in `claims`, for the ID token or for userinfo (OpenID Connect Core, section 5.5). */
  requestsAuthTime: boolean;
  responseMode: 'query' | 'form_post';
}

export type ClientAuthentication = 'basic' | 'post' | 'signed-secret' | 'assertion';

export interface Dialect {
  id: DialectId;
  /** The provider's name, as people see it. */
  title: string;
  /** Route patterns; Microsoft's contain `:tenant`. */
  paths: Readonly<Record<'metadata' | 'authorize' | 'token' | 'keys', string> & { userinfo?: string }>;
  algorithm: 'RS256' | 'ES256';
  clientAuthentication: readonly ClientAuthentication[];
  /** The error code if the person cancels. */
  cancelError: string;
  /** Whether answers contain the issuer (RFC 9207). */
  sendsIssuer: boolean;
  metadata(origin: string, tenant: string): Record<string, unknown>;
  /** Issuer in tokens. */
  issuer(origin: string, person: Person): string;
  subject(person: Person, clientId: string): string;
  /** Claims of the ID token and of userinfo, in addition to those of every ID token. */
  claims(person: Person, request: AuthorizationRequest, clientId: string): Record<string, unknown>;
  /** Claims that only userinfo has. */
  userinfo?(person: Person, request: AuthorizationRequest): Record<string, unknown>;
  /** Whether the ID token contains `auth_time`. */
  sendsAuthTime(request: AuthorizationRequest): boolean;
  /** Whether this person may sign in at this tenant. */
  serves(tenant: string, person: Person): boolean;
  /** @returns the error code of a rule that the request breaks, or null */
  findError(request: AuthorizationRequest): string | null;
  /** Parameters that only this provider adds to an answer with a code. */
  extraParameters(request: AuthorizationRequest, person: Person, isFirstConsent: boolean): Record<string, string>;
}

/** The metadata with which each dialect begins. A dialect adds members, and may override or remove some of these. */
export function buildCommonMetadata(
  issuer: string,
  endpoints: Record<'authorize' | 'token' | 'keys', string>,
): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    jwks_uri: endpoints.keys,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}
