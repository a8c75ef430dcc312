/** The differences of one kind of provider from OpenID Connect. */
import type { IDToken, ServerMetadata } from 'openid-client';
import type { ProviderRequest, ProviderProfile } from './identity-providers.port.js';

export interface MetadataDocument {
  url: string;
  /** Whether the issuer in the document fits the settings. */
  acceptsIssuer(issuer: string): boolean;
}

export interface Dialect {
  brand: ProviderProfile['brand'];
  responseMode: ProviderProfile['responseMode'];
  /** The discovery document, or fixed metadata from the provider's documentation. */
  metadata: MetadataDocument | ServerMetadata;
  /**
   * The issuer that the token must have, if the metadata contains a pattern. The claims are not verified yet: the token is
   * then verified against this issuer. @throws ProviderRefused
   */
  getIssuer?(claims: Readonly<Record<string, unknown>>): string;
  /** Like `IdentityProviders.findIssuer`; only for providers with several issuers. */
  findIssuer?(issuerName?: string): string | null;
  /** Additional parameters of the authorization request. */
  buildParameters(request: ProviderRequest): Record<string, string>;
  /** @param parameters parameters of the callback, which are untrusted */
  toLabel(claims: IDToken, parameters: URLSearchParams): string | null;
}

export function buildLanguageParameter(name: string, { uiLocales }: ProviderRequest): Record<string, string> {
  return uiLocales && uiLocales.length > 0 ? { [name]: uiLocales.join(' ') } : {};
}

/** The address that the person typed on Foyer's page (OpenID Connect Core, section 3.1.2.1). */
export function buildLoginHint({ loginHint }: ProviderRequest): Record<string, string> {
  return loginHint === undefined ? {} : { login_hint: loginHint };
}

export function buildAccountChoice({ chooseAccount }: ProviderRequest): Record<string, string> {
  return chooseAccount ? { prompt: 'select_account' } : {};
}

/**
 * Requests a new authentication, or the choice of an account. `max_age` obliges the provider to return `auth_time` (OpenID
 * Connect Core, section 3.1.2.1). `prompt=login` is always sent with `max_age`: the client receives the time of this sign-in as
 * `auth_time`, so an authentication that is younger than `max_age` but older than this sign-in is not enough.
 */
export function buildReauthenticationOrChoice(request: ProviderRequest): Record<string, string> {
  const { reauthentication } = request;
  if (!reauthentication) return buildAccountChoice(request);
  return { prompt: 'login', max_age: String(reauthentication.maxAgeSeconds) };
}

/** Describes the discovery document of a provider (OpenID Connect Discovery 1.0, section 4). */
export function buildDocument(issuer: string): MetadataDocument {
  return {
    url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    acceptsIssuer: (issuerName) => issuerName === issuer,
  };
}
