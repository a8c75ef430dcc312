/**
 * The configured providers, of OpenID Connect and of OAuth 2.0. Maps every failure to an error of the port, and reports the failures to
 * `onFailure`, unless the person cancelled.
 */
import type { Clock } from '../config/clock.js';
import type { ProviderSettings } from '../config/config.js';
import type { AttributesOf } from '../telemetry/catalogue.js';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.js';
import {
  IdentityProviders,
  type ExternalIdentity,
  type ProviderRequest,
  type ProviderProfile,
  type ProviderStart,
  type ProviderTransaction,
} from './identity-providers.port.js';
import { findOAuthKind } from './oauth-kinds.js';
import { OAuthProvider } from './oauth-provider.js';
import { OidcProvider } from './oidc-provider.js';
import { toPortError } from './provider-failure.js';
import { ProviderCancelled, ProviderRefused, ProviderUnavailable } from './provider.errors.js';

export interface ProviderFailure {
  provider: string;
  kind: 'ProviderRefused' | 'ProviderUnavailable';
  /** Contains no part of the provider's answer except a status or a short error code. */
  message: string;
}

export interface AdapterSettings {
  providers: readonly ProviderSettings[];
  clock: Clock;
  onFailure: (failure: ProviderFailure) => void;
  /** Time limit of one call; a callback makes at most four calls. */
  timeoutMs?: number;
  telemetry?: Telemetry;
}

const TIMEOUT_MS = 5000;
const RESULTS = { ProviderCancelled: 'cancelled', ProviderRefused: 'refused', ProviderUnavailable: 'unavailable' } as const;

export class ConfiguredIdentityProviders extends IdentityProviders {
  readonly #providers: ReadonlyMap<string, OidcProvider | OAuthProvider>;
  readonly #onFailure: AdapterSettings['onFailure'];
  readonly #telemetry: Telemetry;

  constructor({ providers, clock, onFailure, timeoutMs = TIMEOUT_MS, telemetry = TELEMETRY_OFF }: AdapterSettings) {
    super();
    this.#telemetry = telemetry;
    this.#onFailure = onFailure;
    this.#providers = new Map(
      providers.map((settings) => {
        const kind = findOAuthKind(settings);
        const parts = { clock, timeoutMs, telemetry };
        return [settings.id, kind ? new OAuthProvider(settings, kind, parts) : new OidcProvider(settings, clock, parts)];
      }),
    );
  }

  list(): readonly ProviderProfile[] {
    return [...this.#providers.values()].map(({ profile }) => profile);
  }

  find(id: string): ProviderProfile | null {
    return this.#providers.get(id)?.profile ?? null;
  }

  findIssuer(id: string, issuer?: string): string | null {
    return this.#providers.get(id)?.findIssuer(issuer) ?? null;
  }

  async begin(request: ProviderRequest): Promise<ProviderStart> {
    try {
      return await this.#get(request.provider).begin(request);
    } catch (error) {
      // Before the callback there is nothing to refuse, so every failure means that the provider is unavailable.
      this.#count(request.provider, 'unavailable');
      throw this.#report(request.provider, new ProviderUnavailable(toPortError(error).message));
    }
  }

  async finish(transaction: ProviderTransaction, parameters: URLSearchParams): Promise<ExternalIdentity> {
    try {
      const identity = await this.#get(transaction.provider).finish(transaction, parameters);
      this.#count(transaction.provider, 'proven');
      return identity;
    } catch (error) {
      const failure = toPortError(error);
      this.#count(transaction.provider, RESULTS[failure.name]);
      throw failure instanceof ProviderCancelled ? failure : this.#report(transaction.provider, failure);
    }
  }

  /** The metric names only configured providers: a stored transaction may name a provider that was removed. */
  #count(provider: string, result: AttributesOf<'foyer.provider.answers'>['foyer.provider.result']): void {
    const attributes = this.#providers.has(provider) ? { 'foyer.provider': provider } : {};
    this.#telemetry.count('foyer.provider.answers', { ...attributes, 'foyer.provider.result': result });
  }

  /** @throws ProviderRefused if the provider is not configured, for example because it was removed after the redirect */
  #get(id: string): OidcProvider | OAuthProvider {
    const provider = this.#providers.get(id);
    if (!provider) throw new ProviderRefused('the provider is not configured');
    return provider;
  }

  #report<Failure extends ProviderRefused | ProviderUnavailable>(provider: string, failure: Failure): Failure {
    this.#onFailure({ provider, kind: failure.name, message: failure.message });
    return failure;
  }
}
