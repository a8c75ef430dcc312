/** What one kind of provider does in its own way. All else is OpenID Connect and the same for every one. */
import type { IDToken, ServerMetadata } from 'openid-client';
import type { ProviderBeginning, ProviderProfile } from './identity-providers.port.js';

export interface MetadataDocument {
  url: string;
  /** Whether the issuer that it names is the one that is set up. */
  acceptsIssuer(issuer: string): boolean;
}

export interface Dialect {
  brand: ProviderProfile['brand'];
  responseMode: ProviderProfile['responseMode'];
  /** Its document, or what its manual says in the place of one. */
  metadata: MetadataDocument | ServerMetadata;
  /**
   * The issuer that this answer has to come from, where the metadata holds a pattern. Asked before anything is proven: it
   * chooses what the token is held against. @throws ProviderRefused
   */
  issuerOf?(claims: Readonly<Record<string, unknown>>): string;
  /** As the port says; where there may be others than the issuer of the settings. */
  issuerFor?(issuerName?: string): string | null;
  /** Beside those of every authorization request. */
  parameters(authorizationParameters: ProviderBeginning): Record<string, string>;
  /** @param parameters the answer that came by the browser: a person may have written it */
  label(claims: IDToken, parameters: URLSearchParams): string | null;
}

export function languageParameter(name: string, { uiLocales }: ProviderBeginning): Record<string, string> {
  return uiLocales && uiLocales.length > 0 ? { [name]: uiLocales.join(' ') } : {};
}

export function accountChoice({ chooseAccount }: ProviderBeginning): Record<string, string> {
  return chooseAccount ? { prompt: 'select_account' } : {};
}

/** OpenID Connect Discovery 1.0, section 4. */
export function documentOf(issuer: string): MetadataDocument {
  return {
    url: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    acceptsIssuer: (issuerName) => issuerName === issuer,
  };
}
