/**
 * The keys of a provider, kept from one sign-in to the next. The library asks for them anew after five minutes, or for a
 * key that it does not know, but not twice within a minute: tokens with invented keys cannot make this server a hammer.
 */
import * as oidc from 'openid-client';
import type { Clock } from '../config/clock.js';

export class KeyMemory {
  /** `uat`, when they were fetched, is counted by the injected clock; the library counts by the machine's. */
  #kept: oidc.ExportedJWKSCache | undefined;

  constructor(private readonly clock: Clock) {}

  restore(configuration: oidc.Configuration): void {
    if (this.#kept) oidc.setJwksCache(configuration, { ...this.#kept, uat: this.#kept.uat - this.#skewSeconds() });
  }

  store(configuration: oidc.Configuration): void {
    const found = oidc.getJwksCache(configuration);
    if (found) this.#kept = { jwks: found.jwks, uat: found.uat + this.#skewSeconds() };
  }

  #skewSeconds(): number {
    return Math.round(this.clock.skewMs / 1000);
  }
}
