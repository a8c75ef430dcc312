/** Identity providers in memory: a test defines who signs in and what fails. Each code works once, for its own request. */
import { defined } from '../config/defined.js';
import { randomToken } from '../config/keys.js';
import {
  IdentityProviders,
  type ExternalIdentity,
  type ProviderRequest,
  type ProviderProfile,
  type ProviderStart,
  type ProviderTransaction,
} from './identity-providers.port.js';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from './provider.errors.js';

const PROFILES: readonly ProviderProfile[] = [
  { id: 'google', name: 'Google', brand: 'google', responseMode: 'query' },
  { id: 'microsoft', name: 'Microsoft', brand: 'microsoft', responseMode: 'query' },
  { id: 'apple', name: 'Apple', brand: 'apple', responseMode: 'form_post' },
  { id: 'work', name: 'Beispielwerke', brand: null, responseMode: 'query' },
];

/** The claims of the provider about the person. By default, the person has just authenticated. */
export type FakeClaims = Partial<
  Pick<ExternalIdentity, 'label' | 'authTime' | 'isProvenNow' | 'isAdmitted' | 'person' | 'claims' | 'verifiedEmail'>
>;

export class FakeIdentityProviders extends IdentityProviders {
  /** The requests of the calls of `begin` that succeeded. */
  readonly requests: ProviderRequest[] = [];
  /** Number of calls of `finish` that tried to exchange a code, whether or not the code was valid. */
  exchangedCodes = 0;
  readonly #codes = new Map<string, { state: string; identity: ExternalIdentity }>();
  readonly #disabledIds = new Set<string>();
  readonly #domains = new Map<string, readonly string[]>();
  #isDown = false;

  list(): readonly ProviderProfile[] {
    return PROFILES.filter(({ id }) => !this.#disabledIds.has(id)).map((profile) => ({
      ...profile,
      domains: this.#domains.get(profile.id) ?? [],
    }));
  }

  find(id: string): ProviderProfile | null {
    return this.list().find((profile) => profile.id === id) ?? null;
  }

  findIssuer(id: string, issuer = findIssuer(id)): string | null {
    return this.find(id) && issuer === findIssuer(id) ? issuer : null;
  }

  begin(request: ProviderRequest): Promise<ProviderStart> {
    if (this.#isDown) return Promise.reject(new ProviderUnavailable('The test has made the provider unavailable.'));
    this.requests.push(request);
    const { provider, redirectUri, state } = request;
    const transaction = { provider, redirectUri, state, nonce: randomToken(), codeVerifier: randomToken() };
    const url = new URL(`https://${provider}.example/authorize`);
    url.search = new URLSearchParams({ state, redirect_uri: redirectUri, nonce: transaction.nonce }).toString();
    return Promise.resolve({ url: url.href, transaction });
  }

  finish({ provider, state }: ProviderTransaction, parameters: URLSearchParams): Promise<ExternalIdentity> {
    if (parameters.get('error') === 'access_denied') return Promise.reject(new ProviderCancelled('The person declined.'));
    if (parameters.has('error')) return Promise.reject(new ProviderRefused('The provider refused.'));
    this.exchangedCodes += 1;
    if (this.#isDown) return Promise.reject(new ProviderUnavailable('The test has made the provider unavailable.'));
    const code = parameters.get('code') ?? '';
    const entry = this.#codes.get(code);
    this.#codes.delete(code);
    const isValid = entry?.state === state && entry.identity.provider === provider && parameters.get('state') === state;
    if (!isValid) return Promise.reject(new ProviderRefused('The code was not issued for this request.'));
    return Promise.resolve(entry.identity);
  }

  /** Signs a person in at the provider. @param url address of the redirect @returns parameters of the callback */
  signIn(
    url: string,
    subject: string,
    {
      label = null,
      authTime = null,
      isProvenNow = true,
      isAdmitted = true,
      person,
      claims: comparedClaims,
      verifiedEmail,
    }: FakeClaims = {},
  ): Record<string, string> {
    const { hostname, searchParams } = new URL(url);
    const [provider = ''] = hostname.split('.');
    const state = searchParams.get('state') ?? '';
    const code = randomToken();
    const claims = { label, authTime, isProvenNow, isAdmitted, ...defined({ person, claims: comparedClaims, verifiedEmail }) };
    const identity = { provider, issuer: findIssuer(provider), subject, ...claims };
    this.#codes.set(code, { state, identity });
    return { state, code };
  }

  setDomains(id: string, domains: readonly string[]): void {
    this.#domains.set(id, domains);
  }

  setDown(isDown: boolean): void {
    this.#isDown = isDown;
  }

  /** Removes a provider from the configuration, or adds it again. */
  setOff(id: string, isOff: boolean): void {
    if (isOff) this.#disabledIds.add(id);
    else this.#disabledIds.delete(id);
  }
}

export function findIssuer(provider: string): string {
  return `https://${provider}.example`;
}
