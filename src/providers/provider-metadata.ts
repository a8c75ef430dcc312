/**
 * A provider's metadata. Unless the dialect has fixed metadata, it is fetched on first use, and again on use once it is an hour
 * old. During an outage, metadata is used until it is a day old; until then, requests wait only for the first attempt to reach the
 * provider. Endpoints in fetched metadata must not name hosts of the internal network, except at the provider's own origin.
 */
import { isIP } from 'node:net';
import * as oidc from 'openid-client';
import type { Clock } from '../config/clock.js';
import type { Dialect, MetadataDocument } from './dialect.js';
import { toPortError } from './provider-failure.js';
import { ProviderUnavailable } from './provider.errors.js';

const REFRESH_AGE_MS = 3_600_000;
const MAX_AGE_MS = 24 * REFRESH_AGE_MS;
/** Pause after a failure: long enough that few people wait for a timeout, short enough to notice that the provider is back. */
const COOL_DOWN_MS = 15_000;

/** Only asymmetric signatures are accepted: neither `none`, nor HMAC, which would verify with a public key as its secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'RS384', 'PS384', 'ES384', 'RS512', 'PS512', 'ES512', 'EdDSA', 'Ed25519'];
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
/** Host names of local networks. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa)$/;

export class ProviderMetadata {
  #cache: { metadata: oidc.ServerMetadata; timeMs: number } | undefined;
  #lastFailure: { error: ProviderUnavailable; timeMs: number } | undefined;
  #pendingFetch: Promise<oidc.ServerMetadata> | undefined;

  constructor(
    private readonly source: Dialect['metadata'],
    private readonly fetch: oidc.CustomFetch,
    private readonly clock: Clock,
  ) {}

  /** @throws ProviderUnavailable */
  async get(): Promise<oidc.ServerMetadata> {
    const { source } = this;
    if ('issuer' in source) return source;
    const cache = this.#cache;
    const ageMs = cache ? this.#toAgeMs(cache) : Infinity;
    if (cache && ageMs < REFRESH_AGE_MS) return cache.metadata;
    const isUsable = cache !== undefined && ageMs < MAX_AGE_MS;
    const lastFailure = this.#lastFailure;
    if (lastFailure && this.#toAgeMs(lastFailure) < COOL_DOWN_MS) {
      if (isUsable) return cache.metadata;
      throw lastFailure.error;
    }
    // Concurrent requests share one fetch.
    this.#pendingFetch ??= this.#fetchMetadata(source).finally(() => (this.#pendingFetch = undefined));
    if (!isUsable) return this.#pendingFetch;
    const result = this.#pendingFetch.catch(() => cache.metadata);
    return lastFailure ? cache.metadata : result;
  }

  #toAgeMs({ timeMs }: { timeMs: number }): number {
    return this.clock.now().getTime() - timeMs;
  }

  async #fetchMetadata(document: MetadataDocument): Promise<oidc.ServerMetadata> {
    try {
      const execute = document.url.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
      const configuration = await oidc.discovery(new URL(document.url), 'discovery', undefined, oidc.None(), {
        [oidc.customFetch]: this.fetch,
        execute,
      });
      const metadata = checkMetadata(configuration.serverMetadata(), document);
      this.#cache = { metadata, timeMs: this.clock.now().getTime() };
      this.#lastFailure = undefined;
      return metadata;
    } catch (error) {
      const failure = new ProviderUnavailable(`metadata: ${toPortError(error).message}`);
      this.#lastFailure = { error: failure, timeMs: this.clock.now().getTime() };
      throw failure;
    }
  }
}

function checkMetadata(metadata: oidc.ServerMetadata, document: MetadataDocument): oidc.ServerMetadata {
  if (!document.acceptsIssuer(metadata.issuer)) throw new ProviderUnavailable('the document names another issuer');
  const unsafeName = ENDPOINTS.find((name) => !isSafeEndpoint(metadata[name], document.url));
  if (unsafeName !== undefined) throw new ProviderUnavailable(`${unsafeName} is missing or is not a public https address`);
  const names: unknown = metadata.id_token_signing_alg_values_supported;
  const algorithms = Array.isArray(names) ? ALGORITHMS.filter((algorithm) => names.includes(algorithm)) : [];
  const { userinfo_endpoint: userinfo, ...rest } = metadata;
  return {
    ...rest,
    // Only some settings need userinfo, so an unsafe address is left out, and everything else works.
    ...(isSafeEndpoint(userinfo, document.url) ? { userinfo_endpoint: userinfo } : {}),
    id_token_signing_alg_values_supported: algorithms.length > 0 ? algorithms : ['RS256'],
  };
}

/** Accepts the origin of the document, and public host names with TLS, because Google uses several hosts. */
function isSafeEndpoint(address: unknown, documentUrl: string): address is string {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  if (url.origin === new URL(documentUrl).origin) return true;
  const host = url.hostname.replace(/\.$/, '');
  const isPublic = host.includes('.') && isIP(host.replace(/^\[|\]$/g, '')) === 0 && !PRIVATE_NAME.test(host);
  return url.protocol === 'https:' && isPublic;
}
