/** What the companies do differently. The shared part (codes, PKCE, one use) stands in provider-provider.ts. */
import type { Person } from './people.js';

export const DIALECT_IDS = ['google', 'microsoft', 'apple', 'company'] as const;

export type DialectId = (typeof DIALECT_IDS)[number];

/** What the installation registered. */
export interface StandInClient {
  id: string;
  secret?: string;
  /** PEM: it signs assertions instead of having a secret (RFC 7523). */
  assertionKey?: string;
  /** At Apple: the key whose signature makes a secret, PEM. */
  key?: { teamId: string; keyId: string; publicKey: string };
  redirectUris: readonly string[];
}

export interface AuthorizationRequest {
  /** Microsoft's word in the path; empty elsewhere. */
  tenant: string;
  redirectUri: string;
  state: string | null;
  nonce: string | null;
  scopes: readonly string[];
  codeChallenge: string | null;
  responseMode: 'query' | 'form_post';
}

export type ClientAuthentication = 'basic' | 'post' | 'signed-secret' | 'assertion';

export interface Dialect {
  id: DialectId;
  /** As the page calls it. */
  title: string;
  /** Patterns of the site; `:tenant` stands where Microsoft has it. */
  paths: Readonly<Record<'metadata' | 'authorize' | 'token' | 'keys', string>>;
  algorithm: 'RS256' | 'ES256';
  clientAuthentication: readonly ClientAuthentication[];
  /** What comes back when the person says no. */
  cancelled: string;
  /** RFC 9207: names itself in its answers. */
  sendsIssuer: boolean;
  metadata(origin: string, tenant: string): Record<string, unknown>;
  /** In tokens. */
  issuer(origin: string, person: Person): string;
  subject(person: Person, clientId: string): string;
  /** Beside those of every ID token. */
  claims(person: Person, request: AuthorizationRequest, clientId: string): Record<string, unknown>;
  /** Whether this account may sign in at this tenant. */
  serves(tenant: string, person: Person): boolean;
  /** An error of its own rules, or null. */
  objection(request: AuthorizationRequest): string | null;
  /** What its answers carry beside the code. */
  extras(request: AuthorizationRequest, person: Person, isFirstConsent: boolean): Record<string, string>;
}

/** The document as everybody writes it; each dialect adds its own. */
export function commonMetadata(
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
