/**
 * Caches a provider's keys between sign-ins. The library fetches them again after five minutes or for an unknown key,
 * but at most once a minute, so that tokens with made-up keys cannot cause a flood of requests.
 */
import * as oidc from 'openid-client';
import type { Clock } from '../config/clock.js';

export class KeyCache {
  /**
   * The member `uat` (when the keys were fetched) is stored in the time of the injected clock; the library uses the system clock.
   */
  #cache: oidc.ExportedJWKSCache | undefined;

  constructor(private readonly clock: Clock) {}

  restore(configuration: oidc.Configuration): void {
    if (this.#cache) oidc.setJwksCache(configuration, { ...this.#cache, uat: this.#cache.uat - this.#skewSeconds() });
  }

  store(configuration: oidc.Configuration): void {
    const cache = oidc.getJwksCache(configuration);
    if (cache) this.#cache = { jwks: cache.jwks, uat: cache.uat + this.#skewSeconds() };
  }

  #skewSeconds(): number {
    return Math.round(this.clock.skewMs / 1000);
  }
}
