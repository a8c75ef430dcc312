/**
 * Companies whose accounts a person may sign in with: one port, whatever dialect of OpenID Connect stands behind it. It
 * proves an identity and knows nothing of accounts; what was begun is kept by the caller, sealed and bound to its browser.
 */
import { PATHS } from '../contract/paths.js';

export interface ProviderProfile {
  /** Part of paths and settings: `google`, `microsoft`, `apple`, or the id of a further one. Lower case letters, digits, hyphens. */
  id: string;
  /** As a person knows it. */
  name: string;
  /** Drawn by the page where it has a sign for it. */
  brand: 'google' | 'microsoft' | 'apple' | null;
  /** `form_post` comes back by a cross-site POST that carries no Lax cookie (Apple). */
  responseMode: 'query' | 'form_post';
}

export interface ProviderBeginning {
  provider: string;
  /** Absolute; the one that is registered with the provider, a different one for each (mix-up defence). */
  redirectUri: string;
  /** 256 bits of the caller's, base64url: it names the transaction, and comes back with the answer. */
  state: string;
  uiLocales?: readonly string[];
  /** The provider is to ask which of its accounts (connecting a further one). */
  chooseAccount?: boolean;
}

/** What `finish` needs again. Secret (nonce, PKCE verifier): plain JSON, to be kept sealed. */
export interface ProviderTransaction {
  provider: string;
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface ProviderStart {
  /** Where the browser is sent. */
  url: string;
  transaction: ProviderTransaction;
}

/** Identity is (issuer, subject), never an e-mail address (OpenID Connect Core 5.7). */
export interface ExternalIdentity {
  provider: string;
  issuer: string;
  subject: string;
  /** How the provider calls the person or their account; untrusted text for eyes only, cut to 200 characters. */
  label: string | null;
}

/** The address that is registered with a provider. @param publicUrl origin without a trailing slash */
export function callbackUrl(publicUrl: string, provider: string): string {
  return `${publicUrl}${PATHS.login}/${provider}${PATHS.providerCallback}`;
}

export abstract class IdentityProviders {
  /** Those that are set up, in the order of the buttons. Never talks to one of them. */
  abstract list(): readonly ProviderProfile[];

  abstract find(id: string): ProviderProfile | null;

  /**
   * The issuer under which a provider knows somebody; never talks to one.
   * @returns the one that is named, its only one when none is; null when it may not speak for that one, or for several
   */
  abstract issuerFor(id: string, named?: string): string | null;

  /** Throws ProviderUnavailable. */
  abstract begin(beginning: ProviderBeginning): Promise<ProviderStart>;

  /**
   * @param parameters the answer as it came, of the query or of the form; hostile until proven
   * Throws ProviderCancelled, ProviderRefused, ProviderUnavailable.
   */
  abstract finish(transaction: ProviderTransaction, parameters: URLSearchParams): Promise<ExternalIdentity>;
}
